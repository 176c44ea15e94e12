import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { ProductId } from '../../src/kernel/ids.ts';
import { addDays, dayClock } from '../../src/kernel/zone-time.ts';
import type { AvailabilityQuery, PlaceRequest, Slot, SystemBooking } from '../../src/tms/contract.ts';
import { assertRefused, bookAtOnce, expectOk, type Harness } from './conformance-harness.ts';
import { holdsConform } from './conformance-holds.ts';
import { readingConforms } from './conformance-reading.ts';

const RACERS = 20;

/** What every connector must do, whatever stands behind it. */
export function connectorConformance(name: string, start: () => Promise<Harness>): void {
  describe(`${name} conforms to the connector contract`, () => {
    let harness: Harness;
    let daysUsed = 0;
    before(async () => {
      harness = await start();
    });
    after(() => harness.close());

    /** No test meets what another one has booked. */
    const freshDate = () => {
      daysUsed += 1;
      return addDays(harness.firstDate, daysUsed - 1);
    };

    const queryFor = (dates: string[], adults = harness.party): AvailabilityQuery => {
      const { productId, venueId, zone, nowMs } = harness;
      return { productId, venueId, zone, nowMs, dates, adults, children: 0 };
    };

    async function slotsOn(date: string, adults = harness.party): Promise<Slot[]> {
      const { days } = expectOk(await harness.system.availability(queryFor([date], adults)));
      return days.flatMap(({ slots }) => slots);
    }

    function requestFor(slot: Slot, changes: Partial<PlaceRequest> = {}): PlaceRequest {
      const { productId, venueId, zone, nowMs, party } = harness;
      return {
        bookingId: randomUUID(),
        productId,
        venueId,
        zone,
        nowMs,
        date: slot.date,
        minute: slot.minute,
        startMs: slot.startMs,
        adults: party,
        children: 0,
        durationMinutes: null,
        spaceId: null,
        ...changes,
      };
    }

    async function firstAndLast(date = freshDate()): Promise<{ first: Slot; last: Slot }> {
      const slots = await slotsOn(date);
      const [first, last] = [slots[0], slots.at(-1)];
      assert.ok(first && last && first !== last, 'the harness has at least two starts a day');
      return { first, last };
    }

    const canBeHad = (slot: Slot | undefined) =>
      slot !== undefined && slot.obstacle === undefined && slot.type === 'book';

    async function fill(slot: Slot): Promise<SystemBooking[]> {
      const outcomes = await bookAtOnce(harness.system, requestFor(slot), harness.capacity);
      return outcomes.map(expectOk);
    }

    test('availability answers every day asked for, in order, with starts in order', async () => {
      const dates = [freshDate(), freshDate()];
      const { days, bounds } = expectOk(await harness.system.availability(queryFor(dates)));
      assert.deepEqual(
        days.map(({ date }) => date),
        dates,
      );
      for (const { date, isClosed, slots } of days) {
        assert.equal(isClosed, false);
        const starts = slots.map(({ startMs }) => startMs);
        assert.deepEqual(
          starts,
          starts.toSorted((a, b) => a - b),
        );
        assert.equal(new Set(starts).size, starts.length);
        assert.ok(slots.length >= 2);
        for (const slot of slots) {
          assert.equal(slot.date, date);
          assert.equal(slot.startMs, dayClock(harness.zone, date).epochMsOf(slot.minute));
          assert.ok(slot.durationMinutes >= bounds.minMinutes && slot.durationMinutes <= bounds.maxMinutes);
          assert.ok(canBeHad(slot));
        }
      }
    });

    test('a start offered to book can be booked, and the booking says when it is', async () => {
      const { first } = await firstAndLast();
      const request = requestFor(first);
      const booking = expectOk(await harness.system.book(request));
      assert.equal(booking.bookingId, request.bookingId);
      assert.equal(booking.startMs, first.startMs);
      assert.equal(booking.durationMinutes, first.durationMinutes);
      assert.equal(booking.guests, harness.party);
      assert.notEqual(booking.reference, '');
      assert.deepEqual(expectOk(await harness.system.find(request.bookingId)), booking);
    });

    test('children count as guests', async () => {
      const { first } = await firstAndLast();
      const { party, system } = harness;
      const request = requestFor(first, { adults: 1, children: party - 1 });
      assert.equal(expectOk(await system.book(request)).guests, party);
      assert.equal(expectOk(await system.find(request.bookingId))?.guests, party);
    });

    test('a full start is refused and no longer offered', async () => {
      const { first, last } = await firstAndLast();
      await fill(first);
      assertRefused(await harness.system.book(requestFor(first)), 'taken');
      const slots = await slotsOn(first.date);
      assert.ok(!canBeHad(slots.find(({ minute }) => minute === first.minute)));
      assert.ok(canBeHad(slots.find(({ minute }) => minute === last.minute)));
    });

    test('a booking id seen twice books once', async () => {
      const { first } = await firstAndLast();
      const request = requestFor(first);
      const once = expectOk(await harness.system.book(request));
      assert.deepEqual(expectOk(await harness.system.book(request)), once);
      const others = await bookAtOnce(harness.system, requestFor(first), harness.capacity);
      assert.equal(others.filter(({ kind }) => kind === 'ok').length, harness.capacity - 1);
    });

    test('a booking id sent five times at once books once', async () => {
      const { first } = await firstAndLast();
      const request = requestFor(first);
      const repeated = await Promise.all(Array.from({ length: 5 }, () => harness.system.book(request)));
      assert.equal(new Set(repeated.map((outcome) => expectOk(outcome).reference)).size, 1);
      const others = await bookAtOnce(harness.system, requestFor(first), harness.capacity);
      assert.equal(others.filter(({ kind }) => kind === 'ok').length, harness.capacity - 1);
    });

    test('twenty at once never get more than there is', async () => {
      const { first } = await firstAndLast();
      const outcomes = await bookAtOnce(harness.system, requestFor(first), RACERS);
      const lucky = outcomes.filter(({ kind }) => kind === 'ok');
      assert.equal(lucky.length, harness.capacity);
      for (const outcome of outcomes) if (outcome.kind !== 'ok') assertRefused(outcome, 'taken');
    });

    test('cancelling makes room, and cancelling again or what never was is no failure', async () => {
      const { first } = await firstAndLast();
      const [one] = await fill(first);
      assert.ok(one);
      expectOk(await harness.system.cancel(one.bookingId));
      assert.equal(expectOk(await harness.system.find(one.bookingId)), undefined);
      expectOk(await harness.system.cancel(one.bookingId));
      expectOk(await harness.system.cancel(randomUUID()));
      expectOk(await harness.system.book(requestFor(first)));
      assertRefused(await harness.system.book(requestFor(first)), 'taken');
    });

    test('a booking that was never made is not found', async () => {
      assert.equal(expectOk(await harness.system.find(randomUUID())), undefined);
      const { first } = await firstAndLast();
      assertRefused(await harness.system.amend(requestFor(first)), 'not-found');
    });

    test('a booking moves to another start and leaves its old one free', async () => {
      const { first, last } = await firstAndLast();
      const [one] = await fill(first);
      assert.ok(one);
      const moved = expectOk(await harness.system.amend(requestFor(last, { bookingId: one.bookingId })));
      assert.equal(moved.startMs, last.startMs);
      assert.equal(moved.reference, one.reference);
      assert.deepEqual(expectOk(await harness.system.find(one.bookingId)), moved);
      expectOk(await harness.system.book(requestFor(first)));
    });

    test('a move to a full start is refused and everything stays as it was', async () => {
      const { first, last } = await firstAndLast();
      await fill(last);
      const request = requestFor(first);
      const booked = expectOk(await harness.system.book(request));
      const move = requestFor(last, { bookingId: request.bookingId });
      assertRefused(await harness.system.amend(move), 'taken');
      assert.deepEqual(expectOk(await harness.system.find(request.bookingId)), booked);
      const others = await bookAtOnce(harness.system, requestFor(first), harness.capacity);
      assert.equal(others.filter(({ kind }) => kind === 'ok').length, harness.capacity - 1);
    });

    test('a party becomes smaller where it is, even at a full start', async () => {
      const { first } = await firstAndLast();
      const [one] = await fill(first);
      assert.ok(one);
      const smaller = requestFor(first, { bookingId: one.bookingId, adults: harness.smallerParty });
      const amended = expectOk(await harness.system.amend(smaller));
      assert.deepEqual([amended.startMs, amended.guests], [first.startMs, harness.smallerParty]);
      assert.equal(expectOk(await harness.system.amend(smaller)).reference, one.reference);
      assert.deepEqual(expectOk(await harness.system.find(one.bookingId)), amended);
    });

    test('two bookings that swap their starts at once both end whole', async () => {
      const { first, last } = await firstAndLast();
      const early = requestFor(first);
      const late = requestFor(last);
      await Promise.all([early, late].map(async (request) => expectOk(await harness.system.book(request))));
      await Promise.all([
        harness.system.amend(requestFor(last, { bookingId: early.bookingId })),
        harness.system.amend(requestFor(first, { bookingId: late.bookingId })),
      ]);
      assert.equal(expectOk(await harness.system.find(early.bookingId))?.startMs, last.startMs);
      assert.equal(expectOk(await harness.system.find(late.bookingId))?.startMs, first.startMs);
    });

    test('a party that never fits is told so, before and while booking', async () => {
      const date = freshDate();
      const { first } = await firstAndLast(date);
      const slots = await slotsOn(date, harness.oversizedParty);
      assert.deepEqual([...new Set(slots.map(({ obstacle }) => obstacle))], ['party-never-fits']);
      const request = requestFor(first, { adults: harness.oversizedParty });
      assertRefused(await harness.system.book(request), 'party-never-fits');
      assert.equal(expectOk(await harness.system.find(request.bookingId)), undefined);
    });

    test('a time that is no start of the product cannot be booked, and nobody is moved there', async () => {
      const { first } = await firstAndLast();
      const booked = expectOk(await harness.system.book(requestFor(first)));
      const { bookingId } = booked;
      const nextMinute = { ...first, minute: first.minute + 1, startMs: first.startMs + 60_000 };
      const sameMinute = { ...first, startMs: first.startMs + 30_000 };
      for (const beside of [nextMinute, sameMinute]) {
        const outcomes = [
          await harness.system.book(requestFor(beside)),
          await harness.system.amend(requestFor(beside, { bookingId })),
        ];
        for (const outcome of outcomes) assert.equal(outcome.kind, 'refused', JSON.stringify(outcome));
      }
      assert.deepEqual(expectOk(await harness.system.find(bookingId)), booked);
    });

    test('a product the system does not know is refused', async () => {
      const { first } = await firstAndLast();
      const productId = `${harness.venueId}|unheard-of` as ProductId;
      const query = { ...queryFor([first.date]), productId };
      assertRefused(await harness.system.availability(query), 'no-such-product');
      assertRefused(await harness.system.book(requestFor(first, { productId })), 'no-such-product');
    });

    holdsConform({
      harness: () => harness,
      requestFor,
      firstStart: async () => (await firstAndLast()).first,
      isOffered: async ({ date, minute }) =>
        canBeHad((await slotsOn(date)).find((slot) => slot.minute === minute)),
    });
    readingConforms({
      harness: () => harness,
      requestFor,
      firstStart: async () => (await firstAndLast()).first,
    });
  });
}
