import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import { mapVenue } from '../../../src/features/venues/service.ts';
import { parseProductId, parseVenueId } from '../../../src/kernel/ids.ts';
import { assertProblem } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { book, booked, freeDay } from '../bookings/support.ts';
import { at, type Body, DAILY, done, keepingApp, layTables, newProduct, openVenue } from './keeping.ts';

const maitred = keepingApp();

test('a venue that is made over HTTP is read, offered and booked as soon as a partner has it', async () => {
  const venue = await openVenue(maitred(), 'from-nothing');
  const venueId = parseVenueId(venue.id);
  await done(maitred(), 'PUT', at(venueId, '/hours'), DAILY);
  await layTables(maitred(), venueId);
  const feast = await done(maitred(), 'POST', at(venueId, '/packages'), {
    name: 'Feast',
    pricePence: 4000,
    pricePer: 'guest',
  });
  const product = newProduct('supper', {
    slug: 'supper',
    category: 'dinner',
    packageIds: [feast.id],
    preOrderRequiredType: 'package',
  });
  const { compositeId: productId } = await done(maitred(), 'POST', at(venueId, '/products'), product);
  assertProblem(await maitred().call(`/venues/${encodeURIComponent(venueId)}`), 403, 'PMAP-N-001');
  await inTransaction(maitred().sql, (tx) =>
    mapVenue(tx, { partnerId: 1, venueId, productIds: [parseProductId(productId)] }),
  );

  const read = () => maitred().call(`/venues/${encodeURIComponent(venueId)}`);
  await eventually(async () => (await read()).status === 200);
  const shown = (await read()).json;
  assert.deepEqual([shown.name, shown.reservable, shown.timeZone], ['The Lantern', true, 'Europe/London']);
  assert.deepEqual(shown.types, [{ slug: 'restaurant', name: 'Restaurant' }]);
  assert.deepEqual(shown.opening_times.weekly[0].periods, [{ opens: '12:00', closes: '23:00' }]);
  const [supper] = shown.products;
  assert.deepEqual([supper.category.slug, supper.preOrderRequiredType], ['dinner', 'package']);

  const date = freeDay();
  const path = `/venues/${encodeURIComponent(productId)}/availability?partySize=4&date=${date}`;
  const { times } = (await maitred().call(path)).json;
  assert.ok(times.some(({ time }: Body) => time === '19:00'));
  const draft = { date, time: '19:00', partySize: 4 };
  assertProblem(await book(maitred(), draft, { productId }), 422, 'BOOK-N-007');
  const preorders = { packages: [{ id: feast.id, quantity: 4 }] };
  const booking = await booked(maitred(), { ...draft, preorders }, { productId });
  assert.equal(booking.status, 'confirmed');
  assertProblem(await book(maitred(), { ...draft, preorders }, { productId }), 409, 'AVAIL-N-005');
});

test('a product appears with the partner that is given it, and goes when it is removed', async () => {
  const venue = await openVenue(maitred(), 'second');
  const venueId = parseVenueId(venue.id);
  await layTables(maitred(), venueId);
  const first = await done(maitred(), 'POST', at(venueId, '/products'), newProduct('first'));
  await inTransaction(maitred().sql, (tx) =>
    mapVenue(tx, { partnerId: 1, venueId, productIds: [parseProductId(first.compositeId)] }),
  );
  const keys = async () => {
    const { products } = (await maitred().call(`/venues/${encodeURIComponent(venueId)}`)).json;
    return products?.map(({ compositeId }: Body) => compositeId.split('|')[3]) ?? [];
  };
  await eventually(async () => String(await keys()) === 'first');
  const second = await done(maitred(), 'POST', at(venueId, '/products'), newProduct('second'));
  await maitred().sql`
    insert into product_mapping (partner_id, product_id, venue_id) values (1, ${second.compositeId}, ${venueId})`;
  await eventually(async () => String(await keys()) === 'first,second');
  await done(maitred(), 'DELETE', at(venueId, '/products/first'));
  await eventually(async () => String(await keys()) === 'second');
});
