import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../../src/db/database.ts';
import { imbalances } from '../../race/balance.ts';
import { addGig, addRoom, startsApart } from '../../race/venues.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';
import { repeats } from '../../support/repeats.ts';
import {
  isAnswered,
  keepBooking,
  type State,
  startMortalNode,
  type Told,
  tokenFrom,
  untilAllAnswered,
} from '../booking-clients.ts';

const KILLS = repeats(50, 2);
/** A few kills can miss what they are to hit; then others follow. */
const MOST_KILLS = 50;
const CLIENTS = 8;
const ASKED_BETWEEN_KILLS = 30;

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase({ hasDemo: true });
});
after(() => database.drop());

const startNode = () => startMortalNode(database.url, { ROLE: 'api' });

interface Row extends State {
  id: string;
  mark: number;
}

/** What the clients were told against what the database holds; sentences about what does not fit. */
async function contradictions(sql: Sql, log: readonly Told[]): Promise<string[]> {
  const rows = await sql<Row[]>`
    select id, deposit_pence as mark, status, trading_day as date, adults as "partySize",
      to_char(make_interval(mins => starts_minute), 'HH24:MI') as time
    from booking`;
  const byMark = Map.groupBy(rows, ({ mark }) => mark);
  return log.flatMap((told) => {
    const found = byMark.get(told.mark) ?? [];
    const name = `booking ${told.mark} (${told.key ?? told.partnerBookingId})`;
    if (found.length > 1 || told.ids.size > 1) return [`${name} is there twice`];
    const [row] = found;
    if (told.wasRefused) return row ? [`${name} was refused and is there`] : [];
    if (!told.state) return [];
    if (!row || !told.ids.has(row.id)) return [`${name} was acknowledged and is not there`];
    const isTold = [told.state, told.maybe].some((state) => state && isSame(state, row));
    return isTold ? [] : [`${name} is ${JSON.stringify(row)}, told ${JSON.stringify(told)}`];
  });
}

const isSame = (told: State, row: State) =>
  (['status', 'date', 'time', 'partySize'] as const).every((field) => told[field] === row[field]);

test(`after ${KILLS} kills or more every booking is as its client was told, once, with its table or its tickets`, async (t) => {
  const { sql } = database;
  let isOver = false;
  const starts = startsApart(40);
  const productIds = [
    await addRoom(sql, 12),
    await addRoom(sql, 12),
    await addGig(sql, 40, starts),
    await addGig(sql, 40, starts),
  ];
  let node = startNode();
  t.after(async () => {
    isOver = true;
    (await node).child.kill('SIGKILL');
  });
  const token = await tokenFrom((await node).address);
  const log: Told[] = [];
  const site = {
    productIds,
    starts,
    token,
    address: async () => (await node).address,
    isOver: () => isOver,
  };
  const working = Promise.all(Array.from({ length: CLIENTS }, () => keepBooking(site, log)));
  working.catch(() => {});
  const hits = () => ({
    unanswered: log.filter((told) => told.key === null && !isAnswered(told)).length,
    undecided: log.filter(({ maybe }) => maybe).length,
  });
  const isMissed = () => Object.values(hits()).includes(0);
  for (let kill = 0; kill < KILLS || (isMissed() && kill < MOST_KILLS); kill += 1) {
    const { child, exit } = await node;
    const before = log.length;
    while (log.length < before + ASKED_BETWEEN_KILLS) await sleep(2);
    await sleep(Math.random() * 40);
    child.kill('SIGKILL');
    node = startNode();
    await exit;
  }
  isOver = true;
  await working;
  await untilAllAnswered(log);
  const last = await node;
  last.child.kill('SIGTERM');
  assert.equal(await last.exit, 0);

  const { unanswered, undecided } = hits();
  t.diagnostic(`${log.length} asked for, ${unanswered} never answered, ${undecided} changes cut off`);
  assert.ok(unanswered > 0 && undecided > 0, 'kills hit requests under way');
  assert.deepEqual(await contradictions(sql, log), []);
  assert.deepEqual(await imbalances(sql), []);
  await assertNoticed(sql, log);
});

/** The same comparison finds what a node that loses or doubles bookings would leave behind. */
async function assertNoticed(sql: Sql, log: readonly Told[]): Promise<void> {
  const [lost, doubled] = await sql<{ id: string; mark: number }[]>`
    select id, deposit_pence as mark from booking where status = 'confirmed' order by id desc limit 2`;
  assert.ok(lost && doubled);
  await sql`delete from booking where id = ${lost.id}`;
  await sql`insert into booking select (json_populate_record(b, json_build_object(
    'id', uuidv7(), 'partner_booking_id', null))).* from booking b where id = ${doubled.id}`;
  const found = (await contradictions(sql, log)).toSorted();
  assert.equal(found.length, 2);
  assert.match(found.join('\n'), new RegExp(`booking ${lost.mark} .* was acknowledged and is not there`));
  assert.match(found.join('\n'), new RegExp(`booking ${doubled.mark} .* is there twice`));
  assert.match((await imbalances(sql)).join('\n'), new RegExp(`booking ${lost.id} is not there and has`));
}
