import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import { importOperator, mapVenue } from '../../../src/features/venues/service.ts';
import { parseProductId, parseVenueId } from '../../../src/kernel/ids.ts';
import { hideParts, leaksIn, sightOf, watchers } from '../../abuse/support/sight.ts';
import type { TestApp } from '../../support/app.ts';
import { VIP } from '../bookings/support.ts';
import { BLUE_NOTE, JAZZ_NIGHT, listingsApp, plainVenue } from './support.ts';

const HALL = '910|house|hall';
const GALA = '910|tickets|gala';
const QUIZ = '910|tickets|quiz';

/** The demo partner knows a hall and one of its two events, the other partner that event and not the hall. */
async function prepare(app: TestApp): Promise<void> {
  await hideParts(app);
  await app.sql`delete from product_mapping where product_id = ${VIP}`;
  const event = (name: string) =>
    plainVenue(name, { tms: 'tickets', host: { tms: 'house', resourceId: 'hall' }, products: [] });
  await inTransaction(app.sql, async (tx) => {
    const venues = [event('gala'), plainVenue('hall'), event('quiz')];
    await importOperator(tx, { id: 910, name: 'Halls', systems: ['house', 'tickets'], venues });
    const map = (partnerId: number, id: string) =>
      mapVenue(tx, { partnerId, venueId: parseVenueId(id), productIds: [] });
    await map(1, HALL);
    await map(1, GALA);
    await map(2, GALA);
  });
}

const { app, get, ids, items } = listingsApp({}, prepare);
const PLAIN = '?city=plainville';

test('an event that is not mapped leaves no trace in the item of its host', async () => {
  assert.deepEqual(await ids(PLAIN), [[HALL, GALA]]);
  assert.deepEqual(await ids(PLAIN, 'demo-admin'), [[HALL, GALA, QUIZ]]);
  assert.deepEqual(await ids('?venueName=quiz'), [], 'nor does it help to find the host');
});

test('an event whose host is not mapped is an item by itself', async () => {
  assert.deepEqual(await ids(PLAIN, 'other-partner'), [[GALA]]);
  const [item] = await items('?venueName=gala', 'other-partner');
  assert.equal(item?.name, 'gala');
  assert.deepEqual(await ids('?venueName=hall', 'other-partner'), []);
  assert.deepEqual(await ids('?venueName=gala&capability=event_ticket', 'other-partner'), [[GALA]]);
});

test('what is counted is what is listed, also where events have lost their host', async () => {
  for (const as of ['demo-partner', 'other-partner', 'demo-admin']) {
    const { totalItems } = (await get('', as)).json.meta;
    assert.equal((await ids('', as)).length, totalItems, as);
  }
});

test('a ticket type that is not mapped is not listed', async () => {
  const [item] = await items('?capability=event_ticket&features=event');
  const [night] = item?.capabilities ?? [];
  assert.equal(night?.id, JAZZ_NIGHT);
  assert.deepEqual(
    night?.bookableProducts.map(({ compositeId }) => compositeId),
    ['2|tickets|jazz-night|standard'],
  );
  assert.doesNotMatch((await get('?capability=event_ticket')).text, /jazz-night\|vip/);
});

test('every caller sees its own venues and nothing of the others, whichever way it asks', async () => {
  for (const watcher of watchers) {
    const { venueIds, productIds, secrets } = await sightOf(app().sql, watcher);
    for (const query of [
      '',
      '&sortBy=name',
      '&capability=table_reservation',
      '&query=london%20jazz%20private',
    ]) {
      const answer = await app().call(`/v1/listings?pageSize=100${query}`, {
        as: watcher.client,
        headers: watcher.headers,
      });
      if (watcher.name === 'demo-operator') {
        assert.equal(answer.status, 403, 'operators read venues, not listings');
        continue;
      }
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(leaksIn(answer.text, secrets, query), [], watcher.name);
      const listed = idsIn(answer.json.listings);
      assert.deepEqual(
        listed.venues.filter((id) => !venueIds.has(id)),
        [],
      );
      assert.deepEqual(
        listed.products.filter((id) => !productIds.has(parseProductId(id))),
        [],
      );
      if (query === '') assert.equal(listed.venues.length, venueIds.size, watcher.name);
    }
  }
});

interface Listed {
  id: string;
  bookableProducts: { compositeId: string }[];
}
function idsIn(groups: { items: { capabilities: Listed[] }[] }[]) {
  const listings = groups.flatMap(({ items: listed }) => listed).flatMap(({ capabilities }) => capabilities);
  return {
    venues: listings.map(({ id }) => id),
    products: listings.flatMap(({ bookableProducts }) =>
      bookableProducts.map(({ compositeId }) => compositeId),
    ),
  };
}

test('rules for others are not in the calendar, and what is kept for others does not say for whom', async () => {
  const [item] = await items('?venueName=anatolia');
  const blackouts = item?.capabilities[0]?.availabilityOccurrence.filter(
    ({ kind, startDate }) => kind === 'blackout' && startDate === null,
  );
  assert.deepEqual(
    blackouts?.map(({ weekdays, startTime, reason }) => [weekdays, startTime, reason]).toSorted(),
    [
      [[5], '20:00', 'Regulars ring on Fridays'],
      [null, '19:00', null],
    ].toSorted(),
  );
});

test('a host that goes leaves its events behind as items of their own', async () => {
  const { sql } = app();
  await sql`delete from venue where id = ${BLUE_NOTE}`;
  const [event] = await sql`select host_venue_id as host from venue where id = ${JAZZ_NIGHT}`;
  assert.equal(event?.host, null);
  assert.deepEqual(await ids('?features=event&city=london'), [[JAZZ_NIGHT]]);
});

test('an event is hosted by a venue of its own operator, and by no event', async () => {
  const host = { tms: 'house', resourceId: 'elsewhere' };
  const attempts = [
    [plainVenue('show', { tms: 'tickets', host })],
    [plainVenue('show', { tms: 'tickets', host }), plainVenue('elsewhere', { host })],
    [
      plainVenue('show', { tms: 'tickets', host }),
      plainVenue('elsewhere', { tickets: { occurrences: [], ticketTypes: [] } }),
    ],
  ];
  for (const venues of attempts) {
    const refused = inTransaction(app().sql, (tx) =>
      importOperator(tx, { id: 911, name: 'Nobody', systems: [], venues }),
    );
    await assert.rejects(refused, { code: 'VALID-N-001' });
  }
});
