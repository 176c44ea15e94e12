import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, assertProblem } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { CATEGORY, DINNER, dated, managing, PRIVATE, VENUE } from './managing.ts';

const { app, rules, made, stored, isOpen, seen, auditLogOf } = managing();

const fact = (name: string) => ({ var: name });
const isPartner = (id: number) => ({ '==': [fact('partner.id'), id] });

test('partners and categories join the scope of a rule one by one, and leave it', async () => {
  const { id } = await made(dated());
  const steps: [string, object, number[] | null, number[] | null][] = [
    ['partners', { partnerId: 2 }, [2], null],
    ['categories', { categoryId: CATEGORY }, [2], [CATEGORY]],
    ['partners', { partnerId: 1 }, [2, 1], [CATEGORY]],
  ];
  for (const [kind, body, partnerIds, categoryIds] of steps) {
    const answer = await rules('POST', `/${id}/scope/${kind}`, body);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual([answer.json.partnerIds, answer.json.categoryIds], [partnerIds, categoryIds]);
    assertProblem(await rules('POST', `/${id}/scope/${kind}`, body), 409, 'OPRUL-N-006');
  }
  for (const path of ['partners/2', 'partners/1', `categories/${CATEGORY}`]) {
    assert.equal((await rules('DELETE', `/${id}/scope/${path}`)).status, 204);
    assertProblem(await rules('DELETE', `/${id}/scope/${path}`), 404, 'OPRUL-N-007');
  }
  const [rule] = await stored();
  assert.deepEqual([rule.partnerIds, rule.categoryIds, rule.version], [[], [], 7]);
  const [last] = await auditLogOf(`availability-rule ${id}`);
  assert.deepEqual([last.before.categoryIds, last.after.categoryIds], [[CATEGORY], []]);
});

test('a rule holds for those who are in its scope and for nobody else', async () => {
  const { id } = await made(dated({ partnerIds: [2] }));
  await eventually(async () => !(await isOpen('other-partner')));
  assert.ok(await isOpen('demo-partner'));
  await rules('POST', `/${id}/scope/categories`, { categoryId: CATEGORY });
  await eventually(async () => !(await isOpen('demo-partner')));
  assert.ok(await isOpen('demo-operator'));
  await rules('DELETE', `/${id}/scope/partners/2`);
  await rules('DELETE', `/${id}/scope/categories/${CATEGORY}`);
  await eventually(async () => (await isOpen('demo-partner')) && (await isOpen('other-partner')));
});

test('what does not exist cannot join, and the last one that something is kept for cannot leave', async () => {
  const { id } = await made(dated({ effect: 'reserve', partnerIds: [2] }));
  const unknown: [string, object][] = [
    ['partners', { partnerId: 4711 }],
    ['categories', { categoryId: 4711 }],
    // It is another operator's.
    ['categories', { categoryId: 401 }],
  ];
  for (const [kind, body] of unknown)
    assertProblem(await rules('POST', `/${id}/scope/${kind}`, body), 404, 'OPRUL-N-014');
  assertProblem(await rules('DELETE', `/${id}/scope/partners/2`), 400, 'VALID-N-001');
  assertProblem(await rules('POST', `/x/scope/partners`, { partnerId: 1 }), 404, 'OPRUL-N-005');
  assert.deepEqual((await stored())[0].partnerIds, [2]);
});

test('lists and scopes of a draft name only what there is', async () => {
  const wrong: object[] = [
    { partnerIds: [1, 4711] },
    { categoryIds: [401] },
    { scope: isPartner(4711) },
    { scope: { '==': ['demo-partner', fact('partner.id')] } },
    { scope: { in: [fact('partner.id'), [1, 2 ** 40]] } },
    { scope: { '!': { in: [401, fact('partner.categoryIds')] } } },
    { scope: { some: [fact('partner.categoryIds'), { '==': [fact(''), 4711] }] } },
    { scope: { '==': [fact('venue.id'), '2|house|night-owl'] } },
    { scope: { or: [isPartner(1), { in: [fact('venue.id'), [VENUE, '1|house|nowhere']] }] } },
  ];
  for (const part of wrong) assertProblem(await rules('POST', '', dated(part)), 404, 'OPRUL-N-014');
  assert.deepEqual(await stored(), []);
});

const deep = (levels: number): object => (levels === 0 ? isPartner(1) : { '!': [deep(levels - 1)] });

const REFUSED: Record<string, unknown> = {
  'a text': 'partner.id',
  'a list': [isPartner(1)],
  'an object of two members': { '==': [1, 1], '!=': [1, 2] },
  'an operator outside the profile': { cat: ['a', 'b'] },
  'a fact that there is not': { '==': [fact('partner.mood'), 1] },
  'a fact of bookings': { '>': [fact('booking.partySize'), 2] },
  'a space': { '==': [fact('space.id'), 101] },
  'more than eight levels': deep(8),
  'more than 64 nodes': { or: Array.from({ length: 33 }, () => isPartner(1)) },
  'a list of more than 200': { in: [fact('partner.id'), Array.from({ length: 201 }, () => 1)] },
  'an expression as long as a book': {
    in: [fact('product.id'), Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(250, 'x'))],
  },
};

for (const [what, scope] of Object.entries(REFUSED)) {
  test(`a scope that is or has ${what} is refused with OPRUL-N-013`, async () => {
    const { detail } = assertProblem(await rules('POST', '', dated({ scope })), 400, 'OPRUL-N-013');
    assert.ok(detail.length > 20, detail);
    assert.deepEqual(await stored(), []);
  });
}

test('a scope as large as it may be is stored as it was written', async () => {
  const scope = {
    or: [
      { in: [fact('partner.id'), Array.from({ length: 200 }, () => 1)] },
      { '!': [{ '!': [{ '!': [{ '!': [{ '!': [{ '!': [fact('product.slug')] }] }] }] }] }] },
    ],
  };
  const rule = await made(dated({ scope }));
  assert.equal(JSON.stringify(rule.scope), JSON.stringify(scope));
});

test('a scope about partners decides for whom a rule holds, and they alone hear of it', async () => {
  const { id } = await made(dated({ scope: { '!=': [fact('partner.id'), 1] } }));
  await eventually(async () => !(await isOpen('other-partner')));
  assert.ok(await isOpen('demo-partner'));
  assert.ok(await isOpen('demo-operator'), 'those who are no partner are left alone');
  await eventually(async () => (await seen('other-partner')).length === 1);
  assert.deepEqual(await seen('demo-partner'), []);
  assert.deepEqual(await seen('demo-operator'), [[id, null]]);
  const { text } = await app().call(`/venues/${encodeURIComponent(VENUE)}`, { as: 'other-partner' });
  assert.ok(!text.includes('"scope"'));
});

test('a scope about products narrows a rule to them, for operators too', async () => {
  const { id } = await made(dated({ scope: { '==': [fact('product.id'), DINNER] } }));
  await eventually(async () => !(await isOpen()));
  assert.ok(!(await isOpen('demo-operator')));
  assert.ok(await isOpen('demo-partner', PRIVATE));
  await eventually(async () => (await seen('demo-partner')).length === 1);
  assert.deepEqual(await seen('demo-partner'), [[id, DINNER]]);
});

test('a scope that cannot be decided holds for nobody', async () => {
  await made(dated({ scope: { '>': [fact('product.slug'), 3] } }));
  await made({
    type: 'time_based',
    definition: { startTime: '00:00', endTime: '00:00' },
    productKey: 'dinner',
  });
  await eventually(async () => !(await isOpen()));
  assert.equal((await seen('demo-partner')).length, 1);
  assert.ok(await isOpen('demo-partner', PRIVATE));
});

test('a scope narrows what is kept for somebody: others outside it lose nothing', async () => {
  await made(
    dated({ effect: 'reserve', categoryIds: [CATEGORY], scope: { '==': [fact('product.id'), DINNER] } }),
  );
  await eventually(async () => !(await isOpen('other-partner')));
  assert.ok(await isOpen('other-partner', PRIVATE));
  assert.ok(await isOpen('demo-partner'));
});

test('joining a category that a scope asks for brings the rule along', async () => {
  const { sql } = app();
  await made(dated({ scope: { in: [CATEGORY, fact('partner.categoryIds')] } }));
  await eventually(async () => !(await isOpen('demo-partner')));
  assert.ok(await isOpen('other-partner'));
  await sql`insert into partner_category_member (category_id, partner_id) values (${CATEGORY}, 2)`;
  await eventually(async () => !(await isOpen('other-partner')));
  await sql`delete from partner_category_member where category_id = ${CATEGORY} and partner_id = 2`;
  await eventually(() => isOpen('other-partner'));
});

test('who goes leaves the lists, and a rule that has lost its whole aim goes too', async () => {
  const { sql } = app();
  await sql`insert into partner (id, reference, name) values (77, 'short-lived', 'Short-lived')`;
  await sql`insert into partner_category (id, operator_id, slug, name) values (977, 1, 'short', 'Short')`;
  const aims: [object, [number[] | null, number[] | null] | undefined][] = [
    [{ partnerIds: [77] }, undefined],
    [{ categoryIds: [977] }, undefined],
    [{ partnerIds: [77], categoryIds: [977] }, undefined],
    [{ effect: 'reserve', partnerIds: [77], categoryIds: [] }, undefined],
    [{ partnerIds: [77, 1] }, [[1], null]],
    [{ partnerIds: [77], categoryIds: [CATEGORY] }, [[], [CATEGORY]]],
    [{ effect: 'reserve', partnerIds: [2], categoryIds: [977] }, [[2], []]],
    [{ partnerIds: [], categoryIds: null }, [[], null]],
    [{}, [null, null]],
  ];
  for (const [aim] of aims) await made(dated(aim));
  await sql`delete from partner where id = 77`;
  await sql`delete from partner_category where id = 977`;
  const left = (await stored()).map((rule: Record<string, unknown>) => [rule.partnerIds, rule.categoryIds]);
  assert.deepEqual(
    left,
    aims.flatMap(([, expected]) => (expected ? [expected] : [])),
  );
});

test('a rule waits for whoever is deleting what it names, and is then refused', async () => {
  const { sql } = app();
  await sql`insert into partner (id, reference, name) values (78, 'leaving', 'Leaving')`;
  await sql`insert into product (id, venue_id, name, time_interval_minutes)
    values (${`${VENUE}|leaving`}, ${VENUE}, 'Leaving', 15)`;
  const asked: Promise<Answer>[] = [];
  await sql.begin(async (tx) => {
    await tx`delete from partner where id = 78`;
    asked.push(rules('POST', '', dated({ partnerIds: [1, 78] })));
    await waiting();
  });
  await sql.begin(async (tx) => {
    await tx`delete from product where id = ${`${VENUE}|leaving`}`;
    asked.push(rules('POST', '', dated({ productKey: 'leaving' })));
    await waiting();
  });
  const [aimed, narrowed] = await Promise.all(asked);
  assert.ok(aimed && narrowed);
  assertProblem(aimed, 404, 'OPRUL-N-014');
  assertProblem(narrowed, 400, 'VALID-N-001');
  assert.deepEqual(await stored(), []);
});

test('who leaves the lists while another joins them does not come back', async () => {
  const { sql } = app();
  await sql`insert into partner (id, reference, name) values (79, 'leaving-too', 'Leaving too')`;
  const { id } = await made(dated({ partnerIds: [79, 1], scope: { '!=': [fact('partner.id'), 79] } }));
  const asked: Promise<Answer>[] = [];
  await sql.begin(async (tx) => {
    await tx`delete from partner where id = 79`;
    asked.push(rules('POST', `/${id}/scope/partners`, { partnerId: 2 }));
    await waiting();
  });
  const [joined] = await Promise.all(asked);
  assert.ok(joined);
  assert.equal(joined.status, 200, joined.text);
  assert.deepEqual(joined.json.partnerIds, [1, 2]);
});

/** Until somebody waits for a lock that another has. */
async function waiting(): Promise<void> {
  await eventually(async () => {
    const rows = await app().sql`select from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`;
    return rows.length > 0;
  });
}
