import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { findSimilar, likeness, nameKey } from '../../../src/features/partners/partners.ts';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf, deskOf, idIn, lastEntry, newOperator, newPartner, tagOf } from './support.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

const desk = deskOf(() => maitred);
const PARTNERS = '/manage/partners';
const SOHO = idIn('1|house|soho-grill');
const DAY = Temporal.Now.plainDateISO('Europe/London').add({ days: 9 }).toString();

test('a partner is added, read, changed and deleted, and each step is written down', async () => {
  const created = bodyOf(await desk.post(PARTNERS, { reference: 'city-guide', name: 'City Guide' }), 201);
  assert.equal(created.isMarketplace, false);
  const path = `${PARTNERS}/${created.id}`;
  assert.deepEqual(bodyOf(await desk.get(path)), created);
  const read = await tagOf(desk, path);
  const change = { reference: 'town-guide', name: 'Town Guide', isMarketplace: true };
  const changed = bodyOf(await desk.put(path, change, read));
  assert.deepEqual(changed, { ...created, ...change });
  const entry = await lastEntry(desk, `partner ${created.id}`);
  assert.deepEqual([entry.before, entry.after, entry.operatorId], [created, changed, null]);
  assertProblem(await desk.put(path, { ...change, name: 'Other' }, read), 412, 'HTTP-N-412');
  assertProblem(await desk.remove(path, read), 412, 'HTTP-N-412');
  assert.equal((await desk.remove(path)).status, 204);
  for (const answer of [await desk.get(path), await desk.put(path, change), await desk.remove(path)])
    assertProblem(answer, 404, 'PMAP-N-004');
});

test('what a partner keeps or waits for goes with it, where it has sold nothing', async () => {
  const { id } = bodyOf(await desk.post(PARTNERS, { reference: 'passer-by', name: 'Passer-by' }), 201);
  const stay = { date: DAY, partySize: 2 };
  const post = (path: string, body: object) =>
    maitred.call(`/venues/${idIn('1|house|soho-grill|dinner')}/${path}`, { method: 'POST', body });
  const guest = { firstName: 'Grace', lastName: 'Hopper' };
  const waiting = await post('waitlist', { ...stay, ...guest, from: '19:00', to: '19:00' });
  const hold = await post('holds', { ...stay, time: '19:00' });
  assert.deepEqual([waiting.status, hold.status], [201, 201], hold.text);
  const { sql } = maitred;
  await sql`update waitlist_entry set partner_id = ${id} where id = ${waiting.json.id}`;
  await sql`update hold set partner_id = ${id} where id = ${hold.json.id}`;
  assert.equal((await desk.remove(`${PARTNERS}/${id}`)).status, 204);
  const left = await sql`
    select id from hold where id = ${hold.json.id}
    union all select id from waitlist_entry where id = ${waiting.json.id}`;
  assert.equal(left.length, 0);
});

test('partners are listed by name and found by a part of it', async () => {
  const { data, meta } = bodyOf(await desk.get(`${PARTNERS}?name=pARtner&pageSize=1`));
  assert.equal(data[0].name, 'Demo Partner');
  assert.equal(meta.totalItems, 2);
});

test('a name that is almost that of another partner needs a word more', async () => {
  bodyOf(await desk.post(PARTNERS, { reference: 'globetrotter', name: 'Globetrotter Ltd' }), 201);
  const names = [
    'GLOBETROTTER',
    'The Globetrotter, Inc.',
    'Globe-Trotter GmbH',
    'Globetrotters',
    'Glöbetrotter',
  ];
  for (const name of names) {
    const body = { reference: 'another', name };
    const { detail } = assertProblem(await desk.post(PARTNERS, body), 409, 'PMAP-N-014');
    assert.match(detail, /Globetrotter Ltd/);
  }
  const other = bodyOf(await desk.post(PARTNERS, { reference: 'voyager', name: 'Voyager' }), 201);
  const change = { reference: 'voyager', name: 'Globetrotter', isMarketplace: false };
  assertProblem(await desk.put(`${PARTNERS}/${other.id}`, change), 409, 'PMAP-N-014');
  assert.equal(bodyOf(await desk.get(`${PARTNERS}/${other.id}`)).name, 'Voyager');
  const allowed = { ...change, allowSimilarName: true };
  assert.equal(bodyOf(await desk.put(`${PARTNERS}/${other.id}`, allowed)).name, 'Globetrotter');
  // It is called that already, so nothing about its name is new.
  bodyOf(await desk.put(`${PARTNERS}/${other.id}`, { ...change, reference: 'voyager-2' }));
  const twin = { reference: 'twin', name: 'Globetrotter', allowSimilarName: true };
  bodyOf(await desk.post(PARTNERS, twin), 201);
});

test('of several similar partners that are added at once, one is', async () => {
  const names = ['Northern Star', 'Northern Star Ltd', 'northern-star', 'The Northern Star'];
  const answers = await Promise.all(
    names.map((name, index) => desk.post(PARTNERS, { reference: `north-${index}`, name })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409]);
});

test('no two partners have the same reference', async () => {
  const taken = { reference: 'demo-partner', name: 'Quite Different' };
  const refused = assertProblem(await desk.post(PARTNERS, taken), 400, 'VALID-N-001');
  assert.ok(refused.errors.reference);
  const id = await newPartner(desk);
  const change = { ...taken, isMarketplace: false };
  assertProblem(await desk.put(`${PARTNERS}/${id}`, change), 400, 'VALID-N-001');
  assertProblem(await desk.post(PARTNERS, { reference: 'a b', name: 'Spaced Out' }), 400, 'VALID-N-001');
});

test('a partner that has booked stays, and one that has not takes its clients along', async () => {
  const booking = {
    type: 'request',
    partySize: 2,
    date: DAY,
    time: '19:00',
    firstName: 'Ada',
    lastName: 'Lovelace',
  };
  const [product] = bodyOf(await maitred.call(`/venues/${SOHO}`, { as: 'other-partner' })).products;
  const booked = await maitred.call(`/venues/${idIn(product.compositeId)}/booking`, {
    as: 'other-partner',
    method: 'POST',
    body: booking,
  });
  assert.equal(booked.status, 201, booked.text);
  const refused = assertProblem(await desk.remove(`${PARTNERS}/2`), 400, 'VALID-N-001');
  assert.match(refused.detail, /bookings/);
  const partnerId = await newPartner(desk);
  const { id } = bodyOf(await desk.post('/manage/clients', { kind: 'partner', partnerId }), 201);
  assert.equal((await desk.remove(`${PARTNERS}/${partnerId}`)).status, 204);
  assertProblem(await desk.get(`/manage/clients/${id}`), 404, 'HTTP-N-404');
});

test('a partner that never booked goes with everything that was said about it', async () => {
  const partnerId = await newPartner(desk);
  const venue = bodyOf(await maitred.call(`/venues/${SOHO}`));
  const [product] = venue.products;
  const mapping = {
    company: { mode: 'none', names: [] },
    maxPartySize: null,
    isRequestOnly: false,
    productKeys: [product.compositeId.split('|')[3]],
  };
  bodyOf(
    await desk.put(`/manage/operators/1/partners/${partnerId}`, { isSuspended: false, source: 'GOING' }),
  );
  bodyOf(await desk.put(`${PARTNERS}/${partnerId}/mappings/${SOHO}`, mapping));
  const category = { slug: 'going', name: 'Going', partnerIds: [partnerId] };
  const { id } = bodyOf(await desk.post('/manage/operators/1/partner-categories', category), 201);
  bodyOf(await desk.post('/manage/clients/demo-agent/partners', { partnerId }), 201);
  assert.equal((await desk.remove(`${PARTNERS}/${partnerId}`)).status, 204);
  const left = bodyOf(await desk.get(`/manage/operators/1/partner-categories/${id}`));
  assert.deepEqual(left.partnerIds, []);
  const sources = await desk.get('/manage/operators/1/sources?pageSize=100');
  assert.ok(!sources.text.includes('GOING'));
});

test('a partner that venues sell on as their marketplace stays until they do not', async () => {
  const partnerId = await newPartner(desk, { isMarketplace: true });
  const marketplace = `/manage/venues/${SOHO}/marketplace`;
  const link = { partnerId, listingId: null, isEnabled: true, managed: [] };
  bodyOf(await desk.put(marketplace, link));
  assertProblem(await desk.remove(`/manage/operators/1/partners/${partnerId}`), 422, 'PMAP-N-015');
  assertProblem(await desk.remove(`${PARTNERS}/${partnerId}`), 400, 'VALID-N-001');
  assert.equal((await desk.get(`${PARTNERS}/${partnerId}`)).status, 200);
});

test('agents name a partner by its new reference at once', async () => {
  const partnerId = await newPartner(desk, { reference: 'old-name' });
  bodyOf(await desk.post('/manage/clients/demo-agent/partners', { partnerId }), 201);
  const asAgent = (reference: string) =>
    maitred.call('/venues', { as: 'demo-agent', headers: { 'x-partner-reference': reference } });
  assert.equal((await asAgent('old-name')).status, 200);
  const change = { reference: 'new-name', name: 'Renamed Entirely', isMarketplace: false };
  bodyOf(await desk.put(`${PARTNERS}/${partnerId}`, change));
  await eventually(async () => (await asAgent('new-name')).status === 200);
  assertProblem(await asAgent('old-name'), 403, 'IDENT-N-003');
});

test('an operator deals with a partner once it is said what its systems call it', async () => {
  const operatorId = await newOperator(desk);
  const partnerId = await newPartner(desk);
  const path = `/manage/operators/${operatorId}/partners/${partnerId}`;
  assertProblem(await desk.get(path), 404, 'BOOK-N-005');
  assertProblem(await desk.put(path, { isSuspended: false }), 400, 'OPRTR-N-003');
  assertProblem(await desk.get(path), 404, 'BOOK-N-005');
  const saved = bodyOf(await desk.put(path, { isSuspended: false, source: 'GUIDE' }));
  assert.deepEqual([saved.partner.id, saved.isSuspended, saved.source], [partnerId, false, 'GUIDE']);
  assert.deepEqual(bodyOf(await desk.get(`/manage/operators/${operatorId}/partners`)).data, [saved]);
  const read = await tagOf(desk, path);
  const suspended = bodyOf(await desk.put(path, { isSuspended: true }, read));
  assert.deepEqual(suspended, { ...saved, isSuspended: true });
  assertProblem(await desk.put(path, { isSuspended: false }, read), 412, 'HTTP-N-412');
  const entry = await lastEntry(desk, `association ${operatorId} ${partnerId}`);
  assert.deepEqual([entry.before, entry.after, entry.operatorId], [saved, suspended, operatorId]);

  assert.equal((await desk.remove(path)).status, 204);
  assertProblem(await desk.remove(path), 404, 'BOOK-N-005');
  const { data } = bodyOf(await desk.get(`/manage/operators/${operatorId}/sources?isResolved=false`));
  assert.deepEqual(
    data.map(({ name, partner }: { name: string; partner: unknown }) => [name, partner]),
    [['GUIDE', null]],
  );
  bodyOf(await desk.put(path, { isSuspended: false, source: 'GUIDE' }));
  assert.equal(bodyOf(await desk.get(`/manage/operators/${operatorId}/sources`)).meta.totalItems, 1);
});

test('what was read of an association can be sent back, also when its source is gone', async () => {
  const operatorId = await newOperator(desk);
  const partnerId = await newPartner(desk);
  const path = `/manage/operators/${operatorId}/partners/${partnerId}`;
  assertProblem(await desk.put(path, { isSuspended: false, source: null }), 400, 'OPRTR-N-003');
  bodyOf(await desk.put(path, { isSuspended: false, source: 'LOST' }));
  assert.equal((await desk.remove(`${PARTNERS}/${partnerId}/sources/${operatorId}`)).status, 204);
  const { partner, ...read } = bodyOf(await desk.get(path));
  assert.deepEqual(read, { isSuspended: false, source: null });
  assert.deepEqual(bodyOf(await desk.put(path, { ...read, isSuspended: true })), {
    partner,
    isSuspended: true,
    source: null,
  });
});

test('what ends with a partner or an association is in the audit log of the operator', async () => {
  const venue = bodyOf(await maitred.call(`/venues/${SOHO}`));
  const terms = {
    company: { mode: 'single', names: ['Arden & Sons'] },
    maxPartySize: 7,
    isRequestOnly: false,
    productKeys: [venue.products[0].compositeId.split('|')[3]],
  };
  for (const end of [
    (id: number) => `/manage/operators/1/partners/${id}`,
    (id: number) => `${PARTNERS}/${id}`,
  ]) {
    const id = await newPartner(desk);
    const association = bodyOf(
      await desk.put(`/manage/operators/1/partners/${id}`, { isSuspended: false, source: `END ${id}` }),
    );
    const mapping = bodyOf(await desk.put(`${PARTNERS}/${id}/mappings/${SOHO}`, terms));
    assert.equal((await desk.remove(end(id))).status, 204);
    for (const [subject, action, before] of [
      [`association 1 ${id}`, 'association.delete', association],
      [`mapping ${id} 1|house|soho-grill`, 'mapping.delete', mapping],
    ]) {
      const entry = await lastEntry(desk, subject);
      assert.deepEqual(
        [entry.action, entry.operatorId, entry.before, entry.after],
        [action, 1, before, null],
      );
    }
  }
});

test('categories and rules that lose a partner say so in the audit log of the operator', async () => {
  const id = await newPartner(desk);
  const category = bodyOf(
    await desk.post('/manage/operators/1/partner-categories', {
      slug: 'losing',
      name: 'Losing',
      partnerIds: [1, id],
    }),
    201,
  );
  const rules = `/manage/venues/${SOHO}/availability-rules`;
  const rule = { type: 'recurring', definition: { weekdays: [2] } };
  const alone = bodyOf(await desk.post(rules, { ...rule, partnerIds: [id] }), 201);
  const beside = bodyOf(await desk.post(rules, { ...rule, partnerIds: [1, id] }), 201);
  assert.equal((await desk.remove(`${PARTNERS}/${id}`)).status, 204);
  for (const [subject, action, before, path] of [
    [
      `partner category ${category.id}`,
      'partner-category.change',
      category,
      `/manage/operators/1/partner-categories/${category.id}`,
    ],
    [`availability-rule ${alone.id}`, 'availability-rule.remove', alone, null],
    [`availability-rule ${beside.id}`, 'availability-rule.change', beside, `${rules}/${beside.id}`],
  ]) {
    const entry = await lastEntry(desk, subject);
    assert.deepEqual([entry.action, entry.operatorId, entry.before], [action, 1, before]);
    assert.deepEqual(entry.after, path && bodyOf(await desk.get(path)));
  }
});

test('a partner cannot take the source of another, nor have two', async () => {
  const operatorId = await newOperator(desk);
  const [one, two] = [await newPartner(desk), await newPartner(desk)];
  const pathOf = (id: number) => `/manage/operators/${operatorId}/partners/${id}`;
  bodyOf(await desk.put(pathOf(one), { isSuspended: false, source: 'ONE' }));
  assertProblem(await desk.put(pathOf(two), { isSuspended: false, source: 'ONE' }), 409, 'PMAP-N-009');
  assertProblem(await desk.put(pathOf(one), { isSuspended: false, source: 'MORE' }), 409, 'PMAP-N-008');
  bodyOf(await desk.put(pathOf(one), { isSuspended: false, source: 'ONE' }));
  assertProblem(await desk.put(pathOf(99_999), { isSuspended: false, source: 'X' }), 404, 'PMAP-N-004');
  assertProblem(
    await desk.put(`/manage/operators/99999/partners/${one}`, { isSuspended: false, source: 'X' }),
    404,
    'OPRTR-N-001',
  );
});

test('a suspended partner cannot book, and one that is let go no longer sees the venues', async () => {
  const path = '/manage/operators/3/partners/2';
  const venues = () => maitred.call('/venues?pageSize=100', { as: 'other-partner' });
  const [venue] = bodyOf(await venues()).data.filter(({ id }: { id: string }) => id.startsWith('3|'));
  const product = idIn(venue.products[0].compositeId);
  const ask = async () =>
    (
      await maitred.call(`/venues/${product}/availability?partySize=2&date=${DAY}`, {
        as: 'other-partner',
      })
    ).json.code;
  bodyOf(await desk.put(path, { isSuspended: true }));
  await eventually(async () => (await ask()) === 'AVAIL-N-002');
  bodyOf(await desk.put(path, { isSuspended: false }));
  await eventually(async () => (await ask()) !== 'AVAIL-N-002');
  assert.equal((await desk.remove(path)).status, 204);
  await eventually(async () => !(await venues()).text.includes('"3|'));
});

test('an operator reads who distributes it, and the rest is for the platform', async () => {
  const own = deskOf(() => maitred, 'demo-operator');
  assert.ok(bodyOf(await own.get('/manage/operators/1/partners')).data.length > 0);
  assert.equal((await own.get('/manage/operators/1/partners/1')).status, 200);
  assertProblem(await own.get('/manage/operators/2/partners'), 403, 'OPRTR-N-002');
  assertProblem(await own.put('/manage/operators/1/partners/1', { isSuspended: true }), 403, 'USER-N-009');
  assertProblem(await own.remove('/manage/operators/1/partners/1'), 403, 'USER-N-009');
  for (const path of [PARTNERS, `${PARTNERS}/1`]) assertProblem(await own.get(path), 403, 'USER-N-009');
});

test('names are alike as PostgreSQL counts it', async () => {
  const word = fc.stringMatching(/^[a-z0-9]{1,12}$/);
  await fc.assert(
    fc.asyncProperty(word, word, async (one, other) => {
      const [row] = await maitred.sql`select similarity(${one}, ${other}) as likeness`;
      assert.ok(Math.abs(row?.likeness - likeness(one, other)) < 1e-6, `${one} ${other} ${row?.likeness}`);
    }),
    { numRuns: 60 },
  );
});

test('what says nothing in a name is passed over, unless there is nothing else', () => {
  assert.equal(nameKey('The Café S.A.R.L.'), 'cafe');
  assert.equal(nameKey('O’Neill & Co.'), 'oneill');
  assert.equal(nameKey('The Company'), 'thecompany');
  assert.equal(nameKey('!!!'), '!!!');
  assert.equal(findSimilar('東京', [{ name: '京都' }]), undefined);
  assert.deepEqual(findSimilar('東京 Ltd', [{ name: '東京' }]), { name: '東京' });
});
