/** Random rules as they can be stored; what they say of partners has numbers that nothing else has. */
import fc from 'fast-check';
import { factsOf } from '../../../src/features/booking-rules/engine/fact-list.ts';
import {
  FIXED_EFFECTS,
  HOOKS,
  type Hook,
  type Rule,
} from '../../../src/features/booking-rules/engine/rule.ts';
import { faultsIn } from '../../../src/features/booking-rules/expression/limits.ts';

export const PARTNER_IDS = [900_001, 900_002, 900_003];

const slug = fc.constantFrom('dinner', 'grill-feast', 'private-hire', 'x');
const slugs = fc.uniqueArray(slug, { minLength: 1, maxLength: 4 });
const guests = fc.integer({ min: 1, max: 40 });
const time = fc.constantFrom('00:30', '12:00', '18:45', '23:59');

const MEASURES: Record<string, fc.Arbitrary<string | number>> = {
  partySize: guests,
  daysAhead: fc.integer({ min: 0, max: 365 }),
  weekday: fc.integer({ min: 1, max: 7 }),
  time,
  duration: fc.integer({ min: 1, max: 1440 }),
  category: slug,
};

const condition = fc.constantFrom(...Object.keys(MEASURES)).chain((field) => {
  const measure = MEASURES[field] ?? slug;
  const operators =
    field === 'category' ? ['eq', 'ne', 'in'] : ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'between'];
  return fc.constantFrom(...operators).chain((operator) => {
    const value =
      operator === 'in'
        ? fc.uniqueArray(measure, { minLength: 1, maxLength: 9 })
        : operator === 'between'
          ? fc.tuple(measure, measure).map((pair) => [...pair].sort((a, b) => (a < b ? -1 : 1)))
          : measure;
    return fc.record({ field: fc.constant(field), operator: fc.constant(operator), value });
  });
});

const PARAMS = {
  route_to_enquiry: fc.constant({}),
  require_deposit: fc.record({
    amount: fc.integer({ min: 1, max: 1_000_000 }),
    per: fc.constantFrom('booking', 'guest'),
  }),
  same_package: fc.constant({}),
  booking_window: fc.record({
    action: fc.constantFrom('book', 'amend', 'cancel'),
    minNoticeHours: fc.integer({ min: 0, max: 200 }),
    maxHorizonDays: fc.option(fc.integer({ min: 0, max: 400 })),
  }),
  party_size_limit: fc.record({ min: guests, max: fc.option(fc.integer({ min: 40, max: 90 })) }),
  require_preorder: fc.record({ from: guests, kind: fc.constantFrom('package', 'menu', 'any') }),
  suppress_preorder_email: fc.record({ threshold: guests }),
};

const literal = fc.oneof(fc.integer({ min: -5, max: 5000 }), fc.boolean(), slug, time, fc.constant(0.5));
const BINARY = ['==', '!=', '===', '!==', '<', '<=', '>', '>=', '/', '%', '-'];
const MANY = ['and', 'or', 'if', '+', '*', 'min', 'max'];

const apply = (operator: string, operands: unknown[]) => ({ [operator]: operands });

/** Whatever is legal, sensible or not. About partners there are only numbers of partners. */
function expressions(hook: Hook): fc.Arbitrary<unknown> {
  const names = factsOf(hook).map(({ name }) => name as string);
  const name = fc.constantFrom(...names.filter((each) => !each.startsWith('partner.')));
  const elementName = fc.constantFrom('', 'amount', 'startTime');
  const aimed = fc.tuple(
    fc.constantFrom('partner.id', 'partner.categoryIds'),
    fc.constantFrom(...PARTNER_IDS),
  );
  const partners = aimed.chain(([fact, id]) =>
    fc.constantFrom(
      { '===': [{ var: fact }, id] },
      { in: [id, { var: fact }] },
      { in: [{ var: fact }, PARTNER_IDS] },
      { some: [{ var: fact }, { '==': [{ var: '' }, id] }] },
      { var: [fact, id] },
      { '+': [{ var: fact }, id] },
    ),
  );
  const { any } = fc.letrec((tie) => ({
    body: fc.oneof(
      fc
        .tuple(fc.constantFrom(...BINARY), elementName, literal)
        .map(([operator, at, value]) => apply(operator, [{ var: at }, value])),
      elementName.map((at) => ({ var: at })),
      literal,
    ),
    any: fc.oneof(
      { maxDepth: 5, depthSize: 'medium' },
      literal,
      name.map((fact) => ({ var: fact })),
      partners,
      fc.tuple(name, literal).map(([fact, value]) => ({ var: [fact, value] })),
      fc
        .tuple(fc.constantFrom(...BINARY), name, literal)
        .map(([operator, fact, value]) => apply(operator, [{ var: fact }, value])),
      fc
        .tuple(fc.constantFrom(...BINARY), tie('any'), tie('any'))
        .map(([operator, ...operands]) => apply(operator, operands)),
      fc
        .tuple(fc.constantFrom('<', '<=', '>', '>='), literal, tie('any'), literal)
        .map(([operator, ...operands]) => apply(operator, operands)),
      fc
        .tuple(fc.constantFrom('!', '!!', '-', '+'), tie('any'))
        .map(([operator, operand]) => apply(operator, [operand])),
      fc
        .tuple(fc.constantFrom(...MANY), fc.array(tie('any'), { minLength: 1, maxLength: 4 }))
        .map(([operator, operands]) => apply(operator, operands)),
      fc
        .tuple(tie('any'), fc.array(literal, { maxLength: 9 }))
        .map(([member, list]) => apply('in', [member, list])),
      fc.tuple(literal, name).map(([member, fact]) => apply('in', [member, { var: fact }])),
      fc
        .tuple(fc.constantFrom('map', 'filter', 'some', 'all', 'none'), tie('any'), tie('body'))
        .map(([operator, ...operands]) => apply(operator, operands)),
      fc
        .tuple(tie('any'), fc.constantFrom('current', 'current.amount'), literal)
        .map(([list, current, initial]) =>
          apply('reduce', [list, { '+': [{ var: 'accumulator' }, { var: current }] }, initial]),
        ),
      fc.uniqueArray(name, { minLength: 1, maxLength: 3 }).map((facts) => ({ missing: facts })),
    ),
  }));
  return any.filter((expression) => faultsIn(expression, (fact) => names.includes(fact)).length === 0);
}

const commons = {
  id: fc.uuid(),
  operatorId: fc.constant(1),
  version: fc.constant(1),
  priority: fc.integer(),
  name: fc.constant('Rule'),
  description: fc.constant(null),
  message: fc.constant(null),
  partnerIds: fc.option(fc.constant(PARTNER_IDS)),
  categoryIds: fc.option(fc.constant(PARTNER_IDS)),
  venueIds: fc.option(fc.constant(['1|house|soho-grill'])),
  productSlugs: fc.option(slugs),
  conditions: fc.array(condition, { maxLength: 3 }),
  items: fc.constant(null),
};

const fixedRules = fc.constantFrom(...FIXED_EFFECTS).chain((effect) =>
  fc.record({
    ...commons,
    effect: fc.constant(effect),
    params: PARAMS[effect] as fc.Arbitrary<unknown>,
    items: fc.option(slugs),
  }),
);

const expressionRules = fc.constantFrom(...HOOKS).chain((hook) => {
  const flag = fc.constant({ flag: { name: 'flag' } });
  const set =
    hook === 'payment'
      ? expressions(hook).map((value) => ({ set: { fact: 'payment.finalBalance', value } }))
      : fc.constant({ set: { fact: 'booking.type', value: 'request' } });
  const reject = fc.constant({ reject: { message: 'No.' } });
  const action = hook === 'payment' ? fc.oneof(flag, set) : fc.oneof(flag, set, reject);
  return fc.record({
    ...commons,
    effect: fc.constant('expression'),
    hook: fc.constant(hook),
    when: expressions(hook),
    then: fc.array(action, { minLength: 1, maxLength: 4 }),
  });
});

export const rules = fc.oneof(fixedRules, expressionRules, expressionRules) as unknown as fc.Arbitrary<Rule>;
