/** Screens that follow a diary: on one node, across nodes, and when something breaks. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { VenueId } from '../../../src/kernel/ids.ts';
import { type SecondNode, startSecondNode } from '../../abuse/support/second-node.ts';
import { assertProblem } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { DEMO_PASSWORD, type People, startPeople } from '../../support/people.ts';
import { cancel, patch, replacing } from '../bookings/amend/amending.ts';
import { booked, freeDay } from '../bookings/support.ts';
import {
  addBlock,
  addClosure,
  addressOf,
  applied,
  diaryPath,
  type Opening,
  openScreen,
  readDiary,
  removeFrom,
  SOHO,
  sameThings,
  type TestScreen,
} from './support.ts';

let maitred: People;
let second: SecondNode;
before(async () => {
  maitred = await startPeople();
  second = await startSecondNode(maitred);
});
after(async () => {
  await second.close();
  await maitred.close();
});

const opening = async (date: string, from?: string): Promise<Opening> => ({
  token: await maitred.token('demo-operator'),
  date,
  from,
});
async function screenOf(
  date: string,
  from?: string,
  node: Pick<People, 'app'> = maitred,
): Promise<TestScreen> {
  return openScreen(await addressOf(node), await opening(date, from));
}

test('two screens on two nodes see a booking made, changed, moved to another day and cancelled', async () => {
  const [date, other] = [freeDay(), freeDay()];
  const { position } = await readDiary(maitred, date);
  const screens = [await screenOf(date, position), await screenOf(date, position, second)];
  const elsewhere = await screenOf(other);
  const { id } = await booked(maitred, { date, time: '19:00' });
  for (const screen of screens) {
    const { data } = await screen.sees(({ event, data }) => event === 'booking' && data.id === id);
    assert.deepEqual([data.time, data.guest.lastName, data.tables.length], ['19:00', 'Lovelace', 1]);
  }
  await patch(maitred, id, [replacing('/notes', 'With a dog')]);
  for (const screen of screens) await screen.sees(({ data }) => data.notes === 'With a dog');
  await patch(maitred, id, [replacing('/date', other)]);
  for (const screen of screens)
    await screen.sees(({ event, data }) => event === 'booking.removed' && data.id === id);
  await elsewhere.sees(({ event, data }) => event === 'booking' && data.id === id);
  await cancel(maitred, id);
  await elsewhere.sees(({ event, data }) => event === 'booking.removed' && data.id === id);
  for (const screen of [...screens, elsewhere]) screen.close();
});

test('blocks, closures and the layout reach screens too', async () => {
  const date = freeDay();
  const screen = await screenOf(date);
  const { sql } = maitred;
  const block = await addBlock(maitred, date, 'Wet paint');
  await screen.sees(({ event, data }) => event === 'block' && data.reason === 'Wet paint');
  await removeFrom(maitred, 'blocks', block);
  await screen.sees(({ event, data }) => event === 'block.removed' && data.id === block);
  const closure = await addClosure(maitred, date);
  await screen.sees(({ event, data }) => event === 'closure' && data.from === date);
  await removeFrom(maitred, 'closures', closure);
  await screen.sees(({ event }) => event === 'closure.removed');
  screen.events.length = 0;
  await sql`update house_table set name = name || '.' where venue_id = ${SOHO}`;
  await screen.sees(({ event }) => event === 'venue');
  screen.close();
});

test('a screen that comes back gets what it missed, from its header before its query, on another node', async () => {
  const date = freeDay();
  const { position } = await readDiary(maitred, date);
  const screen = await screenOf(date, position);
  const first = await booked(maitred, { date, time: '18:00' });
  await screen.sees(({ data }) => data.id === first.id);
  screen.close();
  const missed = await booked(maitred, { date, time: '19:00' });
  await cancel(maitred, first.id);
  const lastEventId = screen.lastId();
  const again = await openScreen(await addressOf(second), {
    ...(await opening(date, position)),
    headers: { 'last-event-id': lastEventId },
  });
  await again.sees(({ event, data }) => event === 'booking' && data.id === missed.id);
  await again.sees(({ event, data }) => event === 'booking.removed' && data.id === first.id);
  assert.equal(again.events.length, 2, JSON.stringify(again.events));
  again.close();
});

test('a position that is unknown or too old resets the screen, and the stream goes on', async () => {
  const date = freeDay();
  const { position } = await readDiary(maitred, date);
  const [cluster = ''] = position.split('.');
  const unknown = [
    'nonsense',
    '1-00000001.5:5:',
    `${cluster}.99999999:99999999:`,
    `${cluster}.9:7:`,
    `${cluster}.0:0:`,
  ];
  for (const from of unknown) {
    const screen = await screenOf(date, from);
    await screen.sees(({ event }) => event === 'reset');
    const { id } = await booked(maitred, { date, time: '18:00' });
    await screen.sees(({ event, data }) => event === 'booking' && data.id === id);
    await cancel(maitred, id);
    screen.close();
  }
  await maitred.sql`update diary_change set created_at = now() - interval '3 days'`;
  assert.ok((await maitred.services.diaries.prune()) > 0);
  const old = await screenOf(date, position);
  await old.sees(({ event }) => event === 'reset');
  old.close();
});

test('the position of a diary that was kept for long is renewed before the log forgets it', async () => {
  const date = freeDay();
  const { position } = await readDiary(maitred, date);
  await booked(maitred, { date: freeDay(), time: '18:00' });
  await maitred.sql`update diary_change set created_at = now() - interval '3 days'`;
  await maitred.services.diaries.prune();
  assert.notEqual((await readDiary(maitred, date)).position, position);
  // What is pruned here is seconds old, and transactions of other tests may be older.
  await eventually(async () => {
    const screen = await screenOf(date, (await readDiary(maitred, date)).position);
    screen.close();
    return screen.events.length === 0;
  });
});

test('a transaction that never ends makes no position unknown', async () => {
  const date = freeDay();
  const stuck = await maitred.sql.reserve();
  await stuck`begin`;
  await stuck`select pg_current_xact_id()`;
  const { id } = await booked(maitred, { date: freeDay(), time: '18:00' });
  await maitred.sql`update diary_change set created_at = now() - interval '3 days' where thing_id = ${id}`;
  await maitred.services.diaries.prune();
  await eventually(async () => {
    const screen = await screenOf(date, (await readDiary(maitred, date)).position);
    screen.close();
    return screen.events.length === 0;
  });
  await stuck`rollback`;
  stuck.release();
});

test('under bookings at once nothing is missed, whichever transaction commits first', async () => {
  const date = freeDay();
  const diary = await readDiary(maitred, date);
  const screens = [await screenOf(date, diary.position), await screenOf(date, diary.position, second)];
  const times = ['17:00', '17:45', '18:30', '19:15', '20:00', '21:00'];
  let wanderer = await screenOf(date, diary.position);
  const wandered = wanderer.events;
  for (const time of times) {
    const made = await Promise.all(
      [1, 2, 3].map(() => booked(maitred, { date, time, partySize: 2 }).catch(() => null)),
    );
    await Promise.all(made.flatMap((each, index) => (each && index === 0 ? [cancel(maitred, each.id)] : [])));
    // One screen keeps losing its connection.
    const from = wanderer.lastId();
    wanderer.close();
    wanderer = await screenOf(date, from);
    const { events } = wanderer;
    wanderer.events.push = (...more) => {
      wandered.push(...more);
      return Array.prototype.push.apply(events, more);
    };
    wandered.push(...events);
  }
  const told = [...screens.map(({ events }) => events), wandered];
  let difference: unknown;
  const agree = async () => {
    const settled = await readDiary(maitred, date);
    try {
      assert.ok(settled.bookings.length >= times.length);
      for (const events of told) sameThings(settled, applied(diary, events));
      return true;
    } catch (error) {
      difference = error;
      return false;
    }
  };
  try {
    await eventually(agree);
  } catch {
    throw difference;
  } finally {
    for (const screen of [...screens, wanderer]) screen.close();
  }
});

test('a transaction that is open for long delays no other, and is told when it commits', async () => {
  const date = freeDay();
  const diary = await readDiary(maitred, date);
  const screen = await screenOf(date, diary.position);
  const early = await booked(maitred, { date, time: '18:00' });
  await screen.sees(({ data }) => data.id === early.id);
  const slow = await maitred.sql.reserve();
  await slow`begin`;
  await slow`update booking set flags = '{slow}' where id = ${early.id}`;
  const { id } = await booked(maitred, { date, time: '19:00' });
  const { id: position } = await screen.sees(({ data }) => data.id === id);
  screen.close();
  await slow`commit`;
  slow.release();
  // The control: a reader that remembers the highest transaction alone would never be told.
  const [, snapshot = ''] = position.split('.');
  const later = await maitred.sql`
    select from diary_change where venue_id = ${SOHO} and xid >= pg_snapshot_xmax(${snapshot}::pg_snapshot)`;
  assert.equal(later.length, 0);
  const again = await screenOf(date, position);
  await again.sees(({ data }) => data.id === early.id && data.flags[0] === 'slow');
  assert.equal(again.events.length, 1, 'what came before is not told again');
  again.close();
});

test('a change is read once, however many screens watch', async () => {
  const date = freeDay();
  const screens = await Promise.all(Array.from({ length: 30 }, () => screenOf(date)));
  const { counts } = maitred.services.diaries.streams;
  const before = counts.reads;
  const { id } = await booked(maitred, { date, time: '19:00' });
  for (const screen of screens) await screen.sees(({ data }) => data.id === id);
  assert.equal(counts.reads, before + 1);
  for (const screen of screens) screen.close();
});

test('who is not at the operator is refused', async () => {
  const date = freeDay();
  assertProblem(await maitred.call(diaryPath(date, '/stream'), { as: 'demo-partner' }), 403, 'USER-N-009');
  assertProblem(
    await maitred.call(diaryPath(date, '/stream', '2|house|night-owl'), { as: 'demo-operator' }),
    403,
    'OPRTR-N-002',
  );
  assertProblem(await maitred.call(diaryPath(date, '/stream'), { as: null }), 401, 'IDENT-N-001');
  const head = await maitred.call(diaryPath(date, '/stream'), { method: 'HEAD', as: 'demo-operator' });
  assert.equal(head.status, 200);
});

test('one caller has a limited number of streams', async () => {
  const date = freeDay();
  const request = {
    venueId: SOHO as VenueId,
    date,
    lastEventId: undefined,
    actorId: 'someone',
    checkKey: 'someone',
    assertAllowed: async () => {},
  };
  const opened = Array.from({ length: 250 }, () => maitred.services.diaries.openStream(request));
  assert.throws(() => maitred.services.diaries.openStream(request), { code: 'RATE-R-001' });
  opened.pop()?.destroy();
  await eventually(() => {
    try {
      opened.push(maitred.services.diaries.openStream(request));
      return true;
    } catch {
      return false;
    }
  });
  for (const stream of opened) stream.destroy();
});

test('a screen that reads nothing is dropped and goes on from its last event', async () => {
  const date = freeDay();
  const { counts } = maitred.services.diaries.streams;
  const before = counts.dropped;
  const stream = maitred.services.diaries.openStream({
    venueId: SOHO as VenueId,
    date,
    lastEventId: undefined,
    actorId: 'slow',
    checkKey: 'slow',
    assertAllowed: async () => {},
  });
  const reader = await screenOf(date);
  const { id } = await booked(maitred, { date, time: '19:00', comments: 'x'.repeat(2000) });
  let number = 0;
  await eventually(async () => {
    number += 1;
    await maitred.sql`update booking set flags = array[${String(number)}] where id = ${id}`;
    const last = number;
    await reader.sees(({ data }) => Number(data.flags?.[0]) >= last);
    return counts.dropped > before;
  });
  assert.ok(stream.destroyed);
  assert.ok(number > 20, 'not at the first change');
  reader.close();
});

test('a stream ends with the session that opened it', async () => {
  const date = freeDay();
  const token = await maitred.signIn('staff@lamp.example', DEMO_PASSWORD);
  const screen = await openScreen(await addressOf(maitred), { token, date });
  await maitred.callWith(token, '/manage/sessions/current', { method: 'DELETE' });
  await maitred.services.diaries.streams.check();
  await eventually(() => screen.isOver());
});

test('a stream that a cookie opened ends with its own session, and not with that of another', async () => {
  const date = freeDay();
  const screens = await Promise.all(
    ['staff@lamp.example', 'owner@lamp.example'].map(async (email) => {
      const cookie = `__Host-maitred=${await maitred.signIn(email, DEMO_PASSWORD)}`;
      return { cookie, screen: await openScreen(await addressOf(maitred), { cookie, date }) };
    }),
  );
  const [ended, other] = screens;
  await maitred.callWith(null, '/manage/sessions/current', {
    method: 'DELETE',
    headers: { cookie: ended?.cookie ?? '', 'sec-fetch-site': 'same-origin' },
  });
  await maitred.services.diaries.streams.check();
  await eventually(() => ended?.screen.isOver() === true);
  await maitred.services.diaries.streams.check();
  assert.equal(other?.screen.isOver(), false);
  other?.screen.close();
});

test('a node that stops ends its streams at once, and the screen goes on elsewhere', async () => {
  const date = freeDay();
  const third = await startSecondNode(maitred);
  const screen = await screenOf(date, undefined, third);
  const closing = third.close();
  await eventually(() => screen.isOver());
  await closing;
  const { id } = await booked(maitred, { date, time: '19:00' });
  const again = await screenOf(date, screen.lastId(), second);
  await again.sees(({ data }) => data.id === id);
  again.close();
});

test('heartbeats keep a stream open and carry its position', async () => {
  const date = freeDay();
  const screen = await screenOf(date);
  await booked(maitred, { date: freeDay(), time: '19:00' });
  const before = screen.lastId();
  await eventually(() => {
    maitred.services.diaries.streams.beat();
    return screen.comments() > 0 && screen.lastId() !== before;
  });
  screen.close();
});

test('without screens nothing is notified, and closed screens are forgotten', async () => {
  await eventually(() => maitred.services.diaries.streams.count() === 0);
});

test('an event says who made the change: a partner, a client, or a person who has signed in', async () => {
  const date = freeDay();
  const screen = await screenOf(date);
  const { id } = await booked(maitred, { date, time: '19:00' });
  const bySeen = async (wanted: (event: { event: string; data: Record<string, never> }) => boolean) =>
    (await screen.sees(wanted as never)).data.by;
  const partner = { kind: 'partner', name: 'Demo Partner' };
  assert.deepEqual(await bySeen(({ data }) => data.id === id), partner);
  const changed = await maitred.call(`/manage/operators/1/bookings/${id}`, {
    method: 'PATCH',
    as: 'demo-operator',
    body: { time: '20:00' },
  });
  assert.equal(changed.status, 200, changed.text);
  const client = { kind: 'client', name: 'demo-operator' };
  assert.deepEqual(await bySeen(({ data }) => data.time === '20:00'), client);
  const block = await addBlock(maitred, date, 'Wet paint');
  const admin = { kind: 'client', name: 'demo-admin' };
  assert.deepEqual(await bySeen(({ event, data }) => event === 'block' && data.id === block), admin);
  await removeFrom(maitred, 'blocks', block);
  assert.deepEqual(await bySeen(({ event }) => event === 'block.removed'), admin);
  await cancel(maitred, id);
  assert.deepEqual(await bySeen(({ event }) => event === 'booking.removed'), partner);
  screen.close();
});
