/** The client when answers are lost, refused, late or not from the service. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { inspect } from 'node:util';
import {
  type BookingRequest,
  ConnectionError,
  isProblem,
  Maitred,
  type MaitredOptions,
  ProblemError,
  type Retry,
  TimeoutError,
} from '@maitred/client';
import { systemClock } from '../../../src/kernel/clock.ts';
import { tryPort } from '../../../src/kernel/network.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import {
  type Fault,
  type FaultyProxy,
  problemAnswer,
  startFaultyProxy,
} from '../../support/databases/faulty-proxy.ts';

const DINNER = '1|house|soho-grill|dinner';
const SECRET = 'demo-partner-secret';

let service: TestApp;
let proxy: FaultyProxy;
let aheadSeconds = 0;
let days = 20;
before(async () => {
  const clock = () => systemClock().add({ seconds: aheadSeconds });
  service = await startTestApp({ config: { webhookAllowLoopback: true }, deps: { clock } });
  proxy = await startFaultyProxy(await service.app.listen({ port: 0, host: '127.0.0.1' }));
});
after(async () => {
  await proxy.close();
  await service.close();
});
beforeEach(() => {
  proxy.decide(() => undefined);
  proxy.seen.length = 0;
});

function client(options: Partial<MaitredOptions> = {}): Maitred {
  return new Maitred({ baseUrl: proxy.url, clientId: 'demo-partner', clientSecret: SECRET, ...options });
}

/** For a day of its own, so that no test takes the place of another. */
function dinner(): BookingRequest {
  days += 1;
  const date = Temporal.Now.plainDateISO('Europe/London').add({ days }).toString();
  return { type: 'book', date, time: '19:00', partySize: 2, firstName: 'Ada', lastName: `Of day ${days}` };
}

const isBooking = ({ path }: { path: string }) => path.endsWith('/booking');
const onFirst = (fault: Fault) => (request: { path: string; attempt: number }) =>
  isBooking(request) && request.attempt === 1 ? fault : undefined;
const attemptsAt = (part: string) => proxy.seen.filter(({ path }) => path.includes(part));

async function bookingsOn(date: unknown): Promise<number> {
  const day = String(date);
  return (await client().bookings.list({ compositeId: DINNER, dateFrom: day, dateTo: day }).all()).length;
}

const PASSING: Record<string, Fault> = {
  'a connection that breaks before the service has the request': { cut: 'before' },
  'a connection that breaks when the booking is made': { cut: 'after' },
  'a connection that breaks in the middle of the answer': { cut: 'middle' },
  'too many requests': {
    answer: {
      ...problemAnswer(429, 'RATE-R-001'),
      headers: { 'content-type': 'application/problem+json', 'retry-after': '1' },
    },
  },
  'a service that is overloaded': { answer: problemAnswer(503, 'HTTP-R-503') },
  'a service that cannot tell whether it is done': {
    replace: problemAnswer(503, 'HTTP-R-503', { isOutcomeKnown: false }),
  },
  "a proxy's page in place of the answer": {
    replace: { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' },
  },
  "a proxy's JSON in place of the answer": {
    replace: {
      status: 504,
      headers: { 'content-type': 'application/json' },
      body: { status: 504, error: 'Gateway Timeout', code: 'timeout', detail: 'No answer' },
    },
  },
  'an answer without its body': { replace: { status: 201 } },
};

for (const [name, fault] of Object.entries(PASSING)) {
  test(`${name}: the booking is made once`, async () => {
    proxy.decide(onFirst(fault));
    const retries: Retry[] = [];
    const wanted = dinner();
    const booking = await client({ onRetry: (retry) => retries.push(retry) }).bookings.create(DINNER, wanted);
    assert.equal(booking.status, 'confirmed');
    assert.equal(await bookingsOn(wanted.date), 1);
    const [first, second] = attemptsAt('/booking').filter(isBooking);
    assert.equal(first?.headers['idempotency-key'], second?.headers['idempotency-key']);
    assert.deepEqual(
      retries.map(({ method, attempt }) => [method, attempt]),
      [['POST', 1]],
    );
    if (name === 'too many requests') assert.ok(Number(retries[0]?.waitMs) >= 1000);
  });
}

test('a token that has ended is replaced once, for all calls that it fails', async () => {
  const maitred = client();
  await maitred.venues.categories();
  aheadSeconds += 3700;
  proxy.seen.length = 0;
  await Promise.all(Array.from({ length: 8 }, () => maitred.venues.categories()));
  assert.equal(attemptsAt('/oauth/token').length, 1);
  assert.equal(attemptsAt('/venues/category').length, 16);
  await maitred.bookings.create(DINNER, dinner());
});

test('calls that begin together share one request for a token, also one that has to be repeated', async () => {
  proxy.decide(({ path, attempt }) =>
    path === '/oauth/token' && attempt === 1 ? { cut: 'after' } : undefined,
  );
  const maitred = client();
  await Promise.all(Array.from({ length: 5 }, () => maitred.venues.categories()));
  assert.equal(attemptsAt('/oauth/token').length, 2);
  assert.equal(attemptsAt('/venues/category').length, 5);
});

test('a token of your own that is refused is asked for again, and a wrong secret is said to be wrong', async () => {
  const tokens = ['not-a-token', await service.token('demo-partner')];
  assert.ok((await client({ token: () => tokens.shift() ?? '' }).venues.categories()).length > 0);
  const refusals = await Promise.all([
    client({ token: 'not-a-token' })
      .venues.categories()
      .catch((error) => error),
    client({ clientSecret: 'wrong-secret' })
      .venues.categories()
      .catch((error) => error),
  ]);
  assert.deepEqual(
    refusals.map(({ status }) => status),
    [401, 401],
  );
  assert.equal(refusals[1].code, 'invalid_client');
  assert.ok(!inspect(refusals, { depth: 9 }).includes('wrong-secret'));
  assert.ok(!inspect(client(), { depth: 9, showHidden: true }).includes(SECRET));
});

test('a call ends with its deadline, with its signal, and not later than the service asks to wait', async () => {
  proxy.decide(() => ({ hang: true }));
  const maitred = client({ token: await service.token('demo-partner') });
  await assert.rejects(maitred.venues.categories({ timeoutMs: 100 }), TimeoutError);
  const reason = new Error('The guest has left');
  await assert.rejects(
    maitred.venues.categories({ signal: AbortSignal.any([AbortSignal.timeout(50)]) }),
    ({ name }: Error) => name === 'TimeoutError',
  );
  await assert.rejects(maitred.venues.categories({ signal: AbortSignal.abort(reason) }), reason);
  const attempts = client({ token: 'any', attemptTimeoutMs: 30, maxAttempts: 2 });
  proxy.seen.length = 0;
  await assert.rejects(attempts.venues.categories(), TimeoutError);
  assert.equal(proxy.seen.length, 2);
  proxy.seen.length = 0;
  await assert.rejects(maitred.venues.categories({ timeoutMs: 900, attemptTimeoutMs: 30 }), TimeoutError);
  assert.ok(proxy.seen.length > 1, 'a call has its own time for an attempt');

  const refusal = problemAnswer(429, 'RATE-R-001');
  proxy.decide(() => ({ answer: { ...refusal, headers: { ...refusal.headers, 'retry-after': '60' } } }));
  proxy.seen.length = 0;
  await assert.rejects(maitred.venues.categories(), (error: ProblemError) => {
    assert.deepEqual([error.code, error.status, error.retryAfterSeconds], ['RATE-R-001', 429, 60]);
    return true;
  });
  assert.equal(proxy.seen.length, 1);
});

test('what cannot be repeated is not, and the error says that the outcome is unknown', async () => {
  const maitred = client();
  const booking = await maitred.bookings.create(DINNER, dinner());
  proxy.decide(({ method, attempt }) => (method === 'PATCH' && attempt === 1 ? { cut: 'after' } : undefined));
  const add = [{ op: 'add', path: '/labels/-', value: 'window' }] as const;
  await assert.rejects(
    maitred.bookings.patch(booking.id, [{ op: 'add', path: '/labels', value: [] }, ...add]),
    (error) => {
      assert.ok(error instanceof ConnectionError);
      assert.equal(error.isOutcomeKnown, false);
      assert.match(error.message, /^PATCH \/venues\/bookings\/[\w-]+: \w/);
      return true;
    },
  );
  assert.deepEqual((await maitred.bookings.get(booking.id)).labels, ['window']);
  const patched = await maitred.bookings.patch(booking.id, [
    { op: 'replace', path: '/notes', value: 'Late' },
  ]);
  assert.equal(patched.notes, 'Late');

  proxy.decide(({ path, attempt }) =>
    path.startsWith('/webhooks') && attempt === 1 ? { cut: 'after' } : undefined,
  );
  const subscribing = maitred.webhooks.subscriptions.create({ callbackUrl: 'http://127.0.0.1:4119/cut' });
  await assert.rejects(subscribing, ConnectionError);
  const [subscription] = await maitred.webhooks.subscriptions.list();
  await maitred.webhooks.subscriptions.delete(subscription?.webhookId ?? '');
  assert.deepEqual(await maitred.webhooks.subscriptions.list(), []);
});

test('a refusal does not hide that an attempt before it may have been carried out', async () => {
  const refusal: Fault = { answer: problemAnswer(429, 'RATE-R-001') };
  const wanted = dinner();
  const idempotencyKey = 'of a basket';
  proxy.decide((request) =>
    isBooking(request) ? (request.attempt === 1 ? { cut: 'after' } : refusal) : undefined,
  );
  await assert.rejects(client().bookings.create(DINNER, wanted, { idempotencyKey }), (error) => {
    assert.ok(isProblem(error, 'RATE-R-001'));
    return !error.isOutcomeKnown;
  });
  assert.equal(await bookingsOn(wanted.date), 1);
  proxy.decide(() => undefined);
  await client().bookings.create(DINNER, wanted, { idempotencyKey });
  assert.equal(await bookingsOn(wanted.date), 1, 'the same key finds it');

  proxy.decide((request) => (isBooking(request) ? refusal : undefined));
  await assert.rejects(client().bookings.create(DINNER, dinner()), (error) => {
    return isProblem(error, 'RATE-R-001') && error.isOutcomeKnown;
  });

  // What is kept under the key settles it.
  proxy.decide(onFirst({ cut: 'after' }));
  await assert.rejects(client().bookings.create(DINNER, { ...wanted, partySize: 900 }), (error) => {
    return isProblem(error) && error.isOutcomeKnown;
  });
});

test('without a token nothing is sent, which clears the outcome unless an earlier attempt leaves it open', async () => {
  const isToken = ({ path }: { path: string }) => path === '/oauth/token';
  proxy.decide((request) => (isToken(request) ? { hang: true } : undefined));
  await assert.rejects(client().bookings.create(DINNER, dinner(), { timeoutMs: 100 }), (error) => {
    return error instanceof TimeoutError && error.isOutcomeKnown;
  });

  const maitred = client({ maxAttempts: 3 });
  await Promise.all([proxy.decide(() => undefined), maitred.venues.categories()]);
  // The token ends after an attempt that was carried out, and there is no other.
  const wanted = dinner();
  proxy.decide((request) => {
    if (isToken(request)) return { cut: 'before' };
    if (!isBooking(request)) return { token: 'ended' };
    return request.attempt === 1 ? { cut: 'after' } : { token: 'ended' };
  });
  const [reading, booking] = await Promise.all([
    maitred.venues.categories().catch((error) => error),
    maitred.bookings.create(DINNER, wanted).catch((error) => error),
  ]);
  assert.deepEqual([reading, booking].map(Object.getPrototypeOf), Array(2).fill(ConnectionError.prototype));
  assert.deepEqual([reading.isOutcomeKnown, booking.isOutcomeKnown], [true, false]);
  assert.match(booking.message, /^POST \/oauth\/token: /);
  proxy.decide(() => undefined);
  assert.equal(await bookingsOn(wanted.date), 1);
});

test('a key given as a header is the key, and a header that is spelled otherwise is sent once', async () => {
  const maitred = client({ fetch: strictFetch });
  proxy.decide(onFirst({ cut: 'after' }));
  const wanted = dinner();
  const headers = { 'Idempotency-Key': 'mine', 'X-Correlation-ID': 'also-mine' };
  await maitred.bookings.create(DINNER, wanted, { headers });
  proxy.decide(({ attempt }) => (attempt === 1 ? { cut: 'before' } : undefined));
  await maitred.request('POST', `/venues/${encodeURIComponent(DINNER)}/booking`, { body: wanted, headers });
  assert.equal(await bookingsOn(wanted.date), 1);
  const sent = proxy.seen.filter(isBooking).map(({ headers: seen }) => seen);
  assert.ok(sent.length >= 3);
  for (const seen of sent)
    assert.deepEqual([seen['idempotency-key'], seen['x-correlation-id']], ['mine', 'also-mine']);
});

/** As in browsers, where `fetch` refuses to be called as a method of anything else. */
const strictFetch = function (this: unknown, ...args: Parameters<typeof fetch>) {
  assert.equal(this, undefined);
  return fetch(...args);
} as typeof fetch;

test('cancelling, holding, extending, releasing, paying and ordering survive a lost answer', async () => {
  const maitred = client();
  proxy.decide(({ path, attempt }) =>
    path !== '/oauth/token' && attempt === 1 ? { cut: 'after' } : undefined,
  );
  const { firstName, lastName, type: _, ...slot } = dinner();
  const hold = await maitred.holds.create(DINNER, slot);
  assert.equal((await maitred.holds.extend(hold.id)).isExtended, true);
  const booking = await maitred.holds.book(hold, { firstName, lastName });
  assert.equal(booking.id, hold.id);
  await maitred.bookings.cancel(booking.id);
  assert.equal((await maitred.bookings.get(booking.id)).status, 'cancelled');
  await maitred.holds.release((await maitred.holds.create(DINNER, slot)).id);

  const day = Temporal.PlainDate.from(String(slot.date));
  const isChristmas = day.month === 12 && day.day === 25;
  const date = day.add({ days: isChristmas ? 1 : 0 }).toString();
  const brunch = await maitred.bookings.create('1|house|garden-room|brunch', {
    ...{ type: 'book', date, time: '11:00', partySize: 2, firstName, lastName },
    company: 'Calder Publishing',
    preorders: {
      packages: [{ id: 112, quantity: 2 }],
      menus: [{ id: 111, items: [{ id: 11101, quantity: 2 }] }],
    },
  });
  const deposit = { option: 'deposit', amount: 2000, token: 'tok_success' } as const;
  assert.equal((await maitred.bookings.pay(brunch.id, deposit)).status, 'succeeded');
  assert.equal((await maitred.bookings.paymentOptions(brunch.id)).paid, 2000);

  const { partySize: quantity, ...start } = slot;
  const { orderId, items } = await maitred.orders.create({
    items: [{ compositeId: DINNER, quantity, ...start, firstName, lastName }],
  });
  assert.equal(items[0]?.status, 'booked');
  assert.throws(() => maitred.orders.cancel(orderId, []), TypeError);
  assert.equal((await maitred.orders.get(orderId)).items[0]?.status, 'booked');
  assert.equal((await maitred.orders.cancel(orderId)).status, 'cancelled');
  assert.equal(await bookingsOn(slot.date), 2);
});

test('refusals are not repeated, and carry all that the service says', async () => {
  const maitred = client();
  await assert.rejects(
    maitred.bookings.create(DINNER, { ...dinner(), partySize: 999, email: 'no-address' }),
    (error) => {
      assert.ok(isProblem(error, 'VALID-N-001'));
      assert.ok(error instanceof ProblemError && !isProblem(error, 'BOOK-N-002'));
      assert.deepEqual([error.status, error.isRetryable, Object.keys(error.errors)], [400, false, ['email']]);
      assert.match(error.correlationId ?? '', /^[\w-]{36}$/);
      return true;
    },
  );
  assert.equal(attemptsAt('/booking').length, 1);
  await assert.rejects(maitred.venues.get('1|house|nowhere', undefined, { correlationId: 'mine-1' }), {
    correlationId: 'mine-1',
    status: 404,
  });
  await assert.rejects(async () => maitred.venues.get('..'), TypeError);
});

test('redirects and pages of others are errors that say so', async () => {
  const maitred = client({ maxAttempts: 1, token: 'any' });
  const page = { headers: { 'content-type': 'text/html' }, body: '<h1>Sign in to the network</h1>' };
  const answers: [Fault, RegExp][] = [
    [
      { answer: { status: 302, headers: { location: 'https://elsewhere.example/' } } },
      /redirect to https:\/\/elsewhere/,
    ],
    [{ answer: { status: 200, ...page } }, /answered 200 with text\/html/],
    [{ answer: { status: 502, ...page } }, /answered 502 with text\/html/],
    [
      { answer: { status: 200, headers: { 'content-type': 'application/json' }, body: '{"data": [' } },
      /200 with application\/json/,
    ],
  ];
  for (const [fault, message] of answers) {
    proxy.decide(() => fault);
    await assert.rejects(
      maitred.venues.categories(),
      (error) => error instanceof ConnectionError && message.test(error.message),
    );
  }
  const nowhere = client({
    baseUrl: `http://127.0.0.1:${await tryPort('127.0.0.1', 0)}`,
    token: 'any',
    maxAttempts: 2,
  });
  await assert.rejects(nowhere.webhooks.test({ eventType: 'webhook.ping' }), (error) => {
    return error instanceof ConnectionError && error.isOutcomeKnown && /ECONNREFUSED/.test(error.message);
  });
});
