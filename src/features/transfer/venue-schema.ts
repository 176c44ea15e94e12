import { Type } from 'typebox';
import { MAX_INTEGER } from '../../http/manage-paths.ts';
import { named, oneOf } from '../../http/schema-words.ts';
import { MAX_LISTED } from '../availability/manage-schema.ts';
import { MAX_RULES } from '../availability/rule-storing.ts';
import { SiteFaqs } from '../faqs/schema.ts';
import { ManagedSpace, SpaceInput } from '../layout/space-schema.ts';
import { MOST_SPACES } from '../layout/spaces.ts';
import { MOST_OVERRIDES } from '../layout/spend-overrides.ts';
import { SpendOverrideInput } from '../layout/spend-schema.ts';
import { MAX_PHOTOS } from '../media/schema.ts';
import {
  AVAILABILITY_RULE_CHANNELS,
  AVAILABILITY_RULE_EFFECTS,
  AVAILABILITY_RULE_TYPES,
} from '../venues/document.ts';
import { MOST_PARTS } from '../venues/manage-frame.ts';
import { MenuBody, PackageBody } from '../venues/manage-preorder-schema.ts';
import { NewProductBody } from '../venues/manage-product-schema.ts';
import { ManagedVenue, NewVenueBody } from '../venues/manage-venue-schema.ts';
import { HoursBody } from '../venues/manage-words.ts';
import { RuleDefinition } from '../venues/rule-definition.ts';
import { HouseDocument, TicketsDocument } from './system-schema.ts';
import { aimAt, closed, fieldsOf, listOf, number, uuid } from './words.ts';

const AvailabilityRuleDocument = Type.Object(
  {
    id: uuid('Id of the rule: kept where it is free, otherwise given anew'),
    type: oneOf(AVAILABILITY_RULE_TYPES),
    definition: RuleDefinition,
    effect: Type.Optional(oneOf(AVAILABILITY_RULE_EFFECTS, { description: '`disable` when absent' })),
    channel: Type.Optional(oneOf(AVAILABILITY_RULE_CHANNELS, { description: '`all` when absent' })),
    ...aimAt(MAX_LISTED),
    scope: Type.Optional(
      Type.Unknown({ description: 'An expression. Ids in it are not changed with those of the document' }),
    ),
    spaceId: Type.Optional(number('space')),
    isActive: Type.Optional(Type.Boolean({ description: 'True when absent' })),
  },
  { ...closed, ...named('AvailabilityRuleDocument', 'Times that the operator takes away or keeps for some') },
);
const availabilityRules = Type.Optional(listOf(AvailabilityRuleDocument, MAX_RULES));

const SpaceDocument = Type.Object(
  {
    id: number('space'),
    ...fieldsOf(SpaceInput.properties, ['zoneIds']),
    facilities: ManagedSpace.properties.facilities,
    capacities: ManagedSpace.properties.capacities,
    minimumSpendOverrides: Type.Optional(
      listOf(Type.Object(fieldsOf(SpendOverrideInput.properties), closed), MOST_OVERRIDES),
    ),
  },
  { ...closed, ...named('SpaceDocument', 'A room or area that can be booked as such') },
);

const PackageDocument = Type.Object(
  { id: number('package'), ...fieldsOf(PackageBody.properties) },
  { ...closed, ...named('PackageDocument', 'A package that guests can order ahead') },
);

const { items } = MenuBody.properties;
const MenuItemDocument = Type.Object(
  { ...fieldsOf(items.items.properties), id: number('item') },
  { ...closed, ...named('MenuItemDocument', 'A dish or drink') },
);
const MenuDocument = Type.Object(
  { id: number('menu'), ...fieldsOf(MenuBody.properties, ['items']), items: listOf(MenuItemDocument, 500) },
  { ...closed, ...named('MenuDocument', 'A menu that guests can order from ahead') },
);

const ProductDocument = Type.Object(
  { ...fieldsOf(NewProductBody.properties, ['house', 'tickets']), availabilityRules },
  { ...closed, ...named('ProductDocument', 'A product or ticket type') },
);

const PhotoDocument = Type.Object(
  {
    url: Type.String({
      pattern: '^https?://[^\\s]+$',
      maxLength: 2000,
      'x-message': 'must be an address with http or https',
      description: 'Where it is. Those that were uploaded here stay here: fetch them and upload them again',
    }),
    caption: Type.Optional(Type.String({ maxLength: 500 })),
    width: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_INTEGER })),
    height: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_INTEGER })),
  },
  closed,
);

const { tms, resourceId } = NewVenueBody.properties;
export const VenueKey = Type.Object({ tms, resourceId }, closed);

export const VenueDocument = Type.Object(
  {
    ...fieldsOf(NewVenueBody.properties, ['hostVenueId']),
    content: Type.Object(ManagedVenue.properties.content.properties, closed),
    location: Type.Object(fieldsOf(NewVenueBody.properties.location.properties), closed),
    photos: listOf(PhotoDocument, MAX_PHOTOS, { description: 'In the order in which they are shown' }),
    closedAt: Type.Optional(Type.String({ format: 'date-time', description: 'When it closed for good' })),
    host: Type.Optional(
      Type.Object(VenueKey.properties, {
        ...closed,
        description: 'Of an event: the venue of this document that it takes place in',
      }),
    ),
    hours: HoursBody,
    spaces: Type.Optional(listOf(SpaceDocument, MOST_SPACES)),
    packages: Type.Optional(listOf(PackageDocument, MOST_PARTS.package)),
    menus: Type.Optional(listOf(MenuDocument, MOST_PARTS.menu)),
    products: listOf(ProductDocument, MOST_PARTS.product),
    availabilityRules,
    siteFaqs: Type.Optional(SiteFaqs),
    house: Type.Optional(HouseDocument),
    tickets: Type.Optional(TicketsDocument),
  },
  { ...closed, ...named('VenueDocument', 'A venue or event with everything below it') },
);
