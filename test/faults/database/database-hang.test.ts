import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { inTransaction, openPool, type Sql } from '../../../src/db/database.ts';
import { codeOf } from '../../../src/kernel/problem.ts';
import { addRoom, type Start, startsApart } from '../../race/venues.ts';
import { type HangingDatabase, startHangingDatabase } from '../../support/databases/hanging-database.ts';
import { eventually } from '../../support/eventually.ts';
import { type NodeProcess, startNodeProcess } from '../../support/node-process.ts';
import { patience } from '../../support/patience.ts';
import { tokenFrom } from '../booking-clients.ts';

/** A database that stops answering and closes no connection costs callers a 503 in time, and nothing else. */

let database: HangingDatabase;
let sql: Sql;
let node: NodeProcess;
let token: string;
before(async () => {
  database = await startHangingDatabase();
  node = await startNodeProcess({ env: { DATABASE_URL: database.url, RATE_LIMIT: '0' } });
  sql = openPool(database.url, { max: 2 });
  token = await tokenFrom(node.address);
});
after(async () => {
  node?.child.kill('SIGKILL');
  await node?.exit;
  await sql?.end({ timeout: 1 });
  await database?.close();
});

const guest = { type: 'book', partySize: 2, firstName: 'Ada', lastName: 'Lovelace' };
const pathOf = (productId: string) => `/venues/${encodeURIComponent(productId)}`;

function book(productId: string, wanted: Start & { partnerBookingId: string }): http.ClientRequest {
  const request = http.request(new URL(`${pathOf(productId)}/booking`, node.address), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    agent: false,
  });
  request.end(JSON.stringify({ ...guest, ...wanted }));
  return request;
}

async function answerOf(request: http.ClientRequest) {
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const text = (await response.toArray()).join('');
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(text) };
}

const isReady = async () => (await fetch(`${node.address}/health/ready`)).ok;
const bookedIds = async () => {
  const rows = await sql<{ id: string }[]>`select partner_booking_id as id from booking`;
  return new Set(rows.map(({ id }) => id));
};

test('every call is answered while the database still hangs, and no booking is made for callers who hung up', {
  timeout: patience(280_000),
}, async (t) => {
  t.after(() => database.wake());
  const productId = await addRoom(sql, 200);
  const starts = startsApart(100);
  const startOf = (number: number) => starts[number % starts.length] ?? { date: '', time: '' };
  // Until the node knows the venue, and its connections the statements.
  for (let number = 0; number < 10; number += 1) {
    const first = await answerOf(
      book(productId, { ...startOf(number), partnerBookingId: `before-${number}` }),
    );
    assert.equal(first.status, 201, JSON.stringify(first.body));
  }

  const [{ hungAt } = {}] = await sql<{ hungAt: Temporal.Instant }[]>`select now() as "hungAt"`;
  database.hang();
  const kept = Array.from({ length: 60 }, (_, number) => ({
    partnerBookingId: `kept-${number}`,
    answer: answerOf(book(productId, { ...startOf(number), partnerBookingId: `kept-${number}` })),
  }));
  const reads = Array.from({ length: 60 }, async (_, number) => {
    const { date, time } = startOf(number);
    const path = `${pathOf(productId)}/availability?date=${date}&partySize=2&time=${time}`;
    return fetch(new URL(path, node.address), { headers: { authorization: `Bearer ${token}` } });
  });
  const gone = Array.from({ length: 40 }, (_, number) => {
    const request = book(productId, { ...startOf(number), partnerBookingId: `gone-${number}` });
    request.on('error', () => {});
    request.on('response', (response) => response.resume());
    request.on('finish', () => request.destroy());
    return new Promise((resolve) => request.on('close', resolve));
  });

  const answers = await Promise.all(kept.map(({ answer }) => answer));
  for (const { status, headers, body } of answers) {
    assert.equal(status, 503, JSON.stringify(body));
    assert.ok(Number(headers['retry-after']) > 0);
  }
  for (const response of await Promise.all(reads)) {
    assert.equal(response.status, 503);
    assert.ok(Number(response.headers.get('retry-after')) > 0);
    await response.arrayBuffer();
  }
  await Promise.all(gone);
  assert.equal(await isReady(), false, 'the database still hangs');

  database.wake();
  await eventually(isReady);
  // Whatever the connections from before had been sent is done, or will not be.
  await eventually(async () => {
    const busy = await sql`
      select from pg_stat_activity where application_name = 'maitred' and backend_start < ${hungAt ?? null}
        and state <> 'idle' and pid <> pg_backend_pid()`;
    return busy.length === 0;
  });

  const made = await bookedIds();
  assert.deepEqual(
    [...made].filter((id) => id?.startsWith('gone-')),
    [],
  );
  for (const [index, { partnerBookingId }] of kept.entries()) {
    const isInDoubt = answers[index]?.body.isOutcomeKnown === false;
    if (!isInDoubt)
      assert.equal(made.has(partnerBookingId), false, `${partnerBookingId} was not carried out`);
    const again = await answerOf(book(productId, { ...startOf(index), partnerBookingId }));
    assert.equal(again.status, made.has(partnerBookingId) ? 409 : 201, JSON.stringify(again.body));
  }
});

test('a pool that is watched fails while the database hangs; one that is not waits (the control)', {
  timeout: patience(120_000),
}, async (t) => {
  const watched = openPool(database.url, { isWatched: true });
  const unwatched = openPool(database.url);
  t.after(() => Promise.all([watched.end({ timeout: 1 }), unwatched.end({ timeout: 1 })]));
  await Promise.all([watched`select 1`, unwatched`select 1`]);
  database.hang();
  t.after(() => database.wake());
  let isWaiting = true;
  const late = unwatched`select 1`.then(() => {
    isWaiting = false;
  });
  // More than there are connections: those in the queue must not wait either.
  const failures = await Promise.all(
    Array.from({ length: 100 }, (_, number) =>
      (number % 2 === 0
        ? watched`select ${number}::int as number`
        : inTransaction(watched, async (tx) => tx`select ${number}::int as number`)
      ).then(() => 'done', codeOf),
    ),
  );
  for (const failure of failures) assert.match(String(failure), /^(DATABASE_SILENT|CONNECTION_)/);
  assert.equal(isWaiting, true);
  database.wake();
  await late;
  await eventually(() =>
    watched`select 1`.then(
      () => true,
      () => false,
    ),
  );
});

test('a server carries out what it was sent before it stood still, for nobody (the control)', {
  timeout: patience(120_000),
}, async (t) => {
  const pool = openPool(database.url, { max: 1 });
  const insert = (reference: string) =>
    pool`insert into partner (reference, name) values (${reference}, 'control')`;
  await insert('sent-before');
  database.hang();
  t.after(() => database.wake());
  const lost = insert('sent-while').catch(codeOf);
  // Written by the driver in the tick after the next.
  for (let tick = 0; tick < 3; tick += 1) await new Promise((resolve) => setImmediate(resolve));
  await pool.end({ timeout: 0 });
  assert.equal(await lost, 'CONNECTION_DESTROYED');
  database.wake();
  await eventually(async () => (await sql`select from partner where reference = 'sent-while'`).length === 1);
});
