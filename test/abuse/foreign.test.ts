/**
 * Every operation outside `/manage`, every place of it where an id can stand, and everybody who could call: with an id
 * of somebody else it is refused, changes nothing and says nothing. An operation without a row here fails the test.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Operation, readOperations } from '../../proof/abuse/document.ts';
import type { Answer } from '../support/app.ts';
import { DEMO_PASSWORD, type People, startPeople } from '../support/people.ts';
import { makeBooking } from './support/bookings.ts';

type Place = 'path' | 'query' | 'body';

/** Where ids stand, as in `path bookingId`; nothing: there is no object that could be somebody else's. */
const ROWS: Record<string, string[]> = {
  'POST /oauth/token': [],
  'GET /.well-known/jwks.json': [],
  'GET /.well-known/oauth-authorization-server': [],
  'GET /problems': [],
  'GET /problems/{code}': [],
  'GET /venues': [],
  'GET /venues/category': [],
  'GET /v1/listings': [],
  'GET /request-log': ['query clientId', 'query correlationId'],
  'GET /webhooks/events': ['query eventId'],
  'GET /webhooks/subscriptions': [],
  'POST /webhooks/subscriptions': [],
  'GET /venues/{venueId}': ['path venueId'],
  'GET /venues/{compositeId}/availability': ['path compositeId'],
  'GET /booking-rules': ['query operatorId', 'query venueId'],
  'POST /booking-rules/explain': ['body compositeId'],
  'GET /venues/bookings': [
    'query compositeId',
    'query venueId',
    'query operatorBookingId',
    'query partnerBookingId',
  ],
  'GET /venues/bookings/{bookingId}': ['path bookingId'],
  'PUT /venues/bookings/{bookingId}': ['path bookingId', 'body compositeId'],
  'PATCH /venues/bookings/{bookingId}': ['path bookingId'],
  'DELETE /venues/bookings/{bookingId}': ['path bookingId'],
  'GET /venues/bookings/{bookingId}/payment-options': ['path bookingId'],
  'POST /venues/bookings/{bookingId}/payments': ['path bookingId'],
  'POST /venues/{compositeId}/booking': ['path compositeId', 'body holdId'],
  'POST /venues/{compositeId}/holds': ['path compositeId'],
  'GET /venues/holds/{holdId}': ['path holdId'],
  'POST /venues/holds/{holdId}/extend': ['path holdId'],
  'DELETE /venues/holds/{holdId}': ['path holdId'],
  'GET /mandate': [],
  'POST /venues/{compositeId}/waitlist': ['path compositeId'],
  'GET /venues/{compositeId}/waitlist': ['path compositeId'],
  'GET /venues/waitlist/{entryId}': ['path entryId'],
  'DELETE /venues/waitlist/{entryId}': ['path entryId'],
  'POST /venues/find-tables': [],
  'POST /v1/availabilities': ['body compositeId'],
  'POST /v1/orders': ['body compositeId'],
  'GET /v1/orders/{orderId}': ['path orderId'],
  'PATCH /v1/orders/{orderId}': ['path orderId', 'body bookingId'],
  'DELETE /v1/orders/{orderId}': ['path orderId', 'query bookingIds', 'body bookingIds'],
  'GET /webhooks/deliveries': ['query webhookId', 'query eventId'],
  'GET /webhooks/deliveries/{deliveryId}': ['path deliveryId'],
  'GET /webhooks/subscriptions/{webhookId}': ['path webhookId'],
  'PUT /webhooks/subscriptions/{webhookId}': ['path webhookId'],
  'DELETE /webhooks/subscriptions/{webhookId}': ['path webhookId'],
  'POST /webhooks/subscriptions/{webhookId}/replay': ['path webhookId', 'body eventId'],
  'POST /webhooks/subscriptions/{webhookId}/secret': ['path webhookId'],
  'POST /webhooks/test': ['query webhookId', 'body bookingId', 'body venueId'],
  'POST /venues/site-faqs/bulk': ['body venueCompositeId'],
  'GET /venues/{venueCompositeId}/site-faqs': ['path venueCompositeId'],
  'PUT /venues/{venueCompositeId}/site-faqs': ['path venueCompositeId'],
  'PATCH /venues/{venueCompositeId}/site-faqs': ['path venueCompositeId'],
  'DELETE /venues/{venueCompositeId}/site-faqs': ['path venueCompositeId'],
  // What tools take is tried in test/channels/mcp.
  'POST /mcp': [],
  'GET /.well-known/oauth-protected-resource': [],
  'GET /.well-known/oauth-protected-resource/mcp': [],
  'GET /octo/supplier': [],
  'GET /octo/capabilities': [],
  'GET /octo/products': [],
  'GET /octo/products/{id}': ['path id'],
  'POST /octo/availability': ['body productId'],
  'POST /octo/availability/calendar': ['body productId'],
  'POST /octo/bookings': ['body productId'],
  'GET /octo/bookings': ['query resellerReference', 'query productId'],
  'GET /octo/bookings/{uuid}': ['path uuid'],
  'PATCH /octo/bookings/{uuid}': ['path uuid', 'body productId'],
  'POST /octo/bookings/{uuid}/confirm': ['path uuid'],
  'POST /octo/bookings/{uuid}/extend': ['path uuid'],
  'POST /octo/bookings/{uuid}/cancel': ['path uuid'],
};

/** What one side has, under the names that paths, queries and bodies have for it. */
type Things = Record<string, string>;

interface Asker {
  name: string;
  headers: Record<string, string>;
  /** Whose things are theirs; undefined: nobody's. */
  own: 'demo' | 'other' | undefined;
}

let people: People;
let askers: Asker[];
const things = {} as Record<'demo' | 'other', Things>;
const operations = new Map(readOperations().map((operation) => [operation.name, operation]));

const GUEST = { demo: 'Perpetua-Wilhelmina', other: 'Thaddeus-Barnabas' };

before(async () => {
  people = await startPeople();
  things.demo = await thingsOf('demo', '2|house|blue-note|table', 2);
  things.other = await thingsOf('other', '3|house|hidden-kitchen|dinner', 3);
  const client = async (id: string, own: Asker['own'], headers = {}): Promise<Asker> => ({
    name: [id, ...Object.values(headers)].join(' for '),
    headers: { authorization: `Bearer ${await people.token(id)}`, ...headers },
    own,
  });
  const session = async (email: string): Promise<Asker> => ({
    name: email,
    headers: { authorization: `Bearer ${await people.signIn(email, DEMO_PASSWORD)}` },
    own: undefined,
  });
  askers = [
    await client('demo-partner', 'demo'),
    await client('other-partner', 'other'),
    await client('demo-agent', 'demo', { 'x-partner-reference': 'demo-partner' }),
    await client('demo-agent', undefined),
    await client('demo-agent', undefined, { 'x-partner-reference': 'other-partner' }),
    await client('demo-operator', undefined),
    await session('owner@lamp.example'),
    await session('staff@lamp.example'),
    await session('admin@platform.example'),
  ];
});
after(() => people.close());

async function thingsOf(side: 'demo' | 'other', productId: string, operatorId: number): Promise<Things> {
  const as = `${side}-partner` as const;
  const guest = { firstName: GUEST[side], lastName: 'Quillfeather', partnerBookingId: `mine-${side}` };
  const booking = await makeBooking(people, { as, productId, guest });
  const [date, time] = [Temporal.Now.plainDateISO('UTC').add({ days: 31 }).toString(), '19:00'];
  const item = { compositeId: productId, quantity: 2, type: 'request', date, time };
  const company = side === 'demo' ? { company: 'Clandestine Holdings' } : {};
  const order = await call(as, 'POST', '/v1/orders', {
    ...guest,
    partnerBookingId: undefined,
    items: [{ ...item, ...company }],
  });
  const [placed] = order.json.items;
  assert.ok(placed.bookingId, order.text);
  const hook = { callbackUrl: `https://93.184.215.14/told-to/${side}`, label: `Told to ${side} alone` };
  const { webhookId } = (await call(as, 'POST', '/webhooks/subscriptions', hook)).json;
  await call(as, 'POST', `/webhooks/subscriptions/${webhookId}/replay`, { since: '2026-01-01T00:00:00Z' });
  const [delivery] = (await call(as, 'GET', '/webhooks/deliveries')).json.data;
  const [row] = await people.sql`select operator_booking_id as id from booking where id = ${booking.id}`;
  const venueId = productId.split('|').slice(0, 3).join('|');
  return {
    venueId,
    venueCompositeId: venueId,
    compositeId: productId,
    operatorId: String(operatorId),
    bookingId: booking.id,
    bookingIds: placed.bookingId,
    orderId: order.json.orderId,
    webhookId,
    deliveryId: delivery.id,
    eventId: delivery.eventId,
    partnerBookingId: `mine-${side}`,
    operatorBookingId: row?.id ?? 'none yet',
    id: productId,
    productId,
    entryId: await waiting(as, productId, date),
    holdId: await held(as),
    uuid: await reserved(as, `octo-${side}`),
    resellerReference: `octo-${side}`,
  };
}

/** A party on the waiting list. */
async function waiting(as: string, productId: string, date: string): Promise<string> {
  const party = {
    partySize: 2,
    firstName: GUEST[as === 'demo-partner' ? 'demo' : 'other'],
    lastName: 'Quillfeather',
  };
  const path = `/venues/${encodeURIComponent(productId)}/waitlist`;
  const made = await call(as, 'POST', path, { ...party, date, from: '19:00', to: '20:00' });
  assert.equal(made.status, 201, made.text);
  return made.json.id;
}

async function held(as: string): Promise<string> {
  const date = Temporal.Now.plainDateISO('UTC').add({ days: 33 }).toString();
  const body = { partySize: 2, date, time: '18:00', ttlSeconds: 600 };
  const path = `/venues/${encodeURIComponent('1|house|soho-grill|dinner')}/holds`;
  const made = await call(as, 'POST', path, body);
  assert.equal(made.status, 201, made.text);
  return made.json.id;
}

/** A table that is held for a reseller. */
async function reserved(as: string, resellerReference: string): Promise<string> {
  const product = { productId: '1|house|soho-grill|dinner', optionId: 'DEFAULT' };
  const date = Temporal.Now.plainDateISO('UTC').add({ days: 33 }).toString();
  const days = { localDateStart: date, localDateEnd: date, units: [{ id: 'guest', quantity: 2 }] };
  const [start] = (await call(as, 'POST', '/octo/availability', { ...product, ...days })).json;
  const made = await call(as, 'POST', '/octo/bookings', {
    ...product,
    availabilityId: start.id,
    unitItems: [{ unitId: 'guest' }, { unitId: 'guest' }],
    resellerReference,
  });
  assert.equal(made.status, 200, made.text);
  return made.json.uuid;
}

const call = (as: string, method: 'GET' | 'POST', path: string, body?: unknown) =>
  people.call(path, { as, method, ...(body !== undefined && { body }) });

test('every operation has its row, every row its operation, and every id of the document its place', () => {
  const outside = [...operations.values()].filter(({ path }) => !path.startsWith('/manage'));
  assert.deepEqual(Object.keys(ROWS).sort(), outside.map(({ name }) => name).sort());
  for (const { name, parameters } of outside) {
    const ids = parameters.filter(({ name, in: place }) => /Ids?$/.test(name) && place !== 'header');
    const named = ids.map(({ name, in: place }) => `${place} ${name}`);
    assert.deepEqual(
      named.filter((one) => !ROWS[name]?.includes(one)),
      [],
      name,
    );
  }
});

/** The operation with what belongs to one side, apart from one place where an id of the other stands. */
function ask(
  operation: Operation,
  asker: Asker,
  own: Things,
  foreign: Things,
  at: [Place, string],
): Promise<Answer> {
  const of = (place: Place, name: string) => (at[0] === place && at[1] === name ? foreign : own)[name] ?? '';
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(of('path', name)),
  );
  const query = operation.parameters.filter(
    ({ name, in: place }) => place === 'query' && at[0] === 'query' && at[1] === name,
  );
  const needed = operation.path.endsWith('/availability') ? ['partySize=2', 'date=2026-12-05'] : [];
  const pairs = [...needed, ...query.map(({ name }) => `${name}=${encodeURIComponent(of('query', name))}`)];
  const example = at[0] === 'query' && operation.method === 'DELETE' ? undefined : bodyOf(operation, at);
  const body =
    example === undefined
      ? undefined
      : filled(example, (name) =>
          name in own && name !== 'partnerBookingId' ? of('body', name) : undefined,
        );
  return people.call(`${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`, {
    as: null,
    method: operation.method as 'GET',
    headers: asker.headers,
    ...(body !== undefined && { body }),
  });
}

/** An example of the document that has the id, where one is about its place in the body. */
function bodyOf({ bodyExamples }: Operation, [place, name]: [Place, string]): unknown {
  const isAbout = (example: unknown) => JSON.stringify(example).includes(`"${name}"`);
  return (place === 'body' ? bodyExamples.find(isAbout) : undefined) ?? bodyExamples[0];
}

function filled(value: unknown, idOf: (name: string) => string | undefined, key = ''): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map((entry) => filled(entry, idOf, key));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, filled(member, idOf, name)]),
    );
  return idOf(key) ?? value;
}

/** Everything that belongs to one side, as it is in the database. */
async function stateOf(side: 'demo' | 'other'): Promise<string> {
  const { bookingId, bookingIds, orderId, webhookId, venueId, uuid, entryId, holdId } = things[side];
  const rows = await people.sql`
    select (select json_agg(b order by id) from booking b where id::text in (${bookingId ?? ''}, ${bookingIds ?? ''})) as bookings,
      (select json_agg(o) from booking_order o where id::text = ${orderId ?? ''}) as orders,
      (select json_agg(w) from webhook w where id::text = ${webhookId ?? ''}) as hooks,
      (select json_agg(w) from waitlist_entry w where id::text = ${entryId ?? ''}) as entries,
      (select json_agg(r) from octo_booking r where id::text = ${uuid ?? ''}) as reservations,
      (select json_agg(h) from hold h where id::text = ${holdId ?? ''}) as holds,
      (select json_agg(f) from site_faq f where venue_id = ${venueId ?? ''}) as faqs`;
  return JSON.stringify(rows);
}

const otherOf = (side: 'demo' | 'other') => (side === 'demo' ? 'other' : 'demo');

/** Words that only the owner may read. */
const wordsOf = (side: 'demo' | 'other') => [GUEST[side], `Told to ${side} alone`, `told-to/${side}`];

test('with an id of somebody else, wherever it stands, nothing is told and nothing is changed', async () => {
  let tried = 0;
  for (const [name, places] of Object.entries(ROWS)) {
    const operation = operations.get(name);
    assert.ok(operation);
    for (const place of places) {
      for (const asker of askers) {
        for (const side of asker.own ? [asker.own] : (['demo', 'other'] as const)) {
          const foreign = asker.own ? otherOf(side) : side;
          const before = await stateOf(foreign);
          const at = place.split(' ') as [Place, string];
          const answer = await ask(operation, asker, things[side], things[foreign], at);
          const what = `${asker.name}: ${name}, ${place}: ${answer.status} ${answer.text.slice(0, 300)}`;
          assert.ok(answer.status < 500, what);
          for (const word of wordsOf(foreign)) assert.ok(!answer.text.includes(word), what);
          assert.equal(await stateOf(foreign), before, what);
          if (place.startsWith('path')) assert.ok([400, 401, 403, 404].includes(answer.status), what);
          tried += 1;
        }
      }
    }
  }
  assert.ok(tried > 300, `only ${tried}`);
});

test('the control: to its owner each of them is there', async () => {
  const { bookingId, orderId, webhookId, deliveryId, venueId, uuid, entryId, holdId } = things.demo;
  const paths = [
    `/venues/waitlist/${entryId}`,
    `/venues/bookings/${bookingId}`,
    `/v1/orders/${orderId}`,
    `/webhooks/subscriptions/${webhookId}`,
    `/webhooks/deliveries/${deliveryId}`,
    `/venues/${encodeURIComponent(venueId ?? '')}`,
    `/octo/bookings/${uuid}`,
    `/venues/holds/${holdId}`,
  ];
  for (const path of paths) assert.equal((await people.call(path)).status, 200, path);
});
