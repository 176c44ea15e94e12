/**
 * Dragging on the timeline: a booking to another time or table, its end to another time, one onto another to exchange
 * their tables, and over empty space to block tables. While the pointer rests in a cell the service is asked, once,
 * whether it would do that; its answer stands under the pointer.
 */
import { signal } from '@preact/signals';
import { awaitsPayment } from '../../../components/booking/booking-facts.ts';
import {
  clockAt,
  type Diary,
  type DiaryBooking,
  endOf,
  MINUTE_MS,
  QUARTER_MS,
  startOf,
  type TimelineRow,
} from '../evening.ts';
import { scrollAtEdge } from './edge.ts';
import { isNothing, type Move } from './moves.ts';
import { msOf, nearestQuarter, quarterAt, rowAt, type Scale } from './scale.ts';
import { createVerdicts, type Verdict } from './verdicts.ts';

export interface BookingDrag {
  kind: 'move' | 'resize';
  booking: DiaryBooking;
  move: Move;
  /** Where it would be. */
  fromMs: number;
  toMs: number;
  row: TimelineRow;
  verdict: Verdict;
}

export interface Selection {
  kind: 'select';
  fromMs: number;
  toMs: number;
  rows: TimelineRow[];
}

export interface Cell {
  tableId: number;
  atMs: number;
}

export interface TimelineInputs {
  venueId: string;
  diary: Diary;
  rows: readonly TimelineRow[];
  scale: Scale;
}

export interface DragActions {
  onMove(booking: DiaryBooking, move: Move): void;
  onSelect(selection: Selection): void;
  onCell(cell: Cell): void;
}

/** Pixels of movement that tell a drag from a click. */
const SLACK_PX = 5;
/** How long a finger rests before it drags instead of scrolling. */
const HOLD_MS = 350;

interface Grip {
  x: number;
  y: number;
  booking: DiaryBooking | undefined;
  isResize: boolean;
  /** From the start of the booking to the pointer. */
  offsetMs: number;
  isActive: boolean;
}

export type Dragging = ReturnType<typeof createDragging>;

export function createDragging(getTimeline: () => TimelineInputs, actions: DragActions) {
  const drag = signal<BookingDrag | Selection>();
  const verdicts = createVerdicts(() => getTimeline().venueId);
  let grip: Grip | undefined;
  let hold: ReturnType<typeof setTimeout> | undefined;
  /** A click follows the end of every drag, and must not open what was moved. */
  let endedAt = 0;

  function pointOf(canvas: HTMLElement, event: PointerEvent) {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  function moveTo(
    booking: DiaryBooking,
    fromMs: number,
    row: TimelineRow,
    over: DiaryBooking | undefined,
  ): Move {
    if (over) return { kind: 'swap', with: over };
    const { timeZone } = getTimeline().diary;
    const isOtherTime = fromMs !== startOf(booking);
    const isOtherTable = row.table !== undefined && !booking.tables.some(({ id }) => id === row.table?.id);
    return {
      kind: 'change',
      ...(isOtherTime && { time: clockAt(fromMs, timeZone) }),
      ...(isOtherTable && row.table && { tableIds: [row.table.id] }),
    };
  }

  function bookingAt(row: TimelineRow, atMs: number, except: string): DiaryBooking | undefined {
    return getTimeline().diary.bookings.find(
      (booking) =>
        booking.id !== except &&
        booking.tables.some(({ id }) => id === row.table?.id) &&
        startOf(booking) <= atMs &&
        endOf(booking) > atMs,
    );
  }

  function dragBooking(held: Grip & { booking: DiaryBooking }, x: number, y: number): void {
    const { rows, scale } = getTimeline();
    const { booking, isResize, offsetMs } = held;
    const [startMs, endMs] = [startOf(booking), endOf(booking)];
    const current = drag.peek();
    if (isResize) {
      const row = (current as BookingDrag | undefined)?.row ?? rowAt(y, rows) ?? rows[0];
      const toMs = Math.max(startMs + QUARTER_MS, nearestQuarter(scale.fromMs + msOf(x, scale), scale));
      if (!row) return;
      const duration = Math.round((toMs - startMs) / MINUTE_MS);
      const move: Move = toMs === endMs ? { kind: 'change' } : { kind: 'change', duration };
      show({ kind: 'resize', booking, move, fromMs: startMs, toMs, row });
      return;
    }
    const row = rowAt(y, rows);
    if (row?.kind !== 'table') return;
    const pointerMs = scale.fromMs + msOf(x, scale);
    const over = bookingAt(row, pointerMs, booking.id);
    const fromMs = over ? startMs : nearestQuarter(pointerMs - offsetMs, scale);
    const move = moveTo(booking, fromMs, row, over);
    show({ kind: 'move', booking, move, fromMs, toMs: fromMs + (endMs - startMs), row });
  }

  function show(next: Omit<BookingDrag, 'verdict'>): void {
    const key = keyOf(next);
    const before = drag.peek();
    if (before && before.kind !== 'select' && keyOf(before) === key) return;
    drag.value = {
      ...next,
      verdict: verdicts.ask(key, next.booking, next.move, (verdict) => settle(key, verdict)),
    };
  }

  function settle(key: string, verdict: Verdict): void {
    const current = drag.peek();
    if (current && current.kind !== 'select' && keyOf(current) === key) drag.value = { ...current, verdict };
  }

  function select(from: Grip, x: number, y: number): void {
    const { rows, scale } = getTimeline();
    const [left, right] = [Math.min(from.x, x), Math.max(from.x, x)];
    const [top, bottom] = [Math.min(from.y, y), Math.max(from.y, y)];
    const chosen = rows.filter(
      (row) => row.kind === 'table' && row.top < bottom && row.top + row.height > top,
    );
    drag.value = {
      kind: 'select',
      fromMs: quarterAt(left, scale),
      toMs: quarterAt(right, scale) + QUARTER_MS,
      rows: chosen,
    };
  }

  function stop(): void {
    clearTimeout(hold);
    verdicts.forget();
    if (grip?.isActive) endedAt = performance.now();
    grip = undefined;
    drag.value = undefined;
  }

  return {
    drag,
    isActive: () => grip?.isActive === true,
    hasJustEnded: () => performance.now() - endedAt < 300,
    cancel: stop,

    onPointerDown(canvas: HTMLElement, event: PointerEvent): void {
      if (event.button !== 0 || grip) return;
      const target = event.target as HTMLElement;
      const { x, y } = pointOf(canvas, event);
      const id = target.closest<HTMLElement>('[data-id]')?.dataset.id;
      const { diary, scale } = getTimeline();
      const booking = diary.bookings.find((one) => one.id === id && !awaitsPayment(one));
      // Enquiries, blocks and what is not paid yet are opened, not moved.
      if (!booking && target.closest('button')) return;
      const offsetMs = booking ? scale.fromMs + msOf(x, scale) - startOf(booking) : 0;
      grip = { x, y, booking, isResize: 'resize' in target.dataset, offsetMs, isActive: false };
      const { pointerId } = event;
      if (event.pointerType === 'touch') {
        hold = setTimeout(() => {
          if (!grip) return;
          grip.isActive = true;
          canvas.setPointerCapture(pointerId);
          navigator.vibrate?.(10);
        }, HOLD_MS);
      }
    },

    onPointerMove(canvas: HTMLElement, event: PointerEvent): void {
      if (!grip) return;
      const { x, y } = pointOf(canvas, event);
      const isFar = Math.hypot(x - grip.x, y - grip.y) > SLACK_PX;
      if (!grip.isActive) {
        if (!isFar) return;
        // A finger that moves before it has rested scrolls.
        if (event.pointerType === 'touch') {
          stop();
          return;
        }
        grip.isActive = true;
        canvas.setPointerCapture(event.pointerId);
      }
      scrollAtEdge(canvas, event);
      if (grip.booking) dragBooking({ ...grip, booking: grip.booking }, x, y);
      else select(grip, x, y);
    },

    onPointerUp(canvas: HTMLElement, event: PointerEvent): void {
      const [held, done] = [grip, drag.peek()];
      stop();
      if (!held) return;
      if (!held.isActive) {
        if (held.booking) return;
        const { x, y } = pointOf(canvas, event);
        const { rows, scale } = getTimeline();
        const row = rowAt(y, rows);
        if (row?.table) actions.onCell({ tableId: row.table.id, atMs: quarterAt(x, scale) });
        return;
      }
      if (!done) return;
      if (done.kind === 'select') {
        if (done.rows.length > 0) actions.onSelect(done);
      } else if (!isNothing(done.move)) actions.onMove(done.booking, done.move);
    },
  };
}

/** Two of the same key are the same place and the same change. */
const keyOf = ({ kind, fromMs, toMs, row, move }: Omit<BookingDrag, 'verdict'>) =>
  JSON.stringify([kind, fromMs, toMs, row.key, move.kind]);
