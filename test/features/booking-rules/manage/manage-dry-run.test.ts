import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { assertProblem } from '../../../support/app.ts';
import { storageOf } from '../../../support/rule-storage.ts';
import { type Body, booked } from '../../bookings/support.ts';
import { expression, partner, rulesApp, SOHO } from '../support.ts';
import { ask, created, listed, trailOfRule } from './manage-support.ts';

const maitred = rulesApp();
beforeEach(() => maitred().sql`delete from booking_rule`);
beforeEach(() => maitred().sql`delete from booking`);

const NOBODY = '01990a6e-0000-7000-8000-0000000fffff';
const limit = (max: number): Body => ({ effect: 'party_size_limit', name: 'Small tables', params: { max } });

const attempt = (rule: Body, more: Body = {}) => ask(maitred(), ['POST', '/dry-run'], { rule, ...more });

async function tried(rule: Body, more: Body = {}) {
  const answer = await attempt(rule, more);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** So many copies of a booking, with other values in some columns of each. */
async function copy({ id }: Body, count: number, columns: (index: number) => object): Promise<void> {
  const { sql } = maitred();
  const rows = Array.from({ length: count }, (_, index) => columns(index));
  await sql`
    insert into booking select made.* from booking b, jsonb_array_elements(${sql.json(rows as never)}) as columns,
      jsonb_populate_record(b, columns || jsonb_build_object('id', gen_random_uuid())) as made
    where b.id = ${id}`;
}

const madeAt = (id: string, instant: Temporal.Instant) =>
  maitred().sql`update booking set created_at = ${instant} where id = ${id}`;

test('a rule tells how many of the bookings of the last 90 days it would have rejected', async () => {
  const original = await booked(maitred());
  await copy(original, 1202, (index) => ({ adults: index < 14 ? 9 : 2 }));
  const { examples, ...result } = await tried({ ...limit(8), message: 'Call us for large parties.' });
  assert.equal(result.summary, 'Would have rejected 14 of 1,203 bookings.');
  assert.deepEqual(
    [result.total, result.considered, result.rejected, result.unchanged],
    [1203, 1203, 14, 1189],
  );
  assert.equal(result.replaced, null);
  assert.equal(result.touched, 14);
  assert.match(result.ruleSummary, /8/);
  assert.equal(examples.length, 14);
  const [{ date, time, guests, venueName, partnerName }] = examples;
  assert.deepEqual(
    [date, time, guests, venueName, partnerName],
    [original.date, original.time, 9, 'Soho Grill', 'Demo Partner'],
  );
  for (const { outcome, code, message } of examples)
    assert.deepEqual([outcome, code, message], ['rejected', 'BKRUL-N-005', 'Call us for large parties.']);
  assert.doesNotMatch(JSON.stringify(examples), /Ada|Lovelace|example\.com/);
});

test('twenty examples are enough, and the latest come first', async () => {
  const original = await booked(maitred());
  const hoursAgo = (hours: number) => Temporal.Now.instant().subtract({ hours }).toString();
  await copy(original, 30, (index) => ({ created_at: hoursAgo(index + 1) }));
  const { examples, rejected } = await tried(limit(1));
  assert.deepEqual([rejected, examples.length, examples[0].bookingId], [31, 20, original.id]);
  const rows = await maitred().sql`select id from booking order by created_at desc limit 20`;
  assert.deepEqual(
    examples.map(({ bookingId }: Body) => bookingId),
    rows.map(({ id }) => id),
  );
});

test('each effect is counted as what it does', async () => {
  await booked(maitred(), { partySize: 2, depositAmount: 5000 });
  await booked(maitred(), { partySize: 3 });
  await booked(maitred(), { partySize: 4, type: 'request' });
  const count = async (rule: Body) => {
    const { rejected, depositRequired, turnedIntoEnquiry, flagged, withoutPreorderEmail, unchanged } =
      await tried({ name: 'Tried', ...rule });
    return [rejected, depositRequired, turnedIntoEnquiry, flagged, withoutPreorderEmail, unchanged];
  };
  assert.deepEqual(await count({ effect: 'party_size_limit', params: { min: 3 } }), [1, 0, 0, 0, 0, 2]);
  assert.deepEqual(await count({ effect: 'require_deposit', params: { amount: 5000 } }), [0, 2, 0, 0, 0, 1]);
  assert.deepEqual(await count({ effect: 'route_to_enquiry' }), [0, 0, 2, 0, 0, 1]);
  assert.deepEqual(
    await count({ effect: 'suppress_preorder_email', params: { threshold: 4 } }),
    [0, 0, 0, 0, 2, 1],
  );
  const large = { '>': [{ var: 'booking.guests' }, 2] };
  assert.deepEqual(await count(expression(large, { flag: { name: 'large' } })), [0, 0, 0, 2, 0, 1]);
  const both = expression(large, { flag: { name: 'large' } }, { reject: { message: 'Too large.' } });
  assert.deepEqual(await count(both), [2, 0, 0, 0, 0, 1]);
  const [example] = (await tried({ name: 'Tried', ...both })).examples;
  assert.deepEqual([example.code, example.message], ['BKRUL-N-100', 'Too large.']);
  const { summary } = await tried({ name: 'Tried', effect: 'route_to_enquiry', partnerIds: [await other()] });
  assert.equal(summary, 'Would have changed none of 3 bookings.');
});

const other = () => partner(maitred(), 'other-partner');

test('notice and days ahead count from the moment at which each booking was made', async () => {
  const [late, early] = [await booked(maitred()), await booked(maitred())];
  const startsAt = Temporal.Instant.from(late.dateTime);
  const window = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
  await madeAt(late.id, startsAt.subtract({ hours: 2 }));
  const notice = { effect: 'booking_window', name: 'A day', params: { minNoticeHours: 24 } };
  const { rejected, examples } = await tried(notice, window);
  assert.equal(rejected, 1);
  assert.deepEqual([examples[0].bookingId, examples[0].code], [late.id, 'AVAIL-N-007']);
  const horizon = { effect: 'booking_window', name: 'A week', params: { maxHorizonDays: 7 } };
  const far = await tried(horizon, window);
  assert.deepEqual(
    [far.rejected, far.examples[0].bookingId, far.examples[0].code],
    [1, early.id, 'AVAIL-N-008'],
  );
  const sameDay = [{ field: 'daysAhead', operator: 'eq', value: 0 }];
  const { turnedIntoEnquiry } = await tried(
    { effect: 'route_to_enquiry', name: 'Today', conditions: sameDay },
    window,
  );
  assert.equal(turnedIntoEnquiry, 1);
});

test('only bookings of the operator that were made in the window count', async () => {
  const bookings = [await booked(maitred()), await booked(maitred()), await booked(maitred())];
  await booked(maitred(), { partySize: 4 }, { productId: '2|house|night-owl|booth' });
  const now = Temporal.Now.instant();
  const [old, recent] = [now.subtract({ hours: 24 * 91 }), now.subtract({ hours: 24 * 89 })];
  await madeAt(String(bookings[0]?.id), old);
  await madeAt(String(bookings[1]?.id), recent);
  const considered = async (more?: Body) => (await tried(limit(1), more)).considered;
  assert.equal(await considered(), 2);
  assert.equal(await considered({ from: old.toString() }), 3);
  assert.equal(await considered({ to: recent.toString() }), 1);
  assert.equal(await considered({ from: recent.toString(), to: now.subtract({ hours: 1 }).toString() }), 1);
  assert.equal(await considered({ from: null, to: null, ruleId: null }), 2);
  assert.equal(await considered({ to: '0001-01-02T00:00:00Z' }), 0);
});

test('a rule is tried on those whom it is aimed at', async () => {
  await booked(maitred());
  await booked(maitred(), {}, { as: 'other-partner' });
  const rejected = async (aim: Body) => (await tried({ ...limit(1), ...aim })).rejected;
  assert.equal(await rejected({ partnerIds: [await other()] }), 1);
  assert.equal(await rejected({ venueIds: [SOHO] }), 2);
  assert.equal(await rejected({ venueIds: ['1|house|garden-room'] }), 0);
  assert.equal(await rejected({ productSlugs: ['dinner'] }), 2);
  const saturday = [{ field: 'category', operator: 'eq', value: 'no-such-category' }];
  assert.equal(await rejected({ conditions: saturday }), 0);
});

test('beside a rule that it would replace stands what that one would have done', async () => {
  for (const partySize of [2, 3, 4]) await booked(maitred(), { partySize });
  const { id } = await created(maitred(), limit(3));
  const { rejected, replaced, unchanged } = await tried(limit(2), { ruleId: id });
  assert.deepEqual([rejected, unchanged], [2, 1]);
  assert.deepEqual([replaced.rejected, replaced.unchanged], [1, 2]);
  const cancelling = {
    effect: 'booking_window',
    name: 'Late',
    params: { action: 'cancel', minNoticeHours: 8760 },
  };
  const off = await created(maitred(), { ...limit(3), isActive: false });
  assert.equal((await tried(limit(2), { ruleId: off.id })).replaced, null, 'one that is off does nothing');
  const late = await created(maitred(), cancelling);
  assert.equal((await tried(limit(2), { ruleId: late.id })).replaced.unchanged, 3);
  await maitred().sql`update booking_rule set params = '{"max": "many"}' where id = ${id}`;
  assert.equal((await tried(limit(2), { ruleId: id })).replaced, null);
});

test('nothing is stored, and nothing is written down', async () => {
  const { id } = await created(maitred(), limit(3));
  const before = await listed(maitred());
  await tried(limit(2), { ruleId: id });
  assert.deepEqual(await listed(maitred()), before);
  assert.equal((await trailOfRule(maitred(), id)).length, 1);
});

test('what could not be stored cannot be tried either', async () => {
  const refused = async (rule: Body, more: Body, field: string) => {
    const { errors } = assertProblem(await attempt(rule, more), 400, 'VALID-N-001');
    assert.ok(field in errors, JSON.stringify(errors));
  };
  await refused({ effect: 'require_deposit', name: 'x' }, {}, 'rule.params');
  await refused({ effect: 'no_effect', name: 'x' }, {}, 'rule.effect');
  await refused({ ...limit(3), params: { min: 4, max: 3 } }, {}, 'rule.params.max');
  await refused({ ...limit(3), partnerIds: [999_999] }, {}, 'rule.partnerIds');
  await refused(limit(3), { from: '2026-02-30T00:00:00Z' }, 'from');
  await refused(limit(3), { from: '2026-02-02T00:00:00Z', to: '2026-02-02T00:00:00Z' }, 'from');
  await refused(limit(3), { to: '0001-01-01T00:00:00Z' }, 'from');
  await refused(limit(3), { ruleId: 'x' }, 'ruleId');
  await refused(limit(3), { days: 3 }, 'days');
  const odd = { name: 'Odd', ...expression({ log: [1] }, { flag: { name: 'x' } }) };
  assertProblem(await attempt(odd), 400, 'OPRUL-N-013');
  assertProblem(await attempt(limit(3), { ruleId: NOBODY }), 404, 'OPRUL-N-005');
  const others = await storageOf(maitred()).create(2, limit(3));
  assertProblem(await attempt(limit(3), { ruleId: others.id }), 403, 'OPRTR-N-002');
  const nobody = { as: 'demo-admin', operatorId: 2_147_483_647 };
  assertProblem(await ask(maitred(), ['POST', '/dry-run'], { rule: limit(3) }, nobody), 404, 'OPRTR-N-001');
});

test('a rule that is not asked when bookings are made is not said to have done nothing', async () => {
  for (const [rule, field] of [
    [{ effect: 'booking_window', params: { action: 'cancel', minNoticeHours: 2 } }, 'rule.params.action'],
    [{ effect: 'booking_window', params: { action: 'amend', minNoticeHours: 2 } }, 'rule.params.action'],
    [{ ...expression(true, { flag: { name: 'x' } }), hook: 'booking.amend' }, 'rule.hook'],
  ] as const) {
    const { errors } = assertProblem(await attempt({ name: 'Later', ...rule }), 400, 'VALID-N-001');
    assert.ok(field in errors, JSON.stringify(errors));
  }
});
