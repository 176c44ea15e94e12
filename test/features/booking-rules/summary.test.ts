import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EVERYWHERE, type Rule } from '../../../src/features/booking-rules/engine/rule.ts';
import { type Shown, summaryOf } from '../../../src/features/booking-rules/summary/summary.ts';
import type { VenueId } from '../../../src/kernel/ids.ts';
import type { Body } from '../bookings/support.ts';
import { PARTNER_IDS, rules } from './random-rules.ts';

const ALL: Shown = { partnerScope: 'all_partners', venueCount: 0 };

const base = {
  id: '0199a7c2-5f00-7b31-9c4e-3d1f0a6b7c21',
  operatorId: 1,
  version: 1,
  priority: 0,
  name: 'Name',
  description: null,
  message: null,
  ...EVERYWHERE,
};

const say = (rule: Body, shown = ALL) =>
  summaryOf({ ...base, params: {}, ...rule } as unknown as Rule, shown);

const enquiryWhen = (field: string, operator: string, value: unknown) =>
  say({ effect: 'route_to_enquiry', conditions: [{ field, operator, value }] });

const become = [{ set: { fact: 'booking.type', value: 'request' } }];
const expression = (when: unknown, actions: unknown[] = become, hook = 'booking.create', rest: Body = {}) =>
  say({ effect: 'expression', hook, when, then: actions, ...rest });

const v = (name: string) => ({ var: name });

const CONDITIONS: [field: string, operator: string, value: unknown, clause: string][] = [
  ['partySize', 'eq', 1, 'the party has exactly 1 guest'],
  ['partySize', 'ne', 8, 'the party does not have exactly 8 guests'],
  ['partySize', 'lt', 8, 'the party has fewer than 8 guests'],
  ['partySize', 'lte', 1, 'the party has at most 1 guest'],
  ['partySize', 'gt', 8, 'the party has more than 8 guests'],
  ['partySize', 'gte', 8, 'the party has 8 or more guests'],
  ['partySize', 'in', [2, 4, 6], 'the party has 2, 4 or 6 guests'],
  ['partySize', 'between', [4, 8], 'the party has 4 to 8 guests'],
  ['daysAhead', 'eq', 0, 'the booking is for the same day'],
  ['daysAhead', 'lt', 14, 'the booking is less than 14 days ahead'],
  ['daysAhead', 'gte', 1, 'the booking is not for the same day'],
  ['daysAhead', 'lte', 1, 'the booking is at most 1 day ahead'],
  ['daysAhead', 'between', [1, 3], 'the booking is 1 to 3 days ahead'],
  ['weekday', 'eq', 6, 'the day is a Saturday'],
  ['weekday', 'ne', 1, 'the day is not a Monday'],
  ['weekday', 'in', [5, 6], 'the day is a Friday or Saturday'],
  ['weekday', 'lte', 5, 'the day is from Monday to Friday'],
  ['weekday', 'gt', 5, 'the day is a Saturday or Sunday'],
  ['weekday', 'between', [5, 7], 'the day is from Friday to Sunday'],
  ['time', 'eq', '19:00', 'the booking starts at 19:00'],
  ['time', 'ne', '19:00', 'the booking does not start at 19:00'],
  ['time', 'lt', '19:00', 'the booking starts before 19:00'],
  ['time', 'gte', '19:00', 'the booking starts at 19:00 or later'],
  ['time', 'in', ['19:00', '19:30'], 'the booking starts at 19:00 or 19:30'],
  ['time', 'between', ['22:00', '02:00'], 'the booking starts between 22:00 and 02:00'],
  ['duration', 'gt', 120, 'the requested stay is longer than 120 minutes'],
  ['duration', 'eq', 1, 'the requested stay is 1 minute'],
  ['duration', 'between', [60, 90], 'the requested stay is 60 to 90 minutes'],
  ['category', 'eq', 'brunch', 'the product is in the category “brunch”'],
  ['category', 'ne', 'brunch', 'the product is not in the category “brunch”'],
  ['category', 'in', ['a', 'b'], 'the product is in the category “a” or “b”'],
];

test('each condition has its words, with one or several of what is counted', () => {
  for (const [field, operator, value, clause] of CONDITIONS)
    assert.equal(enquiryWhen(field, operator, value), `When ${clause}, the booking becomes an enquiry.`);
});

const EFFECTS: [rule: Body, sentence: string][] = [
  [{ effect: 'route_to_enquiry' }, 'A booking becomes an enquiry.'],
  [
    { effect: 'require_deposit', params: { amount: 5000, per: 'booking' } },
    'A booking needs a deposit of at least £50.',
  ],
  [
    { effect: 'require_deposit', params: { amount: 120_050, per: 'guest' } },
    'A booking needs a deposit of at least £1,200.50 for each guest.',
  ],
  [{ effect: 'same_package' }, 'A booking can have only one kind of package.'],
  [
    { effect: 'same_package', items: ['feast', 'flight'] },
    'A booking can have only one of “feast” and “flight”.',
  ],
  [
    { effect: 'booking_window', params: { action: 'book', minNoticeHours: 24, maxHorizonDays: 90 } },
    'A booking must be made at least 24 hours before it starts and at most 90 days ahead.',
  ],
  [
    { effect: 'booking_window', params: { action: 'amend', minNoticeHours: 1, maxHorizonDays: null } },
    'A booking can be amended no later than 1 hour before it starts, by its old time and by its new one.',
  ],
  [
    { effect: 'booking_window', params: { action: 'cancel', minNoticeHours: null, maxHorizonDays: 1 } },
    'A booking can be cancelled no earlier than 1 day ahead.',
  ],
  [{ effect: 'party_size_limit', params: { min: 1, max: 8 } }, 'A booking must be for at most 8 guests.'],
  [{ effect: 'party_size_limit', params: { min: 2, max: 8 } }, 'A booking must be for 2 to 8 guests.'],
  [{ effect: 'party_size_limit', params: { min: 2, max: null } }, 'A booking must be for at least 2 guests.'],
  [
    { effect: 'require_preorder', params: { from: 1, kind: 'any' } },
    'A booking needs a package or a menu ordered ahead.',
  ],
  [
    { effect: 'require_preorder', params: { from: 8, kind: 'menu' }, items: ['feast'] },
    'When the party has 8 or more guests, the booking needs the menu “feast” ordered ahead.',
  ],
  [
    { effect: 'suppress_preorder_email', params: { threshold: 4 } },
    'When the party has fewer than 4 guests, no e-mail about the pre-order is sent for the booking.',
  ],
];

test('each effect has its sentence', () => {
  for (const [rule, sentence] of EFFECTS) assert.equal(say(rule), sentence);
});

test('products and venues are said, the venues without those that are not seen', () => {
  const rule = { effect: 'route_to_enquiry', productSlugs: ['dinner', 'lunch'], venueIds: ['a', 'b', 'c'] };
  assert.equal(
    say(rule, { partnerScope: 'all_partners', venueCount: 1 }),
    'A booking of “dinner” or “lunch” at the venue listed becomes an enquiry.',
  );
  assert.equal(
    say({ ...rule, productSlugs: null }, { partnerScope: 'you', venueCount: 2 }),
    'A booking at one of the venues listed becomes an enquiry. It is meant for you.',
  );
  assert.equal(
    say({ effect: 'route_to_enquiry' }, { partnerScope: 'your_categories', venueCount: 0 }),
    'A booking becomes an enquiry. It is meant for a category of partners that you are in.',
  );
});

const large = { '>=': [v('booking.guests'), 8] };
const soon = { '<': [v('daysAhead'), 14] };
const saturday = { '==': [v('booking.weekday'), 6] };
const total = { reduce: [v('payment.bands'), { '+': [v('current.amount'), v('accumulator')] }, 0] };

const CLAUSES: [when: unknown, clause: string][] = [
  [{ and: [large, soon] }, 'the party has 8 or more guests and the booking is less than 14 days ahead'],
  [
    { or: [{ and: [saturday, large] }, soon] },
    'either (the day is a Saturday and the party has 8 or more guests) or the booking is less than 14 days ahead',
  ],
  [
    { and: [{ or: [saturday, soon] }, large] },
    'the party has 8 or more guests and either the day is a Saturday or the booking is less than 14 days ahead',
  ],
  [{ '!': [large] }, 'the party has fewer than 8 guests'],
  [
    { '!': { and: [large, saturday] } },
    'either the party has fewer than 8 guests or the day is not a Saturday',
  ],
  [{ '<=': [4, v('booking.guests'), 8] }, 'the party has 4 to 8 guests'],
  [{ '<': [8, v('booking.guests')] }, 'the party has more than 8 guests'],
  [{ '!': { '<': [8, v('booking.guests')] } }, 'the party has at most 8 guests'],
  [{ in: ['feast', v('booking.packages')] }, 'the package “feast” is ordered'],
  [{ '!': [v('booking.menus')] }, 'no menu is ordered'],
  [
    { some: [v('booking.packages'), { in: [v(''), ['a', 'b']] }] },
    'at least one of the packages ordered is “a” or “b”',
  ],
  [{ none: [v('booking.menus'), { '==': [v(''), 'a'] }] }, 'none of the menus ordered from is “a”'],
  [{ '==': [v('booking.type'), 'request'] }, 'the booking is an enquiry'],
  [{ '>=': [v('booking.date'), '2026-12-24'] }, 'the date is 24 December 2026 or later'],
  [{ missing: ['booking.duration', 'space.id'] }, 'the requested stay or the space is unknown'],
  [{ if: [large, true, false] }, 'the party has 8 or more guests'],
  [
    { '<': [v('booking.depositAmount'), { '*': [1000, v('booking.guests')] }] },
    'the deposit taken is less than £10 times the number of guests',
  ],
  [
    { '==': [{ '%': [v('booking.guests'), 2] }, 1] },
    'what is left of the number of guests divided by 2 is 1',
  ],
];

test('expressions are put into words', () => {
  for (const [when, clause] of CLAUSES)
    assert.equal(expression(when), `When ${clause}, the booking becomes an enquiry.`);
});

test('an expression says what it does, where it is asked', () => {
  const rejected = [{ reject: { message: 'The words of the operator' } }, { flag: { name: 'flagged' } }];
  assert.equal(
    expression(large, rejected),
    'When the party has 8 or more guests, the booking is refused and is flagged for the operator.',
  );
  assert.equal(
    expression(large, rejected, 'booking.amend', { productSlugs: ['dinner'] }),
    'When a booking of “dinner” is amended and the party has 8 or more guests, the change is refused and it is flagged for the operator.',
  );
  const balance = (value: unknown) =>
    expression(true, [{ set: { fact: 'payment.finalBalance', value } }], 'payment');
  assert.equal(balance(50_050), 'When a booking is paid for, its balance is £500.50.');
  assert.equal(
    balance({ max: [total, { '*': [v('booking.guests'), 2500] }] }),
    'When a booking is paid for, its balance is the larger of (the total amount of the minimum-spend bands of the stay) and (the number of guests times £25).',
  );
  assert.equal(expression(false), 'As it is worded, it concerns no booking.');
});

test('partners stay unnamed, however an expression singles them out', () => {
  const id = 900_007;
  const aimed = [
    { '==': [v('partner.id'), id] },
    { in: [v('partner.id'), [id]] },
    { '!': { in: [id, v('partner.categoryIds')] } },
    { some: [v('partner.categoryIds'), { '==': [v(''), id] }] },
    { '>': [{ '+': [v('partner.id'), id] }, id] },
    { '==': [{ if: [{ '==': [v('partner.id'), id] }, 1, 2] }, 1] },
    { missing: ['partner.id'] },
    { var: ['partner.id', id] },
  ];
  for (const when of aimed) {
    assert.equal(expression(when), 'For certain partners, a booking becomes an enquiry.');
    assert.equal(
      expression({ and: [large, when] }),
      'For certain partners, when the party has 8 or more guests, the booking becomes an enquiry.',
    );
    assert.doesNotMatch(expression({ or: [when, soon] }), /900/);
  }
});

test('what is too long to be read is left to the expression itself', () => {
  const names = Array.from({ length: 20 }, (_, index) => ({ in: [`part ${index}`, v('venue.name')] }));
  assert.equal(
    expression({ or: names }),
    'When the expression in `when` holds, the booking becomes an enquiry.',
  );
  const many = Array.from({ length: 200 }, (_, index) => index);
  assert.match(expression({ in: [v('booking.guests'), many] }), /0, 1, 2, 3, 4 or one of 195 more guests/);
});

test('whatever a legal rule says, its summary is a sentence without partners', () => {
  fc.assert(
    fc.property(rules, fc.constantFrom('all_partners', 'you', 'your_categories'), (rule, partnerScope) => {
      const summary = summaryOf(rule, {
        partnerScope: partnerScope as Shown['partnerScope'],
        venueCount: (rule.venueIds as VenueId[] | null)?.length ?? 0,
      });
      assert.match(summary, /^[A-Z].*\.$/s);
      assert.doesNotMatch(summary, /undefined|\[object|NaN|null|Infinity| {2}| ,|\(\)/);
      for (const id of PARTNER_IDS) assert.ok(!summary.includes(String(id)), summary);
      assert.ok(!summary.replaceAll(',', '').match(/90000\d/), summary);
      assert.ok(summary.length < 1500, summary);
    }),
    { numRuns: 5000 },
  );
});
