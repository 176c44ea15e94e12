/** Between moments and pixels of the timeline. */
import { QUARTER_MS, type Span, type TimelineRow } from '../evening.ts';

/** A span and how wide a quarter of an hour is drawn. */
export interface Scale extends Span {
  quarterPx: number;
}

/** Narrower, and names of guests could not be read. */
const NARROWEST_PX = 28;

/** Fills the room there is; where there is too little of it, the timeline scrolls. */
export function scaleFor(span: Span, roomPx: number): Scale {
  const quarters = (span.toMs - span.fromMs) / QUARTER_MS;
  return { ...span, quarterPx: Math.max(NARROWEST_PX, Math.floor(roomPx / quarters)) };
}

export const pxOf = (ms: number, { quarterPx }: Scale) => (ms / QUARTER_MS) * quarterPx;
export const msOf = (px: number, { quarterPx }: Scale) => (px / quarterPx) * QUARTER_MS;
export const xOf = (ms: number, scale: Scale) => pxOf(ms - scale.fromMs, scale);

/** The quarter of an hour under a pixel. */
export const quarterAt = (x: number, scale: Scale) =>
  scale.fromMs + Math.floor(x / scale.quarterPx) * QUARTER_MS;

/** The nearest quarter, for what is dragged by some point of it. */
export const nearestQuarter = (ms: number, { fromMs }: Span) =>
  fromMs + Math.round((ms - fromMs) / QUARTER_MS) * QUARTER_MS;

export const rowAt = (y: number, rows: readonly TimelineRow[]): TimelineRow | undefined =>
  rows.find(({ top, height }) => y >= top && y < top + height);

export const heightOf = (rows: readonly TimelineRow[]) => {
  const last = rows.at(-1);
  return last ? last.top + last.height : 0;
};
