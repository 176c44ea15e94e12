import { type Static, Type } from 'typebox';
import { integerId, venueId } from '../../../http/manage-route.ts';
import { named, nullable, oneOf, optional } from '../../../http/validation/schema-helpers.ts';
import {
  AVAILABILITY_RULE_CHANNELS,
  AVAILABILITY_RULE_EFFECTS,
  AVAILABILITY_RULE_TYPES,
  RuleDefinition,
  WeekdaySchema,
} from '../../venues/service.ts';

export const managedRuleExample: ManagedRule = {
  id: '019a8a11-2f6c-7c1e-9d1a-3b52f0c4a7e1',
  version: 1,
  type: 'recurring_with_time',
  definition: { weekdays: [5, 6], startTime: '19:00', endTime: '21:00', reason: 'Kept for regulars' },
  effect: 'disable',
  productKey: 'dinner',
  spaceId: null,
  partnerIds: [1],
  categoryIds: null,
  scope: { '!=': [{ var: 'product.category' }, 'private-hire'] },
  channel: 'all',
  isActive: true,
  createdAt: '2026-11-14T18:02:11.482Z',
  updatedAt: '2026-11-14T18:02:11.482Z',
};

const { id: _id, version: _version, createdAt: _created, updatedAt: _updated, ...draft } = managedRuleExample;
const ruleDraftExample = draft;

export const marketplaceExample: VenueMarketplace = {
  partnerId: 7,
  listingId: 'soho-grill-london',
  isEnabled: true,
  managed: [{ productKey: 'dinner', weekdays: [6, 7] }],
};

export const MAX_LISTED = 500;
const MAX_MANAGED = 100;

const partnerId = integerId('Id of a partner', 1);
const categoryId = integerId('Id of a category of partners of this operator', 401);
const ruleId = Type.String({ maxLength: 100, description: 'Id of the rule' });

export const rulePath = Type.Object({ venueId, ruleId });
export const partnerInScopePath = Type.Object({ venueId, ruleId, partnerId });
export const categoryInScopePath = Type.Object({ venueId, ruleId, categoryId });

export const PartnerInScope = Type.Object(
  { partnerId },
  { additionalProperties: false, examples: [{ partnerId: 1 }] },
);
export const CategoryInScope = Type.Object(
  { categoryId },
  { additionalProperties: false, examples: [{ categoryId: 401 }] },
);

const type = oneOf(AVAILABILITY_RULE_TYPES, { description: 'Which members its definition has' });
const effect = oneOf(AVAILABILITY_RULE_EFFECTS, {
  description:
    '`disable`: the partners that it targets do not get these times. `reserve`: of all partners, only these get the times.',
});
const channel = oneOf(AVAILABILITY_RULE_CHANNELS, {
  description:
    '`marketplace`: the rule applies only on the marketplace of the venue. It can only hide products there, on whole weekdays.',
});
const productKey = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The last segment of the id of a product',
});
const spaceId = integerId('Id of a space of the venue', 101);
const listOf = (id: typeof partnerId) => Type.Array(id, { maxItems: MAX_LISTED, uniqueItems: true });

const WHOLE = 'null: everything that the venue offers';
const LISTS =
  'Null in both lists: the rule applies to all callers. A partner in either list is a target. An empty list has no targets.';
const scope = Type.Unknown({
  description:
    'A JsonLogic expression over the facts `partner.*`, `product.*` and `venue.*` of booking rules. The rule applies only where it is true. Null: no further condition.',
});

export const ManagedRule = Type.Object(
  {
    id: Type.String(),
    version: Type.Integer({ description: 'One more with every change' }),
    type,
    definition: RuleDefinition,
    effect,
    productKey: nullable(Type.String(), { description: `The product that it takes away; ${WHOLE}` }),
    spaceId: nullable(Type.Integer(), { description: `The space that it takes away; ${WHOLE}` }),
    partnerIds: nullable(Type.Array(Type.Integer()), {
      description: `Partners that it targets. ${LISTS}`,
    }),
    categoryIds: nullable(Type.Array(Type.Integer()), {
      description: `Categories of partners that it targets. ${LISTS}`,
    }),
    scope,
    channel,
    isActive: Type.Boolean({ description: 'Whether it holds at all' }),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  named('ManagedAvailabilityRule', 'An availability rule as its operator sees it'),
);
export type ManagedRule = Static<typeof ManagedRule>;

export const RuleDraft = Type.Object(
  {
    type,
    definition: RuleDefinition,
    effect: Type.Optional(effect),
    productKey: optional(productKey, `The product that it takes away; ${WHOLE}`),
    spaceId: optional(spaceId, `The space that it takes away; ${WHOLE}`),
    partnerIds: optional(listOf(partnerId), `Partners that it targets. ${LISTS}`),
    categoryIds: optional(listOf(categoryId), `Categories of partners that it targets. ${LISTS}`),
    scope: Type.Optional(scope),
    channel: Type.Optional(channel),
    isActive: Type.Optional(
      Type.Boolean({ description: 'Whether it holds at all; unless told otherwise, it does' }),
    ),
    replaceCollinsManaged: Type.Optional(
      Type.Boolean({
        description:
          'Of a rule for the marketplace: the weekdays that it hides are no longer hidden by the system of the venue.',
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [ruleDraftExample],
    ...named('AvailabilityRuleDraft', 'An availability rule as it is to be'),
  },
);
export type RuleDraft = Static<typeof RuleDraft>;

export const RuleList = Type.Object({ data: Type.Array(ManagedRule) });

const weekdays = Type.Array(WeekdaySchema, { minItems: 1, maxItems: 7, uniqueItems: true });
const MARKETPLACE = {
  partnerId: nullable(partnerId, {
    description: 'The partner that is the marketplace; null: the venue is on none',
  }),
  listingId: nullable(Type.String({ minLength: 1, maxLength: 200 }), {
    description: 'What the marketplace calls the venue; null: it is not linked there yet',
  }),
  isEnabled: Type.Boolean({
    description: 'Whether the partner distributes the venue with all its products, also those to come',
  }),
  managed: Type.Array(
    Type.Object(
      { productKey: nullable(productKey, { description: 'Null: all products' }), weekdays },
      { additionalProperties: false },
    ),
    { maxItems: MAX_MANAGED, description: 'What the system of the venue itself hides there' },
  ),
};

export const VenueMarketplace = Type.Object(
  MARKETPLACE,
  named('VenueMarketplace', 'The marketplace that a venue sells on'),
);
export const MarketplaceBody = Type.Object(MARKETPLACE, {
  additionalProperties: false,
  examples: [marketplaceExample],
});
export type VenueMarketplace = Static<typeof VenueMarketplace>;
