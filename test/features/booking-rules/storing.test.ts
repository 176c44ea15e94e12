import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import { MAX_ACTIVE_RULES } from '../../../src/features/booking-rules/manage/storing.ts';
import { tryLockRules } from '../../../src/features/booking-rules/store.ts';
import { Problem } from '../../../src/kernel/problem.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';
import { type RuleStorage, ruleStorage } from '../../support/rule-storage.ts';
import { written } from './manage/drafts.ts';

let database: TestDatabase;
let storage: RuleStorage;

const NOBODY = '01990a6e-0000-7000-8000-0000000fffff';
const enquiry = (more: object = {}) => ({ effect: 'route_to_enquiry', name: 'Ask us', ...more });

async function refusalOf(attempt: Promise<unknown>): Promise<Problem> {
  const outcome = await attempt.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(outcome instanceof Problem, String(outcome));
  return outcome;
}

const codeOf = async (attempt: Promise<unknown>) => (await refusalOf(attempt)).code;

before(async () => {
  database = await createTestDatabase({ hasDemo: true });
  storage = ruleStorage(database.sql);
});
beforeEach(() => database.sql`delete from booking_rule`);
after(() => database.drop());

test('what is stored is read back as it was answered', async () => {
  const drafts = [
    enquiry({
      description: 'By hand.',
      message: 'We come back to you.',
      priority: -7,
      partnerIds: [2, 1],
      categoryIds: [402],
      venueIds: ['4|house|saltmarsh'],
      productSlugs: ['dinner', 'it\'s {"odd", \\slug}'],
      conditions: [
        { field: 'partySize', operator: 'between', value: [8, 12] },
        { field: 'category', operator: 'in', value: ['dinner'] },
      ],
    }),
    { effect: 'require_deposit', name: 'Deposit', params: { amount: 1000 } },
    { effect: 'same_package', name: 'Same', items: ['feast', 'flight'] },
    { effect: 'booking_window', name: 'Window', params: { minNoticeHours: 24 } },
    { effect: 'party_size_limit', name: 'Size', params: { max: 8 } },
    { effect: 'require_preorder', name: 'Preorder', params: { kind: 'menu' } },
    { effect: 'suppress_preorder_email', name: 'Mail', params: { threshold: 4 } },
    written(),
  ];
  for (const draft of drafts) {
    const rule = await storage.create(4, draft);
    assert.equal(rule.operatorId, 4);
    assert.equal(rule.version, 1);
    assert.deepEqual(await storage.get(4, rule.id), rule);
  }
  const names = (await storage.list(4)).map(({ name }) => name);
  assert.deepEqual(
    names,
    drafts.map(({ name }) => name),
  );
});

test('what an operator wrote keeps the order of its members', async () => {
  const when = { '===': [{ var: 'booking.source' }, 'ü\\"\u2028'] };
  const actions = [
    { set: { value: 'request', fact: 'booking.type' } },
    { flag: { name: '  spaced  ' } },
    { set: { fact: 'booking.type', value: 'request' } },
  ];
  const { id } = await storage.create(1, written({ when, then: actions, name: ' Large ', message: 'A\nB' }));
  for (const rule of [await storage.get(1, id), ...(await storage.list(1))]) {
    assert.ok(rule.effect === 'expression');
    assert.equal(JSON.stringify([rule.when, rule.then]), JSON.stringify([when, actions]));
    assert.deepEqual([rule.name, rule.message], [' Large ', 'A\nB']);
  }
});

test('a condition that is a plain literal is stored too', async () => {
  for (const when of [true, false, 0, 'text']) {
    const { id } = await storage.create(1, written({ when }));
    const rule = await storage.get(1, id);
    assert.ok(rule.effect === 'expression');
    assert.equal(rule.when, when);
  }
});

test('a change replaces all of a rule but its id, and counts', async () => {
  const rule = await storage.create(1, written({ priority: 5, description: 'Old' }));
  const changed = await storage.change(1, rule.id, enquiry());
  assert.deepEqual([changed.id, changed.version, changed.effect], [rule.id, 2, 'route_to_enquiry']);
  assert.deepEqual([changed.priority, changed.description], [0, null]);
  assert.equal('when' in changed, false);
  assert.deepEqual(await storage.get(1, rule.id), changed);
  const again = await storage.change(1, rule.id, written());
  assert.equal(again.version, 3);
  assert.equal('params' in again, false);
  assert.deepEqual(await storage.list(1), [again]);
});

test('a draft that is refused changes nothing', async () => {
  const rule = await storage.create(1, enquiry());
  assert.equal(await codeOf(storage.create(1, enquiry({ colour: 'red' }))), 'VALID-N-001');
  assert.equal(await codeOf(storage.change(1, rule.id, enquiry({ name: '' }))), 'VALID-N-001');
  assert.equal(await codeOf(storage.change(1, rule.id, enquiry({ partnerIds: [99] }))), 'VALID-N-001');
  assert.equal(await codeOf(storage.change(1, rule.id, written({ when: { cat: [] } }))), 'OPRUL-N-013');
  assert.deepEqual(await storage.list(1), [rule]);
});

test('a retired rule is found no longer, though its record stays', async () => {
  const { id } = await storage.create(1, enquiry());
  await storage.retire(1, id);
  assert.deepEqual(await storage.list(1), []);
  assert.equal(await codeOf(storage.get(1, id)), 'OPRUL-N-005');
  assert.equal(await codeOf(storage.change(1, id, enquiry())), 'OPRUL-N-005');
  assert.equal(await codeOf(storage.retire(1, id)), 'OPRUL-N-005');
  const rows = await database.sql`select is_active from booking_rule where id = ${id}`;
  assert.deepEqual([...rows], [{ is_active: false }]);
});

test('an id that no rule has is not found, whatever it looks like', async () => {
  for (const id of [NOBODY, 'x', '', `${NOBODY}'`]) {
    assert.equal(await codeOf(storage.get(1, id)), 'OPRUL-N-005');
    assert.equal(await codeOf(storage.change(1, id, enquiry())), 'OPRUL-N-005');
    assert.equal(await codeOf(storage.retire(1, id)), 'OPRUL-N-005');
  }
});

test("another operator's rule can be neither read nor changed", async () => {
  const rule = await storage.create(2, enquiry());
  assert.equal(await codeOf(storage.get(1, rule.id)), 'OPRTR-N-002');
  assert.equal(await codeOf(storage.change(1, rule.id, enquiry())), 'OPRTR-N-002');
  assert.equal(await codeOf(storage.retire(1, rule.id)), 'OPRTR-N-002');
  assert.deepEqual(await storage.list(1), []);
  assert.deepEqual(await storage.list(2), [rule]);
});

test('there are no rules of an operator that does not exist', async () => {
  assert.equal(await codeOf(storage.create(77, enquiry())), 'OPRTR-N-001');
});

test('a rule names only partners that exist and venues and categories of its operator', async () => {
  const named = {
    partnerIds: [1, 98, 99],
    categoryIds: [401],
    venueIds: ['1|house|soho-grill', '2|house|night-owl', '1|house|nowhere'],
  };
  const { code, options } = await refusalOf(storage.create(1, enquiry(named)));
  assert.equal(code, 'VALID-N-001');
  assert.deepEqual(options.errors, {
    partnerIds: ['names 98, which is no partner', 'names 99, which is no partner'],
    categoryIds: ['names 401, which is no partner category of this operator'],
    venueIds: [
      'names 1|house|nowhere, which is no venue of this operator',
      'names 2|house|night-owl, which is no venue of this operator',
    ],
  });
  await storage.create(1, enquiry({ partnerIds: [1, 2], venueIds: ['1|house|soho-grill'] }));
  await storage.create(4, enquiry({ categoryIds: [401, 402] }));
});

test('an operator has so many active rules and no more', async () => {
  await database.sql`
    insert into booking_rule (id, operator_id, effect, priority, name, conditions, params, created_at, updated_at)
    select gen_random_uuid(), 2, 'route_to_enquiry', 0, 'Rule', '[]', '{}', now(), now()
    from generate_series(1, ${MAX_ACTIVE_RULES - 1})`;
  const { id } = await storage.create(2, enquiry());
  const { code, options } = await refusalOf(storage.create(2, enquiry()));
  assert.equal(code, 'OPRTR-N-006');
  assert.match(options.detail ?? '', /500/);
  assert.equal((await storage.change(2, id, enquiry())).version, 2);
  await storage.create(1, enquiry());
  await storage.retire(2, id);
  await storage.create(2, enquiry());
});

test('while a change is being applied another one of the same operator is asked to come again', async () => {
  const rule = await storage.create(1, enquiry());
  await inTransaction(database.sql, async (tx) => {
    assert.ok(await tryLockRules(tx, 1));
    for (const attempt of [
      () => storage.create(1, enquiry()),
      () => storage.change(1, rule.id, enquiry()),
      () => storage.retire(1, rule.id),
    ]) {
      const { code, status, isRetryable, options } = await refusalOf(attempt());
      assert.deepEqual([code, status, isRetryable], ['VENUE-N-010', 409, true]);
      assert.equal(options.retryAfterSeconds, 1);
    }
    assert.deepEqual(await storage.list(1), [rule]);
    await storage.create(2, enquiry());
  });
  assert.equal((await storage.change(1, rule.id, enquiry())).version, 2);
});

test('of changes that come together each is applied whole or refused', async () => {
  const rule = await storage.create(1, enquiry());
  const attempts = Array.from({ length: 8 }, (_, index) =>
    storage.change(1, rule.id, enquiry({ name: `Change ${index}` })),
  );
  const outcomes = await Promise.allSettled(attempts);
  const applied = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  assert.ok(applied.length > 0);
  assert.ok(refused.every((reason) => reason instanceof Problem && reason.code === 'VENUE-N-010'));
  const versions = applied.map(({ version }) => version).sort((a, b) => a - b);
  assert.deepEqual(
    versions,
    versions.map((_, index) => index + 2),
  );
  const last = applied.find(({ version }) => version === applied.length + 1);
  assert.deepEqual(await storage.get(1, rule.id), last);
});

test('an operator that goes takes its rules along', async () => {
  await database.sql`insert into operator (id, name) values (90, 'Short-lived')`;
  await storage.create(90, enquiry());
  await database.sql`delete from operator where id = 90`;
  const rows = await database.sql`
    select operator_id from booking_rule where operator_id = 90
    union select operator_id from rulebook where operator_id = 90`;
  assert.equal(rows.length, 0);
});
