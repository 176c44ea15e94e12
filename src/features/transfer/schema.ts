import { type Static, Type } from 'typebox';
import { integerId, MAX_INTEGER } from '../../http/manage-route.ts';
import { label, slug } from '../../http/validation/manage-fields.ts';
import { named, oneOf } from '../../http/validation/schema-helpers.ts';
import { EFFECTS, MAX_ACTIVE_RULES, SHAPES } from '../booking-rules/service.ts';
import { Operator } from '../operators/service.ts';
import { MOST_CATEGORIES, MOST_MEMBERS } from '../partners/service.ts';
import { type OperatorDocument as StoredDocument, segment } from '../venues/service.ts';
import { operatorDocumentExample } from './examples.ts';
import { VenueDocument, VenueKey } from './venue-schema.ts';
import { aimAt, closed, fieldsOf, listOf, number, uuid } from './words.ts';

/** Where numbers are given out one after the other, higher ones than this leave too few for those to come. */
export const MAX_KEPT_NUMBER = 1_000_000_000;

const PartnerCategoryDocument = Type.Object(
  {
    id: number('category'),
    slug: slug('What rules call it'),
    name: label('What people call it'),
    partners: listOf(Type.String({ minLength: 1, maxLength: 200 }), MOST_MEMBERS, {
      uniqueItems: true,
      description: 'References of the partners in it',
    }),
  },
  { ...closed, ...named('PartnerCategoryDocument', 'A group of partners that rules can be aimed at') },
);

const { name, description, message, isActive, priority, productSlugs, conditions, items } =
  SHAPES.require_preorder.properties;
const { hook, then } = SHAPES.expression.properties;

const BookingRuleDocument = Type.Object(
  {
    id: uuid(
      'Kept where those of all booking rules are free, otherwise all are given anew in the same order',
    ),
    effect: oneOf(EFFECTS),
    ...fieldsOf({ name, description, message, isActive, priority, productSlugs, conditions, items }),
    ...aimAt(200),
    venues: Type.Optional(
      Type.Array(VenueKey, { minItems: 1, maxItems: 200, description: 'Venues of this document' }),
    ),
    params: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Of a fixed effect' })),
    hook: Type.Optional(hook),
    when: Type.Optional(Type.Unknown({ description: 'Of an expression' })),
    // biome-ignore lint/suspicious/noThenProperty: rules say «when … then …».
    then: Type.Optional(then),
  },
  {
    ...closed,
    ...named(
      'BookingRuleDocument',
      'A booking rule as it is created. Ids in expressions are not changed with those of the document',
    ),
  },
);

const operator = {
  id: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_KEPT_NUMBER,
      description: 'The first segment of the ids of its venues; absent: the next one that is free',
      examples: [1],
    }),
  ),
  name: label('Unlike that of any other operator'),
  settings: Type.Optional(Type.Object(Operator.properties.settings.properties, closed)),
  systems: listOf(segment('Slug of a system'), 50, {
    uniqueItems: true,
    description: 'Table management systems that it runs on; without their credentials',
  }),
  partnerCategories: Type.Optional(listOf(PartnerCategoryDocument, MOST_CATEGORIES)),
  bookingRules: Type.Optional(listOf(BookingRuleDocument, MAX_ACTIVE_RULES)),
  venues: listOf(VenueDocument, 5000),
};

type Transferred = Omit<StoredDocument, 'id'> & { id?: number };

export const OperatorDocument = Type.Unsafe<Transferred>(
  Type.Object(operator, {
    ...closed,
    ...named('OperatorDocument', 'An operator with its venues, and with all that they need to be sold'),
  }),
);
export const ImportBody = Type.Unsafe<Transferred>(
  Type.Object(operator, { ...closed, examples: [operatorDocumentExample] }),
);
export type OperatorDocument = Static<typeof OperatorDocument>;

const count = (things: string) => Type.Integer({ description: `How many ${things}` });
const changedNumbers = Type.Optional(
  Type.Record(Type.String(), Type.Integer({ minimum: 1, maximum: MAX_INTEGER })),
);
const changedIds = Type.Optional(Type.Record(Type.String(), Type.String()));

export const ImportResult = Type.Object(
  {
    operatorId: integerId('The operator that has been made', 7),
    isDryRun: Type.Boolean({ description: 'Nothing was stored' }),
    venues: count('venues and events'),
    products: count('products and ticket types'),
    spaces: count('spaces'),
    packages: count('packages'),
    menus: count('menus'),
    menuItems: count('items of menus'),
    zones: count('zones'),
    areas: count('areas'),
    tables: count('tables'),
    occurrences: count('occurrences of events'),
    photos: count('photos'),
    siteFaqs: count('questions with their answers'),
    partnerCategories: count('categories of partners'),
    availabilityRules: count('availability rules'),
    bookingRules: count('booking rules'),
    renumbered: Type.Object(
      {
        spaces: changedNumbers,
        packages: changedNumbers,
        menus: changedNumbers,
        menuItems: changedNumbers,
        zones: changedNumbers,
        areas: changedNumbers,
        tables: changedNumbers,
        partnerCategories: changedNumbers,
        availabilityRules: changedIds,
        bookingRules: changedIds,
      },
      {
        description:
          'Which ids of the document were taken, and what they became. In a dry run others may be given later',
      },
    ),
    notes: Type.Array(Type.String(), { description: 'What a person should check' }),
  },
  named('ImportResult', 'What an import has made of a document'),
);
export type ImportResult = Static<typeof ImportResult>;
