/** An empty database becomes a house that takes bookings, over HTTP alone. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import { addSecret, createClient } from '../../../src/features/identity/service.ts';
import { type Answer, startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { type Receiver, startReceiver } from '../../support/peers/receiver.ts';

let maitred: TestApp;
let receiver: Receiver;
let dispatcher: { stop(): Promise<void> };

before(async () => {
  receiver = await startReceiver();
  maitred = await startTestApp({ isEmpty: true, config: { webhookAllowLoopback: true } });
  dispatcher = maitred.services.webhooks.startDispatcher();
  // The one thing that cannot come over HTTP, since nobody could call yet: see `npm run client`.
  await inTransaction(maitred.sql, async (tx) => {
    await createClient(tx, { id: 'root', kind: 'platform' });
    await addSecret(tx, 'root', { secret: 'root-secret' });
  });
});
after(async () => {
  await dispatcher.stop();
  await maitred.close();
  await receiver.close();
});

/** A caller by its token, and what it is answered when all goes well. */
function callerWith(token: string) {
  return async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<Answer['json']> => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await maitred.call(path, { method, as: null, headers, body });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.text === '' ? undefined : answer.json;
  };
}

async function tokenOf(clientId: string, secret: string): Promise<string> {
  const answer = await maitred.call('/oauth/token', {
    method: 'POST',
    as: null,
    body: {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: secret,
      audience: 'maitred',
    },
  });
  assert.equal(answer.status, 200, answer.text);
  return answer.json.access_token;
}

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];
const OPEN = {
  weekly: [{ weekdays: WEEKDAYS, periods: [{ opens: '12:00', closes: '23:00' }] }],
  exceptions: [],
};
const GUEST = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
const inDays = (days: number) =>
  Temporal.Now.zonedDateTimeISO('Europe/London').toPlainDate().add({ days }).toString();

/** The events of a kind that have come so far, as the receiver read them. */
const told = (eventType: string) =>
  receiver.received
    .map(({ body }) => JSON.parse(body.toString()))
    .filter((event) => event.eventType === eventType);

test('an operator, a house with tables, a partner, a mapping and a client are made, and then it is booked', async () => {
  const platform = callerWith(await tokenOf('root', 'root-secret'));
  const { id: operatorId } = await platform('POST', '/manage/operators', { name: 'Copper Pot' });
  const operatorClient = await platform('POST', '/manage/clients', { kind: 'operator', operatorId });
  const operator = callerWith(await tokenOf(operatorClient.id, operatorClient.secret));
  await platform('PUT', '/manage/venue-types/restaurant', { name: 'Restaurant' });

  const venue = await operator('POST', `/manage/operators/${operatorId}/venues`, {
    tms: 'house',
    resourceId: 'copper-pot',
    name: 'The Copper Pot',
    timeZone: 'Europe/London',
    content: { summary: 'Stews.', description: 'Stews by the river.', highlights: ['River view'] },
    phoneNumber: null,
    website: null,
    location: {
      lat: 51.5,
      lng: -0.1,
      address: '1 Quay',
      area: 'Bankside',
      city: 'London',
      postcode: null,
      countryCode: 'GB',
    },
    types: ['restaurant'],
    hostVenueId: null,
  });
  const at = `/manage/venues/${encodeURIComponent(venue.id)}`;
  await operator('PUT', `${at}/hours`, OPEN);
  const zone = await operator('POST', `${at}/zones`, { name: 'Ground floor' });
  const area = await operator('POST', `${at}/areas`, { zoneId: zone.id, name: 'Window' });
  for (const name of ['1', '2']) {
    await operator('POST', `${at}/tables`, { areaId: area.id, name, minCovers: 1, maxCovers: 4 });
  }
  const product = await operator('POST', `${at}/products`, {
    key: 'dinner',
    name: 'Dinner',
    slug: 'dinner',
    timeIntervalMinutes: 30,
    hours: OPEN,
    house: { instantLimit: 4, maxGuests: 8, takesEnquiries: true },
  });
  assert.equal(product.key, 'dinner');

  const partner = await platform('POST', '/manage/partners', {
    reference: 'tablefinder',
    name: 'Table Finder',
  });
  await platform('PUT', `/manage/operators/${operatorId}/partners/${partner.id}`, {
    isSuspended: false,
    source: 'Table Finder',
  });
  await platform('PUT', `/manage/partners/${partner.id}/mappings/${encodeURIComponent(venue.id)}`, {
    company: { mode: 'none', names: [] },
    maxPartySize: null,
    isRequestOnly: false,
    productKeys: ['dinner'],
  });
  const partnerClient = await platform('POST', '/manage/clients', { kind: 'partner', partnerId: partner.id });
  const distributor = callerWith(await tokenOf(partnerClient.id, partnerClient.secret));
  await distributor('POST', '/webhooks/subscriptions', { callbackUrl: `${receiver.url}/hook` });

  // Somebody books.
  const compositeId = encodeURIComponent(`${venue.id}|dinner`);
  const date = inDays(5);
  const { times } = await distributor('GET', `/venues/${compositeId}/availability?date=${date}&partySize=2`);
  assert.equal(times.find(({ time }: { time: string }) => time === '19:00').type, 'book');
  const when = { date, time: '19:00' };
  const booking = await distributor('POST', `/venues/${compositeId}/booking`, {
    ...GUEST,
    ...when,
    type: 'book',
    partySize: 2,
  });
  assert.equal(booking.status, 'confirmed');
  await eventually(() => told('booking.updated').some(({ bookings }) => bookings[0].id === booking.id));

  // Somebody asks, and is answered.
  const enquiry = await distributor('POST', `/venues/${compositeId}/booking`, {
    ...GUEST,
    ...when,
    time: '19:30',
    type: 'request',
    partySize: 3,
  });
  const desk = `/manage/operators/${operatorId}/bookings`;
  const waiting = await operator('GET', `${desk}?status=pending`);
  assert.deepEqual(
    waiting.data.map(({ id }: { id: string }) => id),
    [enquiry.id],
  );
  await operator('POST', `${desk}/${enquiry.id}/messages`, {
    text: 'Outside all right?',
    replyTo: 'desk@pot.example',
  });
  await eventually(() =>
    told('message.received').some(({ messages }) => messages[0].bookingId === enquiry.id),
  );
  await operator('POST', `${desk}/${enquiry.id}/accept`);
  const stateOf = (id: string) =>
    told('booking.updated')
      .flatMap(({ bookings }) => bookings)
      .filter((each) => each.id === id)
      .at(-1)?.status;
  await eventually(() => stateOf(enquiry.id) === 'confirmed');

  // It is over.
  await operator('POST', `${at}/close`);
  await eventually(() => told('venue.updated').some(({ venues }) => venues[0].compositeId === venue.id));
  const refused = await maitred.call(`/venues/${compositeId}/booking`, {
    method: 'POST',
    as: null,
    headers: { authorization: `Bearer ${await tokenOf(partnerClient.id, partnerClient.secret)}` },
    body: { ...GUEST, ...when, type: 'book', partySize: 2 },
  });
  assert.equal(refused.json.code, 'VENUE-N-009');

  // Everything that was done is written down, with who did it.
  const auditLog = await operator('GET', `/manage/operators/${operatorId}/audit?pageSize=100`);
  const actions = auditLog.data.map(({ action }: { action: string }) => action).toReversed();
  assert.ok(actions.length >= 12, actions.join());
  assert.deepEqual(
    new Set(auditLog.data.map(({ actor }: { actor: { id: string } }) => actor.id)),
    new Set(['root', operatorClient.id]),
  );
});
