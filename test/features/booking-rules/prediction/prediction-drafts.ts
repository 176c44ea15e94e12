/** Random rules of an operator: every effect and parameter, every condition, aimed at these and those. */
import fc from 'fast-check';
import type { Body } from '../../bookings/support.ts';
import { SOHO } from '../support.ts';
import { clockTime, condition as expression, packageSlug } from './prediction-expressions.ts';
import { CATEGORIES, DAYS, GARDEN, PARTNERS } from './prediction-world.ts';

const whole = (min: number, max: number) => fc.integer({ min, max });
/** Usually for all, otherwise for some of these. */
const allOr = <Value>(values: Value[], freq: number) =>
  fc.option(fc.subarray(values, { minLength: 1 }), { freq });
const maybeOf = (fields: Record<string, fc.Arbitrary<unknown>>, requiredKeys: string[] = []) =>
  fc.record(fields, { requiredKeys });

const fields: Record<string, fc.Arbitrary<number | string>> = {
  partySize: whole(1, 16),
  daysAhead: whole(DAYS.min, DAYS.max),
  weekday: whole(1, 7),
  time: clockTime,
  duration: fc.constantFrom(60, 90, 120, 180, 240),
  category: fc.constantFrom('dinner', 'private-hire', 'brunch'),
};
const condition = fc.constantFrom(...Object.entries(fields)).chain(([field, value]) => {
  const isOrdered = field !== 'category';
  const single = isOrdered ? ['eq', 'ne', 'ne', 'lt', 'lte', 'gt', 'gte'] : ['eq', 'ne'];
  const pair = fc.tuple(value, value).map((both) => (field === 'time' ? both : both.sort(byNumber)));
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ operator: fc.constantFrom(...single), value, field: fc.constant(field) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        operator: fc.constant('in'),
        value: fc.uniqueArray(value, { minLength: 1, maxLength: 4 }),
        field: fc.constant(field),
      }),
    },
    ...(isOrdered
      ? [
          {
            weight: 2,
            arbitrary: fc.record({
              operator: fc.constant('between'),
              value: pair,
              field: fc.constant(field),
            }),
          },
        ]
      : []),
  );
});
const byNumber = (one: number | string, other: number | string) => Number(one) - Number(other);

const items = fc.option(
  fc.uniqueArray(fc.oneof(packageSlug, fc.constant('feasting-menu')), { minLength: 1 }),
);
const isSome = (params: Body) =>
  Object.entries(params).some(([name, value]) => name !== 'action' && value !== null);

const fixed: Record<string, fc.Arbitrary<Body>> = {
  route_to_enquiry: fc.constant({}),
  require_deposit: fc.record({
    params: maybeOf(
      { amount: fc.constantFrom(250, 500, 1000, 5000, 7500), per: fc.constantFrom('booking', 'guest') },
      ['amount'],
    ),
  }),
  same_package: fc.record({ items }),
  booking_window: fc.record({
    params: maybeOf({
      action: fc.constantFrom('book', 'book', 'amend', 'cancel'),
      minNoticeHours: fc.option(whole(DAYS.min * 24, DAYS.max * 24)),
      maxHorizonDays: fc.option(whole(DAYS.min, DAYS.max)),
    }).filter(isSome),
  }),
  party_size_limit: fc.record({
    params: maybeOf({ min: whole(1, 6), max: fc.option(whole(6, 16)) }).filter(isSome),
  }),
  require_preorder: fc.record({
    params: maybeOf({ from: whole(1, 16), kind: fc.constantFrom('package', 'menu', 'any') }),
    items,
  }),
  suppress_preorder_email: fc.record({ params: fc.record({ threshold: whole(1, 16) }) }),
};

const effect = fc
  .constantFrom(...Object.entries(fixed), ...Object.entries(fixed).slice(0, 1))
  .chain(([name, draft]) => draft.map((given): Body => ({ effect: name, ...given })));

const reject = fc
  .constantFrom('Please ring us.', 'Not like this.')
  .map((message) => ({ reject: { message } }));
const flag = fc.constantFrom('vip', 'large', 'call back').map((name) => ({ flag: { name } }));
const enquiry = { set: { fact: 'booking.type', value: 'request' } };
const actions = fc.array(fc.oneof(reject, flag, fc.constant(enquiry)), { minLength: 1, maxLength: 3 });
const balance = fc.constant<Body[]>([{ set: { fact: 'payment.finalBalance', value: 100 } }]);

const written = (hook: string, acts: fc.Arbitrary<Body[]>): fc.Arbitrary<Body> =>
  fc.record({
    effect: fc.constant('expression'),
    hook: fc.constant(hook),
    when: expression,
    then: acts,
  });

/** Rules of other hooks are listed too, and have no say when a booking is made. */
const ofAnyHook = fc.oneof(
  { weight: 12, arbitrary: written('booking.create', actions) },
  { weight: 1, arbitrary: written('booking.amend', actions) },
  { weight: 1, arbitrary: written('payment', balance) },
);

const aim = {
  name: fc.constantFrom('House rule', 'For large parties', 'Weekends'),
  message: fc.option(fc.constant('Please choose another time.')),
  priority: fc.constantFrom(-2, 0, 0, 0, 1, 7),
  partnerIds: allOr(PARTNERS, 5),
  categoryIds: allOr(CATEGORIES, 5),
  venueIds: fc.constantFrom(null, null, [SOHO], [SOHO], [SOHO, GARDEN], [GARDEN]),
  productSlugs: fc.constantFrom(null, null, null, ['dinner'], ['private-dining'], ['brunch', 'dinner']),
  conditions: fc.oneof(fc.constant([]), fc.array(condition, { maxLength: 2 })),
};

/** As an operator would send it. */
export const draft: fc.Arbitrary<Body> = fc
  .tuple(fc.record(aim), fc.oneof(effect, ofAnyHook))
  .map(([aimed, given]) => ({ ...aimed, ...given }));

/** Rules that refuse nothing and leave a mark each, so that a booking tells which of them held. */
export const marks: fc.Arbitrary<Body[]> = fc
  .array(fc.noBias(written('booking.create', fc.constant([]))), { minLength: 40, maxLength: 40, size: 'max' })
  .map((rules) =>
    rules.map((rule, index): Body => {
      const mark = { flag: { name: `mark ${index}` } };
      return { ...rule, name: 'Mark', then: index % 10 === 5 ? [enquiry, mark] : [mark] };
    }),
  );
