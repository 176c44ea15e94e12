import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { asking, DINNER, day, PRIVATE } from './soho-grill.ts';

const { maitred, ask } = asking();

test('each way of not having a product has its code', async () => {
  const query = `date=${day}&partySize=2`;
  assertProblem(await ask('1|house|nowhere|dinner', query), 404, 'VENUE-N-001');
  assertProblem(await ask('1|house|soho-grill|supper', query), 404, 'AVAIL-N-001');
  assertProblem(await ask('3|house|hidden-kitchen|dinner', query), 403, 'PMAP-N-001');
  assertProblem(await ask('1|house|closed-cafe|table', query), 409, 'VENUE-N-009');
  assertProblem(await ask('1|house|soho-grill', query), 400, 'VALID-N-001');
  assertProblem(await ask('3|house|hidden-kitchen|dinner', query, 'demo-operator'), 403, 'OPRTR-N-002');
});

test('unmapped products and a suspended arrangement have theirs', async () => {
  const query = `date=${day}&partySize=2`;
  const becomes = async (productId: string, status: number, code: string) => {
    const asked = () => ask(productId, query, 'other-partner');
    await eventually(async () => (await asked()).json.code === code);
    assertProblem(await asked(), status, code);
  };
  await maitred().sql`delete from product_mapping where partner_id = 2 and product_id = ${PRIVATE}`;
  await becomes(PRIVATE, 403, 'PMAP-N-002');
  await maitred().sql`delete from product_mapping where partner_id = 2 and venue_id = '1|house|soho-grill'`;
  await becomes(DINNER, 404, 'AVAIL-N-003');
  await maitred()
    .sql`update partner_operator set is_suspended = true where partner_id = 2 and operator_id = 3`;
  await becomes('3|house|hidden-kitchen|dinner', 403, 'AVAIL-N-002');
});

for (const [query, field] of [
  ['partySize=2', 'date'],
  ['date=2026-12-05', 'partySize'],
  ['date=2026-12-05&partySize=0', 'partySize'],
  ['date=2026-12-05&partySize=-2', 'partySize'],
  ['date=2026-12-05&partySize=2.5', 'partySize'],
  ['date=2026-12-05&partySize=two', 'partySize'],
  ['date=2026-12-05&partySize=2&children=-1', 'children'],
  ['date=2026-02-30&partySize=2', 'date'],
  ['date=2026-12-05&partySize=2&time=24:00', 'time'],
  ['date=2026-12-05&partySize=2&duration=0', 'duration'],
  ['date=2026-12-05&partySize=2&includeUnavailable=maybe', 'includeUnavailable'],
  ['date=2026-12-05&partySize=2&minimumSpend=-5', 'minimumSpend'],
  ['date=2026-12-05&partySize=2&under18s=1', 'under18s'],
  ['date=2026-12-05&partySize=2&occasionTypes=', 'occasionTypes'],
  ['partySize=2&startDateTime=soon', 'startDateTime'],
] as const) {
  test(`${query} is refused and names ${field}`, async () => {
    const body = assertProblem(await ask(DINNER, query), 400, 'VALID-N-001');
    assert.ok(body.errors[field], JSON.stringify(body.errors));
  });
}

test('windows that cannot be are refused over HTTP as well', async () => {
  assertProblem(await ask(DINNER, 'partySize=2&startDateTime=2026-12-05T19:00:00'), 400, 'AVAIL-N-010');
  assertProblem(
    await ask(DINNER, 'partySize=2&date=2026-12-09&startDateTime=2026-12-05T19:00:00Z'),
    400,
    'AVAIL-N-009',
  );
});

test('a duration outside the bounds or off the steps is AVAIL-N-006', async () => {
  for (const duration of [5, 1000, 97]) {
    assertProblem(await ask(DINNER, `date=${day}&partySize=2&duration=${duration}`), 422, 'AVAIL-N-006');
  }
  const [slot] = (await ask(DINNER, `date=${day}&partySize=2&duration=120`)).json.times;
  assert.equal(slot.duration, 120);
});
