import { type TSchema, Type } from 'typebox';
import { MAX_INTEGER } from '../../../http/manage-route.ts';
import { named, nameText, nullable, oneOf } from '../../../http/validation/schema-helpers.ts';
import {
  CONDITION_FIELDS,
  CONDITION_OPERATORS,
  type Condition,
  EFFECTS,
  type Effect,
  HOOKS,
} from '../engine/rule.ts';

/** The shapes that drafts of rules have. Sizes are bounded because every node keeps all rules in memory. */

export const MAX_CONDITIONS = 20;
const MAX_LIST = 200;
const MAX_GUESTS = 10_000;
const MAX_DAYS = 3650;
const MAX_HOURS = MAX_DAYS * 24;
const MAX_PENCE = 1_000_000_000;

const closed = { additionalProperties: false };
const line = nameText('What people call it', 120);
const passage = Type.String({ minLength: 1, maxLength: 1000 });
const slug = Type.String({ minLength: 1, maxLength: 100 });
const id = Type.Integer({ minimum: 1, maximum: MAX_INTEGER });
const whole = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });
const guests = whole(1, MAX_GUESTS);
const listOf = (item: TSchema) => Type.Array(item, { minItems: 1, maxItems: MAX_LIST, uniqueItems: true });
const optionalList = (item: TSchema) => Type.Optional(nullable(listOf(item)));

/** What is compared with what is looked at later, when field and operator are known to be some. */
export const ConditionShape = Type.Object(
  { field: oneOf(CONDITION_FIELDS), operator: oneOf(CONDITION_OPERATORS), value: Type.Unknown() },
  closed,
);

const commons = {
  name: line,
  description: Type.Optional(nullable(passage)),
  message: Type.Optional(nullable(passage)),
  isActive: Type.Optional(nullable(Type.Boolean())),
  priority: Type.Optional(whole(-1000, 1000)),
  partnerIds: optionalList(id),
  categoryIds: optionalList(id),
  venueIds: optionalList(Type.String({ minLength: 1, maxLength: 300 })),
  productSlugs: optionalList(slug),
  conditions: Type.Optional(Type.Array(ConditionShape, { maxItems: MAX_CONDITIONS })),
};

/** For drafts whose effect is not one: their other faults are named with it. */
export const AnyShape = Type.Object({ ...commons, effect: oneOf(EFFECTS) });

const noParams = Type.Object({}, closed);
const items = { items: optionalList(slug) };

export const PARAMS = {
  route_to_enquiry: noParams,
  require_deposit: Type.Object(
    { amount: whole(1, MAX_PENCE), per: Type.Optional(oneOf(['booking', 'guest'] as const)) },
    closed,
  ),
  same_package: noParams,
  booking_window: Type.Object(
    {
      action: Type.Optional(oneOf(['book', 'amend', 'cancel'] as const)),
      minNoticeHours: Type.Optional(nullable(whole(0, MAX_HOURS))),
      maxHorizonDays: Type.Optional(nullable(whole(0, MAX_DAYS))),
    },
    closed,
  ),
  party_size_limit: Type.Object({ min: Type.Optional(guests), max: Type.Optional(nullable(guests)) }, closed),
  require_preorder: Type.Object(
    { from: Type.Optional(guests), kind: Type.Optional(oneOf(['package', 'menu', 'any'] as const)) },
    closed,
  ),
  suppress_preorder_email: Type.Object({ threshold: guests }, closed),
};

const Action = Type.Object(
  {
    set: Type.Optional(Type.Object({ fact: slug, value: Type.Unknown() }, closed)),
    reject: Type.Optional(Type.Object({ message: passage }, closed)),
    flag: Type.Optional(Type.Object({ name: line }, closed)),
  },
  { ...closed, minProperties: 1, maxProperties: 1 },
);

const drafted = (effect: Effect) => ({
  ...closed,
  ...named(`BookingRuleDraft_${effect}`, `A rule with the effect \`${effect}\``),
});

const fixed = <Name extends keyof typeof PARAMS, More extends Record<string, TSchema>>(
  effect: Name,
  more: More,
) => Type.Object({ ...commons, ...more, effect: Type.Literal(effect) }, drafted(effect));

/** Parameters may be left out where all of them have a default. */
const optionalParams = <Name extends keyof typeof PARAMS>(effect: Name) => ({
  params: Type.Optional(PARAMS[effect]),
});
const params = <Name extends keyof typeof PARAMS>(effect: Name) => ({ params: PARAMS[effect] });

export const SHAPES = {
  route_to_enquiry: fixed('route_to_enquiry', optionalParams('route_to_enquiry')),
  require_deposit: fixed('require_deposit', params('require_deposit')),
  same_package: fixed('same_package', { ...optionalParams('same_package'), ...items }),
  booking_window: fixed('booking_window', params('booking_window')),
  party_size_limit: fixed('party_size_limit', params('party_size_limit')),
  require_preorder: fixed('require_preorder', { ...optionalParams('require_preorder'), ...items }),
  suppress_preorder_email: fixed('suppress_preorder_email', params('suppress_preorder_email')),
  expression: Type.Object(
    {
      ...commons,
      effect: Type.Literal('expression'),
      hook: oneOf(HOOKS),
      when: Type.Unknown(),
      then: Type.Array(Action, { minItems: 1, maxItems: 10 }),
    },
    drafted('expression'),
  ),
} satisfies Record<Effect, TSchema>;

export const draftExample = {
  effect: 'party_size_limit',
  name: 'Large parties call us',
  message: 'Please call us for more than eight guests.',
  venueIds: ['1|house|soho-grill'],
  conditions: [{ field: 'weekday', operator: 'in', value: [5, 6] }],
  params: { max: 8 },
};

const shapes = Object.values(SHAPES) as TSchema[];
const aDraft = named('BookingRuleDraft', 'A booking rule as it is sent; `effect` says which fields it has');

/** A rule as it is sent. What it says of its conditions and expressions is looked at when it is read. */
export const RuleDraft = Type.Unsafe<unknown>(Type.Union(shapes, aDraft));
/** The same where nothing else is sent. */
export const RuleBody = Type.Unsafe<unknown>(Type.Union(shapes, { ...aDraft, examples: [draftExample] }));

const MEASURES: Record<Condition['field'], TSchema> = {
  partySize: guests,
  daysAhead: whole(0, MAX_DAYS),
  weekday: whole(1, 7),
  time: Type.String({
    pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
    'x-message': 'must be a time such as 19:30',
  }),
  duration: whole(1, 1440),
  category: slug,
};

/** Categories have no order. */
export const CATEGORY_OPERATORS: readonly Condition['operator'][] = ['eq', 'ne', 'in'];

/** What a condition with this field and operator compares with. */
export function valueShape({ field, operator }: Pick<Condition, 'field' | 'operator'>): TSchema {
  const measure = MEASURES[field];
  if (operator === 'in') return listOf(measure);
  if (operator === 'between') return Type.Array(measure, { minItems: 2, maxItems: 2 });
  return measure;
}
