/** What the tests of diaries share: a listening application, and screens that read its streams. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import type { TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import type { Body } from '../bookings/support.ts';

export const SOHO = '1|house|soho-grill';

export const diaryPath = (date: string, rest = '', venueId = SOHO) =>
  `/manage/venues/${encodeURIComponent(venueId)}/diary${rest}?date=${date}`;

export async function readDiary(
  app: TestApp,
  date: string,
  venueId = SOHO,
  as = 'demo-admin',
): Promise<Body> {
  const answer = await app.call(diaryPath(date, '', venueId), { as });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** Something that the operator adds to the day; returns its id. */
async function add(app: TestApp, what: string, body: Body): Promise<string> {
  const path = `/manage/venues/${encodeURIComponent(SOHO)}/${what}`;
  const answer = await app.call(path, { method: 'POST', as: 'demo-admin', body });
  assert.ok(answer.status < 300, answer.text);
  return answer.json.id;
}

export async function addBlock(app: TestApp, date: string, reason = 'Broken'): Promise<string> {
  const path = `/manage/venues/${encodeURIComponent(SOHO)}/tables`;
  const { data } = (await app.call(path, { as: 'demo-admin' })).json;
  return add(app, 'blocks', {
    from: `${date}T18:00`,
    to: `${date}T20:00`,
    tableIds: [data[0].id],
    reason,
  });
}

export const addClosure = (app: TestApp, date: string): Promise<string> =>
  add(app, 'closures', { from: date, to: date, bookings: 'keep' });

export const removeFrom = (app: TestApp, what: 'blocks' | 'closures', id: string) =>
  app.call(`/manage/venues/${encodeURIComponent(SOHO)}/${what}/${id}`, {
    method: 'DELETE',
    as: 'demo-admin',
  });

/** Where the application listens; it does from the first call on. */
export async function addressOf({ app }: Pick<TestApp, 'app'>): Promise<string> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

export interface ScreenEvent {
  event: string;
  id: string;
  data: Body;
}

export interface TestScreen {
  events: ScreenEvent[];
  /** The last id, whether an event came with it or not. */
  lastId(): string;
  comments(): number;
  isOver(): boolean;
  /** Waits until an event has come for which this holds. */
  sees(holds: (event: ScreenEvent) => boolean): Promise<ScreenEvent>;
  close(): void;
}

export interface Opening {
  /** Of a session, or else its cookie. */
  token?: string;
  cookie?: string;
  date: string;
  venueId?: string;
  from?: string | undefined;
  headers?: Record<string, string>;
}

/** Opens a stream, and waits until it has begun. */
export async function openScreen(
  address: string,
  { token, cookie, date, venueId = SOHO, from, headers = {} }: Opening,
): Promise<TestScreen> {
  const leaving = new AbortController();
  const position = from === undefined ? '' : `&lastEventId=${encodeURIComponent(from)}`;
  const response = await fetch(`${address}${diaryPath(date, '/stream', venueId)}${position}`, {
    headers: { ...(cookie === undefined ? { authorization: `Bearer ${token}` } : { cookie }), ...headers },
    signal: leaving.signal,
  });
  assert.equal(response.status, 200, response.ok ? '' : await response.text());
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  const events: ScreenEvent[] = [];
  let comments = 0;
  let lastId = '';
  let isOver = false;

  function take(block: string): void {
    // What was under way when the screen closed comes again to the next one, and would be out of order here.
    if (leaving.signal.aborted) return;
    const fields = new Map<string, string>();
    for (const line of block.split('\n')) {
      if (line.startsWith(':')) comments += 1;
      const [, name = '', value = ''] = /^(\w+): (.*)$/.exec(line) ?? [];
      fields.set(name, value);
    }
    lastId = fields.get('id') ?? lastId;
    const data = fields.get('data');
    if (data !== undefined)
      events.push({ event: fields.get('event') ?? '', id: lastId, data: JSON.parse(data) });
  }

  const read = async () => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      blocks.forEach(take);
    }
  };
  void read()
    .catch(() => {})
    .finally(() => {
      isOver = true;
    });
  await eventually(() => lastId !== '' || isOver);
  return {
    events,
    lastId: () => lastId,
    comments: () => comments,
    isOver: () => isOver,
    async sees(holds) {
      await eventually(() => events.some(holds));
      return events.find(holds) as ScreenEvent;
    },
    close: () => leaving.abort(),
  };
}

/** The diary as a screen has it: read once, then changed by what the stream tells. */
export function applied(diary: Body, events: readonly ScreenEvent[]): Body {
  const lists: Record<string, Map<string, Body>> = {
    booking: new Map([...diary.bookings, ...diary.enquiries].map((each: Body) => [each.id, each])),
    block: new Map(diary.blocks.map((each: Body) => [each.id, each])),
    closure: new Map(diary.closures.map((each: Body) => [each.id, each])),
  };
  for (const { event, data: told } of events) {
    // Who made the change is part of the event and not of the entry.
    const { by: _, ...data } = told;
    const [kind = '', removed] = event.split('.');
    if (removed) lists[kind]?.delete(data.id);
    else lists[kind]?.set(data.id, data);
  }
  return lists;
}

export function sameThings(diary: Body, lists: Body): void {
  const ordered = (things: Iterable<Body>) => [...things].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  assert.deepEqual(ordered(lists.booking.values()), ordered([...diary.bookings, ...diary.enquiries]));
  assert.deepEqual(ordered(lists.block.values()), ordered(diary.blocks));
  assert.deepEqual(ordered(lists.closure.values()), ordered(diary.closures));
}
