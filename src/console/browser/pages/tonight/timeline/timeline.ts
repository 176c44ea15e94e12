/** Tables by time. */
import { html } from 'htm/preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { t } from '../../../app/language.ts';
import {
  clockAt,
  type Diary,
  type DiaryBooking,
  endOf,
  lanesOf,
  overrunsOf,
  QUARTER_MS,
  rowsOf,
  runsOf,
  type Span,
  shownState,
  startOf,
  type TimelineRow,
  tableIdsOf,
} from '../evening.ts';
import type { Held } from '../holds.ts';
import { type BlockProps, BookingBlock } from './booking-block.ts';
import { type Cell, createDragging, type Selection } from './drag.ts';
import { Ghost } from './ghost.ts';
import { KeptTimes } from './kept-times.ts';
import type { Move } from './moves.ts';
import { heightOf, pxOf, type Scale, scaleFor, xOf } from './scale.ts';

export interface TimelineProps {
  venueId: string;
  diary: Diary;
  holds: readonly Held[];
  span: Span;
  nowMs: number;
  flashes: ReadonlyMap<string, string>;
  currency: string;
  onMove: (booking: DiaryBooking, move: Move) => void;
  onSelect: (selection: Selection) => void;
  onCell: (cell: Cell) => void;
  onOpen: (booking: DiaryBooking) => void;
  onBlock: (blockId: string) => void;
  onHold: (holdId: string) => void;
}

const ROW_PX = 44;
const NAMES_PX = 112;

interface Placed extends Omit<BlockProps, 'currency' | 'timeZone' | 'flash'> {
  key: string;
}

/** Where each booking is drawn: on the rows of its tables, or in the lane of those that have none. */
function place(
  { diary, nowMs }: TimelineProps,
  scale: Scale,
  rows: readonly TimelineRow[],
  lanes: ReadonlyMap<string, number>,
): Placed[] {
  const indexOf = new Map(rows.map((row, index) => [row.table?.id, index]));
  const tables = rows.flatMap(({ table }) => table ?? []);
  const overruns = overrunsOf(diary, nowMs);
  const enquiries = new Set(diary.enquiries);
  return [...diary.bookings, ...diary.enquiries].flatMap((booking) => {
    const state = enquiries.has(booking) ? ('enquiry' as const) : shownState(booking, nowMs);
    const common = {
      booking,
      state,
      left: xOf(startOf(booking), scale),
      width: pxOf(endOf(booking) - startOf(booking), scale),
      isBlockedBySitting: overruns.has(booking.id),
    };
    const indexes = tableIdsOf(booking, tables).flatMap((id) => indexOf.get(id) ?? []);
    if (indexes.length === 0) {
      const lane = lanes.get(booking.id);
      return lane === undefined ? [] : [{ ...common, key: booking.id, top: lane * ROW_PX, height: ROW_PX }];
    }
    return runsOf(indexes).map(({ first, count }) => ({
      ...common,
      key: `${booking.id} ${first}`,
      top: rows[first]?.top ?? 0,
      height: count * ROW_PX,
    }));
  });
}

function withoutTable(diary: Diary) {
  const tables = diary.areas.flatMap((area) => area.tables);
  const known = new Set(tables.map(({ id }) => id));
  return [...diary.bookings, ...diary.enquiries].filter(
    (booking) => !tableIdsOf(booking, tables).some((id) => known.has(id)),
  );
}

export function Timeline(props: TimelineProps) {
  const { diary, span, nowMs, flashes, currency } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLDivElement>(null);
  const [roomPx, setRoom] = useState(0);
  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const observer = new ResizeObserver(() => setRoom(box.clientWidth - NAMES_PX));
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  const scale = scaleFor(span, roomPx);
  const { rows, lanes } = useMemo(() => {
    const waiting = withoutTable(diary).map((booking) => ({
      id: booking.id,
      fromMs: startOf(booking),
      toMs: endOf(booking),
    }));
    const found = lanesOf(waiting);
    return { rows: rowsOf(diary, found.count), lanes: found.lanes };
  }, [diary]);
  const latest = useRef({ props, rows, scale });
  latest.current = { props, rows, scale };
  const dragging = useMemo(
    () =>
      createDragging(
        () => ({ ...latest.current.props, rows: latest.current.rows, scale: latest.current.scale }),
        {
          onMove: (booking, move) => latest.current.props.onMove(booking, move),
          onSelect: (selection) => latest.current.props.onSelect(selection),
          onCell: (cell) => latest.current.props.onCell(cell),
        },
      ),
    [],
  );
  usePointer(canvas, dragging);

  const isToday = nowMs >= span.fromMs && nowMs < span.toMs;
  useEffect(() => {
    const box = scroller.current;
    if (box && isToday) box.scrollLeft = Math.max(0, xOf(nowMs, scale) - box.clientWidth / 3);
  }, [diary.date, span.fromMs]);

  const width = pxOf(span.toMs - span.fromMs, scale);
  const hours = Array.from(
    { length: Math.round((span.toMs - span.fromMs) / (4 * QUARTER_MS)) },
    (_, index) => span.fromMs + index * 4 * QUARTER_MS,
  );
  const onClick = (event: MouseEvent) => {
    const button = (event.target as Element).closest<HTMLElement>('button');
    if (!button || dragging.hasJustEnded()) return;
    const { id, block, hold } = button.dataset;
    if (block) props.onBlock(block);
    if (hold) props.onHold(hold);
    const booking = [...diary.bookings, ...diary.enquiries].find((one) => one.id === id);
    if (booking) props.onOpen(booking);
  };
  return html`
    <div class="timeline" ref=${scroller} tabindex="0" role="region" aria-label=${t.tonight.timeline}>
      <div class="tl-head" style=${{ width: `${width}px` }}>
        ${hours.map((ms) => html`<span key=${ms} style=${{ left: `${xOf(ms, scale)}px` }}>${clockAt(ms, diary.timeZone)}</span>`)}
      </div>
      <div class="tl-names" style=${{ height: `${heightOf(rows)}px` }}>
        ${rows.map(
          (row) => html`
            <div key=${row.key} class=${`tl-name ${row.kind}`} style=${{ top: `${row.top}px`, height: `${row.height}px` }}>
              <span>${row.kind === 'unseated' ? t.tonight.noTable : row.name}</span>${' '}
              ${row.table && html`<small>${t.tonight.seats(row.table.minCovers, row.table.maxCovers)}</small>`}
            </div>
          `,
        )}
      </div>
      <div
        class="tl-canvas"
        ref=${canvas}
        style=${{ width: `${width}px`, height: `${heightOf(rows)}px`, backgroundSize: `${4 * scale.quarterPx}px 100%, ${scale.quarterPx}px 100%` }}
        onClick=${onClick}
      >
        ${rows.map((row) => html`<div key=${row.key} class=${`tl-row ${row.kind}`} style=${{ top: `${row.top}px`, height: `${row.height}px` }}></div>`)}
        <${KeptTimes} diary=${diary} holds=${props.holds} rows=${rows} scale=${scale} />
        ${place(props, scale, rows, lanes).map(
          ({ key, ...placed }) =>
            html`<${BookingBlock} key=${key} ...${placed} currency=${currency} timeZone=${diary.timeZone} flash=${flashes.get(placed.booking.id)} />`,
        )}
        ${isToday && html`<div class="tl-now" style=${{ left: `${xOf(nowMs, scale)}px` }}></div>`}
        <${Ghost} dragging=${dragging} scale=${scale} timeZone=${diary.timeZone} />
      </div>
    </div>
  `;
}

/** Listens on the element itself: a finger that drags must be able to stop the page from scrolling. */
function usePointer(
  canvas: { current: HTMLDivElement | null },
  dragging: ReturnType<typeof createDragging>,
): void {
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const stopped = new AbortController();
    const { signal } = stopped;
    element.addEventListener('pointerdown', (event) => dragging.onPointerDown(element, event), { signal });
    element.addEventListener('pointermove', (event) => dragging.onPointerMove(element, event), { signal });
    element.addEventListener('pointerup', (event) => dragging.onPointerUp(element, event), { signal });
    element.addEventListener('pointercancel', () => dragging.cancel(), { signal });
    element.addEventListener('touchmove', (event) => dragging.isActive() && event.preventDefault(), {
      signal,
      passive: false,
    });
    addEventListener('keydown', (event) => event.key === 'Escape' && dragging.cancel(), { signal });
    return () => {
      dragging.cancel();
      stopped.abort();
    };
  }, []);
}
