/**
 * A Saturday night over HTTP: two partners, the telephone and the door; a late party and a no-show that was none; a
 * flood at nine. Events and mails arrive at real receivers, and the report of the next morning adds up.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import { addSecret, createClient } from '../../../src/features/identity/service.ts';
import { type Answer, startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { type MailServer, startMailServer } from '../../support/peers/mail-server.ts';
import { type Receiver, startReceiver } from '../../support/peers/receiver.ts';
import type { Body } from '../bookings/support.ts';

const ZONE = 'Europe/London';
/** The Saturday after next, so that partners can book ahead of it. */
const today = Temporal.Now.plainDateISO(ZONE);
const saturday = today.add({ days: ((6 - today.dayOfWeek + 7) % 7) + 7 });
const DATE = saturday.toString();

let now = Temporal.Now.instant();
const itIs = (time: string, date = saturday) => {
  now = date.toZonedDateTime({ timeZone: ZONE, plainTime: time }).toInstant();
};

let maitred: TestApp;
let receiver: Receiver;
let smtp: MailServer;
let dispatcher: { stop(): Promise<void> };
before(async () => {
  [receiver, smtp] = await Promise.all([startReceiver(), startMailServer()]);
  maitred = await startTestApp({
    isEmpty: true,
    config: { webhookAllowLoopback: true, smtpUrl: smtp.url, mailFrom: 'desk@maitred.example' },
    deps: { clock: () => now },
  });
  dispatcher = maitred.services.webhooks.startDispatcher();
  await inTransaction(maitred.sql, async (tx) => {
    await createClient(tx, { id: 'root', kind: 'platform' });
    await addSecret(tx, 'root', { secret: 'root-secret' });
  });
});
after(async () => {
  await dispatcher.stop();
  await maitred.close();
  await Promise.all([receiver.close(), smtp.close()]);
});

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Tokens last an hour and the night is longer, so each call gets its own. */
function client(id: string, secret: string) {
  const call = async (method: Method, path: string, body?: unknown): Promise<Answer> => {
    const credentials = {
      grant_type: 'client_credentials',
      audience: 'maitred',
      client_id: id,
      client_secret: secret,
    };
    const { json } = await maitred.call('/oauth/token', { method: 'POST', as: null, body: credentials });
    const headers = { authorization: `Bearer ${json.access_token}` };
    return maitred.call(path, { method, as: null, headers, body });
  };
  const done = async (method: Method, path: string, body?: unknown): Promise<Body> => {
    const answer = await call(method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.text === '' ? {} : answer.json;
  };
  return Object.assign(done, { call });
}

const OPEN = {
  weekly: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], periods: [{ opens: '17:00', closes: '00:30' }] }],
  exceptions: [],
};
const GUEST_DEPOSIT = {
  amount: 1000,
  currency: 'GBP',
  per: 'guest',
  minPartySize: null,
  maxPartySize: null,
  weekdays: null,
};

/** What a receiver was told of a booking, in the order in which it happened. */
const told = (hook: string, id: string): Body[] =>
  receiver.received
    .filter(({ path }) => path === hook)
    .map(({ body }) => JSON.parse(body.toString()))
    .flatMap(({ bookings = [] }) => bookings)
    .filter((booking: Body) => booking.id === id)
    .toSorted((a: Body, b: Body) => (a.lastUpdate < b.lastUpdate ? -1 : 1));
const mailsTo = (address: string) => smtp.received.filter(({ to }) => to.includes(address));

async function openHouse() {
  const platform = client('root', 'root-secret');
  const { id: operatorId } = await platform('POST', '/manage/operators', { name: 'Copper Pot' });
  const own = await platform('POST', '/manage/clients', { kind: 'operator', operatorId });
  const operator = client(own.id, own.secret);
  await platform('PUT', '/manage/venue-types/restaurant', { name: 'Restaurant' });
  const venue = await operator('POST', `/manage/operators/${operatorId}/venues`, {
    tms: 'house',
    resourceId: 'copper-pot',
    name: 'The Copper Pot',
    timeZone: ZONE,
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
  const layout = await operator('PUT', `${at}/layout`, {
    zones: [{ ref: 'floor', name: 'Ground floor' }],
    areas: [{ ref: 'window', zoneId: 'floor', name: 'Window' }],
    tables: ['1', '2', '3', '4'].map((name, index) => ({
      ref: `t${name}`,
      areaId: 'window',
      name,
      minCovers: 1,
      maxCovers: 4,
      x: index * 10,
      y: 0,
      width: 8,
      height: 8,
      shape: 'round',
      rotation: 0,
    })),
    combinations: [],
  });
  await operator('POST', `${at}/products`, {
    key: 'dinner',
    name: 'Dinner',
    slug: 'dinner',
    timeIntervalMinutes: 15,
    hours: OPEN,
    paymentRules: [GUEST_DEPOSIT],
    house: { turnTimes: [{ upTo: 4, minutes: 120 }] },
  });
  const partners = [];
  for (const [reference, guestMails] of [
    ['tablefinder', 'venue'],
    ['concierge', 'partner'],
  ] as const) {
    const partner = await platform('POST', '/manage/partners', { reference, name: reference });
    await platform('PUT', `/manage/operators/${operatorId}/partners/${partner.id}`, {
      isSuspended: false,
      source: reference,
    });
    await platform('PUT', `/manage/partners/${partner.id}/mappings/${encodeURIComponent(venue.id)}`, {
      company: { mode: 'none', names: [] },
      maxPartySize: null,
      isRequestOnly: false,
      productKeys: ['dinner'],
      guestMails,
    });
    const made = await platform('POST', '/manage/clients', { kind: 'partner', partnerId: partner.id });
    const distributor = client(made.id, made.secret);
    await distributor('POST', '/webhooks/subscriptions', { callbackUrl: `${receiver.url}/${reference}` });
    partners.push(distributor);
  }
  await operator('POST', `/manage/operators/${operatorId}/webhooks`, {
    callbackUrl: `${receiver.url}/house`,
  });
  const tables: number[] = layout.tables.map(({ id }: Body) => id);
  return { operator, operatorId, venue, at, tables, partners };
}

test('a Saturday night, from the first booking to the report', async () => {
  const { operator, operatorId, venue, at, tables, partners } = await openHouse();
  const [finder, concierge] = partners;
  const [one, two, three, four] = tables;
  assert.ok(finder && concierge && four);
  const desk = `/manage/operators/${operatorId}/bookings`;
  const compositeId = encodeURIComponent(`${venue.id}|dinner`);
  const bookedBy = (partner: typeof finder, time: string, name: string, partySize = 2) =>
    partner('POST', `/venues/${compositeId}/booking`, {
      type: 'book',
      date: DATE,
      time,
      partySize,
      firstName: 'Guest',
      lastName: name,
      email: `${name.toLowerCase()}@example.com`,
    });
  const taken = (body: Body) =>
    operator('POST', `${at}/bookings`, {
      productKey: 'dinner',
      origin: 'phone',
      date: DATE,
      partySize: 2,
      ...body,
    });
  const sit = (id: string, tableIds: (number | undefined)[]) =>
    operator('PUT', `${desk}/${id}/tables`, { tableIds });
  const visit = (id: string, state: string) => operator('PUT', `${desk}/${id}/visit`, { state });
  const statusOf = async (id: string) => (await operator('GET', `${desk}/${id}`)).status;

  // Ahead of the night: two partners and the telephone.
  const early = await bookedBy(finder, '18:00', 'Early');
  const paying = await bookedBy(finder, '21:30', 'Paying', 3);
  await finder('POST', `/venues/bookings/${paying.id}/payments`, { option: 'deposit', token: 'tok_success' });
  const late = await bookedBy(concierge, '19:00', 'Late');
  const phone = await taken({ time: '19:00', guest: { lastName: 'Phone', email: 'phone@example.com' } });
  const nine = await taken({
    time: '21:15',
    partySize: 4,
    guest: { lastName: 'Nine', phone: '+44 20 7946 0100' },
  });
  await sit(early.id, [one]);
  await sit(late.id, [two]);
  await sit(phone.id, [three]);
  await sit(paying.id, [four]);
  await sit(nine.id, [three]);

  // Mails are tried for a day, so those of the week are sent before Saturday comes.
  await maitred.services.mailing.sendDue();

  // Five o'clock: a leg of table four is broken until half past eight.
  itIs('17:00');
  const block = await operator('POST', `${at}/blocks`, {
    from: `${DATE}T17:00`,
    to: `${DATE}T20:30`,
    tableIds: [four],
    reason: 'Broken leg',
  });
  assert.deepEqual(block.bookings, []);
  const refused = await operator.call('POST', `${at}/bookings`, {
    productKey: 'dinner',
    origin: 'phone',
    date: DATE,
    time: '19:00',
    partySize: 2,
    guest: { lastName: 'Full' },
  });
  assert.equal(refused.json.code, 'AVAIL-N-005');

  // Early comes, sits, and swaps with Phone, whose table is nearer to the river.
  itIs('18:05');
  await visit(early.id, 'seated');
  const tried = await operator('POST', `${desk}/${late.id}/swap?dryRun=true`, { bookingId: phone.id });
  assert.deepEqual(
    tried.data.map(({ tmsTables }: Body) => tmsTables),
    [['3'], ['2']],
  );
  await operator('POST', `${desk}/${late.id}/swap`, { bookingId: phone.id });

  // Half past seven: Phone sits; Late has not come. A walk-in waits for a table.
  itIs('19:30');
  await visit(phone.id, 'seated');
  const walkIn = { productKey: 'dinner', origin: 'walk_in', partySize: 2, duration: 90 };
  assert.equal((await operator.call('POST', `${at}/bookings`, walkIn)).json.code, 'AVAIL-N-005');
  await visit(late.id, 'no_show');
  assert.equal((await concierge('GET', `/venues/bookings/${late.id}`)).status, 'no_show');
  // They were parking: undone before another party sat down.
  itIs('19:32');
  await visit(late.id, 'seated');
  assert.equal((await concierge('GET', `/venues/bookings/${late.id}`)).status, 'confirmed');
  // Early leaves early, and the waiting party gets the table.
  itIs('19:40');
  await visit(early.id, 'left');
  const waiting = await operator('POST', `${at}/bookings`, walkIn);
  assert.deepEqual([waiting.time, waiting.visit.state, waiting.tmsTables], ['19:45', 'seated', ['1']]);
  await operator('PUT', `${desk}/${early.id}/actuals`, { guests: 2, spendPence: 8450 });

  // Nine o'clock: a pipe bursts. What has begun stays, what is to come is cancelled and refunded.
  itIs('20:59');
  for (const id of [phone.id, late.id]) await visit(id, 'left');
  await operator('PUT', `${desk}/${phone.id}/actuals`, { guests: 2, spendPence: 6105 });
  const flood = {
    from: `${DATE}T21:00`,
    to: `${saturday.add({ days: 1 })}T03:00`,
    bookings: 'cancel',
    message: 'A pipe burst. We are so sorry.',
  };
  const preview = await operator('POST', `${at}/closures?dryRun=true`, flood);
  const refunds = Object.fromEntries(preview.bookings.map(({ id, refundPence }: Body) => [id, refundPence]));
  assert.deepEqual([refunds[paying.id], refunds[nine.id]], [3000, 0]);
  assert.equal(await statusOf(paying.id), 'confirmed');
  const closure = await operator('POST', `${at}/closures`, flood);
  await maitred.services.closures.workDue();
  await eventually(async () => (await operator('GET', `${at}/closures/${closure.id}`)).state === 'done');
  const progress = await operator('GET', `${at}/closures/${closure.id}`);
  assert.deepEqual([progress.affected, progress.cancelled, progress.failed], [2, 2, []]);
  assert.deepEqual([await statusOf(paying.id), await statusOf(nine.id)], ['cancelled', 'cancelled']);
  const closed = await finder.call('POST', `/venues/${compositeId}/booking`, {
    type: 'book',
    date: DATE,
    time: '22:00',
    partySize: 2,
    firstName: 'Too',
    lastName: 'Late',
  });
  assert.equal(closed.json.code, 'AVAIL-N-004');
  await maitred.services.payments.settleRefunds();
  const [payment] = (await finder('GET', `/venues/bookings/${paying.id}`)).payments;
  assert.equal(payment.refunded, 3000);

  // Each partner was told of its own bookings, the house of all; guests were written to where the venue does that.
  await eventually(() => told('/house', nine.id).at(-1)?.status === 'cancelled');
  await eventually(() => told('/tablefinder', paying.id).at(-1)?.status === 'cancelled');
  assert.deepEqual(
    told('/concierge', late.id)
      .map(({ status }) => status)
      .slice(-3),
    ['no_show', 'confirmed', 'completed'],
  );
  for (const hook of ['/tablefinder', '/concierge'])
    for (const { id } of [phone, nine, waiting]) assert.deepEqual(told(hook, id), []);
  await eventually(async () => {
    await maitred.services.mailing.sendDue();
    return mailsTo('paying@example.com').length >= 2 && mailsTo('phone@example.com').length >= 1;
  });
  const lastParts = mailsTo('paying@example.com').at(-1)?.parts ?? [];
  const partOf = (type: string) => lastParts.find((part) => part.type.startsWith(type))?.content ?? '';
  assert.match(partOf('text/calendar'), /METHOD:CANCEL/);
  assert.match(partOf('text/plain'), /A pipe burst/);
  assert.deepEqual(mailsTo('late@example.com'), []);

  // The next morning.
  itIs('09:00', saturday.add({ days: 1 }));
  const report = await operator(
    'GET',
    `/manage/operators/${operatorId}/reports/covers?from=${DATE}&to=${DATE}&by=origin`,
  );
  const { bookings, covers, cancellations, noShows, spendPence } = report.totals;
  assert.deepEqual(
    { bookings, covers, cancellations, noShows, spendPence },
    { bookings: 4, covers: 8, cancellations: 2, noShows: 0, spendPence: 14_555 },
  );
  const sum = (member: string) => report.rows.reduce((total: number, row: Body) => total + row[member], 0);
  for (const member of ['bookings', 'covers', 'cancellations', 'noShows', 'spendPence'])
    assert.equal(sum(member), report.totals[member], member);
  const csv = await operator.call(
    'GET',
    `/manage/operators/${operatorId}/reports/bookings.csv?from=${DATE}&to=${DATE}`,
  );
  assert.equal(csv.text.trim().split('\r\n').length, 1 + 6);
});
