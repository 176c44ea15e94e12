/** Random rules of an operator for bookings that are made, as they are sent; all that they name is there. */
import fc from 'fast-check';
import type { Body } from '../../bookings/support.ts';

export const PACKAGES = ['grill-feast', 'cellar-flight', 'celebration-cake'];
export const MENUS = ['feasting-menu'];

const whole = (min: number, max: number) => fc.integer({ min, max });
const guests = whole(1, 16);
const time = fc.constantFrom('00:00', '17:30', '18:59', '19:00', '19:30', '23:59');
const category = fc.constantFrom('dinner', 'private-hire', 'brunch');

const FIELDS: Record<string, fc.Arbitrary<string | number>> = {
  partySize: guests,
  daysAhead: whole(0, 45),
  weekday: whole(1, 7),
  time,
  duration: fc.constantFrom(1, 60, 90, 120, 1440),
  category,
};

function conditionOn(field: string): fc.Arbitrary<Body> {
  const value = FIELDS[field] ?? category;
  const of = (operator: string, compared: fc.Arbitrary<unknown>) =>
    fc.record({ field: fc.constant(field), operator: fc.constant(operator), value: compared });
  const pair = fc.tuple(value, value).map((both) => (field === 'time' ? both : both.sort(byNumber)));
  const list = of('in', fc.uniqueArray(value, { minLength: 1, maxLength: 3 }));
  const equal = [of('eq', value), of('ne', value), list];
  if (field === 'category') return fc.oneof(...equal);
  const ordered = ['lt', 'lte', 'gt', 'gte'].map((operator) => of(operator, value));
  return fc.oneof(...equal, ...ordered, of('between', pair));
}

const byNumber = (one: string | number, other: string | number) => Number(one) - Number(other);

const conditions = fc.array(fc.constantFrom(...Object.keys(FIELDS)).chain(conditionOn), { maxLength: 3 });
const items = fc.option(fc.uniqueArray(fc.constantFrom(...PACKAGES, ...MENUS), { minLength: 1 }));
const window = fc.record({
  minNoticeHours: fc.option(whole(0, 900)),
  maxHorizonDays: fc.option(whole(0, 45)),
});

const EFFECTS: Record<string, fc.Arbitrary<Body>> = {
  route_to_enquiry: fc.constant({}),
  require_deposit: fc.record({
    params: fc.record({ amount: whole(1, 3000), per: fc.constantFrom('booking', 'guest') }),
  }),
  same_package: fc.record({ items }),
  booking_window: fc.record({
    params: window.filter((params) => params.minNoticeHours !== null || params.maxHorizonDays !== null),
  }),
  party_size_limit: fc.record({
    params: fc.tuple(guests, fc.option(guests)).map(([one, other]) => ({
      min: other === null ? one : Math.min(one, other),
      max: other === null ? null : Math.max(one, other),
    })),
  }),
  require_preorder: fc.record({
    params: fc.record({ from: guests, kind: fc.constantFrom('package', 'menu', 'any') }),
    items,
  }),
  suppress_preorder_email: fc.record({ params: fc.record({ threshold: guests }) }),
};

export const fixedDraft: fc.Arbitrary<Body> = fc
  .tuple(fc.constantFrom(...Object.entries(EFFECTS)), conditions, whole(-2, 2))
  .chain(([[effect, particulars], held, priority]) =>
    particulars.map((each) => ({ name: effect, effect, conditions: held, priority, ...each })),
  );

const fact = (name: string) => ({ var: name });
const clause: fc.Arbitrary<unknown> = fc.oneof(
  guests.map((count) => ({ '>=': [fact('booking.guests'), count] })),
  guests.map((count) => ({ '!=': [fact('booking.partySize'), count] })),
  whole(0, 45).map((days) => ({ '<': [fact('daysAhead'), days] })),
  time.map((at) => ({ '>': [fact('booking.time'), at] })),
  fc.constantFrom('book', 'request').map((type) => ({ '==': [fact('booking.type'), type] })),
  fc.constantFrom(60, 120).map((minutes) => ({ '<=': [fact('booking.duration'), minutes] })),
  fc.constantFrom(...PACKAGES).map((slug) => ({ in: [slug, fact('booking.packages')] })),
  fc.constant({ '==': [fact('booking.guests'), 'two'] }),
  fc.constantFrom('api', 'phone').map((source) => ({ '==': [fact('booking.source'), source] })),
);

const action = fc.constantFrom<Body>(
  { reject: { message: 'No.' } },
  { set: { fact: 'booking.type', value: 'request' } },
  { flag: { name: 'mark' } },
);

export const expressionDraft: fc.Arbitrary<Body> = fc.record({
  name: fc.constant('expression'),
  effect: fc.constant('expression'),
  hook: fc.constant('booking.create'),
  priority: whole(-2, 2),
  conditions: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, conditions),
  when: fc.oneof(
    clause,
    fc.array(clause, { minLength: 1, maxLength: 3 }).map((and) => ({ and })),
    fc.array(clause, { minLength: 1, maxLength: 2 }).map((or) => ({ or })),
    clause.map((each) => ({ '!': each })),
  ),
  then: fc.array(action, { minLength: 1, maxLength: 3 }),
});
