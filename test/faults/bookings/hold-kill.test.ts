/** Holds that end under load, on two nodes that are killed in turn and whose clocks run apart. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../../src/db/database.ts';
import { codeOf } from '../../../src/kernel/problem.ts';
import { createConfigCache } from '../../../src/tms/house/config-cache.ts';
import { createHouse } from '../../../src/tms/house/connector.ts';
import { createTickets } from '../../../src/tms/tickets/connector.ts';
import * as ticketStore from '../../../src/tms/tickets/store.ts';
import { imbalances } from '../../race/balance.ts';
import { callerAt } from '../../race/contenders.ts';
import { addGig, addRoom, startsApart } from '../../race/venues.ts';
import { startTestApp } from '../../support/app.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';
import type { NodeProcess } from '../../support/node-process.ts';
import { repeats } from '../../support/repeats.ts';
import { startMortalNode, tokenFrom } from '../booking-clients.ts';
import {
  doubled,
  fillUp,
  keepHolding,
  type Log,
  nameOf,
  newLog,
  type Site,
  type Spot,
} from './hold-clients.ts';

const HOLDS = repeats(1000, 200);
const KILLS = repeats(12, 3);
const CLIENTS = 12;
/** Of each start: fewer than clients, so that they get in each other's way. */
const PLACES = 3;
const DRIFT = join(import.meta.dirname, 'clock-drift.ts');
const RATES = ['1.2', '0.8'] as const;

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase({ hasDemo: true });
});
after(() => database.drop());

async function addSpots(sql: Sql, pairs: number): Promise<Spot[]> {
  const starts = startsApart(5);
  const productIds = [];
  for (let pair = 0; pair < pairs; pair += 1)
    productIds.push(await addRoom(sql, PLACES), await addGig(sql, PLACES, starts));
  return productIds.flatMap((productId) => starts.map((start) => ({ productId, ...start })));
}

const bookedIn =
  (sql: Sql) =>
  async ({ productId, date, time }: Spot): Promise<number> => {
    const [row] = await sql<[{ booked: number }]>`
      select count(*)::int as booked from booking where product_id = ${productId} and status = 'confirmed'
        and trading_day = ${date} and starts_minute = extract(epoch from ${time}::time) / 60`;
    return row.booked;
  };

/** Until every hold has ended by the clock of the database, and by that of nodes which are behind. */
async function untilAllEnded(sql: Sql): Promise<void> {
  const [{ leftMs }] = await sql<[{ leftMs: number }]>`
    select greatest(0, extract(epoch from max(expires_at) - clock_timestamp()) * 1000)::float8 as "leftMs"
    from (select expires_at from house_hold union all select expires_at from ticket_hold) as held`;
  await sleep(leftMs + 2000);
}

const keptRows = async (sql: Sql) => (await sql`select from house_hold`).length;

async function lostBookings(sql: Sql, { booked }: Log): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select id from booking where status = 'confirmed'`;
  const stored = new Set(rows.map(({ id }) => id));
  return [...booked].flatMap(([id, spot]) =>
    stored.has(id) ? [] : [`booking ${id} of ${nameOf(spot)} was acknowledged and is not there`],
  );
}

test(`${HOLDS} holds that end while two nodes are killed in turn lose no place and double none`, async (t) => {
  const { sql } = database;
  const spots = await addSpots(sql, repeats(4, 2));
  const startNode = (index: number) =>
    startMortalNode(database.url, {
      // Without the jobs: nothing is swept.
      ROLE: 'api',
      NODE_OPTIONS: `--import=${DRIFT}`,
      TEST_CLOCK_RATE: RATES[index % RATES.length] ?? '',
    });
  const nodes: Promise<NodeProcess>[] = RATES.map((_, index) => startNode(index));
  let isOver = false;
  t.after(async () => {
    isOver = true;
    for (const node of nodes) (await node).child.kill('SIGKILL');
  });
  const token = await tokenFrom((await (nodes[0] as Promise<NodeProcess>)).address);
  const addresses = await Promise.all(nodes.map(async (node) => (await node).address));
  const log = newLog();
  const ask: Site['ask'] = async (send) => {
    for (;;) {
      const address = addresses[Math.floor(Math.random() * addresses.length)] ?? '';
      try {
        return await send(callerAt(address, token));
      } catch (error) {
        // Nothing was sent to a node that is down; the caller tries the other one.
        if (codeOf((error as Error).cause) !== 'ECONNREFUSED') return undefined;
        await sleep(20);
      }
    }
  };
  const working = Promise.all(
    Array.from({ length: CLIENTS }, () => keepHolding({ spots, ask, isOver: () => isOver }, log)),
  );
  working.catch(() => {});
  for (let kill = 0; kill < KILLS; kill += 1) {
    const aim = ((kill + 1) * HOLDS) / (KILLS + 1);
    while (log.holds < aim) await sleep(5);
    const index = kill % nodes.length;
    const { child, exit } = await (nodes[index] as Promise<NodeProcess>);
    child.kill('SIGKILL');
    await exit;
    nodes[index] = startNode(index);
    addresses[index] = (await nodes[index]).address;
  }
  while (log.holds < HOLDS) await sleep(5);
  isOver = true;
  await working;
  await untilAllEnded(sql);

  t.diagnostic(
    `${log.holds} holds, ${log.booked.size} bookings kept, ${log.cut} answers cut off by ${KILLS} kills, a clock was ${log.mostAheadMs} ms ahead`,
  );
  assert.ok(log.cut > 0, 'kills hit requests under way');
  assert.deepEqual(log.faults, []);
  assert.deepEqual(doubled(log, PLACES), []);
  assert.deepEqual(await lostBookings(sql, log), []);
  assert.ok((await keptRows(sql)) > 0, 'nothing was swept');
  const call = callerAt(addresses[0] ?? '', token);
  assert.deepEqual(await fillUp(call, spots, { places: PLACES, bookedAt: bookedIn(sql) }), []);
  assert.deepEqual(await imbalances(sql), []);
});

test('systems that do not look at the clock lose places to holds that have ended, and the same count shows it', async (t) => {
  const careless = await startTestApp({
    deps: {
      builtIn: (notifications) => [
        createHouse({ configs: createConfigCache(notifications), hasEnded: () => false }),
        createTickets({
          ...ticketStore,
          findOffers: (tx, query, dates) => ticketStore.findOffers(tx, { ...query, nowMs: 0 }, dates),
        }),
      ],
    },
  });
  t.after(() => careless.close());
  const { sql, call } = careless;
  const spots = await addSpots(sql, 1);
  const log = newLog();
  const site: Site = { spots, ask: (send) => send(call), isOver: () => log.holds >= 60 };
  await Promise.all(Array.from({ length: 4 }, () => keepHolding(site, log)));
  await untilAllEnded(sql);
  const wrong = await fillUp(call, spots, { places: PLACES, bookedAt: bookedIn(sql) });
  for (const system of ['house', 'tickets'])
    assert.match(wrong.join('\n'), new RegExp(`\\|${system}\\|.* has [0-2] of 3 places booked`));
});

test('a place that two callers were certain of at once is found', () => {
  const spot = { productId: '1|house|room|place' as Spot['productId'], date: '2026-12-05', time: '18:00' };
  const log = newLog();
  log.possessions.push({ spot, fromMs: 0, toMs: 10 }, { spot, fromMs: 10, toMs: 20 });
  assert.deepEqual(doubled(log, 1), []);
  log.possessions.push({ spot, fromMs: 15, toMs: 16 });
  assert.deepEqual(doubled(log, 1), ['1|house|room|place 2026-12-05 18:00 was given to 2 at once']);
});
