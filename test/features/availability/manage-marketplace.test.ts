import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { DINNER, dated, managing, PRIVATE, VENUE, WEDNESDAY, weekly } from './managing.ts';

/** The other partner becomes the marketplace; its mapping from the demo data goes first. */
const BAZAAR = 2;
const NONE = { partnerId: null, listingId: null, isEnabled: false, managed: [] };
const linked = (more: object = {}) => ({
  partnerId: BAZAAR,
  listingId: 'soho-grill',
  isEnabled: true,
  managed: [],
  ...more,
});

const { app, send, rules, made, stored, isOpen, seen, auditLogOf } = managing(async ({ sql }) => {
  await sql`update partner set is_marketplace = true where id = ${BAZAAR}`;
  await sql`insert into partner (id, reference, name, is_marketplace) values (88, 'souk', 'Souk', true)`;
});

async function put(document: object) {
  const answer = await send('PUT', '/marketplace', document);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.json, document);
  return answer.json;
}

beforeEach(async () => {
  await put(NONE);
  await app().sql`delete from venue_mapping where partner_id in (${BAZAAR}, 88) and venue_id = ${VENUE}`;
});

const mapped = async (partnerId = BAZAAR) =>
  (
    await app().sql<{ id: string }[]>`select product_id as id from product_mapping
      where partner_id = ${partnerId} and venue_id = ${VENUE} order by product_id`
  ).map(({ id }) => id);

const forBazaar = (more: object = {}) => weekly({ channel: 'marketplace', ...more });

test('a venue that is put on a marketplace is distributed there with all its products, until it is taken off', async () => {
  assert.deepEqual((await send('GET', '/marketplace')).json, NONE);
  await put(linked());
  assert.deepEqual((await send('GET', '/marketplace')).json, linked());
  assert.deepEqual(await mapped(), [DINNER, PRIVATE]);
  await eventually(
    async () => (await app().call(`/venues/${VENUE}`, { as: 'other-partner' })).status === 200,
  );
  assert.ok(await isOpen('other-partner'));
  const [source] = await app()
    .sql`select name from partner_source where partner_id = ${BAZAAR} and operator_id = 1`;
  assert.ok(source);
  await put(linked({ isEnabled: false }));
  assert.deepEqual(await mapped(), []);
  await eventually(
    async () => (await app().call(`/venues/${VENUE}`, { as: 'other-partner' })).status === 403,
  );
});

test('another marketplace takes the place of the first', async () => {
  await put(linked());
  await put(linked({ partnerId: 88, listingId: null }));
  assert.deepEqual([await mapped(), await mapped(88)], [[], [DINNER, PRIVATE]]);
  await put(NONE);
  assert.deepEqual(await mapped(88), []);
});

test('a venue that the partner distributes in part already keeps its terms and gets the rest', async () => {
  const { sql } = app();
  await sql`insert into venue_mapping (partner_id, venue_id, max_party_size) values (${BAZAAR}, ${VENUE}, 4)`;
  await sql`insert into product_mapping (partner_id, product_id, venue_id) values (${BAZAAR}, ${DINNER}, ${VENUE})`;
  await put(linked());
  assert.deepEqual(await mapped(), [DINNER, PRIVATE]);
  const [mapping] = await sql`select max_party_size from venue_mapping
    where partner_id = ${BAZAAR} and venue_id = ${VENUE}`;
  assert.equal(mapping?.max_party_size, 4);
});

test('products that are made while a marketplace is enabled are offered there too', async () => {
  const { sql } = app();
  const lunch = `${VENUE}|lunch`;
  const makeLunch = () =>
    sql`insert into product (id, venue_id, name, time_interval_minutes) values (${lunch}, ${VENUE}, 'Lunch', 15)`;
  await put(linked({ isEnabled: false }));
  await makeLunch();
  assert.deepEqual(await mapped(), []);
  await sql`delete from product where id = ${lunch}`;
  await put(linked());
  await makeLunch();
  assert.deepEqual(await mapped(), [DINNER, lunch, PRIVATE]);
  const hidden = [
    { productKey: 'lunch', weekdays: [1] },
    { productKey: 'dinner', weekdays: [2] },
  ];
  await put(linked({ managed: hidden }));
  await sql`delete from product where id = ${lunch}`;
  assert.deepEqual((await send('GET', '/marketplace')).json.managed, [hidden[1]]);
});

test('what the system of the venue hides on a marketplace is hidden there and nowhere else', async () => {
  await put(linked({ managed: [{ productKey: 'dinner', weekdays: [WEDNESDAY] }] }));
  await eventually(async () => !(await isOpen('other-partner')));
  assert.ok(await isOpen('other-partner', PRIVATE));
  assert.ok(await isOpen('demo-partner'));
  assert.ok(await isOpen('demo-operator'));
  const [[id, product] = []] = await seen('other-partner');
  assert.equal(product, DINNER);
  assert.deepEqual(await seen('demo-partner'), []);
  await put(linked({ listingId: 'renamed', managed: [{ productKey: 'dinner', weekdays: [WEDNESDAY] }] }));
  assert.equal((await seen('other-partner'))[0]?.[0], id, 'what stays the same keeps its id');
  await put(linked({ managed: [{ productKey: null, weekdays: [WEDNESDAY] }] }));
  await eventually(async () => !(await isOpen('other-partner', PRIVATE)));
});

test('a rule for the marketplace holds for it alone, as long as it is enabled', async () => {
  await put(linked());
  const { id } = await made(forBazaar({ productKey: 'dinner' }));
  await eventually(async () => !(await isOpen('other-partner')));
  assert.ok(await isOpen('demo-partner'));
  assert.ok(await isOpen('demo-operator'));
  assert.deepEqual(await seen('other-partner'), [[id, DINNER]]);
  assert.deepEqual(await seen('demo-partner'), []);
  await put(linked({ partnerId: 88 }));
  await app().sql`insert into venue_mapping (partner_id, venue_id) values (${BAZAAR}, ${VENUE})`;
  await app().sql`insert into product_mapping (partner_id, product_id, venue_id)
    values (${BAZAAR}, ${DINNER}, ${VENUE})`;
  await eventually(async () => (await seen('other-partner')).length === 0);
  assert.ok(await isOpen('other-partner'));
});

test('on a marketplace nothing can be hidden but products on whole weekdays', async () => {
  await put(linked());
  const fine = { channel: 'marketplace' };
  const tooFine = [
    dated(fine),
    { type: 'time_based', definition: { startTime: '10:00', endTime: '12:00' }, ...fine },
    { type: 'recurring', definition: { weekdays: [1], startDate: '2027-01-01' }, ...fine },
    forBazaar({ spaceId: 101, productKey: 'private-dining' }),
    forBazaar({ effect: 'reserve', partnerIds: [1] }),
  ];
  for (const draft of tooFine) assertProblem(await rules('POST', '', draft), 400, 'OPRUL-N-010');
  const { id } = await made(weekly());
  assertProblem(await rules('PUT', `/${id}`, dated(fine)), 400, 'OPRUL-N-010');
  assert.equal((await stored()).length, 1);
});

test('a rule for the marketplace has no scope and gets none', async () => {
  await put(linked());
  const scope = { '==': [{ var: 'partner.id' }, BAZAAR] };
  for (const part of [{ partnerIds: [BAZAAR] }, { categoryIds: [] }, { scope }])
    assertProblem(await rules('POST', '', forBazaar(part)), 400, 'OPRUL-N-015');
  const { id } = await made(forBazaar());
  const added = await rules('POST', `/${id}/scope/partners`, { partnerId: BAZAAR });
  assertProblem(added, 400, 'OPRUL-N-015');
  assert.equal((await stored())[0].partnerIds, null);
});

test('without a marketplace that is enabled and linked there are no rules for it', async () => {
  assertProblem(await rules('POST', '', forBazaar()), 422, 'OPRUL-N-012');
  await put(linked({ isEnabled: false }));
  assertProblem(await rules('POST', '', forBazaar()), 422, 'OPRUL-N-012');
  await put(linked({ listingId: null }));
  assertProblem(await rules('POST', '', forBazaar()), 422, 'OPRUL-N-012');
  await put(linked());
  const { id } = await made(forBazaar());
  await put(linked({ listingId: null }));
  assertProblem(await rules('PUT', `/${id}`, forBazaar()), 422, 'OPRUL-N-012');
  assert.equal((await rules('DELETE', `/${id}`)).status, 204);
});

test('a rule for a marketplace that the venue has left can still be switched off, and only that', async () => {
  await put(linked());
  const { id } = await made(forBazaar());
  await put(NONE);
  const off = await rules('PUT', `/${id}`, forBazaar({ isActive: false }));
  assert.equal(off.status, 200, off.text);
  assertProblem(await rules('PUT', `/${id}`, forBazaar()), 422, 'OPRUL-N-012');
});

test('what the system of the venue hides is replaced only knowingly, and day by day', async () => {
  const managed = [
    { productKey: 'dinner', weekdays: [1, WEDNESDAY] },
    { productKey: 'private-dining', weekdays: [WEDNESDAY] },
    { productKey: null, weekdays: [WEDNESDAY] },
  ];
  await put(linked({ managed }));
  const draft = forBazaar({ productKey: 'dinner' });
  const { detail } = assertProblem(await rules('POST', '', draft), 409, 'OPRUL-N-011');
  assert.match(detail, /weekdays 3\./);
  assertProblem(await rules('POST', '', forBazaar()), 409, 'OPRUL-N-011');
  assert.deepEqual((await send('GET', '/marketplace')).json.managed, managed);
  assert.deepEqual(await stored(), []);

  const other = await made(forBazaar({ productKey: 'dinner', definition: { weekdays: [2] } }));
  await made(forBazaar({ productKey: 'dinner', isActive: false }));
  assert.deepEqual((await send('GET', '/marketplace')).json.managed, managed, 'nothing of it was in the way');

  const changed = await rules('PUT', `/${other.id}`, { ...draft, replaceCollinsManaged: true });
  assert.equal(changed.status, 200, changed.text);
  assert.ok(!('replaceCollinsManaged' in changed.json));
  const left = [
    { productKey: 'dinner', weekdays: [1] },
    { productKey: 'private-dining', weekdays: [WEDNESDAY] },
  ];
  assert.deepEqual((await send('GET', '/marketplace')).json.managed, left);
  const [entry] = await auditLogOf(`marketplace ${VENUE}`);
  assert.deepEqual(
    [entry.action, entry.before, entry.after],
    ['marketplace.change', linked({ managed }), linked({ managed: left })],
  );
});

test('a marketplace that cannot be is refused, and everything stays as it was', async () => {
  await put(linked());
  const wrong: [object, number, string, string?][] = [
    [linked({ partnerId: 1 }), 400, 'VALID-N-001', 'partnerId'],
    [linked({ partnerId: 4711 }), 404, 'PMAP-N-004'],
    [linked({ partnerId: null }), 400, 'VALID-N-001', 'partnerId'],
    [{ ...NONE, managed: [{ productKey: null, weekdays: [1] }] }, 400, 'VALID-N-001', 'partnerId'],
    [
      linked({ managed: [{ productKey: 'supper', weekdays: [1] }] }),
      400,
      'VALID-N-001',
      'managed.0.productKey',
    ],
    [
      linked({ managed: [{ productKey: 'dinner', weekdays: [8] }] }),
      400,
      'VALID-N-001',
      'managed.0.weekdays.0',
    ],
    [linked({ managed: [{ productKey: 'dinner', weekdays: [] }] }), 400, 'VALID-N-001', 'managed.0.weekdays'],
    [
      linked({
        managed: [
          { productKey: null, weekdays: [1] },
          { productKey: null, weekdays: [2] },
        ],
      }),
      400,
      'VALID-N-001',
      'managed.1.productKey',
    ],
    [linked({ more: 1 }), 400, 'VALID-N-001', 'more'],
  ];
  for (const [document, status, code, field] of wrong) {
    const { errors } = assertProblem(await send('PUT', '/marketplace', document), status, code);
    if (field !== undefined) assert.deepEqual(Object.keys(errors), [field]);
  }
  assert.deepEqual((await send('GET', '/marketplace')).json, linked());
  assert.deepEqual(await mapped(), [DINNER, PRIVATE]);
});

test('only what was read is changed, by those who may', async () => {
  await put(linked());
  const { headers } = await send('GET', '/marketplace');
  const ifMatch = { headers: { 'if-match': String(headers.etag) } };
  const renamed = linked({ listingId: 'renamed' });
  assert.equal((await send('PUT', '/marketplace', renamed, ifMatch)).status, 200);
  assertProblem(await send('PUT', '/marketplace', NONE, ifMatch), 412, 'HTTP-N-412');
  assert.deepEqual((await send('GET', '/marketplace')).json, renamed);
  const [last] = await auditLogOf(`marketplace ${VENUE}`);
  assert.deepEqual([last.before, last.after], [linked(), renamed]);
  const theirs = '/manage/venues/2%7Chouse%7Cnight-owl/marketplace';
  assertProblem(await app().call(theirs, { as: 'demo-operator' }), 403, 'OPRTR-N-002');
  const nowhere = '/manage/venues/1%7Chouse%7Cnowhere/marketplace';
  assertProblem(await app().call(nowhere, { as: 'demo-operator' }), 404, 'VENUE-N-001');
  const there = await app().call(nowhere, { method: 'PUT', body: NONE, as: 'demo-operator' });
  assertProblem(there, 404, 'VENUE-N-001');
});
