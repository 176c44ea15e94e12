import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type Answer, type Call, createConnectServer } from '../../examples/connect-server/server.ts';
import { parseProductId, venueOfProduct } from '../../src/kernel/ids.ts';
import type { RemoteConnector } from '../../src/tms/remote.ts';
import { calling, connectTo, DATE, NOW_MS, QUERY, requestAt, TOKEN } from '../support/connect.ts';
import { eventually } from '../support/eventually.ts';
import { DETAILS } from '../support/remote-tms/calls.ts';
import { assertRefused, expectOk } from './conformance-harness.ts';

const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;

/** What the next call gets in place of the answer; the calls that came. */
let instead: ((honest: Answer, call: Call) => Answer) | undefined;
let calls: Call[] = [];
let told: { headers: IncomingHttpHeaders; body: Buffer }[] = [];

const receiver = createServer(async (request, response) => {
  told.push({ headers: request.headers, body: Buffer.concat(await request.toArray()) });
  response.writeHead(204).end();
});
let server: ReturnType<typeof createConnectServer>;
let url: string;
let connector: RemoteConnector;

before(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  server = createConnectServer({
    token: TOKEN,
    now: () => NOW_MS,
    notify: { url: `http://127.0.0.1:${port}/`, secret: SECRET },
    wrap: (handle) => async (call) => {
      calls.push(call);
      const honest = await handle(call);
      return instead?.(honest, call) ?? honest;
    },
  });
  url = await server.listen();
  connector = connectTo(url, {
    settings: { holds: true, changes: true, tellsTables: true },
    credentials: { token: TOKEN, webhookSecret: SECRET },
  });
});
after(async () => {
  await server.close();
  receiver.closeAllConnections();
  receiver.close();
});
beforeEach(() => {
  instead = undefined;
  calls = [];
  told = [];
});

const always = (answer: Answer) => () => answer;
/** The honest answer with other members. */
const altered = (change: object) => (honest: Answer) => ({
  ...honest,
  body: { ...(honest.body as object), ...change },
});
const atVenue = (bookingId: string, change: object) =>
  fetch(`${url}/_demo/bookings/${bookingId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify(change),
  });

test('the system is told who comes, when and what for', async () => {
  const request = requestAt(1080);
  const booking = expectOk(await connector.book(calling(), request));
  assert.deepEqual(booking.tables.length, 1);
  const [{ method, path, headers, body }] = calls as [Call];
  assert.deepEqual([method, path], ['PUT', `/bookings/${request.bookingId}`]);
  assert.equal(headers['if-none-match'], '*');
  assert.equal(headers.authorization, `Bearer ${TOKEN}`);
  assert.deepEqual(body, {
    venueId: 'harbour-kitchen',
    productId: 'dinner',
    start: '2031-07-10T18:00:00+01:00',
    date: DATE,
    time: '18:00',
    party: { adults: 2, children: 1 },
    durationMinutes: null,
    spaceId: null,
    confirmedByVenue: false,
    ...DETAILS,
  });
});

test('a table after midnight belongs to the evening before', async () => {
  const productId = parseProductId('1|example|bar-lumiere|late');
  const zone = 'Europe/Paris';
  const query = { ...QUERY, productId, venueId: venueOfProduct(productId), zone };
  const [day] = expectOk(await connector.availability(calling(), query)).days;
  const last = day?.slots.at(-1);
  assert.deepEqual(
    [last?.date, last?.minute, last?.startMs],
    [DATE, 1500, Date.parse('2031-07-11T01:00:00+02:00')],
  );
  const request = requestAt(1500, { ...query, startMs: last?.startMs ?? 0 });
  assert.equal(expectOk(await connector.book(calling(), request)).startMs, last?.startMs);
});

describe('answers that cannot be believed', () => {
  const booking = (change: object): [string, typeof instead] => [JSON.stringify(change), altered(change)];
  const BAD_BOOKINGS: [string, typeof instead][] = [
    ['no JSON', always({ status: 200, body: '<h1>Hello</h1>' })],
    ['nothing', always({ status: 200 })],
    ['null', always({ status: 200, body: 'null' })],
    ['too large', always({ status: 200, body: `"${'x'.repeat(5 * 1024 * 1024)}"` })],
    booking({ id: randomUUID() }),
    booking({ reference: 7 }),
    booking({ reference: '' }),
    booking({ reference: 'a\0b' }),
    booking({ start: '2031-07-10T18:00:00' }),
    booking({ start: 'yesterday' }),
    booking({ durationMinutes: '120' }),
    booking({ party: 3 }),
    booking({ party: { adults: 2.5, children: 0 } }),
    booking({ tables: 'T1' }),
    booking({ visit: 'asleep' }),
    ['500', always({ status: 500 })],
    ['a redirect', always({ status: 302, headers: { location: 'http://127.0.0.1:1/' } })],
    ['404 of a proxy', always({ status: 404, body: 'Not found' })],
    ['503 of a proxy', always({ status: 503 })],
  ];
  const OTHER_THAN_ASKED: [string, typeof instead][] = [
    booking({ start: '2031-07-10T18:30:00+01:00' }),
    booking({ start: '2021-07-10T18:00:00+01:00' }),
    booking({ start: '2031-07-10T18:00:00+02:00' }),
    booking({ time: '19:00' }),
    booking({ date: '2031-07-11' }),
    booking({ party: { adults: 2, children: 0 } }),
  ];

  for (const [name, answer] of BAD_BOOKINGS) {
    test(`${name}: a write is in doubt, a look-up is without value`, async () => {
      const known = requestAt(1200);
      expectOk(await connector.book(calling(), known));
      instead = answer;
      assert.equal((await connector.book(calling(), requestAt(1320))).kind, 'unknown');
      assert.equal((await connector.amend(calling(), known)).kind, 'unknown');
      assert.equal((await connector.find(calling(), known.bookingId)).kind, 'unavailable');
      instead = undefined;
      expectOk(await connector.cancel(calling(), known.bookingId));
      for (const { path } of calls.filter(({ method }) => method === 'PUT'))
        expectOk(await connector.cancel(calling(), path.slice('/bookings/'.length)));
    });
  }

  for (const [name, answer] of OTHER_THAN_ASKED) {
    test(`${name} was not asked for, so the write is in doubt`, async () => {
      const request = requestAt(1080);
      instead = answer;
      assert.equal((await connector.book(calling(), request)).kind, 'unknown');
      instead = undefined;
      expectOk(await connector.cancel(calling(), request.bookingId));
    });
  }

  const day = (change: object, slot = {}) => ({
    days: [
      {
        ...{ date: DATE, closed: false },
        slots: [
          { start: '2031-07-10T18:00:00+01:00', time: '18:00', durationMinutes: 120, state: 'free', ...slot },
        ],
        ...change,
      },
    ],
  });
  const BAD_DAYS: object[] = [
    { days: [] },
    day({ date: '2031-07-11' }),
    day({ closed: true }),
    day({ slots: 'none' }),
    day({}, { start: '2031-07-10T18:00:00Z' }),
    day({}, { start: '2031-07-10T18:00:30+01:00' }),
    day({}, { start: '2031-07-12T18:00:00+01:00' }),
    day({}, { time: '19:00' }),
    day({}, { state: 'maybe' }),
    day({}, { durationMinutes: 90 }),
    day({}, { durationMinutes: 0 }),
  ];
  for (const bad of BAD_DAYS) {
    test(`availability ${JSON.stringify(bad)} has no value`, async () => {
      instead = altered(bad);
      assert.equal((await connector.availability(calling(), QUERY)).kind, 'unavailable');
    });
  }

  test('a free start in the past is not offered', async () => {
    instead = altered(day({}));
    const nowMs = Date.parse('2031-07-10T18:00:01+01:00');
    const [found] = expectOk(await connector.availability(calling(), { ...QUERY, nowMs })).days;
    assert.deepEqual(
      found?.slots.map(({ obstacle }) => obstacle),
      ['too-soon'],
    );
  });

  test('a hold that is over before it begins, or of another place, is in doubt', async () => {
    for (const change of [
      { expiresAt: '2021-01-01T00:00:00Z' },
      { start: '2031-07-10T19:00:00+01:00' },
      { id: 'x' },
    ]) {
      instead = altered(change);
      const request = requestAt(1080);
      assert.equal((await connector.holds?.hold(calling(), request, NOW_MS + 60_000))?.kind, 'unknown');
      instead = undefined;
      expectOk((await connector.holds?.release(calling(), request.bookingId)) ?? assert.fail());
    }
  });

  test('a removal is believed when it is answered with 204, or as not found by the system itself', async () => {
    for (const [answer, kind] of [
      [{ status: 204 }, 'ok'],
      [{ status: 404, body: { reason: 'not-found' } }, 'ok'],
      [{ status: 200, body: '{}' }, 'unknown'],
      [{ status: 404, body: 'Not found' }, 'unknown'],
    ] as const) {
      instead = always(answer);
      assert.equal((await connector.cancel(calling(), randomUUID())).kind, kind, JSON.stringify(answer));
    }
  });
});

test('refusals keep their reason, and one that is not known is rejected with the words of the system', async () => {
  instead = always({ status: 422, body: { reason: 'card-required', detail: 'Call us.' } });
  assert.deepEqual(await connector.book(calling(), requestAt(1080)), {
    ...{ kind: 'refused', reason: 'card-required', detail: 'Call us.' },
  });
  instead = always({ status: 409, body: { reason: 'full moon' } });
  const outcome = await connector.book(calling(), requestAt(1080));
  assert.deepEqual(outcome, { kind: 'refused', reason: 'rejected', detail: 'full moon' });
});

test('a system that asks to wait is left alone for that time', async () => {
  const waits = async (headers: Record<string, string>) => {
    instead = always({ status: 429, headers });
    return connector.find(calling(), randomUUID());
  };
  assert.deepEqual(await waits({ 'retry-after': '7' }), { kind: 'rate-limited', retryAfterSeconds: 7 });
  const dates = { date: 'Tue, 01 Jul 2031 12:00:00 GMT', 'retry-after': 'Tue, 01 Jul 2031 12:00:30 GMT' };
  assert.deepEqual(await waits(dates), { kind: 'rate-limited', retryAfterSeconds: 30 });
  assert.deepEqual(await waits({ 'retry-after': 'soon' }), { kind: 'rate-limited', retryAfterSeconds: 1 });
});

test('wrong credentials have certainly booked nothing, and an account with them is refused', async () => {
  const stranger = connectTo(url, { credentials: { token: 'another' } });
  assertRefused(await stranger.book(calling(), requestAt(1080)), 'rejected');
  assertRefused(await connectTo(url).find(calling(), randomUUID()), 'rejected');
  const account = (token: string) => ({ settings: {}, credentials: { token } });
  expectOk((await stranger.checkAccount?.(calling(), account(TOKEN))) ?? assert.fail());
  assertRefused((await connector.checkAccount?.(calling(), account('another'))) ?? assert.fail(), 'rejected');
});

test('where nothing listens, nothing was booked; a cut leaves a write in doubt', async () => {
  const gone = connectTo('http://127.0.0.1:1', { credentials: { token: TOKEN } });
  assert.equal((await gone.book(calling(), requestAt(1080))).kind, 'unavailable');
  const cutting = createServer((request) => request.socket.destroy());
  await new Promise<void>((resolve) => cutting.listen(0, '127.0.0.1', resolve));
  const { port } = cutting.address() as AddressInfo;
  const cut = connectTo(`http://127.0.0.1:${port}`, { credentials: { token: TOKEN } });
  assert.equal((await cut.book(calling(), requestAt(1080))).kind, 'unknown');
  assert.equal((await cut.find(calling(), randomUUID())).kind, 'unavailable');
  assert.equal((await cut.book(calling(AbortSignal.abort()), requestAt(1080))).kind, 'unavailable');
  cutting.close();
});

test('spaces are named as the system names them, and those it does not know are refused', async () => {
  assertRefused(await connector.book(calling(), requestAt(1080, { spaceId: 3 })), 'space-without-zone');
  assertRefused(await connector.availability(calling(), { ...QUERY, spaceId: 3 }), 'space-without-zone');
  assert.deepEqual(calls, []);
  const mapped = connectTo(url, { credentials: { token: TOKEN }, spaces: new Map([[3, 'terrace']]) });
  await mapped.book(calling(), requestAt(1080, { spaceId: 3 }));
  const sent = calls.map(({ body }) => body as { spaceId: string });
  assert.deepEqual(
    sent.map(({ spaceId }) => spaceId),
    ['terrace'],
  );
});

test('what a system does not have, its connector does not have either', () => {
  const plain = connectTo(url, { settings: { catalogue: false } });
  assert.deepEqual([plain.holds, plain.changes, plain.catalogue], [undefined, undefined, undefined]);
  assert.ok(connector.holds && connector.changes && connector.catalogue);
});

describe('the catalogue', () => {
  const read = (cursor: string | null) => connector.catalogue?.(calling(), cursor) ?? assert.fail();

  test('is read page by page, with periods that end after midnight', async () => {
    const first = expectOk(await read(null));
    assert.deepEqual([first.venues.length, first.next, first.total], [1, '1', 2]);
    const last = expectOk(await read(first.next));
    assert.equal(last.next, null);
    const [venue] = last.venues;
    assert.deepEqual([venue?.resourceId, venue?.timeZone], ['bar-lumiere', 'Europe/Paris']);
    const [late] = venue?.products ?? [];
    assert.deepEqual([late?.key, late?.timeIntervalMinutes], ['late', 60]);
    assert.deepEqual(late?.hours?.weekly[0], { weekday: 1, opens: 1260, closes: 1560 });
  });

  test('is not read where it contradicts itself', async () => {
    const [venue] = (
      await (await fetch(`${url}/venues`, { headers: { authorization: `Bearer ${TOKEN}` } })).json()
    ).venues as [{ products: object[] }];
    const pages: object[] = [
      { venues: [venue, venue] },
      { venues: [{ ...venue, products: [...venue.products, venue.products[0]] }] },
      { venues: [{ ...venue, timeZone: '+01:00' }] },
      { venues: [{ ...venue, timeZone: 'Europe/Atlantis' }] },
      { venues: [{ ...venue, id: 'a|b' }] },
      { next: '5' },
      { next: 5 },
    ];
    for (const page of pages) {
      instead = altered(page);
      assert.equal((await read('5')).kind, 'unavailable', JSON.stringify(page));
    }
  });
});

describe('changes at the venue', () => {
  const changesAfter = async (cursor: string | null) =>
    expectOk((await connector.changes?.(calling(), cursor)) ?? assert.fail());

  test('are found by their cursor, and the booking is asked for', async () => {
    const request = requestAt(1260);
    const { cursor } = await changesAfter(null);
    expectOk(await connector.book(calling(), request));
    const made = await changesAfter(cursor);
    assert.deepEqual(made.bookingIds, [request.bookingId]);
    assert.deepEqual(await changesAfter(made.cursor), {
      bookingIds: [],
      cursor: made.cursor,
      hasMore: false,
    });
    await atVenue(request.bookingId, { time: '21:30', party: { adults: 1, children: 0 }, visit: 'seated' });
    const moved = await changesAfter(made.cursor);
    assert.deepEqual(moved.bookingIds, [request.bookingId]);
    const found = expectOk(await connector.find(calling(), request.bookingId));
    assert.deepEqual(
      [found?.startMs, found?.guests, found?.visit],
      [Date.parse('2031-07-10T21:30:00+01:00'), 1, 'seated'],
    );
    await atVenue(request.bookingId, { cancel: true });
    assert.deepEqual((await changesAfter(moved.cursor)).bookingIds, [request.bookingId]);
    assert.equal(expectOk(await connector.find(calling(), request.bookingId)), undefined);
  });

  test('ids that are not ours are left out, and a cursor that stays does not make an endless loop', async () => {
    const id = randomUUID();
    instead = altered({ bookingIds: [id, 'walk-in-7', id], cursor: '9', hasMore: true });
    assert.deepEqual((await changesAfter('8')).bookingIds, [id]);
    assert.equal((await connector.changes?.(calling(), '9'))?.kind, 'unavailable');
  });
});

describe('notifications', () => {
  const account = (webhookSecret?: string) => ({
    settings: {},
    credentials: { ...(webhookSecret && { webhookSecret }) },
  });
  const BOOKING_ID = randomUUID();
  function signed(content: unknown, { secret = SECRET, atMs = NOW_MS, id = 'msg_1' } = {}) {
    const body = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
    const timestamp = String(Math.floor(atMs / 1000));
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
    const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` };
    return { headers, body, nowMs: NOW_MS };
  }
  const read = async (notification: ReturnType<typeof signed>, secret: string | undefined = SECRET) =>
    (await connector.readNotification?.(account(secret), notification)) ?? assert.fail();
  const GENUINE = { type: 'bookings.changed', bookingIds: [BOOKING_ID, 'not-ours', BOOKING_ID] };

  test('what the reference server sends is genuine', async () => {
    const request = requestAt(1080);
    expectOk(await connector.book(calling(), request));
    await atVenue(request.bookingId, { visit: 'arrived' });
    await eventually(() => told.length === 1);
    const [{ headers, body }] = told as [(typeof told)[number]];
    const received = { headers: headers as Record<string, string>, body, nowMs: NOW_MS };
    const outcome = (await connector.readNotification?.(account(SECRET), received)) ?? assert.fail();
    assert.deepEqual(expectOk(outcome).bookingIds, [request.bookingId]);
  });

  test('one that comes again is read again, since it only says where to look', async () => {
    for (let time = 0; time < 2; time += 1)
      assert.deepEqual(expectOk(await read(signed(GENUINE))).bookingIds, [BOOKING_ID]);
  });

  test('of several signatures one is enough, while a secret is changed', async () => {
    const { headers, ...rest } = signed(GENUINE);
    const both = { ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` };
    expectOk(await read({ ...rest, headers: both }));
  });

  test('forged, altered, old, early, unsigned or for another account, they are refused', async () => {
    const genuine = signed(GENUINE);
    const bad = [
      signed(GENUINE, { secret: OTHER_SECRET }),
      { ...genuine, body: Buffer.from(JSON.stringify({ ...GENUINE, bookingIds: [randomUUID()] })) },
      { ...genuine, headers: { ...genuine.headers, 'webhook-id': 'msg_2' } },
      { ...genuine, headers: { ...genuine.headers, 'webhook-timestamp': String(NOW_MS / 1000 + 1) } },
      { ...genuine, headers: { ...genuine.headers, 'webhook-signature': '' } },
      signed(GENUINE, { atMs: NOW_MS - 301_000 }),
      signed(GENUINE, { atMs: NOW_MS + 301_000 }),
      { ...genuine, nowMs: NOW_MS + 301_000 },
      signed('no JSON'),
      signed({ ...GENUINE, type: 'something.else' }),
      signed({ ...GENUINE, bookingIds: 'all' }),
    ];
    for (const notification of bad) assertRefused(await read(notification), 'rejected');
    assertRefused(await read(genuine, OTHER_SECRET), 'rejected');
    assertRefused((await connector.readNotification?.(account(), genuine)) ?? assert.fail(), 'rejected');
  });
});
