/** The diary of one day, kept up to date by the stream of changes. */
import { computed, signal } from '@preact/signals';
import type { ApiProblem } from '../../app/api.ts';
import { api, isConnected, path } from '../../app/api.ts';
import { problemOf } from '../../app/load.ts';
import { applyEvent, type StreamEvent } from './changes.ts';
import type { Diary, DiaryBooking } from './evening.ts';

const KINDS = ['booking', 'booking.removed', 'block', 'block.removed', 'closure', 'closure.removed'] as const;
const RETRY_MS = 2_000;
const FLASH_MS = 2_500;
const TICK_MS = 15_000;

export type Evening = ReturnType<typeof openEvening>;

export function openEvening(venueId: string, date: string) {
  const diary = signal<Diary>();
  const problem = signal<ApiProblem>();
  const now = signal(Date.now());
  /** What others have just changed, with the name of who did. */
  const flashes = signal<ReadonlyMap<string, string>>(new Map());
  const own = new Set<string>();
  let source: EventSource | undefined;
  let isClosed = false;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const ticking = setInterval(() => {
    now.value = Date.now();
  }, TICK_MS);

  const address = path`/manage/venues/${venueId}/diary`;

  async function read(): Promise<void> {
    source?.close();
    clearTimeout(retry);
    try {
      const found = await api.get<Diary>(address, { date });
      if (isClosed) return;
      diary.value = found;
      problem.value = undefined;
      follow(found.position);
    } catch (error) {
      problem.value = problemOf(error);
      if (!isClosed && problem.value.status === 0) retry = setTimeout(read, RETRY_MS);
    }
  }

  function follow(position: string): void {
    const query = new URLSearchParams({ date, lastEventId: position });
    const opened = new EventSource(`${address}/stream?${query}`);
    source = opened;
    for (const kind of KINDS) {
      opened.addEventListener(kind, (event) =>
        apply({ kind, data: JSON.parse((event as MessageEvent).data) }),
      );
    }
    // The layout or the whole day is another: read it again.
    opened.addEventListener('venue', () => void read());
    opened.addEventListener('reset', () => void read());
    opened.onopen = () => {
      isConnected.value = true;
    };
    opened.onerror = () => {
      isConnected.value = false;
      // The browser connects again by itself unless it was refused.
      if (opened.readyState === EventSource.CLOSED && !isClosed) retry = setTimeout(read, RETRY_MS);
    };
  }

  function apply(event: StreamEvent): void {
    const before = diary.peek();
    if (!before) return;
    diary.value = applyEvent(before, event);
    const { id, by } = event.data;
    if (own.delete(id)) return;
    flashes.value = new Map([...flashes.peek(), [id, by?.name ?? '']]);
    setTimeout(() => {
      const rest = new Map(flashes.peek());
      rest.delete(id);
      flashes.value = rest;
    }, FLASH_MS);
  }

  void read();
  return {
    venueId,
    date,
    diary,
    problem,
    now,
    flashes,
    timeZone: computed(() => diary.value?.timeZone ?? 'UTC'),
    reload: read,
    /** Shows a change before the service has answered; returns what puts the former state back. */
    assume(id: string, changes: Partial<DiaryBooking>): () => void {
      const before = diary.peek()?.bookings.find((booking) => booking.id === id);
      const now = diary.peek();
      if (!before || !now) return () => {};
      own.add(id);
      diary.value = applyEvent(now, { kind: 'booking', data: { ...before, ...changes } });
      return () => {
        own.delete(id);
        const current = diary.peek();
        if (current) diary.value = applyEvent(current, { kind: 'booking', data: before });
      };
    },
    close() {
      isClosed = true;
      source?.close();
      clearTimeout(retry);
      clearInterval(ticking);
    },
  };
}
