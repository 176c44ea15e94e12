import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf, deskOf, idIn, lastEntry, newPartner, tagOf } from './support.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

const desk = deskOf(() => maitred);
const VENUE = '1|house|soho-grill';
const DAY = Temporal.Now.plainDateISO('Europe/London').add({ days: 9 }).toString();

const mapping = {
  company: { mode: 'none', names: [] as string[] },
  maxPartySize: null as number | null,
  isRequestOnly: false,
  productKeys: [] as string[],
};

/** The keys of the products that the venue has. */
async function keys(): Promise<string[]> {
  const { products } = bodyOf(await maitred.call(`/venues/${idIn(VENUE)}`));
  return products.map(({ compositeId }: { compositeId: string }) => compositeId.split('|')[3]);
}

/** A partner that operator 1 deals with, and the address of its mapping. */
async function associated(more: object = {}) {
  const partnerId = await newPartner(desk, more);
  const source = `SRC-${partnerId}`;
  bodyOf(await desk.put(`/manage/operators/1/partners/${partnerId}`, { isSuspended: false, source }));
  return { partnerId, path: `/manage/partners/${partnerId}/mappings/${idIn(VENUE)}` };
}

/** A token of a client of that partner, as a header. */
async function headersFor(partnerId: number): Promise<Record<string, string>> {
  const client = bodyOf(await desk.post('/manage/clients', { kind: 'partner', partnerId }), 201);
  const token = await maitred.call('/oauth/token', {
    as: null,
    method: 'POST',
    body: {
      grant_type: 'client_credentials',
      client_id: client.id,
      client_secret: client.secret,
      audience: 'maitred',
    },
  });
  return { authorization: `Bearer ${bodyOf(token).access_token}` };
}

test('a partner distributes what is mapped to it, on the terms that were set', async () => {
  const { partnerId, path } = await associated();
  const [first = '', second = ''] = await keys();
  const headers = await headersFor(partnerId);
  const venue = () => maitred.call(`/venues/${idIn(VENUE)}`, { as: null, headers });
  assertProblem(await venue(), 403, 'PMAP-N-001');
  assertProblem(await desk.get(path), 404, 'HTTP-N-404');

  const wanted = {
    company: { mode: 'list', names: ['Arden', 'Calder'] },
    maxPartySize: 4,
    isRequestOnly: true,
    productKeys: [first],
  };
  const saved = bodyOf(await desk.put(path, wanted));
  assert.deepEqual(saved, {
    partnerId,
    venueId: VENUE,
    venueName: saved.venueName,
    guestMails: 'partner',
    deposit: 'declared',
    ...wanted,
  });
  assert.deepEqual(bodyOf(await desk.get(path)), saved);
  await eventually(async () => (await venue()).status === 200);
  assert.equal(bodyOf(await venue()).products.length, 1);

  const book = (more: object) =>
    maitred.call(`/venues/${idIn(`${VENUE}|${first}`)}/booking`, {
      as: null,
      method: 'POST',
      headers,
      body: {
        type: 'request',
        date: DAY,
        time: '19:00',
        firstName: 'A',
        lastName: 'B',
        partySize: 2,
        ...more,
      },
    });
  assert.equal((await book({ company: 'Arden' })).status, 201);
  assertProblem(await book({ company: 'Arden', type: 'book' }), 409, 'AVAIL-N-005');
  assertProblem(await book({ company: 'Arden', partySize: 5 }), 409, 'AVAIL-N-005');

  const replaced = bodyOf(await desk.put(path, { ...mapping, productKeys: [second] }));
  assert.deepEqual(replaced.productKeys, [second]);
  const entry = await lastEntry(desk, `mapping ${partnerId} ${VENUE}`);
  assert.deepEqual([entry.before, entry.after, entry.operatorId], [saved, replaced, 1]);
  await eventually(async () => (await book({})).json.code === 'PMAP-N-002');
  assert.equal((await desk.remove(path)).status, 204);
  await eventually(async () => (await venue()).status === 403);
  assertProblem(await desk.remove(path), 404, 'HTTP-N-404');
});

test('the first mapping needs a source, and everything that it names must be there', async () => {
  const partnerId = await newPartner(desk);
  const path = (venueId: string, id = partnerId) => `/manage/partners/${id}/mappings/${idIn(venueId)}`;
  assertProblem(await desk.put(path(VENUE), mapping), 400, 'OPRTR-N-003');
  // A source alone is not enough: the operator has not agreed to deal with the partner.
  bodyOf(await desk.post('/manage/operators/1/sources', { name: `S-${partnerId}`, partnerId }), 201);
  assertProblem(await desk.put(path(VENUE), mapping), 400, 'OPRTR-N-003');
  bodyOf(await desk.put(`/manage/operators/1/partners/${partnerId}`, { isSuspended: false }));
  assertProblem(await desk.put(path(VENUE), { ...mapping, productKeys: ['nothing'] }), 404, 'VENUE-N-002');
  assertProblem(await desk.put(path('1|house|nowhere'), mapping), 404, 'VENUE-N-001');
  assertProblem(await desk.put(path('99999|house|nowhere'), mapping), 404, 'VENUE-N-001');
  assertProblem(await desk.put(path(VENUE, 99_999), mapping), 404, 'PMAP-N-004');
  assertProblem(await desk.put(path('nonsense'), mapping), 400, 'VALID-N-001');
  assert.equal(bodyOf(await desk.get(`/manage/partners/${partnerId}/mappings`)).meta.totalItems, 0);
  assertProblem(await desk.get('/manage/partners/99999/mappings'), 404, 'PMAP-N-004');
  assert.equal(bodyOf(await desk.put(path(VENUE), mapping)).productKeys.length, 0);
});

test('company names that make no sense are refused, whatever is wrong with them', async () => {
  const { path } = await associated();
  const kept = bodyOf(await desk.put(path, mapping));
  const names = (count: number) => Array.from({ length: count }, (_, index) => `Company ${index}`);
  for (const company of [
    { mode: 'some', names: [] },
    { mode: 'none', names: ['A'] },
    { mode: 'single', names: [] },
    { mode: 'single', names: ['A', 'B'] },
    { mode: 'list', names: [] },
    { mode: 'list', names: names(501) },
    { mode: 'list', names: ['x'.repeat(151)] },
    { mode: 'list', names: [''] },
    { mode: 'list', names: ['  '] },
    { mode: 'list', names: ['Arden', 'ARDEN'] },
  ])
    assertProblem(await desk.put(path, { ...mapping, company }), 400, 'PMAP-N-013');
  assert.deepEqual(bodyOf(await desk.get(path)), kept);
  for (const company of [
    { mode: 'single', names: ['x'.repeat(150)] },
    { mode: 'list', names: names(500) },
  ])
    assert.deepEqual(bodyOf(await desk.put(path, { ...mapping, company })).company, company);
  for (const wrong of [
    { maxPartySize: 0 },
    { maxPartySize: 32_768 },
    { productKeys: ['a', 'a'] },
    { company: {} },
  ])
    assertProblem(await desk.put(path, { ...mapping, ...wrong }), 400, 'VALID-N-001');
});

test('products come, go and change places one by one', async () => {
  const { path } = await associated();
  const [first = '', second = ''] = await keys();
  const products = `${path}/products`;
  assertProblem(await desk.post(products, { productKey: first }), 404, 'HTTP-N-404');
  assertProblem(await desk.remove(`${products}/${first}`), 404, 'PMAP-N-005');
  bodyOf(await desk.put(path, { ...mapping, productKeys: [first] }));
  assertProblem(await desk.put(`${products}/${second}`, { productKey: first }), 404, 'PMAP-N-005');
  assertProblem(await desk.put(`${products}/${first}`, { productKey: 'nothing' }), 404, 'VENUE-N-002');
  const swapped = bodyOf(await desk.put(`${products}/${first}`, { productKey: second }));
  assert.deepEqual(swapped.productKeys, [second]);
  const added = bodyOf(await desk.post(products, { productKey: first }), 201);
  assert.deepEqual(added.productKeys, [first, second]);
  assertProblem(await desk.post(products, { productKey: second }), 409, 'PMAP-N-006');
  assertProblem(await desk.post(products, { productKey: 'nothing' }), 404, 'VENUE-N-002');
  assertProblem(await desk.put(`${products}/${first}`, { productKey: second }), 409, 'PMAP-N-006');
  assert.deepEqual(bodyOf(await desk.put(`${products}/${first}`, { productKey: first })), added);
  assert.equal((await desk.remove(`${products}/${second}`)).status, 204);
  assertProblem(await desk.remove(`${products}/${second}`), 404, 'PMAP-N-005');
  assert.deepEqual(bodyOf(await desk.get(path)).productKeys, [first]);
});

test('a change on what somebody else has changed meanwhile is refused', async () => {
  const { path } = await associated();
  const [first = ''] = await keys();
  bodyOf(await desk.put(path, mapping));
  const read = await tagOf(desk, path);
  bodyOf(await desk.post(`${path}/products`, { productKey: first }, read), 201);
  assertProblem(await desk.put(path, mapping, read), 412, 'HTTP-N-412');
  assertProblem(await desk.remove(`${path}/products/${first}`, read), 412, 'HTTP-N-412');
  assertProblem(await desk.remove(path, read), 412, 'HTTP-N-412');
  assert.deepEqual(bodyOf(await desk.get(path)).productKeys, [first]);
});

test('of several who map one product at once, one does', async () => {
  const { path } = await associated();
  const [first = ''] = await keys();
  bodyOf(await desk.put(path, mapping));
  const answers = await Promise.all(
    [1, 2, 3].map(() => desk.post(`${path}/products`, { productKey: first })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
});

test('what a marketplace sells is not mapped here, and a mapped partner does not become one', async () => {
  const { path } = await associated({ isMarketplace: true });
  const [first = '', second = ''] = await keys();
  for (const answer of [
    await desk.put(path, mapping),
    await desk.remove(path),
    await desk.post(`${path}/products`, { productKey: first }),
    await desk.put(`${path}/products/${first}`, { productKey: second }),
    await desk.remove(`${path}/products/${first}`),
  ])
    assertProblem(answer, 422, 'PMAP-N-015');
  const mapped = await associated();
  bodyOf(await desk.put(mapped.path, mapping));
  const partner = bodyOf(await desk.get(`/manage/partners/${mapped.partnerId}`));
  const change = { reference: partner.reference, name: partner.name, isMarketplace: true };
  assertProblem(await desk.put(`/manage/partners/${mapped.partnerId}`, change), 400, 'VALID-N-001');
  assert.equal(bodyOf(await desk.get(`/manage/partners/${mapped.partnerId}`)).isMarketplace, false);
});

test('what the operators of a partner’s venues offer is listed a page at a time', async () => {
  const all = bodyOf(await desk.get('/manage/partners/1/mappings?pageSize=3'));
  assert.equal(all.data.length, 3);
  const few = bodyOf(await desk.get('/manage/partners/1/mappings?pageSize=100&operatorId=2'));
  assert.ok(few.meta.totalItems > 0 && few.meta.totalItems < all.meta.totalItems);
  for (const { venueId, productKeys } of few.data) {
    assert.match(venueId, /^2\|/);
    assert.ok(productKeys.length > 0);
  }
});

test('mappings are the platform’s to make, also of an operator’s own venues', async () => {
  const own = deskOf(() => maitred, 'demo-operator');
  const path = `/manage/partners/1/mappings/${idIn(VENUE)}`;
  for (const answer of [
    await own.get('/manage/partners/1/mappings'),
    await own.get(path),
    await own.put(path, mapping),
    await own.remove(path),
  ])
    assertProblem(answer, 403, 'USER-N-009');
});

test('who writes to guests stays as it is until it is said', async () => {
  const { path } = await associated();
  assert.equal(bodyOf(await desk.put(path, { ...mapping, guestMails: 'venue' })).guestMails, 'venue');
  assert.equal(bodyOf(await desk.put(path, mapping)).guestMails, 'venue');
  assert.equal(bodyOf(await desk.put(path, { ...mapping, guestMails: 'partner' })).guestMails, 'partner');
  assertProblem(await desk.put(path, { ...mapping, guestMails: 'both' }), 400, 'VALID-N-001');
});

test('a mapping says how deposits come in, and keeps it until it is told otherwise', async () => {
  const { path } = await associated();
  assert.equal(bodyOf(await desk.put(path, mapping)).deposit, 'declared');
  const paidFirst = { ...mapping, deposit: 'before_confirmation' };
  assert.equal(bodyOf(await desk.put(path, paidFirst)).deposit, 'before_confirmation');
  assert.equal(bodyOf(await desk.put(path, mapping)).deposit, 'before_confirmation');
  assertProblem(await desk.put(path, { ...mapping, deposit: 'never' }), 400, 'VALID-N-001');
});

test('an operator sees what a partner may sell of its venues, and of no others', async () => {
  const { partnerId, path } = await associated();
  const productKeys = (await keys()).slice(0, 1);
  bodyOf(await desk.put(path, { ...mapping, productKeys, maxPartySize: 6 }));
  const list = (operatorId: number, as: string) =>
    maitred.call(`/manage/operators/${operatorId}/partners/${partnerId}/mappings`, { as });
  const { data } = bodyOf(await list(1, 'demo-operator'));
  assert.deepEqual(
    data.map((each: Record<string, unknown>) => [each.venueId, each.productKeys, each.maxPartySize]),
    [[VENUE, productKeys, 6]],
  );
  assert.deepEqual(bodyOf(await list(2, 'demo-admin')).data, []);
  assertProblem(await list(2, 'demo-operator'), 403, 'OPRTR-N-002');
});
