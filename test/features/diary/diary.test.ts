/** The diary of a trading day, as people at the door read it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { cancel } from '../bookings/amend/amending.ts';
import { act, done } from '../bookings/operator/manage-support.ts';
import { BOOTH, booked, bookingsApp, freeDay, jazzDay, STANDARD, tablesOf } from '../bookings/support.ts';
import { addBlock, addClosure, diaryPath, readDiary, SOHO } from './support.ts';

const maitred = bookingsApp();

test('a diary has the tables, the booking with its table and times, and who made it', async () => {
  const date = freeDay();
  const { id } = await booked(maitred(), {
    date,
    time: '19:00',
    partySize: 2,
    children: 1,
    comments: 'Window, please',
    admin_notes: 'A regular',
  });
  const [tableId] = await tablesOf(maitred().sql, id);
  const diary = await readDiary(maitred(), date);
  assert.equal(diary.timeZone, 'Europe/London');
  const tables = diary.areas.flatMap((area: { tables: object[] }) => area.tables);
  assert.ok(tables.length > 5);
  assert.ok(tables.some((table: { id: number }) => table.id === tableId));
  const [entry, ...others] = diary.bookings;
  assert.deepEqual(others, []);
  assert.deepEqual(
    [entry.id, entry.status, entry.time, entry.partySize, entry.children],
    [id, 'confirmed', '19:00', 2, 1],
  );
  assert.equal(entry.tables[0].id, tableId);
  assert.match(entry.tables[0].name, /\w/);
  assert.deepEqual(entry.guest, {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    phone: '+44 20 7946 0018',
    company: null,
  });
  assert.deepEqual([entry.notes, entry.adminNotes], ['Window, please', 'A regular']);
  assert.deepEqual([entry.partner, entry.origin], [{ id: 1, name: 'Demo Partner' }, null]);
  assert.equal(entry.product.id, `${SOHO}|dinner`);
  assert.deepEqual(entry.visit, { state: 'expected', arrivedAt: null, seatedAt: null, leftAt: null });
  assert.equal(entry.money.paidPence, 0);
  const length =
    (Temporal.Instant.from(entry.end).epochMilliseconds -
      Temporal.Instant.from(entry.start).epochMilliseconds) /
    60_000;
  assert.ok(length >= 60);
  assert.equal(diary.quarters.length, length / 15);
  assert.deepEqual(diary.quarters[0], { at: entry.start, present: 3, starting: 3, maxStarting: null });
  assert.deepEqual([diary.quarters[1].present, diary.quarters[1].starting], [3, 0]);
});

test('cancelled bookings are left out, and enquiries stand apart until they are answered', async () => {
  const date = freeDay();
  const gone = await booked(maitred(), { date, time: '18:00' });
  await cancel(maitred(), gone.id);
  const enquiry = await booked(maitred(), { date, time: '19:00', type: 'request' });
  const before = await readDiary(maitred(), date);
  assert.deepEqual([before.bookings, before.quarters], [[], []]);
  assert.deepEqual(
    before.enquiries.map(({ id, tables }: { id: string; tables: object[] }) => [id, tables]),
    [[enquiry.id, []]],
  );
  await done(maitred(), enquiry.id, 'accept');
  const after = await readDiary(maitred(), date);
  assert.deepEqual([after.enquiries.length, after.bookings.length], [0, 1]);
});

test('a kept diary is never stale: whatever changes, the next read has it', async () => {
  const date = freeDay();
  const app = maitred();
  const { id } = await booked(app, { date, time: '19:00' });
  const path = diaryPath(date);
  const first = await app.call(path, { as: 'demo-admin' });
  const { etag } = first.headers;
  assert.equal(
    (await app.call(path, { as: 'demo-admin', headers: { 'if-none-match': String(etag) } })).status,
    304,
  );
  const changes: [string, () => Promise<unknown>][] = [
    [
      'a note',
      () =>
        app.call(`/venues/bookings/${id}`, {
          method: 'PATCH',
          body: [{ op: 'replace', path: '/notes', value: 'Late' }],
        }),
    ],
    ['another booking', () => booked(app, { date, time: '20:00' })],
    ['a block', () => addBlock(maitred(), date)],
    ['a closure', () => addClosure(maitred(), date)],
    [
      'the name of a table',
      () => app.sql`update house_table set name = name || '!' where venue_id = ${SOHO}`,
    ],
    ['the name of the partner', () => app.sql`update partner set name = 'Renamed' where id = 1`],
    [
      'the name of the product',
      () => app.sql`update product set name = 'Supper' where id = ${`${SOHO}|dinner`}`,
    ],
    ['a payment', () => addPayment(id)],
    [
      'a moved table',
      () =>
        app.sql`update house_allocation set during = tstzrange(lower(during), upper(during) - interval '15 minutes') where reservation_id = ${id}`,
    ],
    ['the guest is gone', () => act(app, id, 'forget-guest')],
    ['the booking is gone', () => cancel(app, id)],
  ];
  let known = first.text;
  for (const [what, change] of changes) {
    await change();
    const next = await app.call(path, { as: 'demo-admin' });
    assert.notEqual(next.text, known, what);
    assert.equal((await app.call(path, { as: 'demo-admin' })).text, next.text, `${what}: kept`);
    known = next.text;
  }
});

async function addPayment(id: string) {
  const { sql } = maitred();
  await sql`update booking set has_payments = true where id = ${id}`;
  await sql`insert into payment (id, booking_id, option, status, amount_pence, currency, provider, client_id, asked_at, created_at, ends_at)
    values (gen_random_uuid(), ${id}, 'full', 'succeeded', 5000, 'GBP', 'sandbox', 'demo-partner', now(), now(), now())`;
}

test('blocks and closures of the day are in it, those of other days are not', async () => {
  const [date, other] = [freeDay(), freeDay()];
  await addBlock(maitred(), date);
  await addClosure(maitred(), date);
  const diary = await readDiary(maitred(), date);
  assert.deepEqual([diary.blocks.length, diary.closures.length], [1, 1]);
  assert.deepEqual([diary.blocks[0].reason, diary.closures[0].from], ['Broken', date]);
  const next = await readDiary(maitred(), other);
  assert.deepEqual([next.blocks, next.closures], [[], []]);
});

test('a night that runs past midnight is one trading day', async () => {
  const date = freeDay(5);
  const { id } = await booked(maitred(), { date, time: '00:30', partySize: 2 }, { productId: BOOTH });
  const diary = await readDiary(maitred(), date, '2|house|night-owl');
  const [entry] = diary.bookings;
  assert.equal(entry.id, id);
  assert.ok(entry.start.startsWith(Temporal.PlainDate.from(date).add({ days: 1 }).toString()));
  assert.equal(diary.quarters[0].at, entry.start);
  assert.ok(diary.range.to >= entry.end);
});

test('a venue without tables has a diary without areas', async () => {
  const date = jazzDay();
  const { id } = await booked(
    maitred(),
    { date, time: undefined, partySize: 2 },
    { productId: STANDARD },
  ).catch(() => booked(maitred(), { date, time: '20:00', partySize: 2 }, { productId: STANDARD }));
  const diary = await readDiary(maitred(), date, '2|tickets|jazz-night');
  assert.deepEqual(diary.areas, []);
  assert.equal(diary.bookings[0].id, id);
  assert.equal(diary.bookings[0].money.balancePence > 0, true);
});

test('a day that is none, and a venue that is not there, are refused', async () => {
  for (const date of ['2026-02-30', 'today', '', '9999-12-31'])
    assertProblem(await maitred().call(diaryPath(date), { as: 'demo-admin' }), 400, 'VALID-N-001');
  assertProblem(
    await maitred().call(diaryPath('2026-12-05', '', '1|house|nowhere'), { as: 'demo-admin' }),
    404,
    'VENUE-N-001',
  );
  assertProblem(
    await maitred().call(diaryPath('2026-12-05', '/stream', '1|house|nowhere'), { as: 'demo-admin' }),
    404,
    'VENUE-N-001',
  );
});

test('quarters say how many guests may begin in them, where the pacing of every product says it', async () => {
  const { sql } = maitred();
  const date = freeDay();
  await booked(maitred(), { date, time: '19:00', partySize: 3 });
  const [first] = (await readDiary(maitred(), date)).quarters;
  assert.equal(first.maxStarting, null);
  await sql`update house_product set covers_per_start = case product_id when ${`${SOHO}|dinner`} then 12 else 5 end
    where venue_id = ${SOHO}`;
  try {
    const quarters = (await readDiary(maitred(), date)).quarters as {
      at: string;
      maxStarting: number | null;
    }[];
    const limits = quarters.slice(0, 2).map(({ maxStarting }) => maxStarting);
    // Dinner starts every quarter of an hour, private dining every half.
    assert.deepEqual(limits, [17, 12]);
  } finally {
    await sql`update house_product set covers_per_start = null where venue_id = ${SOHO}`;
  }
});
