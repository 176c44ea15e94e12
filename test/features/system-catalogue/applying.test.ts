/** A catalogue is read, reviewed and applied; what the system does not say stays. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { DAY, supper } from '../../support/remote-tms/bistros.ts';
import {
  managed,
  OPERATOR,
  PRODUCT,
  product,
  type Said,
  startWorld,
  venue,
  venuePath,
  type World,
} from './support.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());
beforeEach(() => {
  world.system.answer = undefined;
});

const counts = ({ added, changed, withdrawn, unchanged, failed }: Said) => [
  added,
  changed,
  withdrawn,
  unchanged,
  failed,
];
const kinds = (differences: Said[]) =>
  differences.map(({ kind, subject, resourceId, productKey }) =>
    [kind, subject, resourceId, productKey].filter(Boolean).join(' '),
  );

test('a dry run shows what is new, and nothing is there until it is applied', async () => {
  const { system } = world;
  system.venues = [
    venue('bistro', { phone: '+33 1', spaces: [{ id: 'ter/race', name: 'Terrace' }] }),
    venue('bar', { products: [product('drinks', { pricePence: 1250 }), product('brunch')] }),
    venue('nowhere', { address: undefined, position: undefined }),
  ];
  const begun = await world.begun();
  assert.deepEqual([begun.kind, begun.state, begun.pages], ['review', 'running', 0]);
  assertProblem(await world.call('?dryRun=true', { method: 'POST' }), 409, 'OPRTR-N-011');
  const review = await world.work(begun.id);
  assert.deepEqual([review.state, review.pages, review.venuesRead, review.total], ['done', 2, 3, 3]);
  assert.deepEqual(counts(review), [7, 0, 0, 0, 0]);
  const found = await world.differences(review.id);
  assert.deepEqual(kinds(found), [
    'added venue bistro',
    'added product bistro supper',
    'added venue bar',
    'added product bar drinks',
    'added product bar brunch',
    'added venue nowhere',
    'added product nowhere supper',
  ]);
  assert.ok(found.every(({ isApplied }) => !isApplied));
  const change = (at: number, field: string) =>
    found[at].changes.find((each: Said) => each.field === field)?.after;
  assert.deepEqual([change(0, 'hours'), change(0, 'spaces')], ['Mon 12:00–23:00', 'Terrace']);
  assert.equal(change(3, 'price'), '12.50');
  assert.match(found[5].note, /does not say where it is/);
  assert.equal(
    (await world.app.call(`/manage/venues/${venuePath('bistro')}`, { as: 'demo-admin' })).status,
    404,
  );

  assertProblem(await world.call('', { method: 'POST', body: {} }), 409, 'OPRTR-N-010');
  const applied = await world.work((await world.begun({ reviewedRunId: review.id })).id);
  assert.deepEqual([applied.kind, applied.state, applied.reviewedRunId], ['apply', 'done', review.id]);
  assert.deepEqual(counts(applied), [7, 0, 0, 0, 0]);
  assert.ok((await world.differences(applied.id)).every(({ isApplied }) => isApplied));
  const bistro = await managed(world, venuePath('bistro'));
  assert.deepEqual(
    [bistro.name, bistro.phoneNumber, bistro.location.city],
    ['Venue bistro', '+33 1', 'Paris'],
  );
  const nowhere = await managed(world, venuePath('nowhere'));
  assert.deepEqual([nowhere.location.city, nowhere.location.countryCode], ['Paris', 'ZZ']);
  const { data: spaces } = await managed(world, `${venuePath('bistro')}/spaces`);
  assert.deepEqual(
    spaces.map(({ name }: Said) => name),
    ['Terrace'],
  );
  // Partners see nothing until it is mapped.
  assertProblem(await world.app.call(`/venues/${venuePath('bistro')}`), 403, 'PMAP-N-001');

  const subject = encodeURIComponent(`venue ${decodeURIComponent(venuePath('bar'))}`);
  const audit = await world.app.call(`/manage/operators/${OPERATOR}/audit?subject=${subject}`, {
    as: 'demo-admin',
  });
  const [entry, ...others] = audit.json.data;
  assert.deepEqual([entry.action, entry.actor.id, others], ['catalogue.apply', 'demo-admin', []]);

  const again = await world.review();
  assert.deepEqual(counts(again), [0, 0, 0, 7, 0]);
  assert.deepEqual(await world.differences(again.id), []);
});

test('listings tell the price and the party sizes that the system has said', async () => {
  await world.sell(
    `${OPERATOR}|elsewhere|bar|drinks` as typeof PRODUCT,
    `${OPERATOR}|elsewhere|bar|brunch` as typeof PRODUCT,
  );
  const { json } = await world.app.call('/v1/listings?pageSize=100');
  const listings = json.listings
    .flatMap(({ items }: Said) => items)
    .flatMap(({ capabilities }: Said) => capabilities);
  const listing = listings.find(({ name }: Said) => name === 'Venue bar');
  assert.deepEqual(
    listing.bookableProducts.map(({ name, price, minQuantity, maxQuantity }: Said) => [
      name,
      price,
      minQuantity,
      maxQuantity,
    ]),
    [
      ['Product drinks', 1250, 1, 8],
      ['Product brunch', null, 1, 8],
    ],
  );
});

test('changes are applied, and what operators have added stays', async () => {
  const { system, app } = world;
  const path = `/manage/venues/${venuePath('bistro')}`;
  const {
    id: _,
    operatorId: __,
    tms: ___,
    resourceId: ____,
    closedAt: _____,
    ...body
  } = await managed(world, venuePath('bistro'));
  const own = {
    ...body,
    content: { ...body.content, summary: 'Ours', highlights: ['The garden'] },
    website: 'https://ours.example',
  };
  assert.equal((await app.call(path, { method: 'PUT', as: 'demo-admin', body: own })).status, 200);
  const [bistro] = system.venues;
  Object.assign(bistro, {
    name: 'Grand Bistro',
    hours: {
      weekly: [
        { weekday: 6, opens: 1080, closes: 1560 },
        { weekday: 5, opens: 1080, closes: 1560 },
      ],
      exceptions: [{ date: '2035-12-25', periods: [] }],
    },
    spaces: [
      { id: 'ter/race', name: 'Terrasse' },
      { id: 'cave', name: 'Cellar' },
    ],
    products: [product('supper', { maxGuests: 10 }), product('late')],
  });
  const review = await world.review();
  assert.deepEqual(counts(review), [1, 2, 0, 5, 0]);
  const [ofVenue, ofProduct] = await world.differences(review.id, '?kind=changed');
  assert.deepEqual(ofVenue.changes, [
    { field: 'name', before: 'Venue bistro', after: 'Grand Bistro' },
    {
      field: 'hours',
      before: 'Mon 12:00–23:00',
      after: 'Fri 18:00–02:00; Sat 18:00–02:00; 2035-12-25 closed',
    },
    { field: 'spaces', before: 'Terrace', after: 'Terrasse; Cellar' },
  ]);
  assert.deepEqual(ofProduct.changes, [{ field: 'maxGuests', before: '8', after: '10' }]);
  const applied = await world.applied();
  assert.deepEqual(counts(applied), [1, 2, 0, 5, 0]);
  const after = await managed(world, venuePath('bistro'));
  assert.deepEqual(
    [after.name, after.content.summary, after.content.highlights, after.website],
    ['Grand Bistro', 'Ours', ['The garden'], 'https://ours.example'],
  );
  assert.deepEqual(counts(await world.review()), [0, 0, 0, 8, 0]);
});

test('a product that is gone is no longer sold, its booking stays, and it comes back', async () => {
  const { system, app } = world;
  await world.sell(PRODUCT);
  const at = `/venues/${encodeURIComponent(PRODUCT)}`;
  const booked = await app.call(`${at}/booking`, { method: 'POST', body: supper });
  assert.equal(booked.status, 201, booked.text);
  const availability = () => app.call(`${at}/availability?date=${DAY}&partySize=2`);
  assert.equal((await availability()).status, 200);

  const [bistro] = system.venues;
  const all = bistro.products;
  bistro.products = [product('late')];
  const applied = await world.applied();
  assert.equal(applied.withdrawn, 1);
  const [difference] = await world.differences(applied.id);
  assert.deepEqual(
    [difference.kind, difference.productKey, difference.changes],
    ['withdrawn', 'supper', [{ field: 'isOnSale', before: 'yes', after: 'no' }]],
  );
  assert.equal((await managed(world, `${venuePath('bistro')}/products/supper`)).isWithdrawn, true);
  const refused = await availability();
  assertProblem(refused, 404, 'AVAIL-N-001');
  assert.match(refused.json.detail, /no longer sells/);
  const second = await app.call(`${at}/booking`, { method: 'POST', body: supper });
  assert.ok(second.status >= 400, second.text);
  assert.equal((await app.call(`/venues/bookings/${booked.json.id}`)).json.status, 'confirmed');
  assert.deepEqual(counts(await world.review()).slice(0, 3), [0, 0, 0]);

  bistro.products = all;
  const back = await world.applied();
  assert.deepEqual(counts(back).slice(0, 3), [0, 1, 0]);
  assert.equal((await availability()).status, 200);

  bistro.products = [product('late')];
  await world.applied();
  const cancelled = await app.call(`/venues/bookings/${booked.json.id}`, { method: 'DELETE' });
  assert.ok(cancelled.status < 300, cancelled.text);
  bistro.products = all;
  await world.applied();
});

test('the products of a venue that is gone are withdrawn, and the venue stays', async () => {
  const { system } = world;
  const gone = system.venues.splice(1, 1);
  const review = await world.review();
  const found = await world.differences(review.id);
  assert.deepEqual(kinds(found), [
    'withdrawn venue bar',
    'withdrawn product bar drinks',
    'withdrawn product bar brunch',
  ]);
  assert.match(found[0].note, /The venue stays/);
  assert.equal((await world.applied()).withdrawn, 3);
  const { data } = await managed(world, `${venuePath('bar')}/products`);
  assert.deepEqual(
    data.map(({ isWithdrawn }: Said) => isWithdrawn),
    [true, true],
  );
  assert.equal((await world.review()).withdrawn, 0);
  system.venues.push(...gone);
  assert.equal((await world.applied()).changed, 2);
});

test('what has changed since the review is left for the next one', async () => {
  const { system } = world;
  const [bistro, , nowhere] = system.venues;
  bistro.name = 'Reviewed';
  const { id: reviewedRunId } = await world.review();
  bistro.name = 'Not reviewed';
  const withoutLast = system.venues.filter((each) => each !== nowhere);
  const all = system.venues;
  system.venues = withoutLast;
  const applied = await world.work((await world.begun({ reviewedRunId })).id);
  const found = await world.differences(applied.id);
  assert.ok(found.length >= 2);
  for (const { isApplied, note } of found) {
    assert.equal(isApplied, false);
    assert.match(note, /since the review/);
  }
  assert.notEqual((await managed(world, venuePath('bistro'))).name, 'Not reviewed');
  system.venues = all;
});

test('a review that is too old, failed, unknown or of no dry run is refused', async () => {
  const { id: reviewedRunId } = await world.review();
  const { id: appliedRunId } = await world.work((await world.begun({ reviewedRunId })).id);
  const refused = async (id: string) =>
    assertProblem(await world.call('', { method: 'POST', body: { reviewedRunId: id } }), 409, 'OPRTR-N-010');
  await refused(appliedRunId);
  await refused('019a8a11-2f6c-7c1e-9d1a-3b52f0c4a7e1');
  assertProblem(
    await world.call('?dryRun=true', { method: 'POST', body: { reviewedRunId } }),
    400,
    'VALID-N-001',
  );
  world.wind(25 * 3600);
  await refused(reviewedRunId);
});
