import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { jazzDay } from '../bookings/support.ts';
import { trades } from './reading.ts';
import { BLUE_NOTE, JAZZ_NIGHT, listingsApp } from './support.ts';

const { app, get, groups, items, ids } = listingsApp();

const CLUB = [BLUE_NOTE, JAZZ_NIGHT];
const text = encodeURIComponent;

test('a capability keeps the venues that have it, and of those only the listings that are it', async () => {
  const everything = await ids();
  const events = await items('?capability=event_ticket');
  assert.deepEqual(
    events.map(({ name, capabilities }) => [name, capabilities.map(({ id }) => id)]),
    [['The Blue Note Rooms', [JAZZ_NIGHT]]],
  );
  const tables = await ids('?capability=table_reservation');
  assert.deepEqual(
    tables,
    everything.map((listed) => listed.filter((id) => id !== JAZZ_NIGHT)),
  );
});

test('a name is looked for in venues and in the events they host, and other filters leave items whole', async () => {
  assert.deepEqual(await ids('?venueName=NOTE%20roo'), [CLUB]);
  assert.deepEqual(await ids('?venueName=jazz%20ni'), [CLUB]);
  assert.deepEqual(await ids('?venueName=jazz%20ni&capability=event_ticket'), [[JAZZ_NIGHT]]);
  assert.deepEqual(await ids('?venueName=jazz%20ni&capability=table_reservation'), []);
  assert.deepEqual(await ids('?venueName=%25%25'), []);
});

test('one listing of an item must meet all of the filters', async () => {
  assert.deepEqual(await ids('?features=event'), [CLUB]);
  assert.deepEqual(await ids('?features=restaurant,live-music&venueName=blue'), [CLUB]);
  assert.deepEqual(await ids('?features=restaurant&venueName=jazz'), [], 'the restaurant is not called jazz');
  assert.deepEqual(await ids('?features=event,restaurant'), [], 'the event is no restaurant');
});

test('an operator is found by any part of its name, in any case', async () => {
  const found = await groups(`?operatorName=${text('AMP & la')}`);
  assert.deepEqual(
    found.map(({ groupName }) => groupName),
    ['Lamp & Larder'],
  );
  assert.deepEqual(await ids('?operatorName=zzzz'), []);
});

test('city and area are whole names in any case', async () => {
  const camden = await items('?area=CAMDEN');
  assert.ok(camden.some(({ name }) => name === 'The Blue Note Rooms'));
  for (const { location } of camden) assert.equal(location.area, 'Camden');
  assert.deepEqual(await ids('?city=lond'), []);
  const london = await ids('?city=london');
  const others = (await items()).filter(({ location }) => location.city !== 'London');
  assert.equal(london.length + others.length, (await ids()).length);
});

test('a date finds what trades on it and what takes place on it', async () => {
  const thursday = jazzDay();
  const wednesday = Temporal.PlainDate.from(thursday).subtract({ days: 1 }).toString();
  assert.deepEqual(await ids(`?date=${thursday}&capability=event_ticket`), [[JAZZ_NIGHT]]);
  assert.deepEqual(await ids(`?date=${wednesday}&capability=event_ticket`), []);
  assert.ok(
    (await ids(`?date=${wednesday}`)).some((listed) => listed.includes(JAZZ_NIGHT)),
    'found as a house',
  );
});

test('the date filter and the calendar of a listing agree', async () => {
  // Far enough ahead to be clear of the whole days that the demo data takes out of sale.
  const first = Temporal.Now.plainDateISO('Europe/London').add({ days: 60 });
  for (let offset = 0; offset < 7; offset++) {
    const date = first.add({ days: offset }).toString();
    const trading = (await items())
      .filter(({ capabilities }) =>
        capabilities.some(
          ({ id, availabilityOccurrence }) =>
            id !== '1|house|closed-cafe' && trades(availabilityOccurrence, null, date),
        ),
      )
      .map(({ name }) => name);
    assert.ok(trading.length > 20);
    assert.deepEqual(
      (await items(`?date=${date}`)).map(({ name }) => name),
      trading,
      date,
    );
  }
});

test('a query finds words of a venue or of its events', async () => {
  assert.deepEqual(await ids('?query=seventeen-piece'), [CLUB], 'a word that only the event has');
  assert.deepEqual(await ids('?query=zzzzqqqq'), []);
});

test('a venue that is moved to another host is found there', async () => {
  const { sql } = app();
  const inCamden = '?area=camden&features=event';
  assert.deepEqual(await ids(inCamden), [CLUB]);
  await sql`update venue set host_venue_id = '1|house|soho-grill' where id = ${JAZZ_NIGHT}`;
  await eventually(async () => (await ids(inCamden))[0]?.[0] !== BLUE_NOTE);
  assert.deepEqual(await ids(inCamden), [['1|house|soho-grill', JAZZ_NIGHT]]);
  await sql`update venue set host_venue_id = ${BLUE_NOTE} where id = ${JAZZ_NIGHT}`;
});

for (const [query, field] of [
  ['?capability=parking', 'capability'],
  ['?venueName=x', 'venueName'],
  [`?venueName=${'x'.repeat(101)}`, 'venueName'],
  ['?operatorName=x', 'operatorName'],
  [`?operatorName=${'x'.repeat(101)}`, 'operatorName'],
  ['?city=x', 'city'],
  [`?area=${'x'.repeat(101)}`, 'area'],
  ['?features=', 'features'],
  ['?features=a,b,c,d,e,f,g,h,i,j,k', 'features'],
  ['?date=2026-02-30', 'date'],
  ['?query=x', 'query'],
  [`?query=${'x'.repeat(201)}`, 'query'],
  ['?pageNumber=0', 'pageNumber'],
  ['?pageSize=0', 'pageSize'],
  ['?pageSize=101', 'pageSize'],
  ['?sortBy=venueGroup', 'sortBy'],
  ['?sortBy=relevance', 'query'],
  ['?sortDirection=asc', 'sortDirection'],
] as const) {
  test(`${query.slice(0, 60)} is refused and names ${field}`, async () => {
    const body = assertProblem(await get(query), 400, 'VALID-N-001');
    assert.ok(body.errors[field]?.length > 0, JSON.stringify(body));
  });
}

test('texts of exactly the limits are taken', async () => {
  for (const name of ['venueName', 'operatorName', 'city', 'area']) {
    for (const length of [2, 100])
      assert.equal((await get(`?${name}=${'q'.repeat(length)}`)).status, 200, name);
  }
  assert.equal((await get(`?query=${'q'.repeat(200)}`)).status, 200);
  assert.equal((await get('?features=a,b,c,d,e,f,g,h,i,j')).status, 200);
});
