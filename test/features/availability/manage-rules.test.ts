import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/crypto.ts';
import { assertProblem } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { CATEGORY, dated, day, managing, VENUE, WEDNESDAY, weekly } from './managing.ts';

const { app, rules, made, stored, isOpen, seen, auditLogOf } = managing();

const times = { startTime: '00:00', endTime: '23:59' };
const TYPES: Record<string, object> = {
  specific_dates: { dates: [day] },
  date_range: { startDate: day, endDate: day },
  recurring: { weekdays: [WEDNESDAY] },
  time_based: times,
  specific_dates_with_time: { dates: [day], ...times },
  date_range_with_time: { startDate: day, endDate: day, ...times },
  recurring_with_time: { weekdays: [WEDNESDAY], ...times },
};

for (const [type, definition] of Object.entries(TYPES)) {
  test(`a rule of the type ${type} is made, holds for partners, and holds no longer once it is removed`, async () => {
    const rule = await made({ type, definition });
    assert.deepEqual(rule, {
      id: rule.id,
      version: 1,
      type,
      definition,
      effect: 'disable',
      productKey: null,
      spaceId: null,
      partnerIds: null,
      categoryIds: null,
      scope: null,
      channel: 'all',
      isActive: true,
      createdAt: rule.createdAt,
      updatedAt: rule.createdAt,
    });
    await eventually(async () => !(await isOpen()));
    assert.equal((await rules('DELETE', `/${rule.id}`)).status, 204);
    await eventually(isOpen);
    assertProblem(await rules('GET', `/${rule.id}`), 404, 'OPRUL-N-005');
  });
}

test('a rule is read, listed and replaced as a whole', async () => {
  const { id } = await made(
    dated({
      productKey: 'private-dining',
      spaceId: 101,
      partnerIds: [2],
      effect: 'reserve',
      isActive: false,
    }),
  );
  const read = await rules('GET', `/${id}`);
  assert.equal(read.json.spaceId, 101);
  assert.deepEqual(await stored(), [read.json]);
  const changed = await rules('PUT', `/${id}`, weekly({ categoryIds: [CATEGORY] }));
  assert.equal(changed.status, 200, changed.text);
  const { productKey, spaceId, partnerIds, categoryIds, effect, isActive, version } = changed.json;
  assert.deepEqual(
    [productKey, spaceId, partnerIds, categoryIds, effect, isActive, version],
    [null, null, null, [CATEGORY], 'disable', true, 2],
  );
  assert.equal(changed.json.createdAt, read.json.createdAt);
  assert.deepEqual((await rules('GET', `/${id}`)).json, changed.json);
});

test('a rule that is switched off holds for nobody', async () => {
  const { id } = await made(dated());
  await eventually(async () => !(await isOpen()));
  await rules('PUT', `/${id}`, dated({ isActive: false }));
  await eventually(isOpen);
  assert.deepEqual(await seen('demo-partner'), []);
});

test('only what was read is changed, and a change is written down with what was before and after', async () => {
  const { id } = await made(dated());
  const { headers, json: first } = await rules('GET', `/${id}`);
  const ifMatch = { headers: { 'if-match': String(headers.etag) } };
  const second = await rules('PUT', `/${id}`, weekly(), ifMatch);
  assert.equal(second.status, 200, second.text);
  for (const stale of [
    await rules('PUT', `/${id}`, dated(), ifMatch),
    await rules('DELETE', `/${id}`, undefined, ifMatch),
    await rules('POST', `/${id}/scope/partners`, { partnerId: 1 }, ifMatch),
    await rules('DELETE', `/${id}/scope/partners/1`, undefined, ifMatch),
  ])
    assertProblem(stale, 412, 'HTTP-N-412');
  assert.deepEqual(await stored(), [second.json]);
  await rules('DELETE', `/${id}`);
  const entries = await auditLogOf(`availability-rule ${id}`);
  assert.deepEqual(
    entries.map(({ action, before, after }: Record<string, unknown>) => ({ action, before, after })),
    [
      { action: 'availability-rule.remove', before: second.json, after: null },
      { action: 'availability-rule.change', before: first, after: second.json },
      { action: 'availability-rule.create', before: null, after: first },
    ],
  );
});

test('rules that are not there, of another venue or at a place that is none are not found', async () => {
  const { id } = await made(dated());
  const elsewhere = (path: string) => app().call(path, { as: 'demo-admin' });
  for (const path of ['x', newId(systemClock), '00000000-0000-0000-0000-000000000000'])
    assertProblem(await rules('GET', `/${path}`), 404, 'OPRUL-N-005');
  const garden = `/manage/venues/1%7Chouse%7Cgarden-room/availability-rules/${id}`;
  assertProblem(await elsewhere(garden), 404, 'OPRUL-N-005');
  assertProblem(await app().call(garden, { method: 'DELETE', as: 'demo-operator' }), 404, 'OPRUL-N-005');
  const nowhere = '/manage/venues/1%7Chouse%7Cnowhere/availability-rules';
  assertProblem(await elsewhere(nowhere), 404, 'VENUE-N-001');
  assertProblem(await elsewhere(`${nowhere}/${id}`), 404, 'VENUE-N-001');
  const made2 = await app().call(nowhere, { method: 'POST', as: 'demo-admin', body: dated() });
  assertProblem(made2, 404, 'VENUE-N-001');
});

test('another operator has no say, and partners have no business here', async () => {
  const { id } = await made(dated());
  const theirs = '/manage/venues/2%7Chouse%7Cnight-owl/availability-rules';
  assertProblem(await app().call(theirs, { as: 'demo-operator' }), 403, 'OPRTR-N-002');
  const body = dated();
  assertProblem(await app().call(theirs, { method: 'POST', as: 'demo-operator', body }), 403, 'OPRTR-N-002');
  assertProblem(await rules('DELETE', `/${id}`, undefined, { as: 'demo-partner' }), 403, 'USER-N-009');
  assert.equal((await stored()).length, 1);
});

const WRONG: Record<string, [object, string]> = {
  'days that its type does not have': [
    { type: 'recurring', definition: { weekdays: [1], dates: [day] } },
    'definition.dates',
  ],
  'no days': [{ type: 'specific_dates', definition: {} }, 'definition.dates'],
  'an end before its start': [
    { type: 'date_range', definition: { startDate: '2027-02-02', endDate: '2027-02-01' } },
    'definition.endDate',
  ],
  'a day that there is not': [
    { type: 'specific_dates', definition: { dates: ['2027-02-30'] } },
    'definition.dates.0',
  ],
  'a time that there is not': [
    { type: 'time_based', definition: { startTime: '24:30', endTime: '10:00' } },
    'definition.startTime',
  ],
  'an unknown type': [{ type: 'never', definition: {} }, 'type'],
  'an unknown member': [dated({ colour: 'red' }), 'colour'],
  'a product of nobody': [dated({ productKey: 'supper' }), 'productKey'],
  'a space of another venue': [dated({ spaceId: 502 }), 'spaceId'],
  'a space beyond all numbers': [dated({ spaceId: 2 ** 31 }), 'spaceId'],
  'a partner beyond all numbers': [dated({ partnerIds: [2 ** 31] }), 'partnerIds.0'],
  'a partner twice': [dated({ partnerIds: [1, 1] }), 'partnerIds'],
  'a reservation for nobody': [dated({ effect: 'reserve' }), 'effect'],
  'a reservation for an empty list': [
    dated({ effect: 'reserve', partnerIds: [], categoryIds: [] }),
    'effect',
  ],
  'a text that cannot be stored': [
    { type: 'specific_dates', definition: { dates: [day], reason: 'a\u0000b' } },
    'definition.reason',
  ],
};

for (const [what, [draft, field]] of Object.entries(WRONG)) {
  test(`${what} is refused, named, and nothing is changed`, async () => {
    const { id } = await made(dated());
    const before = await stored();
    for (const answer of [await rules('POST', '', draft), await rules('PUT', `/${id}`, draft)]) {
      const { errors } = assertProblem(answer, 400, 'VALID-N-001');
      assert.ok(
        Object.keys(errors).some((name) => name.startsWith(field)),
        JSON.stringify(errors),
      );
    }
    assert.deepEqual(await stored(), before);
  });
}

test('a venue has at most 500 rules, however many are made at once', async () => {
  await app().sql`insert into availability_rule (venue_id, type, definition)
    select ${VENUE}, 'specific_dates', '{"dates": ["2020-01-01"]}' from generate_series(1, 498)`;
  const answers = await Promise.all(Array.from({ length: 4 }, () => rules('POST', '', dated())));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 400, 400]);
  for (const answer of answers.filter(({ status }) => status === 400))
    assertProblem(answer, 400, 'OPRTR-N-006');
  assert.equal((await stored()).length, 500);
});

test('two changes of a rule at once both arrive, one after the other', async () => {
  const { id } = await made(dated());
  const answers = await Promise.all([1, 2, 3].map(() => rules('PUT', `/${id}`, weekly())));
  assert.deepEqual(answers.map(({ json }) => json.version).sort(), [2, 3, 4]);
});
