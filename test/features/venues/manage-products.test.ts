import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTransaction, type Tx } from '../../../src/db/database.ts';
import { assertProblem } from '../../support/app.ts';
import { areWaiting } from '../../support/databases/lock-waits.ts';
import { eventually } from '../../support/eventually.ts';
import { book, booked, DINNER, freeDay } from '../bookings/support.ts';
import {
  assertGuarded,
  assertUnfit,
  at,
  type Body,
  done,
  keepingApp,
  layTables,
  newProduct,
  openVenue,
  productChange,
  read,
  SOHO,
  send,
} from './keeping.ts';

const maitred = keepingApp();
const PRODUCTS = at(SOHO, '/products');

test('a product that is added stands behind the others, with everything that was left open filled in', async () => {
  const { id: venueId } = await openVenue(maitred(), 'supper-club');
  const zone = await layTables(maitred(), venueId);
  const path = at(venueId, '/products');
  await done(maitred(), 'POST', path, newProduct('lunch', { name: 'Lunch' }));
  const product = await done(maitred(), 'POST', path, newProduct('supper'), {});
  assert.deepEqual(product, {
    compositeId: `${venueId}|supper`,
    key: 'supper',
    name: 'Supper',
    slug: null,
    category: null,
    timeIntervalMinutes: 30,
    preOrderRequiredType: 'none',
    paymentRules: [],
    refundTerms: [],
    spaceIds: [],
    packageIds: [],
    menuIds: [],
    hours: { ...newProduct('supper').hours, exceptions: [] },
    house: {
      zoneIds: null,
      minGuests: null,
      maxGuests: null,
      turnTimes: [
        { upTo: 2, minutes: 90 },
        { upTo: 6, minutes: 120 },
        { upTo: 7, minutes: 150 },
      ],
      duration: { minMinutes: 60, maxMinutes: 240, stepMinutes: 15 },
      coversPerStart: null,
      instantLimit: null,
      isRequestOnly: false,
      takesEnquiries: false,
      noticeMinutes: 0,
      horizonDays: null,
      policy: null,
      cancellationPolicy: null,
    },
    effective: { zoneIds: [zone], minGuests: 1, maxGuests: 6 },
    isWithdrawn: false,
    tickets: null,
  });
  const listed = (await read(maitred(), path)).data;
  assert.deepEqual(
    listed.map(({ key }: Body) => key),
    ['lunch', 'supper'],
  );
  assert.deepEqual(listed[1], product);
  assert.deepEqual(await read(maitred(), `${path}/supper`), product);
  const [entry] = (await read(maitred(), '/manage/operators/1/audit?pageSize=1')).data;
  assert.deepEqual([entry.action, entry.before, entry.after], ['product.create', null, product]);
  await assertUnfit(maitred(), 'POST', path, newProduct('supper'), 'key');
});

test('every product of the demo data can be sent back as it was read', async () => {
  for (const venueId of [SOHO, '1|house|garden-room', '2|house|night-owl', '2|tickets|jazz-night']) {
    for (const product of (await read(maitred(), at(venueId, '/products'))).data) {
      const path = at(venueId, `/products/${product.key}`);
      assert.deepEqual(await done(maitred(), 'PUT', path, productChange(product)), product);
    }
  }
});

test('a change is held against what was read', async () => {
  const path = `${PRODUCTS}/private-dining`;
  const product = await read(maitred(), path);
  const entry = await assertGuarded(
    maitred(),
    path,
    productChange(product, { name: 'The Rooms', refundTerms: [{ hoursBefore: 24, percent: 50 }] }),
  );
  assert.deepEqual([entry.action, entry.subject], ['product.change', `product ${SOHO}|private-dining`]);
});

test('what partners see and get follows a change within a moment', async () => {
  const before = await read(maitred(), `${PRODUCTS}/dinner`);
  const date = freeDay(3);
  const times = async () =>
    (await maitred().call(`/venues/${encodeURIComponent(DINNER)}/availability?partySize=2&date=${date}`)).json
      .times;
  assert.ok((await times()).length > 1);
  const hours = { weekly: [{ weekdays: [3], periods: [{ opens: '19:00', closes: '22:00' }] }] };
  await done(
    maitred(),
    'PUT',
    `${PRODUCTS}/dinner`,
    productChange(before, { hours, timeIntervalMinutes: 60, name: 'Late dinner' }),
  );
  await eventually(async () =>
    (await times()).every(({ time }: Body) => time >= '19:00' && time.endsWith(':00')),
  );
  const { products } = (await maitred().call(`/venues/${encodeURIComponent(SOHO)}`)).json;
  const dinner = products.find(({ compositeId }: Body) => compositeId === DINNER);
  assert.deepEqual([dinner.productName, dinner.timeInterval], ['Late dinner', 60]);
  assertProblem(await book(maitred(), { date, time: '18:00' }), 409, 'AVAIL-N-005');
  await done(maitred(), 'PUT', `${PRODUCTS}/dinner`, productChange(before));
});

test('what a product cannot be is refused, and nothing changes', async () => {
  const path = `${PRODUCTS}/dinner`;
  const before = await read(maitred(), path);
  const { zoneIds } = before.house;
  const own = (changes: Body) => productChange(before, changes);
  const house = (changes: Body) => own({ house: { ...before.house, ...changes } });
  const rule = {
    amount: 1,
    currency: 'GBP',
    per: 'guest',
    minPartySize: null,
    maxPartySize: null,
    weekdays: null,
  };
  const wrong: [string, Body][] = [
    ['category', own({ category: 'nonsense' })],
    ['packageIds', own({ packageIds: [2_000_000] })],
    ['menuIds', own({ menuIds: [2_000_000] })],
    ['packageIds', own({ preOrderRequiredType: 'package', packageIds: [] })],
    ['menuIds', own({ preOrderRequiredType: 'menu', menuIds: [] })],
    ['paymentRules.0.maxPartySize', own({ paymentRules: [{ ...rule, minPartySize: 5, maxPartySize: 4 }] })],
    ['paymentRules.0.currency', own({ paymentRules: [{ ...rule, currency: 'EUR' }] })],
    ['timeIntervalMinutes', own({ timeIntervalMinutes: 0 })],
    ['timeIntervalMinutes', own({ timeIntervalMinutes: 40_000 })],
    ['house', own({ house: null })],
    ['tickets', own({ tickets: { pricePence: 1, capacity: 1, maxPerBooking: 1 } })],
    ['house.minGuests', house({ minGuests: 5, maxGuests: 4 })],
    ['house.maxGuests', house({ maxGuests: 40_000 })],
    ['house.turnTimes', house({ turnTimes: [{ upTo: 2, minutes: 5 }] })],
    [
      'house.turnTimes',
      house({
        turnTimes: [
          { upTo: 4, minutes: 90 },
          { upTo: 4, minutes: 120 },
        ],
      }),
    ],
    ['house.turnTimes', house({ turnTimes: [] })],
    ['house.duration.minMinutes', house({ duration: { minMinutes: 90, maxMinutes: 60, stepMinutes: 15 } })],
    ['house.zoneIds', house({ zoneIds: [...zoneIds, ...zoneIds] })],
    ['availabilityRules', own({ availabilityRules: [] })],
    ['key', own({ key: 'supper' })],
  ];
  for (const [field, body] of wrong) await assertUnfit(maitred(), 'PUT', path, body, field);
  const refused = async (body: Body, status: number, code: string) =>
    assertProblem(await send(maitred(), 'PUT', path, body), status, code);
  await refused(own({ spaceIds: [2_000_000] }), 404, 'VENUE-N-004');
  await refused(house({ zoneIds: [2_000_000] }), 404, 'VENUE-N-003');
  const overlapping = [
    { opens: '12:00', closes: '15:00' },
    { opens: '14:00', closes: '15:00' },
  ];
  await refused(own({ hours: { weekly: [{ weekdays: [1], periods: overlapping }] } }), 400, 'VENUE-N-006');
  assert.deepEqual(await read(maitred(), path), before);
});

test('a product cannot have the spaces, zones and menus of another venue', async () => {
  const garden = (await read(maitred(), at('1|house|garden-room', '/products'))).data;
  const [space] = await maitred().sql`select id from space where venue_id <> ${SOHO} limit 1`;
  const [zone] = await maitred().sql`select id from house_zone where venue_id <> ${SOHO} limit 1`;
  const menuIds = garden.flatMap((product: Body) => product.menuIds);
  assert.ok(menuIds.length > 0);
  const add = (changes: Body) => send(maitred(), 'POST', PRODUCTS, newProduct('odd', changes));
  assertProblem(await add({ spaceIds: [space?.id] }), 404, 'VENUE-N-004');
  assertProblem(await add({ house: { zoneIds: [zone?.id] } }), 404, 'VENUE-N-003');
  await assertUnfit(maitred(), 'POST', PRODUCTS, newProduct('odd', { menuIds }), 'menuIds');
  assertProblem(await maitred().call(`${PRODUCTS}/odd`, { as: 'demo-admin' }), 404, 'VENUE-N-002');
});

test('a product that was never booked can go, and one that was cannot', async () => {
  const product = await done(maitred(), 'POST', PRODUCTS, newProduct('brief'));
  const path = `${PRODUCTS}/brief`;
  await done(maitred(), 'DELETE', path);
  const [entry] = (await read(maitred(), '/manage/operators/1/audit?pageSize=1')).data;
  assert.deepEqual([entry.action, entry.before, entry.after], ['product.remove', product, null]);
  for (const method of ['PUT', 'DELETE'] as const) {
    const body = method === 'PUT' ? productChange(product) : undefined;
    assertProblem(await send(maitred(), method, path, body), 404, 'VENUE-N-002');
  }
  const { id } = await booked(maitred());
  await maitred().call(`/venues/bookings/${id}`, { method: 'DELETE' });
  await assertUnfit(maitred(), 'DELETE', `${PRODUCTS}/dinner`, undefined, 'productKey');
  assert.equal((await maitred().sql`select from product where id = ${DINNER}`).length, 1);
});

/** A product of Soho Grill that `demo-partner` can book. */
async function offered(key: string): Promise<string> {
  const { compositeId } = await done(maitred(), 'POST', PRODUCTS, newProduct(key));
  await maitred().sql`
    insert into product_mapping (partner_id, product_id, venue_id) values (1, ${compositeId}, ${SOHO})`;
  await eventually(async () => {
    const { products } = (await maitred().call(`/venues/${encodeURIComponent(SOHO)}`)).json;
    return products.some((each: Body) => each.compositeId === compositeId);
  });
  return compositeId;
}

test('a booking that waits for its product to go is told so', async () => {
  const productId = await offered('vanishing');
  const waiting = async (tx: Tx) => {
    await tx`lock table audit_entry in exclusive mode`;
    const removal = send(maitred(), 'DELETE', `${PRODUCTS}/vanishing`);
    await eventually(() => areWaiting(maitred().sql, 1));
    const unguarded = maitred().sql`
      insert into house_reservation (id, reference, product_id, venue_id, trading_day, starts_at, duration_minutes, guests)
      values (gen_random_uuid(), 'unguarded', ${productId}, ${SOHO}, '2027-01-01', now(), 60, 2)`.then(
      () => 'stored',
      ({ code }) => code,
    );
    const booking = book(maitred(), { date: freeDay(), time: '19:00' }, { productId });
    await eventually(() => areWaiting(maitred().sql, 3));
    return [removal, booking, unguarded] as const;
  };
  const [removal, booking, unguarded] = await inTransaction(maitred().sql, waiting);
  assert.equal((await removal).status, 204);
  assertProblem(await booking, 404, 'VENUE-N-002');
  assert.equal(await unguarded, '23503', 'what the booking would have been told otherwise');
});

test('of booking a product and removing it at once only one is done', async () => {
  for (const round of [1, 2, 3, 4]) {
    const productId = await offered(`contested-${round}`);
    const date = freeDay();
    const booking = book(maitred(), { date, time: '19:00' }, { productId });
    const removal = send(maitred(), 'DELETE', `${PRODUCTS}/contested-${round}`);
    const statuses = [(await booking).status, (await removal).status];
    assert.ok(['201,400', '404,204'].includes(String(statuses)), String(statuses));
  }
});

test('products of a system that is not built in say nothing of seats or tickets', async () => {
  await maitred().sql`insert into operator_system (operator_id, tms) values (1, 'remote')`;
  const { id } = await openVenue(maitred(), 'far-away', { tms: 'remote' });
  const path = at(id, '/products');
  await assertUnfit(maitred(), 'POST', path, newProduct('table'), 'house');
  const { house: _, ...body } = newProduct('table');
  const product = await done(maitred(), 'POST', path, body);
  assert.deepEqual([product.house, product.tickets], [null, null]);
});

test('a venue has only so many products, packages, menus and times', async () => {
  const { sql } = maitred();
  const { id } = await openVenue(maitred(), 'crammed');
  const event = await openVenue(maitred(), 'endless', { tms: 'tickets' });
  await sql`insert into product (id, venue_id, name, time_interval_minutes)
    select ${id} || '|p' || n, ${id}, 'P', 30 from generate_series(1, 200) n`;
  await sql`insert into package (venue_id, name, price_pence, price_per)
    select ${id}, 'P', 1, 'guest' from generate_series(1, 200)`;
  await sql`insert into menu (venue_id, name) select ${id}, 'M' from generate_series(1, 100)`;
  await sql`insert into ticket_occurrence (venue_id, date, starts_minute, duration_minutes)
    select ${event.id}, date '2027-01-01' + n, 600, 60 from generate_series(1, 10000) n`;
  const time = { date: '2026-12-31', startsMinute: 600, durationMinutes: 60 };
  for (const [path, body] of [
    [at(id, '/products'), newProduct('more')],
    [at(id, '/packages'), { name: 'More', pricePence: 1, pricePer: 'guest' }],
    [at(id, '/menus'), { name: 'More', items: [] }],
    [at(event.id, '/occurrences'), time],
  ] as const) {
    const { detail } = assertProblem(await send(maitred(), 'POST', path, body), 400, 'VALID-N-001');
    assert.match(
      detail,
      /^There can be no more than [0-9]+ (products|packages|menus|occurrences) at a venue/,
    );
  }
});
