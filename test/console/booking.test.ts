import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  endOf,
  heldPence,
  isEnquiry,
  namesOf,
  productKeyOf,
  stateOf,
  venueIdOf,
} from '../../src/console/browser/components/booking/booking-facts.ts';
import {
  differencesOf,
  editOf,
  nearestTo,
  rebased,
  valuesOf,
} from '../../src/console/browser/components/booking/edit/edit-values.ts';
import {
  countSet,
  csvPeriod,
  filterIn,
  questionOf,
} from '../../src/console/browser/pages/bookings/filter.ts';
import { managedBookingExample } from '../../src/features/bookings/operator/schema.ts';

/** What pages of bookings compute by themselves. */

const partners = managedBookingExample;
const ours = { ...partners, partner: null, origin: 'phone' as const };
const TODAY = '2026-11-17';
const filter = (text: string) => filterIn(new URLSearchParams(text));

describe('facts about a booking', () => {
  test('status and visit are one state', () => {
    const state = (status: string, visit: 'expected' | 'seated' = 'expected') =>
      stateOf({ status, visit: { state: visit }, paymentDue: null });
    assert.equal(state('pending'), 'enquiry');
    assert.equal(state('in_progress'), 'in_progress');
    assert.equal(state('confirmed', 'seated'), 'seated');
    assert.equal(state('completed'), 'left');
    assert.equal(state('cancelled', 'seated'), 'cancelled');
  });

  test('a booking that waits for its payment is no enquiry', () => {
    const paymentDue = { amount: 2000, currency: 'GBP', until: '2026-11-17T19:42:00.000Z' };
    const waiting = { status: 'pending', visit: { state: 'expected' as const }, paymentDue };
    assert.equal(stateOf(waiting), 'unpaid');
    assert.equal(isEnquiry(waiting), false);
    assert.equal(isEnquiry({ ...waiting, paymentDue: null }), true);
  });

  test('an end may lie after midnight', () => {
    assert.equal(endOf('19:30', 90), '21:00');
    assert.equal(endOf('23:15', 105), '01:00');
  });

  test('names come from the list and from the diary; a party may have none', () => {
    assert.equal(namesOf({ firstName: 'Ada', lastName: 'Lovelace' }), 'Ada Lovelace');
    assert.equal(namesOf({ guest: { firstName: null, lastName: 'Lovelace' } }), 'Lovelace');
    assert.equal(namesOf({ guest: null }), undefined);
    assert.equal(namesOf({ firstName: null, lastName: null }), undefined);
  });

  test('the id of a product has the venue and the key in it', () => {
    assert.equal(venueIdOf('1|house|soho-grill|dinner'), '1|house|soho-grill');
    assert.equal(productKeyOf('1|house|soho-grill|dinner'), 'dinner');
  });

  test('what goes back is what was paid and not refunded yet', () => {
    const payments = [
      { status: 'succeeded', amount: 5000, refunded: 1000 },
      { status: 'processing', amount: 9000, refunded: 0 },
    ];
    assert.equal(heldPence({ payments, depositAmount: 2000 }), 4000);
  });
});

describe('the form of a booking', () => {
  test('only what differs is sent', () => {
    assert.equal(editOf(partners, valuesOf(partners)), null);
    assert.deepEqual(editOf(partners, { ...valuesOf(partners), time: '20:00', partySize: '5' }), {
      time: '20:00',
      partySize: 5,
    });
    assert.deepEqual(editOf(partners, { ...valuesOf(partners), notes: '  ', duration: '' }), {
      duration: null,
      notes: null,
    });
  });

  test('limits are set aside for a change, and are none themselves', () => {
    const overrides = ['pacing'] as const;
    assert.equal(editOf(partners, { ...valuesOf(partners), overrides }), null);
    assert.deepEqual(editOf(partners, { ...valuesOf(partners), tableIds: [12], overrides }), {
      tableIds: [12],
      overrides: ['pacing'],
    });
  });

  test('the guest of a partner is not ours to change', () => {
    const changed = { lastName: 'King', phone: '' };
    assert.equal(editOf(partners, { ...valuesOf(partners), ...changed }), null);
    assert.deepEqual(editOf(ours, { ...valuesOf(ours), ...changed }), {
      guest: { lastName: 'King', phone: null },
    });
  });

  test('what another person changed is named', () => {
    assert.deepEqual(differencesOf(ours, { ...ours, lastUpdate: '2026-11-16T10:00:00.000Z' }), []);
    const after = {
      ...ours,
      time: '20:00',
      tmsTables: ['4'],
      visit: { ...ours.visit, state: 'seated' as const },
    };
    assert.deepEqual(
      differencesOf(ours, after).map(({ field }) => field),
      ['time', 'tmsTables', 'visit'],
    );
  });

  test('on top of a newer state, what was typed stays and the rest follows', () => {
    const after = { ...ours, time: '20:00', partySize: 6 };
    const values = rebased({ ...valuesOf(ours), partySize: '3', notes: 'Window' }, ours, after);
    assert.deepEqual(editOf(after, values), { partySize: 3, notes: 'Window' });
  });

  test('the nearest starts keep the order of the clock', () => {
    const starts = ['17:00', '18:00', '19:00', '19:30', '22:00'].map((time) => ({ time }));
    assert.deepEqual(
      nearestTo(starts, '19:15', 3).map(({ time }) => time),
      ['18:00', '19:00', '19:30'],
    );
    assert.deepEqual(nearestTo([], '19:00', 3), []);
  });
});

describe('the filters of the list', () => {
  test('a list begins today, a search with the latest visit', () => {
    assert.equal(questionOf(filter(''), TODAY).from, TODAY);
    const search = questionOf(filter('q=Lovel'), TODAY);
    assert.deepEqual([search.from, search.sortBy, search.sortDirection], ['', 'start', 'DESC']);
    assert.equal(questionOf(filter('sort=created'), TODAY).from, '');
    assert.equal(questionOf(filter('to=2026-11-01'), TODAY).from, '');
  });

  test('an address that people have changed by hand does no harm', () => {
    assert.deepEqual(
      [filter('page=-3').page, filter('page=x').page, filter('sort=name').sort],
      [1, 1, 'start'],
    );
  });

  test('filters are counted without the order', () => {
    assert.equal(countSet(filter('q=a&sort=created&page=2')), 0);
    assert.equal(countSet(filter('venue=1|house|a&status=confirmed')), 2);
  });

  test('the file is about the chosen days, or those around today', () => {
    const add = (date: string, days: number) => Temporal.PlainDate.from(date).add({ days }).toString();
    assert.deepEqual(csvPeriod({ from: '', to: '' }, add, TODAY), { from: '2026-10-18', to: '2026-12-17' });
    assert.deepEqual(csvPeriod({ from: '2026-01-01', to: '2026-01-31' }, add, TODAY), {
      from: '2026-01-01',
      to: '2026-01-31',
    });
    assert.deepEqual(csvPeriod({ from: '', to: '2026-01-31' }, add, TODAY), {
      from: '2026-01-01',
      to: '2026-01-31',
    });
  });
});
