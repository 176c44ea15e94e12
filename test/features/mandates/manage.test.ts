/** Who gives mandates, to whom, and that every node knows at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSecondNode } from '../../abuse/support/second-node.ts';
import { assertProblem } from '../../support/app.ts';
import { book, bookingsApp, DINNER, freeDay, guest } from '../bookings/support.ts';
import { assertBeyond, limitTo, ownMandate, put, unlimited } from './support.ts';

const app = bookingsApp();
const URL = '/manage/clients/demo-partner/mandate';
const OWN = '/manage/partners/1/clients/demo-partner/mandate';
const asAdmin = { as: 'demo-admin' };

test('a mandate is given, read, changed by its version and taken away, and all of it is recorded', async () => {
  assertProblem(await app().call(URL, asAdmin), 404, 'HTTP-N-404');
  assert.equal((await ownMandate(app())).mandate, null);
  const mandate = { maxPartySize: 8, cities: ['London'], confirmAbove: { partySize: 6 } };
  const given = await put(app(), { ...mandate, maxDaysAhead: null });
  assert.deepEqual(given.json, mandate);
  const read = await app().call(URL, asAdmin);
  assert.deepEqual(read.json, mandate);
  const etag = String(read.headers.etag);
  const change = (body: object) =>
    app().call(URL, { ...asAdmin, method: 'PUT', headers: { 'if-match': etag }, body });
  assert.equal((await change({ maxPartySize: 4 })).status, 200);
  assertProblem(await change({ maxPartySize: 5 }), 412, 'HTTP-N-412');
  assert.deepEqual((await ownMandate(app())).mandate, { maxPartySize: 4 });
  await unlimited(app());
  assertProblem(await app().call(URL, { ...asAdmin, method: 'DELETE' }), 404, 'HTTP-N-404');
  const log = await app().call('/manage/audit', asAdmin);
  assert.equal(log.json.data[0].subject, 'client demo-partner');
  const actions = log.json.data.map(({ action }: { action: string }) => action);
  assert.deepEqual(actions, ['mandate.delete', 'mandate.change', 'mandate.change']);
  assert.deepEqual(log.json.data[1].before, mandate);
});

test('values that make no sense are named', async () => {
  const wrong: [object, string][] = [
    [{ maxPartySize: 0 }, 'maxPartySize'],
    [{ maxDepositPence: 1.5 }, 'maxDepositPence'],
    [{ maxOpenBookings: -1 }, 'maxOpenBookings'],
    [{ maxBookingsPerDay: '3' }, 'maxBookingsPerDay'],
    [{ maxDaysAhead: 4000 }, 'maxDaysAhead'],
    [{ venueIds: [] }, 'venueIds'],
    [{ venueIds: ['nowhere'] }, 'venueIds.0'],
    [{ venueIds: ['1|house|soho-grill', '1|house|nowhere'] }, 'venueIds.1'],
    [{ cities: [' '] }, 'cities.0'],
    [{ confirmAbove: { guests: 3 } }, 'confirmAbove.guests'],
  ];
  for (const [body, field] of wrong) {
    const { errors } = assertProblem(await put(app(), body), 400, 'VALID-N-001');
    assert.deepEqual(Object.keys(errors), [field]);
  }
  for (const clientId of ['demo-operator', 'demo-admin'])
    assertProblem(await put(app(), { maxPartySize: 2 }, clientId), 400, 'VALID-N-001');
  assertProblem(await put(app(), { maxPartySize: 2 }, 'nobody'), 404, 'HTTP-N-404');
});

test('an agent is held to its own mandate, and its partner is not', async () => {
  await limitTo(app(), { maxPartySize: 2 }, 'demo-agent');
  const headers = { 'x-partner-reference': 'demo-partner' };
  assertBeyond(await book(app(), { partySize: 3 }, { as: 'demo-agent', headers }), 'maxPartySize', 2);
  assert.equal((await book(app(), { partySize: 3 })).status, 201);
  const own = await app().call('/mandate', { as: 'demo-agent', headers });
  assert.deepEqual(own.json.mandate, { maxPartySize: 2 });
  await unlimited(app(), 'demo-agent');
});

test('the platform reaches a partner’s client by its partner too, and no client of another', async () => {
  const mandate = { maxPartySize: 2 };
  assert.equal((await app().call(OWN, { ...asAdmin, method: 'PUT', body: mandate })).status, 200);
  assert.deepEqual((await app().call(OWN, asAdmin)).json, mandate);
  assertProblem(await app().call(OWN.replace('s/1/', 's/2/'), asAdmin), 404, 'HTTP-N-404');
  assert.equal((await app().call(OWN, { ...asAdmin, method: 'DELETE' })).status, 204);
});

test('another node refuses and allows at once, whatever it remembers', async () => {
  const other = await startSecondNode(app());
  const authorization = `Bearer ${await app().token('demo-partner')}`;
  const bookThere = async () => {
    const { statusCode, body } = await other.app.inject({
      method: 'POST',
      url: `/venues/${encodeURIComponent(DINNER)}/booking`,
      headers: { authorization },
      payload: { ...guest, type: 'request', partySize: 3, date: freeDay(), time: '19:00' },
    });
    return [statusCode, JSON.parse(body).code];
  };
  try {
    for (let round = 0; round < 10; round += 1) {
      assert.deepEqual(await bookThere(), [201, undefined]);
      await limitTo(app(), { maxPartySize: 2 });
      assert.deepEqual(await bookThere(), [403, 'MANDT-N-001']);
      await unlimited(app());
    }
  } finally {
    await other.close();
  }
});
