import { PRIVATE } from '../../bookings/support.ts';
import { rulesApp } from '../support.ts';
import { type Case, large, room, testCases } from './explain-support.ts';

/** Fixed effects and conditions: what they look at, what they do, and what would change it. */

const cases: Case[] = [
  {
    what: 'a condition that is not met',
    rule: { effect: 'route_to_enquiry', conditions: [large] },
    result: 'not_applied',
    facts: { 'booking.guests': 2 },
    change: {
      fact: 'booking.guests',
      value: 8,
      sentence: 'booking.guests is 2; the rule concerns a booking only when the party has 8 or more guests.',
    },
  },
  {
    what: 'a condition about something that is not said',
    rule: {
      effect: 'route_to_enquiry',
      conditions: [{ field: 'duration', operator: 'lt', value: 120 }],
    },
    result: 'not_applied',
    facts: { 'booking.duration': null },
    change: {
      fact: 'booking.duration',
      value: 119,
      sentence:
        'booking.duration is not known; the rule concerns a booking only when the requested stay is shorter than 120 minutes.',
    },
  },
  {
    what: 'an enquiry instead of a booking',
    rule: { effect: 'route_to_enquiry', conditions: [large] },
    booking: { partySize: 8, children: 2 },
    result: 'applied',
    does: 'Turns it into an enquiry.',
    facts: { 'booking.guests': 10 },
    change: {
      fact: 'booking.guests',
      value: 7,
      sentence: 'booking.guests is 10; the rule concerns a booking only when the party has 8 or more guests.',
    },
  },
  {
    what: 'an enquiry come what may',
    rule: { effect: 'route_to_enquiry' },
    booking: { type: 'request' },
    result: 'applied',
    does: 'Leaves it an enquiry.',
    facts: {},
    change: null,
  },
  {
    what: 'a deposit that is too small',
    rule: { effect: 'require_deposit', params: { amount: 2500, per: 'guest' } },
    booking: { depositAmount: 4999 },
    result: 'applied',
    does: 'Refuses the booking with BKRUL-N-001.',
    facts: { 'booking.depositAmount': 4999, 'booking.guests': 2 },
    change: {
      fact: 'booking.depositAmount',
      value: 5000,
      sentence:
        'booking.depositAmount is £49.99; the rule requires a deposit of at least £50, £25 for each guest.',
    },
  },
  {
    what: 'a deposit that is enough',
    rule: { effect: 'require_deposit', params: { amount: 5000 } },
    booking: { depositAmount: 5000 },
    result: 'not_applied',
    facts: { 'booking.depositAmount': 5000 },
    change: {
      fact: 'booking.depositAmount',
      value: 4999,
      sentence: 'booking.depositAmount is £50; the rule requires a deposit of at least £50.',
    },
  },
  {
    what: 'two packages where one is wanted',
    rule: { effect: 'same_package' },
    compositeId: PRIVATE,
    booking: {
      ...room,
      preorders: {
        packages: [
          { id: 102, quantity: 1 },
          { id: 101, quantity: 1 },
        ],
      },
    },
    result: 'applied',
    does: 'Refuses the booking with BKRUL-N-002.',
    facts: { 'booking.packages': ['cellar-flight', 'grill-feast'] },
    change: {
      fact: 'booking.packages',
      value: ['cellar-flight'],
      sentence: 'booking.packages is cellar-flight, grill-feast; the rule allows only one package.',
    },
  },
  {
    what: 'a start beyond the horizon',
    rule: { effect: 'booking_window', params: { maxHorizonDays: 1 } },
    booking: { date: Temporal.Now.plainDateISO('Europe/London').add({ days: 9 }).toString() },
    result: 'applied',
    does: 'Refuses the booking with AVAIL-N-008.',
    facts: { daysAhead: 9 },
    change: {
      fact: 'daysAhead',
      value: 1,
      sentence: 'daysAhead is 9; the rule requires a start at most 1 day ahead.',
    },
  },
  {
    what: 'a party that is too small',
    rule: { effect: 'party_size_limit', params: { min: 3, max: 8 } },
    result: 'applied',
    does: 'Refuses the booking with BKRUL-N-005.',
    facts: { 'booking.guests': 2 },
    change: {
      fact: 'booking.guests',
      value: 3,
      sentence: 'booking.guests is 2; the rule requires between 3 and 8 guests.',
    },
  },
  {
    what: 'nothing ordered ahead',
    rule: { effect: 'require_preorder', params: { kind: 'package' }, items: ['cellar-flight'] },
    compositeId: PRIVATE,
    booking: room,
    result: 'applied',
    does: 'Refuses the booking with BKRUL-N-006.',
    facts: { 'booking.guests': 12, 'booking.packages': [] },
    change: {
      fact: 'booking.packages',
      value: ['cellar-flight'],
      sentence: 'booking.packages is empty; the rule requires “cellar-flight” ordered ahead.',
    },
  },
  {
    what: 'something to be ordered that the product does not offer',
    rule: { effect: 'require_preorder', params: { kind: 'package' }, items: ['cellar-flight'] },
    result: 'applied',
    does: 'Refuses the booking with BKRUL-N-006.',
    facts: { 'booking.guests': 2, 'booking.packages': [] },
    change: {
      fact: 'booking.packages',
      value: null,
      sentence: 'booking.packages is empty; the rule requires “cellar-flight” ordered ahead.',
    },
  },
  {
    what: 'a mail that is not sent',
    rule: { effect: 'suppress_preorder_email', params: { threshold: 4 } },
    result: 'applied',
    does: 'Keeps back the mail about the pre-order.',
    facts: { 'booking.guests': 2 },
    change: {
      fact: 'booking.guests',
      value: 4,
      sentence: 'booking.guests is 2; the rule is for fewer than 4 guests.',
    },
  },
];

testCases(rulesApp(), cases);
