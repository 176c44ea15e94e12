/** Holds and bookings mixed, on two nodes that are processes of their own: all callers want the last place. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ProductId } from '../../src/kernel/ids.ts';
import { startMortalNode, tokenFrom } from '../faults/booking-clients.ts';

import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts';
import type { NodeProcess } from '../support/node-process.ts';
import { repeats } from '../support/repeats.ts';
import { deadlocks, imbalances } from './balance.ts';
import { type Call, type Contest, callerAt, contend, lastOf, winnersOf } from './contenders.ts';
import { tally } from './storm.ts';
import { addGig, addRoom, type Start, startsApart } from './venues.ts';

const CALLERS = repeats(500, 120);
const NODES = 2;
/** A hold takes longer to make than a booking; with this most contests are won by one. */
const HEAD_START_MS = 1000;
const [start] = startsApart(1) as [Start];

let database: TestDatabase;
let nodes: NodeProcess[];
let calls: Call[];
before(async () => {
  database = await createTestDatabase({ hasDemo: true });
  nodes = await Promise.all(
    Array.from({ length: NODES }, () => startMortalNode(database.url, { ROLE: 'api' })),
  );
  const token = await tokenFrom(nodes[0]?.address ?? '');
  calls = nodes.map(({ address }) => callerAt(address, token));
});
after(async () => {
  for (const { child } of nodes) child.kill();
  await Promise.all(nodes.map(({ exit }) => exit));
  await database.drop();
});

interface Stored {
  bookings: number;
  tables: number;
  tickets: number;
  /** Of the venue, also of holds that were used. */
  holds: number;
  /** What its system keeps for bookings that are not made. */
  kept: number;
}

async function storedAt(productId: ProductId): Promise<Stored> {
  const [stored] = await database.sql<[Stored]>`
    select (select count(*) from booking where product_id = ${productId} and status = 'confirmed')::int as bookings,
      (select count(*) from house_allocation a join house_reservation r on r.id = reservation_id
        where product_id = ${productId})::int as tables,
      (select coalesce(sum(sold), 0) from ticket_stock where product_id = ${productId})::int as tickets,
      (select count(*) from hold where product_id = ${productId})::int as holds,
      ((select count(*) from house_hold where product_id = ${productId})
        + (select count(*) from ticket_hold where product_id = ${productId}))::int as kept`;
  return { ...stored };
}

/** Says which of them won: one that had held the place, or one that had not. */
async function assertOneWins(
  productId: ProductId,
  contest: Omit<Contest, 'callers'>,
  taken: Pick<Stored, 'tables' | 'tickets'>,
): Promise<'held' | 'booked'> {
  const { sql } = database;
  const before = await deadlocks(sql);
  const told = await contend(calls, productId, { ...contest, callers: CALLERS });
  const answers = told.map(lastOf);
  assert.deepEqual(tally(answers), { 201: 1, '409 AVAIL-N-005': CALLERS - 1 });
  assert.equal(winnersOf(told).length, 1);
  for (const { extended } of told) assert.equal(extended?.status ?? 200, 200, String(extended?.text));
  for (const { json, status } of answers)
    if (status !== 201) assert.match(json.detail, /^[A-Z].+\.$/, 'every loser is told why');
  const isHeld = winnersOf(told)[0]?.held !== undefined;
  const stored = await storedAt(productId);
  assert.deepEqual(stored, { bookings: 1, ...taken, holds: isHeld ? 1 : 0, kept: 0 });
  assert.deepEqual(await imbalances(sql), []);
  assert.equal(await deadlocks(sql), before);
  return isHeld ? 'held' : 'booked';
}

test(`of ${CALLERS} callers who hold or book the last table at two nodes one wins`, async (t) => {
  const room = await addRoom(database.sql, 1);
  const wanted = { ...start, partySize: 2 };
  t.diagnostic(`the winner ${await assertOneWins(room, { wanted }, { tables: 1, tickets: 0 })}`);
});

test(`of ${CALLERS} callers who hold or book the last two tables pushed together one wins`, async (t) => {
  const room = await addRoom(database.sql, 2, { isJoined: true });
  const contest = { wanted: { ...start, partySize: 4 }, headStartMs: HEAD_START_MS };
  t.diagnostic(`the winner ${await assertOneWins(room, contest, { tables: 2, tickets: 0 })}`);
});

test(`of ${CALLERS} callers who hold or book the last ticket at two nodes one wins`, async (t) => {
  const gig = await addGig(database.sql, 1, [start]);
  const wanted = { ...start, partySize: 1 };
  t.diagnostic(`the winner ${await assertOneWins(gig, { wanted }, { tables: 0, tickets: 1 })}`);
});

test('two tables go to a party that needs both, or to two that need one each', async () => {
  const room = await addRoom(database.sql, 2, { isJoined: true });
  const parties = [4, 2];
  const told = await Promise.all(
    parties.map((partySize) =>
      contend(calls, room, { wanted: { ...start, partySize }, callers: Math.floor(CALLERS / 4) }),
    ),
  );
  const [ofFour = 0, ofTwo = 0] = told.map((group) => winnersOf(group).length);
  assert.equal(2 * ofFour + ofTwo, 2);
  const stored = await storedAt(room);
  assert.deepEqual(
    { ...stored, holds: 0 },
    { bookings: ofFour + ofTwo, tables: 2, tickets: 0, holds: 0, kept: 0 },
  );
  assert.deepEqual(await imbalances(database.sql), []);
});
