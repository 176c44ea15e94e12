import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import { parseProductId } from '../../src/kernel/ids.ts';
import { dayClock } from '../../src/kernel/zone-time.ts';
import type { AvailabilityQuery, BookingRequest, Outcome } from '../../src/tms/contract.ts';
import { protocol } from '../../src/tms/octo/protocol.ts';
import type { OctoFault, OctoOperation } from '../support/octo-supplier/faults.ts';
import {
  ACCOUNT,
  closeTransport,
  OCTO_PRODUCT,
  OCTO_VENUE,
  OCTO_ZONE,
  octoAt,
  startTowers,
} from '../support/octo-supplier/harness.ts';
import { readPublished, skipReason } from '../support/octo-supplier/published.ts';
import type { OctoSupplier } from '../support/octo-supplier/server.ts';
import { DETAILS, patiently } from '../support/remote-tms/calls.ts';
import { assertRefused, expectOk } from './conformance-harness.ts';

let supplier: OctoSupplier;
before(async () => {
  supplier = await startTowers({ capacity: 100_000 });
});
after(async () => {
  await supplier.close();
  await closeTransport();
  assert.deepEqual([...new Set(supplier.unpublished)], []);
});
beforeEach(() => supplier.faults.clear());

const DATE = '2031-03-10';
const MORNING = 600;
const EVENING = 1080;
const NOW_MS = Date.parse('2031-03-01T12:00:00Z');
const PLACE = { productId: OCTO_PRODUCT, venueId: OCTO_VENUE, zone: OCTO_ZONE, nowMs: NOW_MS };
const QUERY: AvailabilityQuery = { ...PLACE, dates: [DATE], adults: 2, children: 1 };
const octo = () => octoAt(supplier.url);
const call = patiently;

function requestAt(minute: number, changes: Partial<BookingRequest> = {}): BookingRequest {
  return {
    ...PLACE,
    bookingId: randomUUID(),
    date: DATE,
    minute,
    startMs: dayClock(OCTO_ZONE, DATE).epochMsOf(minute) ?? Number.NaN,
    adults: 2,
    children: 1,
    durationMinutes: null,
    spaceId: null,
    details: DETAILS,
    ...changes,
  };
}

const attemptsOf = (bookingId: string) =>
  [...supplier.book.bookings.values()].filter(({ resellerReference }) => resellerReference === bookingId);
const confirmedOf = (bookingId: string) =>
  attemptsOf(bookingId).filter(({ status }) => status === 'CONFIRMED');

const expire = (uuid: string) => {
  const booking = supplier.book.bookings.get(uuid);
  assert.ok(booking);
  booking.utcExpiresAt = new Date(Date.now() - 1000).toISOString();
};

test('the published description tells what is no OCTO', { skip: skipReason }, () => {
  const published = readPublished();
  assert.deepEqual(
    published?.faultsIn('POST', '/bookings/{uuid}/extend', 'request', { expirationMinutes: 5 }),
    [],
  );
  assert.equal(published?.faultsIn('POST', '/bookings', 'request', { unitItems: [{}] }).length, 1);
  assert.equal(published?.faultsIn('GET', '/supplier', 200, { id: 7 }).length, 1);
});

test('a booking has its guests as units, its contact and our id as reference', async () => {
  const request = requestAt(MORNING);
  const booked = expectOk(await octo().book(call(), request));
  assert.equal(booked.guests, 3);
  assert.equal(booked.pricePerGuestPence, Math.round(6500 / 3));
  const [made] = attemptsOf(request.bookingId);
  assert.equal(made?.uuid, request.bookingId);
  assert.deepEqual(
    made?.unitItems.map(({ unitId }) => unitId),
    ['adult', 'adult', 'child'],
  );
  const { contact } = supplier.lastBody('confirm') as { contact: Record<string, string> };
  assert.equal(contact.fullName, 'Ada Lovelace');
  assert.match(contact.notes ?? '', /By the window.*1 × Champagne.*Demo Partner \(P-1\)/s);
});

test('the prices of the units count before that of the booking', async () => {
  const request = requestAt(MORNING);
  const pricing = { original: 1000, retail: 1000, net: null, currency: 'GBP', currencyPrecision: 0 };
  const change = (body: unknown) => {
    const { unitItems, ...rest } = body as { unitItems: object[] };
    return { ...rest, unitItems: unitItems.map((item) => ({ ...item, pricing })) };
  };
  supplier.faults.plan({ kind: 'altered', change }, ['confirm']);
  assert.equal(expectOk(await octo().book(call(), request)).pricePerGuestPence, 100_000);
});

test('a price in another currency is none of ours', async () => {
  const pricing = { original: 1000, retail: 1000, net: null, currency: 'JPY', currencyPrecision: 0 };
  const change = (body: unknown) => {
    const { unitItems, ...rest } = body as { unitItems: object[] };
    return { ...rest, pricing, unitItems: unitItems.map((item) => ({ ...item, pricing })) };
  };
  supplier.faults.plan({ kind: 'altered', change }, ['confirm']);
  assert.equal(expectOk(await octo().book(call(), requestAt(MORNING))).pricePerGuestPence, null);
});

test('a product of another type of unit gives that unit to all guests', async () => {
  const productId = parseProductId(`${OCTO_PRODUCT}~SENIOR`);
  const request = requestAt(MORNING, { productId, children: 0 });
  expectOk(await octo().book(call(), request));
  const [made] = attemptsOf(request.bookingId);
  assert.deepEqual(
    made?.unitItems.map(({ unitId }) => unitId),
    ['senior', 'senior'],
  );
});

test('the catalogue has a venue with its products, and the price of an adult', async () => {
  const { venues, next } = expectOk((await octo().catalogue?.(call(), null)) as Outcome<never>);
  assert.equal(next, null);
  const [venue] = venues as { resourceId: string; timeZone: string; currency: string; products: object[] }[];
  assert.deepEqual([venue?.resourceId, venue?.timeZone, venue?.currency], ['towers', OCTO_ZONE, 'GBP']);
  assert.deepEqual(venue?.products, [
    { key: 'tower~DEFAULT', name: 'Tower tour', minGuests: 1, maxGuests: 6, pricePence: 2500 },
    {
      key: 'tower~DEFAULT~SENIOR',
      name: 'Tower tour – senior',
      minGuests: 1,
      maxGuests: 6,
      pricePence: 2000,
    },
  ]);
});

test('an account is tried with its key, and must be that of the supplier it names', async () => {
  const check = octo().checkAccount;
  expectOk((await check?.(call(), ACCOUNT)) as Outcome<void>);
  const wrongKey = { settings: {}, credentials: { apiKey: 'wrong' } };
  assertRefused((await check?.(call(), wrongKey)) as Outcome<void>, 'rejected');
  const other = { ...ACCOUNT, settings: { supplierId: 'bridges' } };
  assertRefused((await check?.(call(), other)) as Outcome<void>, 'rejected');
  assertRefused(await octoAt(supplier.url, wrongKey).find(call(), randomUUID()), 'rejected');
  const stranger = { ...call(), operatorId: 2 };
  assertRefused(await octo().book(stranger, requestAt(MORNING)), 'rejected');
});

const WRITES: Record<string, (request: BookingRequest) => Promise<Outcome<unknown>>> = {
  hold: (request) => octo().book(call(), request),
  confirm: (request) => octo().book(call(), request),
  update: (request) => octo().amend(call(), request),
  cancel: ({ bookingId }) => octo().cancel(call(), bookingId),
};

const FAULTS: { fault: OctoFault; reads: string; writes: string }[] = [
  { fault: { kind: 'slow', delayMs: 5 }, reads: 'ok', writes: 'ok' },
  { fault: { kind: 'cut-before-commit' }, reads: 'unavailable', writes: 'unknown' },
  { fault: { kind: 'garbage', body: '<html>It works!</html>' }, reads: 'unavailable', writes: 'unknown' },
  { fault: { kind: 'garbage', body: '{"uuid": 7}' }, reads: 'unavailable', writes: 'unknown' },
  { fault: { kind: 'garbage', body: '' }, reads: 'unavailable', writes: 'unknown' },
  { fault: { kind: 'status', status: 500 }, reads: 'unavailable', writes: 'unknown' },
  { fault: { kind: 'status', status: 503, body: {} }, reads: 'unavailable', writes: 'unknown' },
  { fault: { kind: 'status', status: 404, body: 'no such page' }, reads: 'unavailable', writes: 'unknown' },
  {
    fault: { kind: 'status', status: 400, body: { error: 'INTERNAL_SERVER_ERROR', errorMessage: 'oh' } },
    reads: 'unavailable',
    writes: 'unknown',
  },
  { fault: { kind: 'rate-limit', retryAfterSeconds: 7 }, reads: 'rate-limited', writes: 'rate-limited' },
  { fault: { kind: 'status', status: 401 }, reads: 'refused', writes: 'refused' },
];

for (const { fault, reads, writes } of FAULTS) {
  test(`${JSON.stringify(fault)}: a look-up is ${reads}, a change is ${writes}`, async () => {
    for (const [operation, perform] of Object.entries(WRITES)) {
      const request = requestAt(MORNING);
      if (operation === 'update' || operation === 'cancel') expectOk(await octo().book(call(), request));
      supplier.faults.plan(fault, [operation as OctoOperation]);
      const outcome = await perform(request);
      // What was reserved although the answer was lost is found and confirmed, or the refused step was the last.
      const isRecovered = operation === 'hold' && fault.kind === 'garbage';
      assert.equal(outcome.kind, isRecovered ? 'ok' : writes, `${operation}: ${JSON.stringify(outcome)}`);
    }
    for (const operation of ['availability', 'product', 'get'] as const) {
      supplier.faults.plan(fault, [operation]);
      const outcome =
        operation === 'get'
          ? await octo().find(call(), randomUUID())
          : await octo().availability(call(), QUERY);
      assert.equal(outcome.kind, reads, `${operation}: ${JSON.stringify(outcome)}`);
    }
  });
}

const asList = (body: unknown) => body as Record<string, unknown>[];
const UNUSABLE: Record<string, (body: unknown) => unknown> = {
  'another time zone': (body) =>
    asList(body).map((each) => ({ ...each, localDateTimeStart: `${DATE}T05:00:00-04:00` })),
  'an end before the start': (body) =>
    asList(body).map((each) => ({ ...each, localDateTimeEnd: `${DATE}T00:00:00+01:00` })),
  'no time': (body) => asList(body).map((each) => ({ ...each, localDateTimeStart: 'at nine' })),
  'vacancies as a text': (body) => asList(body).map((each) => ({ ...each, vacancies: '12' })),
  'fewer than none': (body) => asList(body).map((each) => ({ ...each, vacancies: -1 })),
  'an unknown status': (body) => asList(body).map((each) => ({ ...each, status: 'MAYBE' })),
  'far too many': (body) => Array.from({ length: 10_001 }, () => asList(body)[0]),
  'no list': (body) => ({ list: body }),
};
for (const [what, change] of Object.entries(UNUSABLE))
  test(`availability with ${what} is not used, and nothing is booked on it`, async () => {
    supplier.faults.plan({ kind: 'altered', change }, ['availability'], 2);
    assert.equal((await octo().availability(call(), QUERY)).kind, 'unavailable');
    const request = requestAt(MORNING);
    assert.equal((await octo().book(call(), request)).kind, 'unavailable');
    assert.equal(attemptsOf(request.bookingId).length, 0);
  });

test('starts in the past, closed ones and such that are sold out are not offered', async () => {
  const change = (body: unknown) => {
    const [first, second, third] = asList(body);
    return [{ ...first, available: false, status: 'CLOSED' }, { ...second, status: 'SOLD_OUT' }, third];
  };
  supplier.faults.plan({ kind: 'altered', change }, ['availability']);
  const { days } = expectOk(await octo().availability(call(), QUERY));
  const obstacles = days[0]?.slots.map(({ minute, obstacle }) => [minute, obstacle]);
  assert.deepEqual(obstacles, [
    [840, 'taken'],
    [EVENING, undefined],
  ]);
  const past = expectOk(await octo().availability(call(), { ...QUERY, nowMs: NOW_MS + 400 * 86_400_000 }));
  assert.ok(past.days[0]?.slots.every(({ obstacle }) => obstacle === 'too-soon'));
});

const OTHERS: Record<string, (body: unknown) => unknown> = {
  'another uuid': (body) => ({ ...(body as object), uuid: randomUUID() }),
  'another start': (body) => ({
    ...(body as object),
    availability: {
      ...(body as { availability: object }).availability,
      localDateTimeStart: `${DATE}T11:00:00+01:00`,
    },
  }),
  'fewer units': (body) => ({ ...(body as object), unitItems: [] }),
  'another product': (body) => ({ ...(body as object), productId: 'bridge' }),
  'a reference that cannot be stored': (body) => ({ ...(body as object), supplierReference: 'T\u0000' }),
  'an end': (body) => ({ ...(body as object), status: 'REJECTED' }),
};
for (const [what, change] of Object.entries(OTHERS))
  test(`a confirmation or an amendment with ${what} is no success`, async () => {
    const request = requestAt(MORNING);
    supplier.faults.plan({ kind: 'altered', change }, ['confirm']);
    assert.equal((await octo().book(call(), request)).kind, 'unknown');
    expectOk(await octo().book(call(), request));
    supplier.faults.plan({ kind: 'altered', change }, ['update']);
    const moved = requestAt(EVENING, { bookingId: request.bookingId });
    assert.equal((await octo().amend(call(), moved)).kind, 'unknown');
    assert.equal(confirmedOf(request.bookingId).length, 1);
  });

test('errors of a supplier are the reasons of the contract', async () => {
  const reasonFor = async (code: string) => {
    const body = { error: code, errorMessage: 'Because.' };
    supplier.faults.plan({ kind: 'status', status: 400, body }, ['hold']);
    const outcome = await octo().book(call(), requestAt(MORNING));
    return outcome.kind === 'refused' ? [outcome.reason, outcome.detail] : outcome.kind;
  };
  assert.deepEqual(await reasonFor('INVALID_PRODUCT_ID'), ['no-such-product', undefined]);
  assert.deepEqual(await reasonFor('INVALID_OPTION_ID'), ['no-such-product', undefined]);
  assert.deepEqual(await reasonFor('INVALID_AVAILABILITY_ID'), ['not-a-start', undefined]);
  assert.deepEqual(await reasonFor('INVALID_UNIT_ID'), ['rejected', 'Because.']);
  assert.deepEqual(await reasonFor('UNPROCESSABLE_ENTITY'), ['rejected', 'Because.']);
  assert.deepEqual(await reasonFor('BAD_REQUEST'), ['rejected', 'Because.']);
  assert.equal(await reasonFor('INVALID_BOOKING_UUID'), 'unknown');
  const unheardOf = parseProductId(`${OCTO_VENUE}|bridge~DEFAULT`);
  assertRefused(await octo().book(call(), requestAt(MORNING, { productId: unheardOf })), 'no-such-product');
});

test('a supplier that does not listen has certainly not booked', async () => {
  const gone = await startTowers();
  await gone.close();
  assert.equal((await octoAt(gone.url).book(call(), requestAt(MORNING))).kind, 'unavailable');
  const request = requestAt(MORNING);
  supplier.faults.plan({ kind: 'hang' }, ['confirm']);
  const outcome = await octo().book(call(AbortSignal.timeout(300)), request);
  assert.equal(outcome.kind, 'unknown');
});

test('a hold that a crash left over is confirmed, and one for another place makes room', async () => {
  for (const minute of [MORNING, EVENING]) {
    const request = requestAt(MORNING);
    supplier.faults.plan({ kind: 'cut-before-commit' }, ['confirm']);
    assert.equal((await octo().book(call(), request)).kind, 'unknown');
    assert.equal(expectOk(await octo().find(call(), request.bookingId)), undefined);
    const booked = expectOk(await octo().book(call(), requestAt(minute, { bookingId: request.bookingId })));
    assert.equal(booked.startMs, requestAt(minute).startMs);
    assert.equal(confirmedOf(request.bookingId).length, 1);
    assert.equal(attemptsOf(request.bookingId).length, minute === MORNING ? 1 : 2);
  }
});

test('what has expired or was cancelled is booked anew under another uuid, once', async () => {
  const request = requestAt(MORNING);
  const { bookingId } = request;
  supplier.faults.plan({ kind: 'cut-before-commit' }, ['confirm']);
  await octo().book(call(), request);
  expire(bookingId);
  const repeated = await Promise.all(Array.from({ length: 5 }, () => octo().book(call(), request)));
  assert.equal(new Set(repeated.map((outcome) => expectOk(outcome).reference)).size, 1);
  assert.equal(confirmedOf(bookingId).length, 1);
  expectOk(await octo().cancel(call(), bookingId));
  assert.equal(expectOk(await octo().find(call(), bookingId)), undefined);
  const again = expectOk(await octo().book(call(), request));
  assert.deepEqual(expectOk(await octo().find(call(), bookingId)), again);
  assert.deepEqual(expectOk(await octo().amend(call(), { ...request, children: 0 })).guests, 2);
  assert.equal(confirmedOf(bookingId).length, 1);
  assert.equal(new Set(attemptsOf(bookingId).map(({ uuid }) => uuid)).size, 3);
});

test('a booking that the supplier has to agree to is withdrawn, and in between it is not denied', async () => {
  const slow = await startTowers({ isPending: true });
  const connector = octoAt(slow.url);
  const request = requestAt(MORNING);
  assertRefused(await connector.book(call(), request), 'enquiry-only');
  assert.equal(slow.book.bookings.get(request.bookingId)?.status, 'CANCELLED');
  const second = requestAt(MORNING);
  slow.faults.plan({ kind: 'cut-before-commit' }, ['cancel']);
  assert.equal((await connector.book(call(), second)).kind, 'unknown');
  assert.equal((await connector.find(call(), second.bookingId)).kind, 'unavailable');
  expectOk(await connector.cancel(call(), second.bookingId));
  assert.equal(expectOk(await connector.find(call(), second.bookingId)), undefined);
  assert.deepEqual(expectOk((await connector.catalogue?.(call(), null)) as Outcome<never>), {
    venues: [],
    next: null,
    total: 0,
  });
  await slow.close();
});

test('a place is held, extended, confirmed and released, each as often as one likes', async () => {
  const { holds } = octo();
  assert.ok(holds);
  const request = requestAt(MORNING, { nowMs: Date.now() });
  const { bookingId } = request;
  const inMinutes = (minutes: number) => Date.now() + minutes * 60_000;
  const held = expectOk(await holds.hold(call(), request, inMinutes(5)));
  assert.deepEqual(expectOk(await holds.hold(call(), request, inMinutes(5))), held);
  assert.equal(held.startMs, request.startMs);
  assert.ok(held.expiresMs > inMinutes(3) && held.expiresMs <= inMinutes(6));
  assert.equal(expectOk(await octo().find(call(), bookingId)), undefined);
  const longer = expectOk(await holds.extend(call(), bookingId, inMinutes(10), Date.now()));
  assert.ok(longer.expiresMs > inMinutes(8));
  assertRefused(await holds.confirm(call(), { ...request, adults: 1 }), 'rejected');
  const booked = expectOk(await holds.confirm(call(), request));
  assert.deepEqual(expectOk(await holds.confirm(call(), request)), booked);
  assertRefused(await holds.extend(call(), bookingId, inMinutes(10), Date.now()), 'hold-ended');
  assertRefused(await holds.hold(call(), request, inMinutes(5)), 'hold-ended');
  expectOk(await holds.release(call(), bookingId));
  assert.deepEqual(expectOk(await octo().find(call(), bookingId)), booked);
  assert.equal(attemptsOf(bookingId).length, 1);
});

test('a hold that has ended is neither extended nor confirmed', async () => {
  const { holds } = octo();
  assert.ok(holds);
  for (const ends of ['by the clock', 'by release'] as const) {
    const request = requestAt(MORNING, { nowMs: Date.now() });
    const { bookingId } = request;
    expectOk(await holds.hold(call(), request, Date.now() + 300_000));
    if (ends === 'by the clock') expire(bookingId);
    else expectOk(await holds.release(call(), bookingId));
    assertRefused(await holds.extend(call(), bookingId, Date.now() + 300_000, Date.now()), 'hold-ended');
    assertRefused(await holds.confirm(call(), request), 'hold-ended');
    expectOk(await holds.release(call(), bookingId));
    expectOk(await holds.hold(call(), request, Date.now() + 300_000));
    expectOk(await holds.confirm(call(), request));
    assert.equal(confirmedOf(bookingId).length, 1);
  }
});

test('a supplier that forgets a booking is believed, and it can be made again', async () => {
  const request = requestAt(MORNING);
  expectOk(await octo().book(call(), request));
  supplier.book.bookings.delete(request.bookingId);
  assert.equal(expectOk(await octo().find(call(), request.bookingId)), undefined);
  assertRefused(await octo().amend(call(), request), 'not-found');
  expectOk(await octo().cancel(call(), request.bookingId));
  expectOk(await octo().book(call(), request));
});

test('two hundred replies that are cut: no booking twice, no success that is none, no denial of one that is', async () => {
  const operations = ['hold', 'confirm', 'update', 'cancel'] as const;
  const kinds = ['cut-before-commit', 'cut-after-commit', 'late'] as const;
  for (let round = 0; round < 200; round += 1) {
    const operation = operations[round % operations.length] ?? 'hold';
    const kind = kinds[Math.floor(round / operations.length) % kinds.length] ?? 'late';
    const request = requestAt(MORNING);
    const { bookingId } = request;
    const isCreation = operation === 'hold' || operation === 'confirm';
    if (!isCreation) expectOk(await octo().book(call(), request));
    supplier.faults.plan({ kind }, [operation]);
    const outcome = await WRITES[operation]?.({ ...request, ...(operation === 'update' && { children: 0 }) });
    const about = `${operation} ${kind}: ${JSON.stringify(outcome)}`;
    if (outcome?.kind === 'ok')
      assert.equal(confirmedOf(bookingId).length, operation === 'cancel' ? 0 : 1, about);
    else assert.equal(outcome?.kind, 'unknown', about);
    supplier.applyLate();
    const found = expectOk(await octo().find(call(), bookingId));
    assert.equal(found !== undefined, confirmedOf(bookingId).length === 1, about);
    if (operation === 'cancel') {
      expectOk(await octo().cancel(call(), bookingId));
      assert.equal(confirmedOf(bookingId).length, 0, about);
    } else {
      if (!isCreation) expectOk(await octo().amend(call(), { ...request, children: 0 }));
      expectOk(await octo().book(call(), request));
      assert.equal(confirmedOf(bookingId).length, 1, about);
    }
  }
});

test('settings, accounts and credentials are described for those who fill them in', () => {
  for (const schema of [protocol.settings, protocol.accountSettings, protocol.credentials])
    for (const [name, { description }] of Object.entries(
      schema.properties as Record<string, { description?: string }>,
    ))
      assert.ok(description, name);
  assert.equal(protocol.name, 'octo');
});
