import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '../../../../src/kernel/zone-time.ts';
import { assertProblem } from '../../../support/app.ts';
import { callNow } from '../amend/amending.ts';
import { assertRefused, type Body, book, DINNER, freeDay, tablesOf } from '../support.ts';
import { caller, deskApp, take, taken } from './desk-support.ts';
import { auditLogOf } from './manage-support.ts';

/** The operator's desk over HTTP: bookings of the house. */

const { at, maitred, tableFor } = deskApp();

const startsOn = async (date: string, partySize: number) => {
  const path = `/venues/${encodeURIComponent(DINNER)}/availability?date=${date}&partySize=${partySize}`;
  return (await callNow(maitred(), path)).json;
};

const isAtSeven = ({ time: start }: Body) => start === '19:00';

test('a telephone booking takes a table, shows no partner and is in the audit log', async () => {
  const date = freeDay();
  const made = await taken(maitred(), { date, notes: 'Window' });
  assert.deepEqual(
    [made.status, made.partner, made.origin, made.source, made.lastName, made.notes, made.autoConfirmed],
    ['confirmed', null, 'phone', 'phone', 'Hopper', 'Window', false],
  );
  assert.equal(made.tmsTables.length, 1);
  assert.equal((await tablesOf(maitred().sql, made.id)).length, 1);
  const [entry] = await auditLogOf(maitred(), made.id);
  assert.deepEqual([entry?.action, entry?.before, entry?.after.origin], ['booking.create', null, 'phone']);
  assert.doesNotMatch(JSON.stringify(entry), /Hopper|7946/);
});

test('no partner sees, changes or guesses a booking of the house', async () => {
  const { id } = await taken(maitred(), { date: freeDay() });
  const path = `/venues/bookings/${id}`;
  const attempts = [
    callNow(maitred(), path),
    callNow(maitred(), path, { method: 'DELETE' }),
    callNow(maitred(), path, { method: 'PATCH', body: [{ op: 'replace', path: '/partySize', value: 3 }] }),
    callNow(maitred(), `${path}/payment-options`),
    callNow(maitred(), `${path}/payments`, { method: 'POST', body: { option: 'full' } }),
  ];
  for (const answer of await Promise.all(attempts)) assertProblem(answer, 404, 'BOOK-N-006');
  const list = await callNow(maitred(), `/venues/bookings?id=${id}`);
  assert.deepEqual([list.status, list.json.data], [200, []]);
  const { data: events } = (await callNow(maitred(), '/webhooks/events?limit=100')).json;
  assert.equal(JSON.stringify(events).includes(id), false);
});

test('partners find the tables of the house taken at once', async () => {
  const date = freeDay();
  const party = { date, partySize: 8 };
  assert.equal((await startsOn(date, 8)).times.find(isAtSeven)?.type, 'book');
  let answer = await take(maitred(), party);
  for (; answer.status === 201; answer = await take(maitred(), party));
  assertProblem(answer, 409, 'AVAIL-N-005');
  assertProblem(await book(maitred(), { date, time: '19:00', partySize: 8 }), 409, 'AVAIL-N-005');
  assert.notEqual((await startsOn(date, 8)).times.find(isAtSeven)?.type, 'book');
});

test('a party at the door is seated at the next step of the grid', async () => {
  const date = freeDay();
  await at(date, '19:07', async () => {
    const body = { origin: 'walk_in', guest: undefined, time: undefined };
    const made = await taken(maitred(), body);
    assert.deepEqual(
      [made.date, made.time, made.visit.state, made.firstName, made.origin],
      [date, '19:15', 'seated', null, 'walk_in'],
    );
    assert.equal(made.visit.seatedAt, made.createdDate);
  });
  await at(date, '10:07', async () => {
    const body = { origin: 'walk_in', guest: undefined, time: undefined };
    assertProblem(await take(maitred(), body), 422, 'AVAIL-N-004');
    const opened = await taken(maitred(), { ...body, overrides: ['hours'] });
    assert.deepEqual([opened.date, opened.time], [date, '10:15']);
  });
});

test('a party that walks in after hours belongs to the evening that was last', async () => {
  const { sql } = maitred();
  const date = freeDay();
  const body = { origin: 'walk_in', guest: undefined, time: undefined, overrides: ['hours'] };
  await at(date, '23:20', async () => {
    const { date: day, dateTime } = await taken(maitred(), body);
    assert.deepEqual([day, dateTime.slice(0, 16)], [date, `${date}T23:30`]);
  });
  await sql`update product_hours set closes_minute = 1440 + 60 where product_id = ${DINNER}`;
  try {
    await at(date, '02:20', async () => {
      const { date: day, dateTime } = await taken(maitred(), body);
      assert.deepEqual([day, dateTime.slice(0, 16)], [addDays(date, -1), `${date}T02:30`]);
    });
    await at(date, '23:20', async () => assert.equal((await taken(maitred(), body)).date, date));
  } finally {
    await sql`update product_hours set closes_minute = 1380 where product_id = ${DINNER}`;
  }
});

test('hours, sizes, notice and pacing bind the house until they are set aside', async () => {
  const date = freeDay();
  const two = await tableFor(2);
  const refused: [Body, string, number?][] = [
    [{ date, time: '03:00' }, 'AVAIL-N-005'],
    [{ date, time: '19:07' }, 'AVAIL-N-005'],
    [{ date, partySize: 4, tableIds: [two.id] }, 'AVAIL-N-005'],
    [{ date: '2026-01-05' }, 'AVAIL-N-007', 400],
  ];
  for (const [body, code, status = 409] of refused)
    await assertRefused(maitred(), () => take(maitred(), body), status, code);
  const wide = await taken(maitred(), { date, partySize: 4, tableIds: [two.id], overrides: ['covers'] });
  assert.deepEqual(wide.tmsTables, [two.name]);
  const early = await taken(maitred(), { date, time: '10:07', overrides: ['hours'] });
  assert.equal(early.time, '10:07');
});

test('several tables need no combination, and a taken one is never overridden', async () => {
  const date = freeDay();
  const [one, other] = [await tableFor(2), await tableFor(8)];
  const made = await taken(maitred(), {
    date,
    partySize: 9,
    tableIds: [other.id, one.id],
    overrides: ['covers'],
  });
  assert.deepEqual((await tablesOf(maitred().sql, made.id)).toSorted(), [one.id, other.id].toSorted());
  const overrides = ['notice', 'pacing', 'rules', 'hours', 'covers'];
  const again = () => take(maitred(), { date, time: '19:30', partySize: 2, tableIds: [one.id], overrides });
  await assertRefused(maitred(), again, 409, 'AVAIL-N-005');
});

test('what cannot be is refused and changes nothing', async () => {
  const date = freeDay();
  const wrong: [Body, string][] = [
    [{ date, partySize: 0 }, 'partySize'],
    [{ date, partySize: -2 }, 'partySize'],
    [{ date, tableIds: [] }, 'tableIds'],
    [{ date, tableIds: [999_999] }, 'tableIds'],
    [{ date, origin: 'pigeon' }, 'origin'],
    [{ date, guest: undefined }, 'guest'],
    [{ date, time: undefined }, 'time'],
    [{ date, overrides: ['tables'] }, 'overrides.0'],
    [{ date, duration: 2000 }, 'duration'],
  ];
  for (const [body, field] of wrong) {
    const problem = await assertRefused(maitred(), () => take(maitred(), body), 400, 'VALID-N-001');
    assert.ok(
      Object.keys(problem.errors).some((name) => name.startsWith(field)),
      JSON.stringify(problem),
    );
  }
  await assertRefused(maitred(), () => take(maitred(), { date: '2027-02-30' }), 400, 'BOOK-N-020');
  await assertRefused(maitred(), () => take(maitred(), { date, productKey: 'nothing' }), 404, 'VENUE-N-002');
  // A table of another venue of the same operator.
  const path = `/manage/venues/${encodeURIComponent('1|house|garden-room')}/tables`;
  const [foreign] = (await callNow(maitred(), path, { as: 'demo-operator' })).json.data;
  const problem = await assertRefused(
    maitred(),
    () => take(maitred(), { date, tableIds: [foreign.id] }),
    400,
    'VALID-N-001',
  );
  assert.match(problem.errors.tableIds[0], /no table in use/);
  const elsewhere = { venueId: '2|house/night-owl'.replace('/', '|') };
  assertProblem(await take(maitred(), { date, productKey: 'booth' }, elsewhere), 403, 'OPRTR-N-002');
});

test('sent twice with one key, a booking of the house is taken once', async () => {
  const date = freeDay();
  const headers = { 'idempotency-key': 'double tap' };
  const [first, second] = await Promise.all([
    taken(maitred(), { date }, { headers }),
    taken(maitred(), { date }, { headers }),
  ]);
  assert.equal(first.id, second.id);
  const other = await take(maitred(), { date, partySize: 3 }, { headers });
  assertProblem(other, 400, 'VALID-N-001');
});

test('only managers set hours, sizes and rules aside', async () => {
  const date = freeDay();
  const session = async (email: string) => {
    const body = { email, password: 'demo-password-please-change' };
    const answer = await maitred().call('/manage/sessions', { method: 'POST', as: null, body });
    return answer.json.token as string;
  };
  const token = await session('staff@lamp.example');
  assertProblem(
    await take(maitred(), { date, time: '10:00', overrides: ['hours'] }, { token }),
    403,
    'USER-N-009',
  );
  await taken(maitred(), { date, overrides: ['notice', 'pacing'] }, { token });
});

test('a booking of the house at a venue of tickets takes tickets', async () => {
  const path = `/manage/venues/${encodeURIComponent('2|tickets|jazz-night')}/bookings`;
  const events = (
    await callNow(maitred(), `/manage/venues/${encodeURIComponent('2|tickets|jazz-night')}/occurrences`, {
      as: 'demo-admin',
    })
  ).json.data;
  const { date, startsMinute } = events.at(-1);
  const start = `${String(Math.floor(startsMinute / 60)).padStart(2, '0')}:${String(startsMinute % 60).padStart(2, '0')}`;
  const body = { productKey: 'standard', origin: 'website', partySize: 2, date, time: start, guest: caller };
  const answer = await callNow(maitred(), path, { method: 'POST', as: 'demo-admin', body });
  assert.equal(answer.status, 201, answer.text);
  const chosen = await callNow(maitred(), path, {
    method: 'POST',
    as: 'demo-admin',
    body: { ...body, tableIds: [1] },
  });
  assertProblem(chosen, 400, 'VALID-N-001');
});

test('a party at the door that is asked to come back is expected, not seated', async () => {
  const date = freeDay();
  const made = await taken(maitred(), { origin: 'walk_in', date, time: '20:00', guest: undefined });
  assert.equal(made.visit.state, 'expected');
});
