import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { emptyEventLog } from '../../support/databases/empty-event-log.ts';
import { eventually } from '../../support/eventually.ts';
import { booked } from '../bookings/support.ts';
import {
  assertGuarded,
  assertUnfit,
  at,
  done,
  JAZZ,
  keepingApp,
  newVenue,
  openVenue,
  read,
  SOHO,
  send,
  venueChange,
} from './keeping.ts';

const maitred = keepingApp();
const VENUES = '/manage/operators/1/venues';

test('a venue that is added is read back, listed, and written into the audit log', async () => {
  const sent = newVenue('lantern');
  const venue = await done(maitred(), 'POST', VENUES, sent, { as: 'demo-operator' });
  assert.deepEqual(venue, {
    id: '1|house|lantern',
    operatorId: 1,
    ...sent,
    hostVenueId: null,
    closedAt: null,
  });
  assert.deepEqual(await read(maitred(), at(venue.id)), venue);
  const { data, meta } = await read(maitred(), `${VENUES}?pageSize=100`);
  assert.deepEqual(
    data.find(({ id }: { id: string }) => id === venue.id),
    venue,
  );
  assert.equal(meta.totalItems, data.length);
  const auditLog = await read(maitred(), '/manage/operators/1/audit?subject=venue%201%7Chouse%7Clantern');
  assert.equal(auditLog.data.length, 1);
  const [{ action, actor, before, after }] = auditLog.data;
  assert.deepEqual([action, actor.id, before, after], ['venue.create', 'demo-operator', null, venue]);
});

test('what may be left out is null, and what is null counts as left out', async () => {
  const { phoneNumber: _, website: __, ...rest } = newVenue('bare', { content: {}, types: [] });
  const location = { lat: 0, lng: 0, area: 'Nowhere', city: 'Null Island', countryCode: 'GH' };
  const venue = await done(maitred(), 'POST', VENUES, { ...rest, hostVenueId: null, location });
  assert.deepEqual(venue.content, { summary: null, description: null, highlights: [] });
  assert.deepEqual(venue.location, { ...location, address: null, postcode: null });
  assert.deepEqual([venue.phoneNumber, venue.website, venue.hostVenueId], [null, null, null]);
});

test('a venue needs a system of its operator', async () => {
  const refused = async (code: string, body = newVenue('x'), operatorId = 1) =>
    assertProblem(await send(maitred(), 'POST', `/manage/operators/${operatorId}/venues`, body), 404, code);
  await refused('BOOK-N-003', newVenue('x', { tms: 'elsewhere' }));
  await refused('OPRTR-N-001', newVenue('x'), 987_654);
  assertProblem(
    await maitred().call('/manage/operators/987654/venues', { as: 'demo-admin' }),
    404,
    'OPRTR-N-001',
  );
  const { sql } = maitred();
  await sql`insert into operator (id, name) values (700, 'Nobody yet')`;
  await refused('BOOK-N-001', newVenue('x'), 700);
  await sql`insert into operator_system (operator_id, tms) values (700, 'house')`;
  await refused('EVENT-N-001', newVenue('x', { tms: 'tickets' }), 700);
  assert.equal((await sql`select from venue where resource_id = 'x'`).length, 0);
});

test('of two who add the same venue at once one is told that it is there', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => send(maitred(), 'POST', VENUES, newVenue('twice'))));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400]);
  await assertUnfit(maitred(), 'POST', VENUES, newVenue('twice'), 'resourceId');
});

test('what a venue cannot be is refused field by field, and nothing is stored', async () => {
  const { location } = newVenue('y');
  const wrong: [string, object][] = [
    ['timeZone', { timeZone: 'Europe/Atlantis' }],
    ['timeZone', { timeZone: '+01:00' }],
    ['timeZone', { timeZone: 'europe/london' }],
    ['website', { website: 'javascript:alert(1)' }],
    ['website', { website: 'https://' }],
    ['types', { types: ['restaurant', 'volcano'] }],
    ['types', { types: ['restaurant', 'restaurant'] }],
    ['name', { name: '  ' }],
    ['resourceId', { resourceId: 'a|b' }],
    ['location.countryCode', { location: { ...location, countryCode: 'GBR' } }],
    ['location.lat', { location: { ...location, lat: 91 } }],
    ['photos', { photos: [] }],
    ['hostVenueId', { hostVenueId: SOHO }],
  ];
  for (const [field, changes] of wrong)
    await assertUnfit(maitred(), 'POST', VENUES, newVenue('y', changes), field);
  assert.equal((await maitred().sql`select from venue where resource_id = 'y'`).length, 0);
});

test('a change replaces everything but the id, and is held against what was read', async () => {
  const venue = await openVenue(maitred(), 'changing');
  const body = venueChange(venue, { name: 'Other', website: undefined, types: ['bar'], content: {} });
  const entry = await assertGuarded(maitred(), at(venue.id), body);
  assert.deepEqual([entry.action, entry.subject], ['venue.change', `venue ${venue.id}`]);
  const now = await read(maitred(), at(venue.id));
  assert.deepEqual([now.name, now.website, now.types, now.resourceId], ['Other', null, ['bar'], 'changing']);
  await assertUnfit(maitred(), 'PUT', at(venue.id), { ...body, tms: 'tickets' }, 'tms');
  await assertUnfit(maitred(), 'PUT', at(venue.id), { ...body, timeZone: 'Mars/Base' }, 'timeZone');
  assert.deepEqual(await read(maitred(), at(venue.id)), now);
});

test('the time zone of a venue with bookings stays', async () => {
  const { id } = await openVenue(maitred(), 'moving');
  const moved = await done(
    maitred(),
    'PUT',
    at(id),
    venueChange(newVenue('moving'), { timeZone: 'Asia/Kolkata' }),
  );
  assert.equal(moved.timeZone, 'Asia/Kolkata');
  await booked(maitred());
  const venue = await read(maitred(), at(SOHO));
  const body = venueChange(venue, { timeZone: 'Europe/Paris' });
  await assertUnfit(maitred(), 'PUT', at(SOHO), body, 'timeZone');
});

test('every venue of the demo data, its hours, packages and menus can be sent back as they were read', async () => {
  const { data } = await read(maitred(), `${VENUES}?pageSize=100`);
  for (const venue of data.slice(0, 8)) {
    assert.deepEqual(await done(maitred(), 'PUT', at(venue.id), venueChange(venue)), venue);
    const hours = await read(maitred(), at(venue.id, '/hours'));
    assert.deepEqual(await done(maitred(), 'PUT', at(venue.id, '/hours'), hours), hours);
    for (const kind of ['/packages', '/menus']) {
      for (const { id, ...body } of (await read(maitred(), at(venue.id, kind))).data)
        assert.deepEqual(await done(maitred(), 'PUT', at(venue.id, `${kind}/${id}`), body), { id, ...body });
    }
  }
});

test('a search finds a venue by what it is called now', async () => {
  const found = async (query: string) =>
    (await maitred().call(`/venues?query=${query}&fields=id`)).json.data.map(({ id }: { id: string }) => id);
  const venue = await read(maitred(), at(SOHO));
  await done(maitred(), 'PUT', at(SOHO), venueChange(venue, { name: 'Quixotic Ember' }));
  await eventually(async () => (await found('quixotic')).includes(SOHO));
  await done(maitred(), 'PUT', at(SOHO), venueChange(venue));
  await eventually(async () => !(await found('quixotic')).includes(SOHO));
});

test('an event has a host of the same operator that is no event', async () => {
  const VENUES_2 = '/manage/operators/2/venues';
  const event = (resourceId: string, hostVenueId: string | null) =>
    newVenue(resourceId, { tms: 'tickets', hostVenueId });
  for (const host of [SOHO, '2|house|nowhere', JAZZ])
    await assertUnfit(maitred(), 'POST', VENUES_2, event('gala', host), 'hostVenueId');
  const gala = await done(maitred(), 'POST', VENUES_2, event('gala', '2|house|blue-note'));
  assert.equal(gala.hostVenueId, '2|house|blue-note');
  const alone = await done(maitred(), 'PUT', at(gala.id), venueChange(gala, { hostVenueId: null }));
  assert.equal(alone.hostVenueId, null);
  await assertUnfit(
    maitred(),
    'PUT',
    at(gala.id),
    venueChange(gala, { hostVenueId: gala.id }),
    'hostVenueId',
  );
});

test('a venue that was never booked goes with everything below it; another one is to be closed', async () => {
  const venue = await openVenue(maitred(), 'short-lived');
  await done(maitred(), 'DELETE', at(venue.id), undefined, { as: 'demo-operator' });
  assertProblem(await maitred().call(at(venue.id), { as: 'demo-admin' }), 404, 'VENUE-N-001');
  assertProblem(await send(maitred(), 'DELETE', at(venue.id)), 404, 'VENUE-N-001');
  const [entry] = (await read(maitred(), '/manage/operators/1/audit?pageSize=1')).data;
  assert.deepEqual([entry.action, entry.before, entry.after], ['venue.remove', venue, null]);

  const host = await openVenue(maitred(), 'barn', {}, 2);
  const event = await openVenue(maitred(), 'dance', { tms: 'tickets', hostVenueId: host.id }, 2);
  await done(maitred(), 'DELETE', at(host.id));
  const alone = { ...event, hostVenueId: null };
  assert.deepEqual(await read(maitred(), at(event.id)), alone);
  const [ofHost, ofEvent] = (await read(maitred(), '/manage/operators/2/audit?pageSize=2')).data;
  assert.deepEqual([ofHost.action, ofHost.before], ['venue.remove', host]);
  assert.deepEqual([ofEvent.action, ofEvent.before, ofEvent.after], ['venue.change', event, alone]);

  await booked(maitred());
  await assertUnfit(maitred(), 'DELETE', at(SOHO), undefined, 'venueId');
  assert.equal((await maitred().call(`/venues/${encodeURIComponent(SOHO)}`)).status, 200);
});

test('a full venue of the demo data can go as long as nobody has booked there', async () => {
  await done(maitred(), 'DELETE', at('2|house|blue-note'));
  await done(maitred(), 'DELETE', at(JAZZ));
  const { sql } = maitred();
  assert.equal((await sql`select from product where venue_id in ('2|house|blue-note', ${JAZZ})`).length, 0);
  assertProblem(await maitred().call('/venues/2|house|blue-note'), 404, 'VENUE-N-001');
});

test('closing tells every partner and is written into the audit log, in one piece', async () => {
  const { sql } = maitred();
  const close = (path: 'close' | 'reopen') =>
    maitred().call(at(SOHO, `/${path}`), { method: 'POST', as: 'demo-operator' });
  await emptyEventLog(sql);
  await sql`alter table audit_entry add constraint broken check (action <> 'venue.close') not valid`;
  assert.equal((await close('close')).status, 500);
  assert.equal((await sql`select from event`).length, 0);
  assert.equal((await read(maitred(), at(SOHO))).closedAt, null);
  await sql`alter table audit_entry drop constraint broken`;

  const closed = await close('close');
  assert.equal(closed.status, 200, closed.text);
  assert.ok(closed.json.closedAt);
  const told = await sql`
    select partner_id as id from event where type = 'venue.updated' and operator_id is null order by 1`;
  assert.deepEqual(
    [...told],
    [...(await sql`select partner_id as id from venue_mapping where venue_id = ${SOHO} order by 1`)],
  );
  await eventually(
    async () => (await maitred().call(`/venues/${encodeURIComponent(SOHO)}`)).json.reservable === false,
  );
  assert.equal((await close('close')).json.closedAt, closed.json.closedAt);
  // And the operator once.
  assert.equal((await sql`select from event`).length, told.length + 1);

  const open = await close('reopen');
  assert.equal(open.json.closedAt, null);
  const [entry] = (await read(maitred(), '/manage/operators/1/audit?pageSize=1')).data;
  assert.deepEqual([entry.action, entry.before, entry.after], ['venue.reopen', closed.json, open.json]);
  await eventually(async () => (await maitred().call(`/venues/${encodeURIComponent(SOHO)}`)).json.reservable);
});

test('nobody touches the venues of another operator', async () => {
  const foreign = { as: 'demo-operator' };
  const refused = async (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
    assertProblem(await send(maitred(), method, path, body, foreign), 403, 'OPRTR-N-002');
  const owl = '2|house|night-owl';
  await refused('POST', '/manage/operators/2/venues', newVenue('mine'));
  await refused('PUT', at(owl), venueChange(newVenue('mine')));
  await refused('PUT', at(owl, '/hours'), { weekly: [] });
  await refused('DELETE', at(owl));
  await refused('POST', at(owl, '/close'));
  assertProblem(await maitred().call(at(owl), foreign), 403, 'OPRTR-N-002');
  assertProblem(await maitred().call(at('1|house|nowhere'), foreign), 404, 'VENUE-N-001');
});

test('venues are found by a part of their name, by their operator and by the platform', async () => {
  const names = async (path: string) =>
    (await read(maitred(), path)).data.map(({ name }: { name: string }) => name);
  assert.deepEqual(await names(`${VENUES}?name=sOHo`), ['Soho Grill']);
  assert.deepEqual(await names(`${VENUES}?name=night%20owl`), []);
  assert.deepEqual(await names('/manage/venues?name=night%20owl'), ['Night Owl']);
  assert.deepEqual(await names('/manage/venues?name=%25'), []);
});

test('people of a venue see it as partners do', async () => {
  const shown = await read(maitred(), at(SOHO, '/preview'));
  const partners = (await maitred().call(`/venues/${encodeURIComponent(SOHO)}`)).json;
  assert.deepEqual([shown.id, shown.name, shown.content], [partners.id, partners.name, partners.content]);
  assert.ok(shown.products.length >= partners.products.length);
});
