import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { callNow, standingClock } from './amending.ts';
import { caller, edit, move, ok, SOHO, swap, take, taken, visit } from './desk-support.ts';
import { assertLeft, look, trailOf } from './manage-support.ts';
import {
  assertRefused,
  BOOTH,
  type Body,
  book,
  booked,
  bookingsApp,
  DINNER,
  freeDay,
  guest,
  tablesOf,
} from './support.ts';

/** The operator's desk over HTTP: bookings of the house, changes, visits. */

const time = standingClock();
const maitred = bookingsApp({ deps: { clock: time.clock } });

/** Runs `work` at a local time of a day in London. */
async function at<Result>(date: string, clock: string, work: () => Promise<Result>): Promise<Result> {
  const before = time.clock();
  time.moveTo(Temporal.PlainDateTime.from(`${date}T${clock}`).toZonedDateTime('Europe/London').toInstant());
  try {
    return await work();
  } finally {
    time.moveTo(before);
  }
}

async function tables(): Promise<Body[]> {
  const path = `/manage/venues/${encodeURIComponent(SOHO)}/tables`;
  return (await callNow(maitred(), path, { as: 'demo-operator' })).json.data;
}
const tableFor = async (covers: number, index = 0) => {
  const found = (await tables()).filter(({ maxCovers }) => maxCovers === covers)[index];
  assert.ok(found, `a table for ${covers}`);
  return found;
};

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
  const [entry] = await trailOf(maitred(), made.id);
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
    assert.equal(opened.time, '10:15');
  });
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

test('an operator changes a booking of a partner, who is told and reads the change', async () => {
  const date = freeDay();
  const { id } = await booked(maitred(), { date, time: '19:00' });
  const tried = await ok(edit(maitred(), id, { time: '20:00', partySize: 4 }, {}, '?dryRun=true'));
  assert.deepEqual([tried.time, tried.partySize, tried.change.isDryRun], ['20:00', 4, true]);
  assert.equal((await callNow(maitred(), `/venues/bookings/${id}`)).json.time, '19:00');
  const changed = await ok(
    edit(maitred(), id, { time: '20:00', partySize: 4, notes: 'Birthday', duration: 105 }),
  );
  assert.deepEqual([changed.change.isDryRun, changed.duration], [false, 105]);
  const read = (await callNow(maitred(), `/venues/bookings/${id}`)).json;
  assert.deepEqual([read.time, read.partySize, read.notes, read.duration], ['20:00', 4, 'Birthday', 105]);
  const { data: events } = (await callNow(maitred(), '/webhooks/events?limit=100')).json;
  const told = events
    .flatMap(({ body }: Body) => body?.bookings ?? [])
    .filter((each: Body) => each.id === id);
  assert.deepEqual(
    told.map(({ time: start }: Body) => start),
    ['19:00', '20:00'],
  );
  const [entry] = await trailOf(maitred(), id);
  assert.deepEqual(
    [entry?.action, entry?.before.time, entry?.after.time],
    ['booking.edit', '19:00', '20:00'],
  );
});

test('a party keeps its table when only its time moves', async () => {
  const date = freeDay();
  const table = await tableFor(4, 1);
  const { id } = await taken(maitred(), { date, partySize: 3, tableIds: [table.id] });
  const moved = await ok(edit(maitred(), id, { time: '20:30' }));
  assert.deepEqual(moved.tmsTables, [table.name]);
});

test('the guest of a partner is not the operator’s to change, that of the house is', async () => {
  const partners = await booked(maitred());
  await assertLeft(maitred(), partners.id, () => edit(maitred(), partners.id, { guest: caller }), [
    400,
    'VALID-N-001',
  ]);
  const house = await taken(maitred(), { date: freeDay() });
  const changed = await ok(
    edit(maitred(), house.id, { guest: { lastName: 'Murray', email: 'g@example.com' } }),
  );
  assert.deepEqual(
    [changed.lastName, changed.firstName, changed.email, changed.phone],
    ['Murray', 'Grace', 'g@example.com', caller.phone],
  );
});

test('a move takes free tables and refuses taken ones; two parties exchange theirs', async () => {
  const date = freeDay();
  const [a, b, c] = [await tableFor(4), await tableFor(4, 1), await tableFor(2)];
  const first = await taken(maitred(), { date, partySize: 4, tableIds: [a.id] });
  const second = await taken(maitred(), { date, partySize: 3, time: '19:30', tableIds: [b.id] });
  await assertLeft(maitred(), first.id, () => move(maitred(), first.id, { tableIds: [b.id] }), [
    409,
    'AVAIL-N-005',
  ]);
  const tried = await ok(swap(maitred(), first.id, { bookingId: second.id }, {}, '?dryRun=true'));
  assert.deepEqual(
    tried.data.map(({ tmsTables }: Body) => tmsTables),
    [[b.name], [a.name]],
  );
  assert.deepEqual(await tablesOf(maitred().sql, first.id), [a.id]);
  await ok(swap(maitred(), first.id, { bookingId: second.id }));
  assert.deepEqual(await tablesOf(maitred().sql, first.id), [b.id]);
  assert.deepEqual(await tablesOf(maitred().sql, second.id), [a.id]);
  assert.equal((await trailOf(maitred(), second.id))[0]?.action, 'booking.swap');
  const small = await taken(maitred(), { date, partySize: 2, tableIds: [c.id] });
  await assertLeft(maitred(), first.id, () => swap(maitred(), first.id, { bookingId: small.id }), [
    409,
    'AVAIL-N-005',
  ]);
  await ok(swap(maitred(), first.id, { bookingId: small.id, overrides: ['covers'] }));
  assert.deepEqual(await tablesOf(maitred().sql, first.id), [c.id]);
  assertProblem(await swap(maitred(), first.id, { bookingId: first.id }), 400, 'VALID-N-001');
});

test('the visit goes forwards and backwards, and a party that leaves frees its table', async () => {
  const date = freeDay();
  const table = await tableFor(8);
  const { id } = await taken(maitred(), { date, partySize: 8, tableIds: [table.id] });
  await assertLeft(maitred(), id, () => visit(maitred(), id, { state: 'no_show' }), [409, 'BOOK-N-014']);
  await at(date, '18:55', async () => {
    const arrived = await ok(visit(maitred(), id, { state: 'arrived' }));
    assert.deepEqual([arrived.status, arrived.visit.state], ['confirmed', 'arrived']);
    assert.equal(arrived.visit.arrivedAt, time.clock().toString({ fractionalSecondDigits: 3 }));
  });
  await at(date, '19:10', async () => {
    const seated = await ok(visit(maitred(), id, { state: 'seated' }));
    assert.notEqual(seated.visit.arrivedAt, seated.visit.seatedAt);
  });
  await at(date, '20:00', async () => {
    const next = { date, time: '20:15', partySize: 8, tableIds: [table.id], overrides: ['notice'] };
    assertProblem(await take(maitred(), next), 409, 'AVAIL-N-005');
    const left = await ok(visit(maitred(), id, { state: 'left' }));
    assert.deepEqual([left.status, left.visit.state], ['completed', 'left']);
    const undone = await ok(visit(maitred(), id, { state: 'seated' }));
    assert.deepEqual(
      [undone.status, undone.visit.leftAt, undone.tmsTables],
      ['confirmed', null, [table.name]],
    );
    time.move({ minutes: 1 });
    await ok(visit(maitred(), id, { state: 'left' }));
    await taken(maitred(), next);
    const back = await visit(maitred(), id, { state: 'seated' });
    assert.match(assertProblem(back, 409, 'AVAIL-N-005').detail, /given away/);
    const other = await tableFor(8, 1);
    const elsewhere = await ok(visit(maitred(), id, { state: 'seated', tableIds: [other.id] }));
    assert.deepEqual(elsewhere.tmsTables, [other.name]);
  });
});

test('a late party keeps its table until it is given up, and a no-show can be taken back', async () => {
  const date = freeDay();
  const table = await tableFor(8);
  const { id } = await booked(maitred(), { date, time: '19:00', partySize: 8 });
  await ok(move(maitred(), id, { tableIds: [table.id] }));
  await at(date, '19:40', async () => {
    const want = { date, time: '19:45', partySize: 8, tableIds: [table.id], overrides: ['notice'] };
    assertProblem(await take(maitred(), want), 409, 'AVAIL-N-005');
    assert.equal((await ok(visit(maitred(), id, { state: 'no_show' }))).status, 'no_show');
    assert.equal((await callNow(maitred(), `/venues/bookings/${id}`)).json.status, 'no_show');
    const undone = await ok(visit(maitred(), id, { state: 'seated' }));
    assert.deepEqual([undone.status, undone.tmsTables], ['confirmed', [table.name]]);
    assertProblem(await take(maitred(), want), 409, 'AVAIL-N-005');
    await ok(visit(maitred(), id, { state: 'no_show' }));
    await taken(maitred(), want);
  });
});

test('a party that has begun moves from now on, although its new table was taken before', async () => {
  const date = freeDay();
  const [a, b] = [await tableFor(8), await tableFor(8, 1)];
  const early = await taken(maitred(), { date, time: '17:30', partySize: 8, tableIds: [b.id], duration: 60 });
  const late = await taken(maitred(), { date, time: '18:00', partySize: 8, tableIds: [a.id], duration: 120 });
  await at(date, '18:20', async () => {
    assertProblem(await move(maitred(), late.id, { tableIds: [b.id] }), 409, 'AVAIL-N-005');
    await ok(visit(maitred(), early.id, { state: 'left' }));
    await ok(move(maitred(), late.id, { tableIds: [b.id] }));
    assert.deepEqual(await tablesOf(maitred().sql, late.id), [b.id]);
    await taken(maitred(), { date, time: '18:30', partySize: 8, tableIds: [a.id], overrides: ['notice'] });
  });
});

test('tables are named only for a party that needs some, where there are some to name', async () => {
  const date = freeDay();
  const [own, other] = [await tableFor(8), await tableFor(8, 1)];
  const { id } = await taken(maitred(), { date, partySize: 8, tableIds: [own.id] });
  await at(date, '19:30', async () => {
    for (const state of ['left', 'no_show'])
      await assertLeft(maitred(), id, () => visit(maitred(), id, { state, tableIds: [other.id] }), [
        400,
        'VALID-N-001',
      ]);
    await ok(visit(maitred(), id, { state: 'seated', tableIds: [other.id] }));
    assert.deepEqual(await tablesOf(maitred().sql, id), [other.id]);
  });
});

test('parties whose stays have lengths of their own exchange tables', async () => {
  const date = freeDay();
  const [a, b] = [await tableFor(4), await tableFor(4, 1)];
  const first = await taken(maitred(), { date, partySize: 4, tableIds: [a.id], duration: 47 });
  const second = await taken(maitred(), { date, partySize: 4, tableIds: [b.id] });
  await ok(swap(maitred(), first.id, { bookingId: second.id }));
  assert.deepEqual(await tablesOf(maitred().sql, first.id), [b.id]);
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

test('a stale If-Match changes nothing', async () => {
  const { id } = await taken(maitred(), { date: freeDay() });
  const etag = String((await look(maitred(), `/${id}`)).headers.etag);
  await ok(edit(maitred(), id, { notes: 'First' }, { headers: { 'if-match': etag } }));
  await assertLeft(
    maitred(),
    id,
    () => edit(maitred(), id, { notes: 'Second' }, { headers: { 'if-match': etag } }),
    [412, 'HTTP-N-412'],
  );
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
  assert.ok(BOOTH);
});

test('a stay that has begun cannot be made to end in the past', async () => {
  const date = freeDay();
  const { id } = await taken(maitred(), { date, duration: 120 });
  await at(date, '20:00', async () => {
    for (const duration of [30, 60])
      await assertLeft(maitred(), id, () => edit(maitred(), id, { duration }), [409, 'BOOK-N-014']);
    assert.equal((await ok(edit(maitred(), id, { duration: 75 }))).duration, 75);
  });
});

test('a party of unchanged size may stay at its table, but gets no other that is too small', async () => {
  const date = freeDay();
  const small = await tableFor(2);
  const { id } = await taken(maitred(), { date, partySize: 4, tableIds: [small.id], overrides: ['covers'] });
  assert.deepEqual((await ok(edit(maitred(), id, { time: '20:00' }))).tmsTables, [small.name]);
  const free = await tableFor(2, 1);
  const others = (await tables()).map(({ id: each }) => each).filter((each) => each !== free.id);
  const full = { date, time: '17:00', partySize: 4, overrides: ['covers'], duration: 60 };
  for (let from = 0; from < others.length; from += 20)
    await taken(maitred(), { ...full, tableIds: others.slice(from, from + 20) });
  await assertLeft(maitred(), id, () => edit(maitred(), id, { time: '17:00' }), [409, 'AVAIL-N-005']);
});

test('a party that grows is bound by the hours that its longer stay reaches', async () => {
  const date = freeDay();
  const { id, duration } = await taken(maitred(), { date, time: '21:00', partySize: 2 });
  assert.ok(duration <= 120);
  const grown = await edit(maitred(), id, { partySize: 8 });
  assertProblem(grown, 409, 'AVAIL-N-005');
});

test('the visit takes no tables for a party that has gone, and no table that is too small', async () => {
  const date = freeDay();
  const [small, large] = [await tableFor(2), await tableFor(8, 1)];
  const { id } = await taken(maitred(), { date, partySize: 4 });
  const sit = (state: string, tableIds: number[]) => () => visit(maitred(), id, { state, tableIds });
  await assertLeft(maitred(), id, sit('expected', [small.id]), [409, 'AVAIL-N-005']);
  await at(date, '19:30', () => assertLeft(maitred(), id, sit('left', [large.id]), [400, 'VALID-N-001']));
});

test('a seated party keeps its start, and one that came early may leave before it', async () => {
  const date = freeDay();
  const { id } = await taken(maitred(), { date });
  await at(date, '18:50', async () => {
    await ok(visit(maitred(), id, { state: 'seated' }));
    await assertLeft(maitred(), id, () => edit(maitred(), id, { time: '20:00' }), [409, 'BOOK-N-014']);
    assert.equal((await ok(visit(maitred(), id, { state: 'left' }))).status, 'completed');
  });
});

test('an enquiry is moved to what is on offer, and never into the past', async () => {
  const body = { ...guest, type: 'request', date: freeDay(), time: '19:00' };
  const path = `/venues/${encodeURIComponent(DINNER)}/booking`;
  const { json: enquiry } = await callNow(maitred(), path, { method: 'POST', body });
  const refused: [Body, [number, string]][] = [
    [{ date: '2020-01-01' }, [400, 'AVAIL-N-007']],
    [{ time: '03:07' }, [409, 'AVAIL-N-005']],
    [{ partySize: 900 }, [409, 'AVAIL-N-005']],
  ];
  for (const [change, problem] of refused)
    await assertLeft(maitred(), enquiry.id, () => edit(maitred(), enquiry.id, change), problem);
  assert.equal((await ok(edit(maitred(), enquiry.id, { time: '20:00' }))).time, '20:00');
});

test('a party at the door that is asked to come back is expected, not seated', async () => {
  const date = freeDay();
  const made = await taken(maitred(), { origin: 'walk_in', date, time: '20:00', guest: undefined });
  assert.equal(made.visit.state, 'expected');
});
