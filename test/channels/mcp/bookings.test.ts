import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BRUNCH, bookingsApp, COMPANY, DINNER, freeDay } from '../../features/bookings/support.ts';
import { AGENT, callTool, connect, VERSIONS } from './support.ts';

const app = bookingsApp();

const CLUB_TABLE = '2|house|blue-note|table';
/** Of the brunch menu of the Garden Room, without anything to choose. */
const DISH = '111 11101';

const guest = { firstName: 'Ada', lastName: 'Lovelace' };

for (const version of VERSIONS) {
  describe(`a booking by a client of ${version}`, () => {
    it('is found free, made, moved, read and cancelled', async () => {
      const client = await connect(app(), { version, ...AGENT });
      const date = freeDay(6);
      const free = await callTool(client, 'check_venue_availability', {
        compositeId: DINNER,
        partySize: 4,
        date,
        time: '20:00',
      });
      assert.ok(
        free.data.times.some((start: { time: string }) => start.time === '20:00'),
        free.text,
      );

      const made = await callTool(client, 'create_venue_booking', {
        compositeId: DINNER,
        partySize: 4,
        date,
        time: '20:00',
        ...guest,
      });
      assert.equal(made.data.status, 'confirmed', made.text);
      const { bookingId } = made.data;

      const moved = await callTool(client, 'update_venue_booking', { bookingId, time: '20:30' });
      assert.equal(moved.data.time, '20:30', moved.text);
      assert.equal(moved.data.date, date);

      const read = await callTool(client, 'get_venue_booking_by_id', { bookingId });
      assert.equal(read.data.guest, 'Ada Lovelace');
      const listed = await callTool(client, 'get_venue_bookings', { dateFrom: date, dateTo: date });
      assert.deepEqual(
        listed.data.bookings.map((each: { bookingId: string }) => each.bookingId),
        [bookingId],
      );

      for (const _ of ['once', 'again']) {
        const cancelled = await callTool(client, 'cancel_venue_booking', { bookingId });
        assert.deepEqual(cancelled.data, { bookingId, status: 'cancelled' });
      }
    });

    it('is made of a hold', async () => {
      const client = await connect(app(), { version });
      const place = { compositeId: DINNER, partySize: 2, date: freeDay(), time: '19:00' };
      const held = await callTool(client, 'hold_table', { ...place, idempotencyKey: `hold ${version}` });
      const again = await callTool(client, 'hold_table', { ...place, idempotencyKey: `hold ${version}` });
      assert.equal(again.data.holdId, held.data.holdId, held.text);
      const made = await callTool(client, 'create_venue_booking', {
        ...place,
        ...guest,
        holdId: held.data.holdId,
      });
      assert.equal(made.data.bookingId, held.data.holdId, made.text);
    });

    it('is made once by a model that repeats itself', async () => {
      const client = await connect(app(), { version });
      const booking = {
        compositeId: DINNER,
        partySize: 2,
        date: freeDay(),
        time: '19:00',
        ...guest,
        partnerBookingId: `repeated ${version}`,
      };
      const answers = await Promise.all([1, 2].map(() => callTool(client, 'create_venue_booking', booking)));
      const respelt = Object.fromEntries(Object.entries(booking).reverse());
      const again = await callTool(client, 'create_venue_booking', respelt);
      const [made = again] = answers;
      for (const { data, text } of [...answers, again])
        assert.equal(data?.bookingId, made.data.bookingId, text);
      const other = await callTool(client, 'create_venue_booking', { ...booking, time: '20:00' });
      assert.ok(other.isError && other.text.includes('BOOK-N-002'), other.text);
      assert.ok(other.text.includes(made.data.bookingId));
    });

    it('is told as it is now to a model that repeats itself', async () => {
      const client = await connect(app(), { version });
      const partnerBookingId = `changed ${version}`;
      const booking = { compositeId: DINNER, partySize: 2, date: freeDay(), time: '19:00', ...guest };
      const repeat = () => callTool(client, 'create_venue_booking', { ...booking, partnerBookingId });
      const { bookingId } = (await repeat()).data;
      await callTool(client, 'update_venue_booking', { bookingId, time: '20:00' });
      const moved = await repeat();
      assert.ok(moved.isError && moved.text.includes(bookingId), moved.text);
      await callTool(client, 'update_venue_booking', { bookingId, time: '19:00' });
      await callTool(client, 'cancel_venue_booking', { bookingId });
      assert.equal((await repeat()).data?.status, 'cancelled');
    });
  });
}

describe('a refusal', () => {
  it('says what to change', async () => {
    const client = await connect(app());
    const { isError, text } = await callTool(client, 'create_venue_booking', {
      compositeId: DINNER,
      partySize: 0,
      date: freeDay(),
      time: '19:00',
      ...guest,
    });
    assert.ok(isError);
    assert.match(text, /^VALID-N-001: partySize must be at least 1\./);
    const unfit = await callTool(client, 'create_venue_booking', {
      compositeId: DINNER,
      partySize: 2,
      date: freeDay(),
      time: '19:07',
      ...guest,
    });
    assert.match(unfit.text, /nearestTimes/);
  });

  it('does not stick to a call that could succeed by now', async () => {
    const client = await connect(app());
    const booking = { compositeId: DINNER, partySize: 2, date: freeDay(), time: '19:00', ...guest };
    const call = () => callTool(client, 'create_venue_booking', { ...booking, partnerBookingId: 'retried' });
    await giveMandate({ maxPartySize: 1 });
    const refused = await call().finally(takeMandate);
    assert.match(refused.text, /^MANDT-N-001/);
    assert.equal((await call()).data?.status, 'confirmed');
  });

  it('of a booking that is not the caller’s own tells nothing of it', async () => {
    const client = await connect(app());
    const made = await callTool(client, 'create_venue_booking', {
      compositeId: DINNER,
      partySize: 2,
      date: freeDay(),
      time: '19:00',
      ...guest,
    });
    const { bookingId } = made.data;
    const other = await connect(app(), { as: 'other-partner' });
    for (const name of ['get_venue_booking_by_id', 'cancel_venue_booking', 'update_venue_booking']) {
      const answer = await callTool(other, name, {
        bookingId,
        ...(name.startsWith('update') && { time: '20:00' }),
      });
      assert.ok(answer.isError && !answer.text.includes('Ada'), answer.text);
    }
    const { data } = await callTool(other, 'get_venue_bookings');
    assert.deepEqual(data.bookings, []);
  });
});

describe('what a booking lacks', () => {
  it('is asked of the user, step by step', async () => {
    const asked: string[] = [];
    const client = await connect(app(), {
      elicit({ message, requestedSchema }) {
        const fields = Object.keys((requestedSchema as { properties: object }).properties);
        assert.ok(message.length > 0);
        asked.push(fields.join(' '));
        const answers: Record<string, string> = { ...guest, company: COMPANY, package: '112', dish: DISH };
        const content = Object.fromEntries(fields.map((name) => [name, answers[name] as string]));
        return { action: 'accept', content };
      },
    });
    const made = await callTool(client, 'create_venue_booking', {
      compositeId: BRUNCH,
      partySize: 2,
      date: freeDay(7),
      time: '12:00',
      partnerBookingId: 'asked',
    });
    assert.equal(made.isError, false, made.text);
    assert.equal(made.data.guest, 'Ada Lovelace');
    assert.deepEqual(asked, ['firstName lastName', 'package dish', 'company']);
    const { data } = await callTool(client, 'get_venue_bookings', { partnerBookingId: 'asked' });
    assert.equal(data.bookings.length, 1);
  });

  it('is told as an error to a client that cannot ask', async () => {
    for (const version of VERSIONS) {
      const client = await connect(app(), { version });
      const { isError, text } = await callTool(client, 'create_venue_booking', {
        compositeId: BRUNCH,
        partySize: 2,
        date: freeDay(7),
        time: '12:00',
        ...guest,
      });
      assert.ok(isError);
      assert.match(text, /^BOOK-N-007: This product is booked with packages for 2/);
    }
  });

  it('may be a deposit, which the user has to say was taken', async () => {
    const place = { compositeId: CLUB_TABLE, partySize: 10, date: freeDay(2), time: '19:00' };
    const booking = { ...place, type: 'request', ...guest };
    const asked: string[] = [];
    const says = (agreed: boolean) =>
      connect(app(), {
        elicit({ message }) {
          asked.push(message);
          return { action: 'accept', content: { agreed } };
        },
      });
    const refused = await callTool(await says(false), 'create_venue_booking', booking);
    assert.ok(refused.isError);
    const made = await callTool(await says(true), 'create_venue_booking', booking);
    assert.equal(made.isError, false, made.text);
    assert.match(asked[0] ?? '', /deposit of 100\.00 GBP/);
    const record = await app().services.bookings.get(
      { kind: 'platform', clientId: 'test', scopes: new Set() },
      made.data.bookingId,
    );
    assert.equal(record.depositAmount, 10_000);
  });

  it('may be the word of a person, where the mandate of the client says so', async () => {
    const booking = { compositeId: DINNER, partySize: 4, date: freeDay(2), time: '19:00', ...guest };
    await giveMandate({ confirmAbove: { partySize: 3 } });
    try {
      const refused = await callTool(await connect(app()), 'create_venue_booking', booking);
      assert.match(refused.text, /^MANDT-N-002/);
      const { confirmationToken } = JSON.parse(refused.text.split('\n').at(-1) ?? '');
      const confirmed = await callTool(await connect(app()), 'create_venue_booking', {
        ...booking,
        confirmationToken,
      });
      assert.equal(confirmed.data?.status, 'confirmed', confirmed.text);
      const asked: string[] = [];
      const client = await connect(app(), {
        elicit({ message }) {
          asked.push(message);
          return { action: 'accept', content: { agreed: true } };
        },
      });
      const { bookingId } = confirmed.data;
      const moved = await callTool(client, 'update_venue_booking', { bookingId, time: '20:00' });
      assert.equal(moved.data?.time, '20:00', moved.text);
      assert.match(asked.join(), /20:00/);
      await giveMandate({ confirmAbove: { partySize: 3 }, maxOpenBookings: 50 });
      const { data, text } = await callTool(client, 'get_mandate');
      assert.deepEqual(data.mandate.confirmAbove, { partySize: 3 });
      assert.match(text, new RegExp(`Left: ${data.openBookingsLeft} open bookings\\.`));
    } finally {
      await takeMandate();
    }
  });

  it('leaves nothing behind when the user says no', async () => {
    const client = await connect(app(), { elicit: () => ({ action: 'decline' }) });
    const date = freeDay();
    const { isError } = await callTool(client, 'create_venue_booking', {
      compositeId: DINNER,
      partySize: 2,
      date,
      time: '19:00',
    });
    assert.ok(isError);
    const { data } = await callTool(client, 'get_venue_bookings', { dateFrom: date, dateTo: date });
    assert.deepEqual(data.bookings, []);
  });
});

async function giveMandate(body: object): Promise<void> {
  const { status, text } = await app().call('/manage/clients/demo-partner/mandate', {
    method: 'PUT',
    as: 'demo-admin',
    body,
  });
  assert.equal(status, 200, text);
}

const takeMandate = () =>
  app().call('/manage/clients/demo-partner/mandate', { method: 'DELETE', as: 'demo-admin' });

describe('the rules of a venue', () => {
  it('are told, and what they would say of a booking', async () => {
    const client = await connect(app());
    const { data, text } = await callTool(client, 'get_booking_rules', { venueId: '1|house|soho-grill' });
    assert.ok(data.rules.length > 0);
    for (const { summary } of data.rules) assert.ok(text.includes(summary), summary);
    const explained = await callTool(client, 'explain_booking', {
      compositeId: CLUB_TABLE,
      partySize: 10,
      date: freeDay(),
      time: '19:00',
    });
    assert.equal(explained.data.outcome, 'rejected', explained.text);
  });
});
