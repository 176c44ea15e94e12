import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from '@toon-format/toon';
import { assertProblem } from '../../support/app.ts';
import { addOperatorClient } from './amend/amending.ts';
import { BOOTH, type Body, booked, bookingsApp, DINNER, jazzDay, STANDARD } from './support.ts';

/** In the order in which they were made; the last is of another partner. */
const made: Record<'dinner' | 'enquiry' | 'booth' | 'tickets' | 'others', Body> = {
  dinner: {},
  enquiry: {},
  booth: {},
  tickets: {},
  others: {},
};

const maitred = bookingsApp({}, async (app) => {
  made.dinner = await booked(app, {
    partnerBookingId: 'dinner-1',
    depositAmount: 1250.5,
    admin_notes: 'A regular',
  });
  made.enquiry = await booked(app, { type: 'request', partySize: 10, partnerBookingId: 'enquiry-1' });
  made.booth = await booked(app, { partySize: 4 }, { productId: BOOTH });
  const night = { date: jazzDay(), time: '20:00' };
  made.tickets = await booked(app, { ...night, admin_notes: 'Press' }, { productId: STANDARD });
  made.others = await booked(app, { partnerBookingId: 'dinner-1' }, { as: 'other-partner' });
  await addOperatorClient(app.sql, 2);
});

async function list(query = '', as = 'demo-partner', headers: Record<string, string> = {}) {
  const answer = await maitred().call(`/venues/bookings${query}`, { as, headers });
  assert.equal(answer.status, 200, answer.text);
  return answer.json as { data: Body[]; meta: Body };
}

const idsOf = ({ data }: { data: Body[] }) => data.map(({ id }) => id);
const own = () => [made.tickets, made.booth, made.enquiry, made.dinner].map(({ id }) => id);

test('a partner sees its own bookings and no others, the newest first', async () => {
  const page = await list();
  assert.deepEqual(idsOf(page), own());
  assert.deepEqual(page.meta, { currentPage: 1, pageSize: 20, totalItems: 4, totalPages: 1 });
  assert.deepEqual(idsOf(await list('', 'other-partner')), [made.others.id]);
});

test('an agent sees the bookings of the partner that it acts for', async () => {
  const page = await list('', 'demo-agent', { 'x-partner-reference': 'demo-partner' });
  assert.deepEqual(idsOf(page), own());
});

test('an operator sees the bookings of its venues, whichever partner made them', async () => {
  assert.deepEqual(
    idsOf(await list('', 'demo-operator')),
    [made.others, made.enquiry, made.dinner].map(({ id }) => id),
  );
  assert.deepEqual(idsOf(await list('', 'operator-2')), [made.tickets.id, made.booth.id]);
});

test('the platform sees them all', async () => {
  assert.deepEqual(idsOf(await list('', 'demo-admin')), [made.others.id, ...own()]);
});

test('pages join up to the whole list, and beyond the last there is nothing', async () => {
  for (const pageSize of [1, 2, 3]) {
    const totalPages = Math.ceil(4 / pageSize);
    const joined: string[] = [];
    for (let pageNumber = 1; pageNumber <= totalPages; pageNumber += 1) {
      const page = await list(`?pageSize=${pageSize}&pageNumber=${pageNumber}`);
      assert.deepEqual(page.meta, { currentPage: pageNumber, pageSize, totalItems: 4, totalPages });
      joined.push(...idsOf(page));
    }
    assert.deepEqual(joined, own());
  }
  const beyond = await list('?pageSize=3&pageNumber=3');
  assert.deepEqual(beyond.data, []);
  assert.equal(beyond.meta.totalItems, 4);
});

test('a page of no size, of too many or before the first is refused', async () => {
  for (const query of ['pageSize=0', 'pageSize=101', 'pageNumber=0', 'pageNumber=x']) {
    const answer = await maitred().call(`/venues/bookings?${query}`);
    const { errors } = assertProblem(answer, 400, 'VALID-N-001');
    assert.deepEqual(Object.keys(errors), [query.split('=')[0]]);
  }
});

test('each filter keeps what it names', async () => {
  const { dinner, enquiry, booth, tickets } = made;
  assert.deepEqual(idsOf(await list(`?compositeId=${encodeURIComponent(DINNER)}`)), [enquiry.id, dinner.id]);
  assert.deepEqual(idsOf(await list(`?operatorBookingId=${booth.operatorBookingId}`)), [booth.id]);
  assert.deepEqual(idsOf(await list(`?operatorBookingId=${tickets.operatorBookingId}`)), [tickets.id]);
  assert.deepEqual(idsOf(await list('?partnerBookingId=enquiry-1')), [enquiry.id]);
});

test('status, days and venue keep what they name, and ids only what is one’s own', async () => {
  const { dinner, enquiry, booth, tickets, others } = made;
  assert.deepEqual(idsOf(await list('?status=pending')), [enquiry.id]);
  assert.deepEqual(idsOf(await list('?status=pending,confirmed')), own());
  assert.deepEqual(idsOf(await list('?status=cancelled,no_show')), []);
  const venue = encodeURIComponent('1|house|soho-grill');
  assert.deepEqual(idsOf(await list(`?venueId=${venue}`)), [enquiry.id, dinner.id]);
  assert.deepEqual(idsOf(await list(`?venueId=${venue}`, 'demo-operator')), [
    others.id,
    enquiry.id,
    dinner.id,
  ]);
  for (const { date } of [dinner, enquiry, booth, tickets]) {
    const held = [tickets, booth, enquiry, dinner];
    const idsWhere = (isWanted: (day: string) => boolean) =>
      held.filter((each) => isWanted(each.date)).map(({ id }) => id);
    assert.deepEqual(
      idsOf(await list(`?dateFrom=${date}`)),
      idsWhere((day) => day >= date),
    );
    assert.deepEqual(
      idsOf(await list(`?dateTo=${date}`)),
      idsWhere((day) => day <= date),
    );
    const both = await list(`?dateFrom=${date}&dateTo=${date}`);
    assert.deepEqual(
      idsOf(both),
      idsWhere((day) => day === date),
    );
    assert.equal(both.meta.totalItems, both.data.length);
  }
  const mixed = [dinner.id, others.id, tickets.id, '019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60'];
  assert.deepEqual(idsOf(await list(`?id=${mixed.join(',')}`)), [tickets.id, dinner.id]);
  assert.deepEqual(idsOf(await list(`?id=${dinner.id}&status=pending`)), []);
  assert.deepEqual(idsOf(await list(`?id=${dinner.id.toUpperCase()}`)), [dinner.id]);
});

test('a venue of others, or none, has no bookings to show', async () => {
  for (const id of ['3|house|hidden-kitchen', '1|house|soho-gril', '1|house|nowhere', '9|house|nowhere'])
    assert.deepEqual((await list(`?venueId=${encodeURIComponent(id)}`)).meta.totalItems, 0, id);
});

test('updatedSince keeps what has changed at that instant or later', async () => {
  const { dinner, tickets } = made;
  const since = async (instant: string) => idsOf(await list(`?updatedSince=${encodeURIComponent(instant)}`));
  assert.deepEqual(await since('2020-01-01T00:00:00Z'), own());
  assert.ok((await since(tickets.lastUpdate)).includes(tickets.id));
  const later = Temporal.Instant.from(tickets.lastUpdate).add({ milliseconds: 1 }).toString();
  assert.deepEqual(await since(later), []);
  const changes = [{ op: 'replace', path: '/phone', value: '+44 20 7946 0999' }];
  const path = `/venues/bookings/${dinner.id}`;
  const changed = (await maitred().call(path, { method: 'PATCH', body: changes })).json;
  assert.deepEqual(await since(later), [dinner.id]);
  const elsewhere = Temporal.Instant.from(changed.lastUpdate).toString({ timeZone: '+02:00' });
  assert.deepEqual(await since(elsewhere), [dinner.id]);
  made.dinner = changed;
});

test('a filter that cannot be read is refused by its name', async () => {
  for (const [query, field] of [
    ['status=seated', 'status.0'],
    ['status=', 'status'],
    ['id=7', 'id.0'],
    [`id=${Array.from({ length: 101 }, () => made.dinner.id).join(',')}`, 'id'],
    ['venueId=soho-grill', 'venueId'],
    [`venueId=${encodeURIComponent(DINNER)}`, 'venueId'],
    ['dateFrom=2026-02-30', 'dateFrom'],
    ['dateTo=tomorrow', 'dateTo'],
    ['dateFrom=2026-12-02&dateTo=2026-12-01', 'dateTo'],
    ['updatedSince=2026-12-01', 'updatedSince'],
    ['updatedSince=2026-12-01T10:00:00', 'updatedSince'],
  ] as const) {
    const answer = await maitred().call(`/venues/bookings?${query}`);
    assert.deepEqual(Object.keys(assertProblem(answer, 400, 'VALID-N-001').errors), [field], query);
  }
});

test('filters that are given together must all hold', async () => {
  const { dinner } = made;
  const [all, number] = ['?partnerBookingId=dinner-1', `operatorBookingId=${dinner.operatorBookingId}`];
  const product = `compositeId=${encodeURIComponent(DINNER)}`;
  const both = await list(`${all}&${number}&${product}`);
  assert.deepEqual(idsOf(both), [dinner.id]);
  assert.equal(both.meta.totalItems, 1);
  assert.deepEqual(idsOf(await list(`?partnerBookingId=enquiry-1&${number}`)), []);
  assert.deepEqual(idsOf(await list(`?compositeId=${encodeURIComponent(BOOTH)}&${number}`)), []);
});

test('filters reach no further than the caller sees', async () => {
  assert.deepEqual(idsOf(await list('?partnerBookingId=dinner-1')), [made.dinner.id]);
  const operatorBookingId = made.others.operatorBookingId;
  assert.deepEqual(idsOf(await list(`?operatorBookingId=${operatorBookingId}`)), []);
  const all = await list('?partnerBookingId=dinner-1', 'demo-operator');
  assert.deepEqual(idsOf(all), [made.others.id, made.dinner.id]);
});

test('a filter that can match nothing finds nothing, and one that is no product id is refused', async () => {
  for (const filter of ['compositeId=1%7Chouse%7Csoho-grill%7Clunch', 'operatorBookingId=none']) {
    const page = await list(`?${filter}`);
    assert.deepEqual([page.data, page.meta.totalItems, page.meta.totalPages], [[], 0, 0]);
  }
  for (const compositeId of ['1|house|soho-grill', 'dinner']) {
    const answer = await maitred().call(`/venues/bookings?compositeId=${encodeURIComponent(compositeId)}`);
    assert.deepEqual(Object.keys(assertProblem(answer, 400, 'VALID-N-001').errors), ['compositeId']);
  }
});

test('an entry is the booking with what only lists offer', async () => {
  const [entry] = (await list('?partnerBookingId=dinner-1')).data as [Body];
  const { area, ...booking } = entry;
  assert.deepEqual(booking, made.dinner);
  assert.equal(booking.depositAmount, 1250.5);
  assert.deepEqual(Object.keys(area), ['id', 'name']);
});

test('an enquiry has no area yet, and tickets never have one', async () => {
  assert.equal((await list('?partnerBookingId=enquiry-1')).data[0]?.area, null);
  assert.equal((await list(`?compositeId=${encodeURIComponent(STANDARD)}`)).data[0]?.area, null);
});

test('operators see notes, tables and how it was confirmed', async () => {
  const { data } = await list('', 'demo-operator');
  const [others, enquiry, dinner] = data as [Body, Body, Body];
  assert.equal(dinner.admin_notes, 'A regular');
  assert.equal(dinner.autoConfirmed, true);
  assert.equal(dinner.tmsTables.length, 1);
  assert.equal(others.admin_notes, null);
  assert.deepEqual([enquiry.tmsTables, enquiry.autoConfirmed], [[], false]);
});

test('partners and agents never see what is for operators, even when they ask for it', async () => {
  for (const [as, headers] of [
    ['demo-partner', {}],
    ['demo-agent', { 'x-partner-reference': 'demo-partner' }],
  ] as const) {
    const { data } = await list('', as, headers);
    assert.equal(data.length, 4);
    for (const entry of data) {
      for (const name of ['admin_notes', 'tmsTables', 'autoConfirmed']) assert.ok(!(name in entry), name);
    }
    const asked = await list('?fields=id,admin_notes,tmsTables,autoConfirmed', as, headers);
    for (const entry of asked.data) assert.deepEqual(Object.keys(entry), ['id']);
  }
});

test('a system without tables tells operators of none', async () => {
  for (const as of ['operator-2', 'demo-admin']) {
    const { data } = await list(`?compositeId=${encodeURIComponent(STANDARD)}`, as);
    const [tickets] = data as [Body];
    assert.equal(tickets.admin_notes, 'Press');
    assert.ok(!('tmsTables' in tickets) && !('autoConfirmed' in tickets));
  }
});

test('fields select inside each entry and leave meta', async () => {
  const page = await list('?fields=id,area(name),preorders(menus(submitted))&partnerBookingId=dinner-1');
  const [{ area, ...rest }] = page.data as [Body];
  assert.deepEqual(rest, { id: made.dinner.id, preorders: { menus: [] } });
  assert.deepEqual(Object.keys(area), ['name']);
  assert.equal(page.meta.totalItems, 1);
  for (const fields of ['guest', 'area(tables)', 'id(x)', 'id,,status']) {
    const answer = await maitred().call(`/venues/bookings?fields=${encodeURIComponent(fields)}`);
    assertProblem(answer, 400, 'FSEL-N-001');
  }
});

test('TOON says the same as JSON, and neither may be kept', async () => {
  const toon = await maitred().call('/venues/bookings', { headers: { accept: 'text/toon' } });
  assert.match(String(toon.headers['content-type']), /^text\/toon/);
  assert.deepEqual(decode(toon.text), await list());
  assert.equal(toon.headers['cache-control'], 'no-store');
});

test('a token without the scope lists nothing', async () => {
  assertProblem(await maitred().call('/venues/bookings', { as: null }), 401, 'IDENT-N-001');
  const { json } = await maitred().call('/oauth/token', {
    method: 'POST',
    as: null,
    body: {
      grant_type: 'client_credentials',
      client_id: 'demo-partner',
      client_secret: 'demo-partner-secret',
      audience: 'maitred',
      scope: 'venue:read',
    },
  });
  const headers = { authorization: `Bearer ${json.access_token}` };
  assertProblem(await maitred().call('/venues/bookings', { as: null, headers }), 403, 'USER-N-009');
});
