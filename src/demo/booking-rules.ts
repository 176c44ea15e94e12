import type { NewRule } from '../features/booking-rules/manage/storing.ts';
import { partnerCategories } from './availability-rules.ts';

/** What was stored under these ids is quoted in examples, so they stay as they are: the second rule of operator 4 is 402. */
const ruleId = (number: number) => `01990a6e-0000-7000-8000-000000000${number}`;

const categoryOf = (slug: string) =>
  partnerCategories.filter((category) => category.slug === slug).map(({ id }) => id);

function expression(hook: string, when: unknown, ...actions: unknown[]) {
  return { effect: 'expression', hook, when, then: actions };
}

const fact = (name: string) => ({ var: name });
const reject = (message: string) => ({ reject: { message } });
const flag = (name: string) => ({ flag: { name } });
const becomesEnquiry = { set: { fact: 'booking.type', value: 'request' } };

/** Small tables at Soho Grill are left alone: the examples and first tries that are made with them confirm at once. */
const lampAndLarder = [
  {
    effect: 'suppress_preorder_email',
    name: 'No reminder for small brunch tables',
    description: 'Fewer than four guests have chosen everything when they book; a mail would only repeat it.',
    venueIds: ['1|house|garden-room'],
    params: { threshold: 4 },
  },
  {
    effect: 'same_package',
    name: 'One brunch for a long table',
    description: 'From ten guests the glasshouse serves the whole table together.',
    message: 'From ten guests, please choose the same brunch for everybody.',
    venueIds: ['1|house|garden-room'],
    conditions: [{ field: 'partySize', operator: 'gte', value: 10 }],
    items: ['bottomless-brunch', 'garden-brunch'],
  },
  {
    ...expression(
      'booking.create',
      { and: [{ '>=': [fact('booking.guests'), 20] }, { '<': [fact('daysAhead'), 3] }] },
      reject('Parties of twenty or more need three days of notice, so that the butcher can be told.'),
    ),
    name: 'Notice for very large parties',
    description: 'The rib of beef is hung to order.',
    message: 'Parties of twenty or more can be booked until three days before.',
    venueIds: ['1|house|soho-grill'],
    productSlugs: ['private-dining'],
  },
];

const afterDark = [
  {
    effect: 'route_to_enquiry',
    name: 'Large groups on Saturday nights are asked about first',
    description: 'The door team answers within a few hours.',
    message: 'Groups of seven or more on Saturday nights are confirmed by our door team.',
    venueIds: ['2|house|night-owl'],
    conditions: [
      { field: 'partySize', operator: 'gte', value: 7 },
      { field: 'weekday', operator: 'eq', value: 6 },
      { field: 'time', operator: 'between', value: ['21:00', '02:00'] },
    ],
  },
  {
    effect: 'require_preorder',
    name: 'A bottle for a full booth',
    message: 'On Saturdays a booth for eight or more comes with a bottle.',
    venueIds: ['2|house|night-owl'],
    conditions: [{ field: 'weekday', operator: 'eq', value: 6 }],
    items: ['house-bottle'],
    params: { from: 8, kind: 'package' },
  },
  {
    effect: 'require_deposit',
    name: 'Deposit for large tables in the club',
    message: 'From ten guests we ask for a deposit of ten pounds each, which comes off the bill.',
    venueIds: ['2|house|blue-note'],
    conditions: [{ field: 'partySize', operator: 'gte', value: 10 }],
    params: { amount: 1000, per: 'guest' },
  },
  {
    ...expression(
      'booking.create',
      { and: [{ '===': [fact('booking.weekday'), 4] }, { '>=': [fact('booking.guests'), 7] }] },
      becomesEnquiry,
      flag('jazz-night-table'),
    ),
    name: 'Big tables on jazz nights',
    description:
      'On Thursdays the floor is laid out for the band, and tables for seven or more are placed by hand.',
    message: 'On Thursdays we look for a table for seven or more ourselves and come back to you.',
    venueIds: ['2|house|blue-note'],
  },
];

const commonplace = [
  {
    effect: 'party_size_limit',
    name: 'Booking engines seat up to twelve',
    message: 'For more than twelve guests please ring us.',
    categoryIds: categoryOf('booking-engines'),
    productSlugs: ['lunch', 'dinner'],
    params: { max: 12 },
  },
  {
    effect: 'party_size_limit',
    name: 'Concierges seat up to twenty',
    categoryIds: categoryOf('concierges'),
    productSlugs: ['lunch', 'dinner'],
    params: { max: 20 },
  },
  {
    effect: 'booking_window',
    name: 'Private hire is prepared for three days',
    message: 'Our rooms can be hired from three days to a year ahead.',
    productSlugs: ['private-hire'],
    params: { action: 'book', minNoticeHours: 72, maxHorizonDays: 365 },
  },
  {
    effect: 'booking_window',
    name: 'The tasting menu is bought two days ahead',
    message: 'Tables for the tasting menu can be cancelled until 48 hours before.',
    productSlugs: ['tasting'],
    params: { action: 'cancel', minNoticeHours: 48 },
  },
  {
    ...expression(
      'booking.amend',
      { and: [{ in: [fact('venue.city'), ['London', 'Edinburgh']] }, { '<': [fact('daysAhead'), 2] }] },
      reject('The kitchen has begun with the tasting menu; from now on nothing can be changed.'),
    ),
    name: 'Tasting menus are settled two days ahead',
    message: 'Tables for the tasting menu can be changed until two days before.',
    productSlugs: ['tasting'],
  },
];

const bandsTogether = {
  reduce: [fact('payment.bands'), { '+': [fact('accumulator'), fact('current.amount')] }, 0],
};

const voisins = [
  {
    effect: 'booking_window',
    name: 'Tastings are changed the day before',
    message: 'Changes to a tasting are possible until 24 hours before.',
    venueIds: ['5|house|maison-lilas', '5|house|salon-savigny'],
    params: { action: 'amend', minNoticeHours: 24 },
  },
  {
    ...expression(
      'payment',
      { '>': [bandsTogether, fact('payment.finalBalance')] },
      { set: { fact: 'payment.finalBalance', value: bandsTogether } },
    ),
    name: 'The minimum spend is due',
    description: 'A room costs at least the minimum spend of the hours that it is hired for.',
    productSlugs: ['private-hire'],
  },
];

/** A rule of every effect and of every hook, narrow enough that an ordinary table for two is free of them. */
export const bookingRules: NewRule[] = Object.entries({
  1: lampAndLarder,
  2: afterDark,
  4: commonplace,
  5: voisins,
}).flatMap(([operator, drafts]) =>
  drafts.map((draft, index) => {
    const operatorId = Number(operator);
    return { id: ruleId(operatorId * 100 + index + 1), operatorId, draft };
  }),
);
