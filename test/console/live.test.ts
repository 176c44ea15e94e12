import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import type { DiaryBooking } from '../../src/console/browser/pages/tonight/evening.ts';
import { type Evening, openEvening } from '../../src/console/browser/pages/tonight/live.ts';
import { diaryBookingExample, diaryExample } from '../../src/features/diary/schema.ts';

const VENUE = '1|house|soho-grill';
const DATE = '2026-12-05';
const booking: DiaryBooking = { ...diaryBookingExample, id: 'a' };

/** What a browser brings, as far as an evening uses it. */
class Stream extends EventTarget {
  static readonly CLOSED = 2;
  static opened: Stream[] = [];
  readyState = 1;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  constructor() {
    super();
    Stream.opened.push(this);
  }
  close(): void {
    this.readyState = Stream.CLOSED;
  }
  /** The service answers the next attempt with something else than a stream. */
  refuse(): void {
    this.close();
    this.onerror?.();
  }
  tell(kind: string, data: object): void {
    this.dispatchEvent(new MessageEvent(kind, { data: JSON.stringify(data) }));
  }
}

let answers: (() => Response)[] = [];
let asked = 0;
const diary = () => Response.json({ ...diaryExample, bookings: [booking], blocks: [] });
const refusal = (status: number) => () => Response.json({ code: 'X', title: 'No' }, { status });
const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};
const pass = async (ms: number) => {
  mock.timers.tick(ms);
  await settled();
};
const openStreams = () => Stream.opened.filter(({ readyState }) => readyState !== Stream.CLOSED);

let evening: Evening | undefined;
const globals = globalThis as unknown as Record<string, unknown>;
const { fetch: realFetch, EventSource: realSource } = globals;
beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] });
  Stream.opened = [];
  answers = [];
  asked = 0;
  globals.EventSource = Stream;
  globals.fetch = async () => {
    asked += 1;
    return (answers.shift() ?? diary)();
  };
});
afterEach(() => {
  evening?.close();
  mock.timers.reset();
  Object.assign(globals, { fetch: realFetch, EventSource: realSource });
});

async function open(): Promise<Evening> {
  evening = openEvening(VENUE, DATE);
  await settled();
  return evening;
}
const shown = (of: Evening) => of.diary.peek()?.bookings.find(({ id }) => id === 'a');

test('a screen comes back by itself after the service was away or had too much to do', async () => {
  answers = [refusal(503), refusal(429), refusal(502)];
  const screen = await open();
  assert.equal(screen.problem.peek()?.status, 503);
  await pass(2_000);
  await pass(4_000);
  assert.equal(asked, 3);
  await pass(8_000);
  assert.equal(screen.problem.peek(), undefined);
  assert.equal(openStreams().length, 1);
});

test('what is refused for good is not asked for again', async () => {
  answers = [refusal(403)];
  await open();
  await pass(120_000);
  assert.equal(asked, 1);
});

test('a stream that is refused is tried less and less often', async () => {
  await open();
  for (let minute = 0; minute < 40; minute += 1) {
    Stream.opened.at(-1)?.refuse();
    await pass(2_000);
  }
  assert.ok(asked < 12, `${asked} in 80 seconds`);
});

test('readings that overlap leave one stream, and leaving the page leaves none', async () => {
  const screen = await open();
  await Promise.all([screen.reload(), screen.reload(), screen.reload()]);
  assert.equal(openStreams().length, 1);
  screen.close();
  assert.equal(openStreams().length, 0);
});

test('a change that is refused is put back', async () => {
  const screen = await open();
  const putBack = screen.assume('a', { time: '21:00' });
  assert.equal(shown(screen)?.time, '21:00');
  putBack();
  assert.equal(shown(screen)?.time, booking.time);
});

test('putting back keeps what another host has done meanwhile', async () => {
  const screen = await open();
  const putBack = screen.assume('a', { time: '21:00' });
  Stream.opened.at(-1)?.tell('booking', { ...booking, time: '18:15', by: { name: 'Max' } });
  putBack();
  assert.equal(shown(screen)?.time, '18:15');
});

test('the own change does not flash, and one that led to no event hides no later one', async () => {
  const screen = await open();
  screen.assume('a', { time: '21:00' });
  Stream.opened.at(-1)?.tell('booking', { ...booking, time: '21:00', by: { name: 'Anna' } });
  assert.equal(screen.flashes.peek().size, 0);
  screen.assume('a', { time: '21:00' });
  await pass(60_000);
  Stream.opened.at(-1)?.tell('booking', { ...booking, time: '21:30', by: { name: 'Max' } });
  assert.equal(screen.flashes.peek().get('a'), 'Max');
});
