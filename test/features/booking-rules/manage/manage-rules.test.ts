import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { inTransaction } from '../../../../src/db/database.ts';
import { tryLockRules } from '../../../../src/features/booking-rules/store.ts';
import { assertProblem } from '../../../support/app.ts';
import { eventually } from '../../../support/eventually.ts';
import { storageOf } from '../../../support/rule-storage.ts';
import { type Body, book, booked } from '../../bookings/support.ts';
import { rulesApp, SOHO } from '../support.ts';
import { written } from './drafts.ts';
import { ask, created, draftOf, listed, trailOfRule } from './manage-support.ts';

const maitred = rulesApp();
beforeEach(() => maitred().sql`delete from booking_rule`);

const NOBODY = '01990a6e-0000-7000-8000-0000000fffff';
const enquiry = (more: Body = {}): Body => ({ effect: 'route_to_enquiry', name: 'Ask us', ...more });
const SIZE = { effect: 'party_size_limit', name: 'Small tables', params: { max: 3 } };

/** One of each effect. */
const DRAFTS: Body[] = [
  enquiry({ description: 'By hand.', message: 'We come back to you.', priority: -7, venueIds: [SOHO] }),
  { effect: 'require_deposit', name: 'Deposit', params: { amount: 1000 } },
  { effect: 'same_package', name: 'Same', items: ['feast', 'flight'] },
  { effect: 'booking_window', name: 'Window', params: { minNoticeHours: 24 } },
  SIZE,
  { effect: 'require_preorder', name: 'Preorder', params: { kind: 'menu' } },
  { effect: 'suppress_preorder_email', name: 'Mail', params: { threshold: 4 } },
  written(),
];

test('a rule of every effect is made, read back, and can be sent again as it is shown', async () => {
  for (const draft of DRAFTS) {
    const rule = await created(maitred(), draft);
    assert.deepEqual([rule.operatorId, rule.version, rule.effect], [1, 1, draft.effect]);
    assert.ok(rule.summary);
    const shown = await ask(maitred(), ['GET', `/${rule.id}`]);
    assert.deepEqual(shown.json, rule);
    const again = await ask(maitred(), ['PUT', `/${rule.id}`], rule);
    assert.equal(again.status, 200, again.text);
    assert.deepEqual(again.json, { ...rule, version: 2 });
  }
  const names = (await listed(maitred())).map(({ name }) => name);
  assert.deepEqual(names.sort(), DRAFTS.map(({ name }) => name).sort());
});

test('a rule decides and is shown to partners from the moment at which it is made until it is retired', async () => {
  const seen = async () => (await maitred().call('/booking-rules?operatorId=1')).json.rules as Body[];
  await booked(maitred(), { partySize: 4 });
  const rule = await created(maitred(), SIZE);
  assertProblem(await book(maitred(), { partySize: 4 }), 400, 'BKRUL-N-005');
  await eventually(async () => (await seen()).some(({ id }) => id === rule.id));
  const wider = { ...SIZE, params: { max: 4 } };
  assert.equal((await ask(maitred(), ['PUT', `/${rule.id}`], wider)).status, 200);
  await booked(maitred(), { partySize: 4 });
  assertProblem(await book(maitred(), { partySize: 5 }), 400, 'BKRUL-N-005');
  assert.equal((await ask(maitred(), ['DELETE', `/${rule.id}`])).status, 204);
  await booked(maitred(), { partySize: 5 });
  await eventually(async () => (await seen()).length === 0);
});

test('a rule that is switched off stays in the list and does nothing until it is switched on', async () => {
  const rule = await created(maitred(), { ...SIZE, isActive: false });
  const kept = await created(
    maitred(),
    enquiry({ conditions: [{ field: 'partySize', operator: 'gte', value: 30 }] }),
  );
  assert.equal(rule.isActive, false);
  assert.ok(rule.summary);
  await booked(maitred(), { partySize: 4 });
  const seen = async () => (await maitred().call('/booking-rules?operatorId=1')).json.rules.length;
  await eventually(async () => (await seen()) === 1);
  assert.deepEqual(
    (await listed(maitred())).map(({ id }) => id),
    [kept.id],
  );
  const all = await ask(maitred(), ['GET', '?includeInactive=true']);
  assert.deepEqual(all.json.data.map(({ id }: Body) => id).sort(), [rule.id, kept.id].sort());
  assert.deepEqual((await ask(maitred(), ['GET', `/${rule.id}`])).json, rule);

  const order = async (...ruleIds: string[]) => (await ask(maitred(), ['PUT', '/order'], { ruleIds })).status;
  assert.equal(await order(kept.id), 200);
  assert.equal(await order(kept.id, rule.id), 200);
  assert.equal(await order(rule.id), 400);

  const { json: now } = await ask(maitred(), ['GET', `/${rule.id}`]);
  const on = await ask(maitred(), ['PUT', `/${rule.id}`], { ...now, isActive: true });
  assert.equal(on.status, 200, on.text);
  assertProblem(await book(maitred(), { partySize: 4 }), 400, 'BKRUL-N-005');
  await eventually(async () => (await seen()) === 2);
  assert.equal((await ask(maitred(), ['PUT', `/${rule.id}`], { ...on.json, isActive: false })).status, 200);
  await booked(maitred(), { partySize: 4 });
});

test('every change is written down with what was there before and after', async () => {
  const rule = await created(maitred(), SIZE);
  const changed = (await ask(maitred(), ['PUT', `/${rule.id}`], { ...SIZE, name: 'Smaller tables' })).json;
  await ask(maitred(), ['DELETE', `/${rule.id}`]);
  const known = await trailOfRule(maitred(), rule.id);
  assert.deepEqual(
    known.map(({ action, before, after }) => ({ action, before, after })),
    [
      { action: 'booking-rule.retire', before: changed, after: null },
      { action: 'booking-rule.change', before: rule, after: changed },
      { action: 'booking-rule.create', before: null, after: rule },
    ],
  );
  assert.equal(known[0]?.actor.id, 'demo-operator');
});

test('a rule that was changed since it was read is neither changed nor retired', async () => {
  const { id } = await created(maitred(), SIZE);
  const stale = { 'if-match': String((await ask(maitred(), ['GET', `/${id}`])).headers.etag) };
  await ask(maitred(), ['PUT', `/${id}`], { ...SIZE, priority: 3 }, { headers: stale });
  const before = await listed(maitred());
  const change = await ask(maitred(), ['PUT', `/${id}`], SIZE, { headers: stale });
  assertProblem(change, 412, 'HTTP-N-412');
  assertProblem(await ask(maitred(), ['DELETE', `/${id}`], undefined, { headers: stale }), 412, 'HTTP-N-412');
  assert.deepEqual(await listed(maitred()), before);
  const fresh = { 'if-match': String((await ask(maitred(), ['GET', `/${id}`])).headers.etag) };
  assert.equal((await ask(maitred(), ['DELETE', `/${id}`], undefined, { headers: fresh })).status, 204);
});

test('a rule that is not there, is retired or is another operator’s is out of reach', async () => {
  const retired = await created(maitred(), SIZE);
  await ask(maitred(), ['DELETE', `/${retired.id}`]);
  for (const id of [NOBODY, retired.id, 'x']) {
    assertProblem(await ask(maitred(), ['GET', `/${id}`]), 404, 'OPRUL-N-005');
    assertProblem(await ask(maitred(), ['PUT', `/${id}`], SIZE), 404, 'OPRUL-N-005');
    assertProblem(await ask(maitred(), ['DELETE', `/${id}`]), 404, 'OPRUL-N-005');
  }
  const others = await storageOf(maitred()).create(2, SIZE);
  assertProblem(await ask(maitred(), ['GET', `/${others.id}`]), 403, 'OPRTR-N-002');
  assertProblem(await ask(maitred(), ['PUT', `/${others.id}`], SIZE), 403, 'OPRTR-N-002');
  assertProblem(await ask(maitred(), ['DELETE', `/${others.id}`]), 403, 'OPRTR-N-002');
  const elsewhere = { operatorId: 2 };
  assertProblem(await ask(maitred(), ['GET', `/${others.id}`], undefined, elsewhere), 403, 'OPRTR-N-002');
  assertProblem(await ask(maitred(), ['POST', ''], SIZE, elsewhere), 403, 'OPRTR-N-002');
  assert.deepEqual((await listed(maitred(), 2)).length, 1);
  const nobodys = { as: 'demo-admin', operatorId: 2_147_483_647 };
  assertProblem(await ask(maitred(), ['POST', ''], SIZE, nobodys), 404, 'OPRTR-N-001');
  assertProblem(await ask(maitred(), ['GET', ''], undefined, nobodys), 404, 'OPRTR-N-001');
});

test('rules that are made or changed while their operator is removed are refused', async () => {
  const { sql } = maitred();
  const [operator] = await sql<{ id: number }[]>`insert into operator (name) values ('Going') returning id`;
  const operatorId = operator?.id ?? 0;
  const { id } = await storageOf(maitred()).create(operatorId, SIZE);
  const calls: [Parameters<typeof ask>[1], unknown, string][] = [
    [['PUT', `/${id}`], { ...SIZE, name: 'Other' }, 'OPRUL-N-005'],
    [['POST', ''], SIZE, 'OPRTR-N-001'],
  ];
  for (const [route, body, code] of calls) {
    await sql`insert into operator (id, name) values (${operatorId}, 'Going') on conflict do nothing`;
    const asked: ReturnType<typeof ask>[] = [];
    await inTransaction(sql, async (tx) => {
      await tx`delete from operator where id = ${operatorId}`;
      asked.push(ask(maitred(), route, body, { as: 'demo-admin', operatorId }));
      await eventually(async () => {
        const waiting = await sql`select from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database()`;
        return waiting.length > 0;
      });
    });
    for (const answer of await Promise.all(asked)) assertProblem(answer, 404, code);
  }
});

test('while one change is under way another is asked to come again, and then it is done', async () => {
  const { id } = await created(maitred(), SIZE);
  const before = await listed(maitred());
  const changes: [Parameters<typeof ask>[1], unknown][] = [
    [['POST', ''], SIZE],
    [['PUT', `/${id}`], { ...SIZE, name: 'Other' }],
    [['DELETE', `/${id}`], undefined],
    [['PUT', '/order'], { ruleIds: [id] }],
  ];
  await inTransaction(maitred().sql, async (tx) => {
    assert.ok(await tryLockRules(tx, 1));
    for (const [route, body] of changes) {
      const refused = await ask(maitred(), route, body);
      assert.equal(assertProblem(refused, 409, 'VENUE-N-010').isRetryable, true);
      assert.equal(refused.headers['retry-after'], '1');
    }
    assert.deepEqual(await listed(maitred()), before);
  });
  assert.equal((await trailOfRule(maitred(), id)).length, 1);
  assert.equal((await ask(maitred(), ['DELETE', `/${id}`])).status, 204);
});

test('of changes that are sent at once each is done or asked to come again', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(maitred(), ['POST', ''], SIZE)));
  const made = answers.filter(({ status }) => status === 201);
  for (const answer of answers) if (answer.status !== 201) assertProblem(answer, 409, 'VENUE-N-010');
  assert.ok(made.length > 0);
  assert.equal((await listed(maitred())).length, made.length);
});

test('an expression outside the profile is refused, and its place is named', async () => {
  const reject = [{ reject: { message: 'No' } }];
  const flag = [{ flag: { name: 'x' } }];
  const expressions: Body[] = [
    { when: { log: [1] }, then: flag },
    { when: { '>': [{ var: 'booking.phone' }, 1] }, then: flag },
    { when: true, then: [{ set: { fact: 'booking.date', value: 'request' } }] },
    { when: true, then: [{ set: { fact: 'booking.type', value: 'book' } }] },
    { hook: 'payment', when: true, then: reject },
  ];
  for (const expression of expressions) {
    const draft = { effect: 'expression', name: 'Odd', hook: 'booking.create', ...expression };
    assertProblem(await ask(maitred(), ['POST', ''], draft), 400, 'OPRUL-N-013');
  }
  assert.deepEqual(await listed(maitred()), []);
});

test('a draft with faults is refused, and each fault is named where it is', async () => {
  const cases: [Body, string[]][] = [
    [{}, ['effect', 'name']],
    [{ effect: 'close_everything', name: 'x' }, ['effect']],
    [{ effect: 'require_deposit', name: 'x' }, ['params']],
    [
      { effect: 'require_deposit', name: 'x', params: { amount: 0, per: 'table' } },
      ['params.amount', 'params.per'],
    ],
    [{ ...SIZE, params: { min: 5, max: 4 } }, ['params.max']],
    [enquiry({ items: ['feast'] }), ['items']],
    [enquiry({ priority: 1001, venueIds: [] }), ['priority', 'venueIds']],
    [enquiry({ partnerIds: [2_147_483_648] }), ['partnerIds.0']],
    [enquiry({ partnerIds: [999_999], venueIds: ['2|house|night-owl'] }), ['partnerIds', 'venueIds']],
    [enquiry({ conditions: [{ field: 'time', operator: 'eq', value: 7 }] }), ['conditions.0.value']],
    [enquiry({ name: 'x\u0000' }), ['name']],
    [enquiry({ id: NOBODY }), ['id']],
  ];
  const { id } = await created(maitred(), SIZE);
  const before = await listed(maitred());
  for (const [draft, fields] of cases) {
    for (const route of [
      ['POST', ''],
      ['PUT', `/${id}`],
    ] as const) {
      const { errors } = assertProblem(await ask(maitred(), [...route], draft), 400, 'VALID-N-001');
      for (const field of fields) assert.ok(field in errors, `${field} in ${JSON.stringify(errors)}`);
    }
  }
  assert.deepEqual(await listed(maitred()), before);
});

test('no more rules are made than every node can keep', async () => {
  await maitred().sql`
    insert into booking_rule (id, operator_id, effect, priority, name, conditions, params, created_at, updated_at)
    select gen_random_uuid(), 1, 'route_to_enquiry', 0, 'Rule ' || each, '[]', '{}', now(), now()
    from generate_series(1, 500) each`;
  assertProblem(await ask(maitred(), ['POST', ''], SIZE), 400, 'OPRTR-N-006');
  assert.equal((await listed(maitred())).length, 500);
});

test('a rule that can no longer be carried out is shown, so that it can be put right', async () => {
  const { id } = await created(maitred(), SIZE);
  await maitred().sql`update booking_rule set params = '{"max": "many"}' where id = ${id}`;
  const [shown] = await listed(maitred());
  assert.equal(shown?.summary, null);
  const mended = await ask(maitred(), ['PUT', `/${id}`], SIZE);
  assert.equal(mended.status, 200, mended.text);
  assert.ok(mended.json.summary);
});

test('a rule that names what is gone can be sent back as it is, and names nothing else that is', async () => {
  const { sql } = maitred();
  const [category] = await sql<[{ id: number }]>`
    insert into partner_category (operator_id, slug, name) values (1, 'short-lived', 'Short-lived') returning id`;
  const draft = { name: 'Ask first', effect: 'route_to_enquiry', categoryIds: [category.id] };
  const { id } = await created(maitred(), draft);
  const path = `/manage/operators/1/partner-categories/${category.id}`;
  assert.equal((await maitred().call(path, { method: 'DELETE', as: 'demo-operator' })).status, 204);
  const { json: left } = await ask(maitred(), ['GET', `/${id}`]);
  assert.deepEqual(left.categoryIds, [category.id]);
  const again = await ask(maitred(), ['PUT', `/${id}`], { ...left, message: 'Ask us first.' });
  assert.equal(again.status, 200, again.text);
  assert.deepEqual([again.json.categoryIds, again.json.message], [[category.id], 'Ask us first.']);
  const tried = await ask(maitred(), ['POST', '/dry-run'], { rule: draftOf(left), ruleId: id });
  assert.equal(tried.status, 200, tried.text);

  const other = { ...again.json, categoryIds: [category.id, 987_654] };
  const { errors } = assertProblem(await ask(maitred(), ['PUT', `/${id}`], other), 400, 'VALID-N-001');
  assert.deepEqual(errors, {
    categoryIds: ['names 987654, which is no partner category of this operator'],
  });
  assertProblem(await ask(maitred(), ['POST', ''], draft), 400, 'VALID-N-001');
});

test('the facts that expressions may name are listed by hook', async () => {
  const answer = await ask(maitred(), ['GET', '/facts']);
  assert.equal(answer.status, 200, answer.text);
  const namesAt = (hook: string): string[] =>
    answer.json.hooks.find(({ name }: Body) => name === hook).facts.map(({ name }: Body) => name);
  assert.ok(namesAt('booking.create').includes('booking.guests'));
  assert.ok(!namesAt('booking.create').includes('payment.finalBalance'));
  assert.ok(namesAt('payment').includes('payment.finalBalance'));
});
