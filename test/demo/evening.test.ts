import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { inTransaction } from '../../src/db/database.ts';
import { DEMO_PASSWORD, people } from '../../src/demo/access.ts';
import { findPeople, seedDemo } from '../../src/demo/seed.ts';
import { assertStrong } from '../../src/features/accounts/password.ts';
import { addUser } from '../../src/features/accounts/service.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createKeyring } from '../../src/kernel/crypto.ts';
import { bannerLines } from '../../src/node.ts';
import { startTestApp, type TestApp } from '../support/app.ts';

const ENCRYPTION_KEY = Buffer.alloc(32, 7);
const LIVE_NEEDS = {
  ENCRYPTION_KEY: ENCRYPTION_KEY.toString('base64'),
  DATABASE_URL: 'postgres://127.0.0.1/maitred',
  PUBLIC_URL: 'https://maitred.example',
};
const SOHO_GRILL = '1|house|soho-grill';

interface Evening {
  maitred: TestApp;
  today: string;
  now: Temporal.ZonedDateTime;
}

/** A sandbox that was started for the first time at a local time. */
async function atStart(local: string, work: (evening: Evening) => Promise<void>): Promise<void> {
  const now = Temporal.PlainDateTime.from(local).toZonedDateTime('Europe/London');
  const clock = () => now.toInstant();
  const maitred = await startTestApp({ isEmpty: true, deps: { clock } });
  try {
    assert.equal(
      await seedDemo(maitred.sql, clock, { evening: { encryptionKeys: createKeyring([ENCRYPTION_KEY]) } }),
      true,
    );
    await work({ maitred, today: now.toPlainDate().toString(), now });
  } finally {
    await maitred.close();
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the shape of the diary is tested where it is made.
async function diaryOf({ maitred, today }: Evening, date = today): Promise<any> {
  const path = `/manage/venues/${encodeURIComponent(SOHO_GRILL)}/diary?date=${date}`;
  const answer = await maitred.call(path, { as: 'demo-operator' });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

type Shown = { visit: { state: string }; start: string; end: string; tables: { name: string }[] };

function countStates(bookings: readonly Shown[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { visit } of bookings) counts[visit.state] = (counts[visit.state] ?? 0) + 1;
  return counts;
}

/** What must hold at whatever time the sandbox was started. */
async function assertSound({ maitred: { sql }, now }: Evening): Promise<void> {
  const found = async (rows: Promise<readonly object[]>) => [...(await rows)].map((row) => ({ ...row }));
  const none = async (rows: Promise<readonly object[]>, what: string) =>
    assert.deepEqual(await found(rows), [], what);
  await none(
    sql`select a.table_id from house_allocation a join house_allocation b
      on a.table_id = b.table_id and a.reservation_id <> b.reservation_id and a.during && b.during`,
    'a table is taken twice',
  );
  await none(
    sql`select b.id, b.status from booking b left join house_reservation r on r.id = b.id
      where (b.status in ('confirmed', 'completed', 'no_show')) <> (r.id is not null)
        or r.starts_at <> b.starts_at or r.guests <> b.adults + b.children
        or r.reference <> b.operator_booking_id`,
    'the house and the booking disagree',
  );
  await none(
    sql`select id, visit_state, status from booking
      where (visit_state = 'left') <> (status = 'completed') or (visit_state = 'no_show') <> (status = 'no_show')
        or (visit_state in ('seated', 'left')) <> (seated_at is not null) or (visit_state = 'left') <> (left_at is not null)
        or arrived_at > seated_at or seated_at >= left_at
        or greatest(created_at, arrived_at, seated_at, left_at, last_update) > ${now.toInstant()}
        or created_at > coalesce(arrived_at, starts_at) or last_update < created_at`,
    'a visit contradicts itself',
  );
  await none(
    sql`select b.id from booking b left join booking_guest_hash h on h.booking_id = b.id where h.booking_id is null`,
    'a guest cannot be searched for',
  );
  await none(
    sql`select b.id from booking b left join diary_change c on c.thing_id = b.id where c.thing_id is null`,
    'a diary does not know of a booking',
  );
  await none(sql`select id from delivery`, 'something would be delivered');
  await none(sql`select id from mail`, 'a mail would be sent');
  const [{ past, told }] = await sql<[{ past: number; told: number }]>`
    select count(*) filter (where b.trading_day < ${now.toPlainDate().toString()}) as past, count(*) as told
    from event e join booking b on b.id = e.booking_id`;
  assert.equal(past, 0, 'what is over is told');
  assert.ok(told > 100 && told < 400, `${told} events`);
}

async function assertFull({ maitred: { sql }, today }: Evening): Promise<void> {
  const days = await sql<{ day: string; bookings: number }[]>`
    select trading_day::text as day, count(*)::int as bookings from booking
    where trading_day <> ${today} group by trading_day order by trading_day`;
  const past = days.filter(({ day }) => day < today);
  const coming = days.filter(({ day }) => day > today);
  assert.ok(past.length >= 89 && coming.length === 14, `${past.length} and ${coming.length} days`);
  const counts = past.map(({ bookings }) => bookings);
  assert.ok(Math.max(...counts) <= 16 && counts.filter((count) => count >= 8).length >= 85, counts.join());
  const ahead = coming.map(({ bookings }) => bookings);
  assert.ok(
    ahead.every((count) => count >= 10 && count <= 20),
    ahead.join(),
  );
  const states = await sql<{ status: string; bookings: number }[]>`
    select status, count(*)::int as bookings from booking group by status`;
  const known = Object.fromEntries(states.map(({ status, bookings }) => [status, bookings]));
  for (const status of ['completed', 'no_show', 'cancelled']) assert.ok((known[status] ?? 0) > 20, status);
}

/** They can sign in, and are what the start says. */
async function assertPeople(maitred: TestApp): Promise<void> {
  for (const { email, name, isPlatform, roles = [] } of people) {
    assertStrong(DEMO_PASSWORD, email);
    const body = { email, password: DEMO_PASSWORD };
    const session = await maitred.call('/manage/sessions', { method: 'POST', as: null, body });
    assert.equal(session.status, 201, session.text);
    const { user } = session.json;
    assert.deepEqual([user.name, user.isPlatform, user.roles], [name, isPlatform, [...roles]]);
  }
  const kinds = people.map(({ roles = [], isPlatform, developerOf }) =>
    isPlatform ? 'platform' : developerOf ? 'developer' : roles[0]?.role,
  );
  assert.deepEqual(kinds, ['staff', 'manager', 'owner', 'platform', 'developer']);
}

test('in the morning all guests are still expected, and the people can sign in', () =>
  atStart('2026-06-12T09:00', async (evening) => {
    await assertSound(evening);
    await assertFull(evening);
    await assertPeople(evening.maitred);
    const { bookings, enquiries, blocks } = await diaryOf(evening);
    assert.ok(bookings.length >= 25 && bookings.length <= 35, `${bookings.length} bookings`);
    assert.deepEqual(countStates(bookings), { expected: bookings.length });
    assert.equal(enquiries.length, 1);
    assert.equal(blocks.length, 1);
    const [large] = (await diaryOf(evening, '2026-06-23')).enquiries;
    assert.equal(large.partySize, 12);
    const joined = bookings.filter(({ tables }: Shown) => tables.length === 2);
    assert.ok(joined.some(({ partySize }: { partySize: number }) => partySize === 8));
    type Paid = { money: { depositPence: number; paidPence: number } };
    const declared = bookings.filter(({ money }: Paid) => money.depositPence > 0);
    const paidHere = bookings.filter(({ money }: Paid) => money.paidPence > 0);
    assert.ok(declared.length > 0 && paidHere.length > 0 && declared.length + paidHere.length >= 3);
    const path = `/manage/venues/${encodeURIComponent(SOHO_GRILL)}/waitlist?date=${evening.today}`;
    await evening.maitred.services.waitlist.workDue();
    const { data } = (await evening.maitred.call(path, { as: 'demo-operator' })).json;
    assert.deepEqual(
      data.map(({ status }: { status: string }) => status),
      ['waiting', 'waiting', 'waiting'],
      'three large parties wait, and nothing that they could have is free',
    );
  }));

test('in the middle of the evening some sit, some have gone, and one party is late', () =>
  atStart('2026-06-12T19:30', async (evening) => {
    const { maitred, now } = evening;
    await assertSound(evening);
    const { bookings, enquiries } = await diaryOf(evening);
    assert.ok(bookings.length >= 25 && bookings.length <= 35, `${bookings.length} bookings`);
    const { expected = 0, seated = 0, left = 0, no_show: away = 0 } = countStates(bookings);
    assert.ok(expected >= 8 && seated >= 8 && left >= 3 && away === 1, JSON.stringify(countStates(bookings)));
    const isBefore = (time: string) => Temporal.Instant.compare(time, now.toInstant()) < 0;
    const late = bookings.filter(({ visit, start }: Shown) => visit.state === 'expected' && isBefore(start));
    assert.equal(late.length, 1);
    const over = bookings.filter(({ visit, end }: Shown) => visit.state === 'seated' && isBefore(end));
    assert.ok(over.length >= 1, 'no party outstays its time');
    const walkIns = bookings.filter(({ origin }: { origin: string }) => origin === 'walk_in');
    assert.ok(walkIns.length >= 2);
    assert.equal(enquiries.length, 1);

    const search = await maitred.call('/manage/operators/1/bookings?guest=okafor', { as: 'demo-operator' });
    assert.ok(search.json.meta.totalItems >= 3, 'a regular guest has been there before');
    const [{ messages }] = await maitred.sql<[{ messages: number }]>`
      select count(distinct booking_id)::int as messages from booking_message`;
    assert.equal(messages, 2);
    const report = await maitred.call('/manage/operators/1/reports/covers?from=2026-05-01&to=2026-06-11', {
      as: 'demo-operator',
    });
    assert.equal(report.status, 200, report.text);
    const clock = () => now.toInstant();
    const rows = () =>
      maitred.sql`select count(*)::int as bookings, max(xmin::text::bigint) as latest from booking`;
    const before = await rows();
    assert.equal(
      await seedDemo(maitred.sql, clock, { evening: { encryptionKeys: createKeyring([ENCRYPTION_KEY]) } }),
      false,
    );
    assert.deepEqual([...(await rows())], [...before]);
  }));

test('after the kitchen has closed the last table is still there', () =>
  atStart('2026-06-12T23:30', async (evening) => {
    await assertSound(evening);
    const { bookings, enquiries } = await diaryOf(evening);
    const { seated = 0, left = 0, no_show: away = 0, expected = 0 } = countStates(bookings);
    assert.deepEqual({ seated, away, expected }, { seated: 1, away: 1, expected: 0 });
    assert.ok(left >= 25);
    assert.equal(enquiries.length, 0, 'an enquiry for an evening that is over');
    assert.equal((await diaryOf(evening, '2026-06-13')).enquiries.length, 1);
  }));

for (const local of ['2026-03-29T19:45', '2026-10-25T01:30', '2026-12-31T23:50'])
  test(`a first start at ${local} makes a sound evening`, () =>
    atStart(local, async (evening) => {
      await assertSound(evening);
      const { bookings } = await diaryOf(evening);
      assert.ok(bookings.length >= 25 && bookings.length <= 35, `${bookings.length} bookings`);
    }));

test('only the sandbox prints whom to sign in as', () => {
  const printed = (environment: string) =>
    bannerLines(readConfig({ ENVIRONMENT: environment, ...LIVE_NEEDS }), 'http://127.0.0.1:3000').join('\n');
  for (const { email } of people) {
    assert.ok(printed('sandbox').includes(email));
    assert.ok(!printed('staging').includes(email));
    assert.ok(!printed('live').includes(email));
  }
});

test('a sandbox of before, or one that has changed, prints only those who are there', async () => {
  const empty = await startTestApp();
  try {
    assert.deepEqual(await findPeople(empty.sql), []);
    const [first] = people;
    const { role: _, ...person } = first ?? assert.fail('there are people');
    await inTransaction(empty.sql, (tx) => addUser(tx, { clock: systemClock }, person));
    assert.deepEqual(await findPeople(empty.sql), [first]);
  } finally {
    await empty.close();
  }
  const lines = (signInAs: typeof people) =>
    bannerLines(readConfig({}), 'http://127.0.0.1:3000', signInAs).join('\n');
  assert.match(lines([]), /Console: \S+\/console\n/);
  for (const { email } of people) assert.ok(!lines([]).includes(email));
});
