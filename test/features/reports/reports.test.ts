/** Reports of an operator: what they add up, and the file with all bookings. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { csvLine } from '../../../src/features/reports/csv.ts';
import { assertProblem } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { DEMO_PASSWORD, type People, startPeople } from '../../support/people.ts';
import { cancel } from '../bookings/amend/amending.ts';
import { type Body, BRUNCH, booked, COMPANY, freeDay } from '../bookings/support.ts';
import { addressOf } from '../diary/support.ts';

let maitred: People;
before(async () => {
  maitred = await startPeople();
});
after(() => maitred.close());

const covers = (query: string, as = 'demo-operator') =>
  maitred.call(`/manage/operators/1/reports/covers?${query}`, { as });
const csv = (query: string, as = 'demo-operator') =>
  maitred.call(`/manage/operators/1/reports/bookings.csv?${query}`, { as });

async function report(query: string): Promise<Body> {
  const answer = await covers(query);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** Makes of a booking what the day has made of it. */
const became = (id: string, columns: Body) =>
  maitred.sql`update booking set ${maitred.sql(columns)} where id = ${id}`;

test('bookings, covers, cancellations, no-shows, spend and lead are added up by every key', async () => {
  const [first, second] = [freeDay(), freeDay()];
  const at = { date: first, time: '19:00', partySize: 2, children: 1 };
  const came = await booked(maitred, at);
  await became(came.id, { status: 'completed', actual_guests: 2, actual_spend_pence: 12_345 });
  const missed = await booked(maitred, at);
  await became(missed.id, { status: 'no_show' });
  const gone = await booked(maitred, at);
  await cancel(maitred, gone.id);
  await booked(maitred, { ...at, type: 'request' });
  await booked(
    maitred,
    { date: second, time: '12:00', partySize: 4, company: COMPANY },
    { productId: BRUNCH },
  ).catch(() => booked(maitred, { date: second, time: '19:00', partySize: 4 }));
  const period = `from=${first}&to=${second}`;
  const byDay = await report(`${period}&by=day`);
  assert.deepEqual(
    byDay.rows.map(({ key }: Body) => key),
    [first, second],
  );
  const lead = Temporal.Now.plainDateISO('Europe/London').until(first).total('days');
  assert.deepEqual(byDay.rows[0], {
    key: first,
    name: first,
    bookings: 2,
    covers: 2,
    cancellations: 1,
    noShows: 1,
    spendPence: 12_345,
    leadDays: lead,
  });
  assert.deepEqual([byDay.rows[1].bookings, byDay.rows[1].covers], [1, 4]);
  assert.deepEqual(byDay.totals, {
    bookings: 3,
    covers: 6,
    cancellations: 1,
    noShows: 1,
    spendPence: 12_345,
    leadDays: Math.round(((2 * lead + byDay.rows[1].leadDays) / 3) * 10) / 10,
  });
  for (const by of ['venue', 'product', 'partner', 'origin']) {
    const { rows, totals } = await report(`${period}&by=${by}`);
    assert.deepEqual(totals, byDay.totals, by);
    const sum = (field: string) => rows.reduce((all: number, row: Body) => all + row[field], 0);
    for (const field of ['bookings', 'covers', 'cancellations', 'noShows', 'spendPence'])
      assert.equal(sum(field), (totals as Body)[field], `${by} ${field}`);
  }
  const grill = encodeURIComponent('1|house|soho-grill');
  const ofVenues = (await report(`${period}&by=venue`)).rows;
  const ofGrill = ofVenues.find(({ key }: Body) => key === '1|house|soho-grill');
  assert.equal((await report(`${period}&venueId=${grill}`)).totals.covers, ofGrill.covers);
  const nowhere = encodeURIComponent('1|house|closed-cafe');
  assert.deepEqual((await report(`${period}&venueId=${nowhere}`)).rows, []);
  assertProblem(await covers(`${period}&venueId=grill`), 400, 'VALID-N-001');
  assert.deepEqual((await report(`${period}&by=partner`)).rows[0].name, 'Demo Partner');
  assert.deepEqual((await report(`${period}&by=origin`)).rows[0].key, 'partner');
});

test('a visit after midnight counts for its trading day, and a booking of the day before is a lead of one', async () => {
  const date = freeDay();
  const { id } = await booked(maitred, { date, time: '19:00' });
  const start = Temporal.PlainDateTime.from(`${date}T00:30`)
    .add({ days: 1 })
    .toZonedDateTime('Europe/London');
  const made = Temporal.PlainDateTime.from(`${date}T23:50`)
    .subtract({ days: 1 })
    .toZonedDateTime('Europe/London');
  await became(id, { starts_at: start.toInstant(), starts_minute: 1470, created_at: made.toInstant() });
  const { rows } = await report(`from=${date}&to=${date}`);
  assert.deepEqual([rows.length, rows[0].bookings, rows[0].leadDays], [1, 1, 1]);
  assert.deepEqual(
    (
      await report(
        `from=${Temporal.PlainDate.from(date).add({ days: 1 })}&to=${Temporal.PlainDate.from(date).add({ days: 1 })}`,
      )
    ).rows,
    [],
  );
});

test('days of the venue count, whatever its zone and whether the clocks change', async () => {
  const { sql } = maitred;
  const { id } = await booked(maitred, { date: freeDay(), time: '19:00' });
  for (const zone of ['Pacific/Auckland', 'America/Los_Angeles', 'Europe/London']) {
    await sql`update venue set time_zone = ${zone} where id = '1|house|soho-grill'`;
    for (const date of ['2027-03-28', '2027-10-31', '2027-04-04', '2027-11-07']) {
      const at = (time: string, days: number) =>
        Temporal.PlainDateTime.from(`${date}T${time}`).add({ days }).toZonedDateTime(zone).toInstant();
      await became(id, { trading_day: date, starts_at: at('23:45', 0), created_at: at('00:05', -3) });
      const { rows, totals } = await report(`from=${date}&to=${date}`);
      assert.deepEqual([rows[0]?.key, rows[0]?.leadDays, totals.bookings], [date, 3, 1], `${zone} ${date}`);
    }
  }
});

test('periods that cannot be are refused', async () => {
  for (const query of [
    'from=2026-12-05',
    'from=2026-12-05&to=2026-12-04',
    'from=2026-01-01&to=2027-01-02',
    'from=2026-02-30&to=2026-03-01',
    'from=9999-12-30&to=9999-12-31',
    'from=2026-12-05&to=2026-12-05&by=weather',
  ]) {
    assertProblem(await covers(query), 400, 'VALID-N-001');
    if (!query.includes('by=')) assertProblem(await csv(query), 400, 'VALID-N-001');
  }
  assert.equal((await covers('from=2026-01-01&to=2027-01-01')).status, 200);
});

/** Reads a file as RFC 4180 says. */
function parse(text: string): string[][] {
  const cells = [...text.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g)];
  const rows: string[][] = [[]];
  for (const [, cell = '', end] of cells) {
    rows.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

test('the file has every booking, without guests unless an owner asks, which the audit log notes', async () => {
  const date = freeDay();
  const { id } = await booked(maitred, {
    date,
    time: '19:00',
    firstName: '=HYPERLINK("http://evil.example")',
    lastName: 'O"Neil, Ada',
    comments: 'Line one\r\nline two',
    partnerBookingId: '+cmd|calc',
  });
  const period = `from=${date}&to=${date}`;
  const plain = await csv(period);
  assert.equal(plain.headers['content-type'], 'text/csv; charset=utf-8; header=present');
  assert.match(String(plain.headers['content-disposition']), /bookings-.*\.csv/);
  const [header = [], row = [], ...others] = parse(plain.text);
  assert.deepEqual(others, []);
  const cell = (name: string, of = row, names = header) => of[names.indexOf(name)];
  assert.deepEqual(
    [
      cell('bookingId'),
      cell('date'),
      cell('time'),
      cell('partySize'),
      cell('paidPence'),
      cell('partnerBookingId'),
    ],
    [id, date, '19:00', '2', '0', "'+cmd|calc"],
  );
  assert.doesNotMatch(plain.text, /Neil|HYPERLINK|7946/);
  const entries = async () =>
    (await maitred.call('/manage/operators/1/audit', { as: 'demo-admin' })).json.data.filter(
      ({ action }: Body) => action === 'bookings.export',
    );
  assert.deepEqual(await entries(), []);
  const full = parse((await csv(`${period}&guests=true`)).text);
  const guest = (name: string) => cell(name, full[1], full[0]);
  assert.equal(guest('firstName'), `'=HYPERLINK("http://evil.example")`);
  assert.equal(guest('lastName'), 'O"Neil, Ada');
  assert.equal(guest('notes'), 'Line one\r\nline two');
  const [entry] = await entries();
  assert.deepEqual(
    [entry.subject, entry.after],
    [`bookings ${date}/${date}`, { from: date, to: date, guests: true }],
  );
  await maitred.sql`update account_role set role = 'manager' where account_id = (select id from account where email_key = 'staff@lamp.example')`;
  const manager = await maitred.signIn('staff@lamp.example', DEMO_PASSWORD);
  const path = `/manage/operators/1/reports/bookings.csv?${period}`;
  assert.equal((await maitred.callWith(manager, path)).status, 200);
  assertProblem(await maitred.callWith(manager, `${path}&guests=true`), 403, 'USER-N-009');
});

test('whatever cells hold, a reader gets it back, and nothing begins like a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (cells) => {
      const [row = []] = parse(csvLine(cells));
      assert.equal(row.length, cells.length);
      for (const [index, cell] of row.entries()) {
        assert.ok(cell === cells[index] || cell === `'${cells[index]}`);
        assert.doesNotMatch(cell, /^[=+\-@\t\r]/);
      }
    }),
  );
});

/** Copies of a booking, all of one day, and more than sockets hold. */
async function fill(date: string, count: number): Promise<void> {
  const { id } = await booked(maitred, { date, time: '19:00' });
  await maitred.sql`
    insert into booking select made.*
    from booking b, generate_series(1, ${count}) as n, lateral jsonb_populate_record(b, jsonb_build_object(
      'id', md5(n::text || b.id)::uuid, 'partner_booking_id', null, 'area_name', repeat('x', 4000))) as made
    where b.id = ${id}`;
}

test('a reader that hangs up ends the query, and slow readers leave the database to others', async () => {
  const date = freeDay();
  await fill(date, 10_000);
  const address = new URL(await addressOf(maitred));
  const authorization = `Bearer ${await maitred.token('demo-operator')}`;
  const path = `/manage/operators/1/reports/bookings.csv?from=${date}&to=${date}`;
  const readers = [1, 2].map(() => {
    const socket = connect(Number(address.port), address.hostname);
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\n\r\n`);
    // Takes what it gets until the rest has to wait.
    socket.once('data', () => socket.pause());
    return socket;
  });
  const open = async () =>
    (
      await maitred.sql`select from pg_stat_activity where datname = current_database() and query like '%select b.id, b.venue_id as "venueId", v.name%'
      and state <> 'idle' and pid <> pg_backend_pid()`
    ).length;
  await eventually(async () => (await open()) === 2);
  assertProblem(await csv(`from=${date}&to=${date}`), 429, 'RATE-R-001');
  assert.equal((await covers(`from=${date}&to=${date}`)).status, 200);
  for (const socket of readers) socket.destroy();
  await eventually(async () => (await open()) === 0);
  await eventually(async () => (await csv(`from=${freeDay()}&to=${freeDay()}`)).status === 200);
  const whole = await csv(`from=${date}&to=${date}`);
  assert.equal(whole.text.split('\r\n').length, 10_003);
});
