/** The diary of one day, kept up to date by the stream of changes. */
import { computed, signal } from '@preact/signals';
import type { ApiProblem } from '../../app/api.ts';
import { api, isConnected, path } from '../../app/api.ts';
import { problemOf } from '../../app/load.ts';
import { applyEvent, type StreamEvent } from './changes.ts';
import type { Diary, DiaryBooking } from './evening.ts';

const KINDS = ['booking', 'booking.removed', 'block', 'block.removed', 'closure', 'closure.removed'] as const;
const RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 30_000;
/** An event that comes later is not the answer to what was done here. */
const OWN_MS = 10_000;
const FLASH_MS = 2_500;
const TICK_MS = 15_000;

/** No answer, too many calls, or a service that has just started: the next attempt may fare better. */
const isPassing = ({ status }: ApiProblem) => status === 0 || status === 429 || status >= 500;

export type Evening = ReturnType<typeof openEvening>;

export function openEvening(venueId: string, date: string) {
  const diary = signal<Diary>();
  const problem = signal<ApiProblem>();
  const now = signal(Date.now());
  /** What others have just changed, with the name of who did. */
  const flashes = signal<ReadonlyMap<string, string>>(new Map());
  /** What was changed here, and until when an event about it is taken for that change. */
  const own = new Map<string, number>();
  let reads = 0;
  let failures = 0;
  let source: EventSource | undefined;
  let isClosed = false;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const ticking = setInterval(() => {
    now.value = Date.now();
  }, TICK_MS);

  const address = path`/manage/venues/${venueId}/diary`;

  async function read(): Promise<void> {
    const mine = ++reads;
    // Another reading may have begun meanwhile, and has the stream then.
    const isOutdated = () => isClosed || mine !== reads;
    source?.close();
    clearTimeout(retry);
    try {
      const found = await api.get<Diary>(address, { date });
      if (isOutdated()) return;
      diary.value = found;
      problem.value = undefined;
      follow(found.position);
    } catch (error) {
      if (isOutdated()) return;
      problem.value = problemOf(error);
      if (isPassing(problem.value)) readLater();
    }
  }

  /** Later each time, so that a service in trouble is not asked by all screens every two seconds. */
  function readLater(): void {
    clearTimeout(retry);
    retry = setTimeout(read, Math.min(RETRY_MS * 2 ** failures, LONGEST_RETRY_MS));
    failures += 1;
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
      failures = 0;
      isConnected.value = true;
    };
    opened.onerror = () => {
      isConnected.value = false;
      // The browser connects again by itself unless it was refused.
      if (opened.readyState === EventSource.CLOSED && !isClosed) readLater();
    };
  }

  function apply(event: StreamEvent): void {
    const before = diary.peek();
    if (!before) return;
    diary.value = applyEvent(before, event);
    const { id, by } = event.data;
    const ownUntil = own.get(id) ?? 0;
    own.delete(id);
    if (ownUntil > Date.now()) return;
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
      own.set(id, Date.now() + OWN_MS);
      const assumed = { ...before, ...changes };
      diary.value = applyEvent(now, { kind: 'booking', data: assumed });
      return () => {
        own.delete(id);
        const current = diary.peek();
        // An event that came meanwhile knows better than both.
        if (current?.bookings.includes(assumed))
          diary.value = applyEvent(current, { kind: 'booking', data: before });
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
