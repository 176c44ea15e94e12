/** Between moments and pixels of the timeline. */
import { QUARTER_MS, type Span, type TimelineRow } from './evening.ts';

export const QUARTER_PX = 28;
const PX_PER_MS = QUARTER_PX / QUARTER_MS;

export const xOf = (ms: number, span: Span) => (ms - span.fromMs) * PX_PER_MS;
export const widthOf = ({ fromMs, toMs }: Span) => (toMs - fromMs) * PX_PER_MS;

/** The quarter of an hour under a pixel. */
export const quarterAt = (x: number, span: Span) => span.fromMs + Math.floor(x / QUARTER_PX) * QUARTER_MS;

/** The nearest quarter, for what is dragged by some point of it. */
export const nearestQuarter = (ms: number, span: Span) =>
  span.fromMs + Math.round((ms - span.fromMs) / QUARTER_MS) * QUARTER_MS;

export const msOf = (px: number) => px / PX_PER_MS;

export const rowAt = (y: number, rows: readonly TimelineRow[]): TimelineRow | undefined =>
  rows.find(({ top, height }) => y >= top && y < top + height);

export const heightOf = (rows: readonly TimelineRow[]) => {
  const last = rows.at(-1);
  return last ? last.top + last.height : 0;
};
