import { Type } from 'typebox';
import { MAX_INTEGER } from '../../http/manage-route.ts';
import { named, oneOf } from '../../http/validation/schema-helpers.ts';
import { MOST } from '../../tms/layout-parts.ts';
import { MOST_OCCURRENCES } from '../../tms/occurrences.ts';
import { MAX_LISTED, MAX_RULES } from '../availability/service.ts';
import { SiteFaqs } from '../faqs/service.ts';
import {
  CombinationInput,
  ManagedSpace,
  MOST_OVERRIDES,
  MOST_SPACES,
  SpaceInput,
  SpendOverrideInput,
  TableInput,
  ZoneInput,
} from '../layout/service.ts';
import { MAX_PHOTOS } from '../media/service.ts';
import {
  AVAILABILITY_RULE_CHANNELS,
  AVAILABILITY_RULE_EFFECTS,
  AVAILABILITY_RULE_TYPES,
  HoursBody,
  ManagedVenue,
  MenuBody,
  MOST_PARTS,
  NewOccurrenceBody,
  NewProductBody,
  NewVenueBody,
  PackageBody,
  RuleDefinition,
} from '../venues/service.ts';
import { aimAt, closed, fieldsOf, listOf, membersOf, number, uuid } from './words.ts';

/** What the built-in systems keep of a venue. */

const { key, house, tickets } = NewProductBody.properties;

const TableDocument = Type.Object(
  { id: number('table'), ...fieldsOf(TableInput.properties, ['areaId']) },
  { ...closed, ...named('TableDocument', 'A table, and whom it seats') },
);

const AreaDocument = Type.Object(
  { id: number('area'), name: ZoneInput.properties.name, tables: listOf(TableDocument, MOST.tables) },
  { ...closed, ...named('AreaDocument', 'A room or corner of a zone') },
);

const ZoneDocument = Type.Object(
  { id: number('zone'), name: ZoneInput.properties.name, areas: listOf(AreaDocument, MOST.areas) },
  { ...closed, ...named('ZoneDocument', 'A part of the house') },
);

const HouseDocument = Type.Object(
  {
    zones: listOf(ZoneDocument, MOST.zones),
    combinations: Type.Optional(
      listOf(Type.Object(fieldsOf(CombinationInput.properties), closed), MOST.combinations, {
        description: 'Tables of one area that can be pushed together',
      }),
    ),
    spaceZones: Type.Optional(
      listOf(Type.Object({ spaceId: number('space'), zoneId: number('zone') }, closed), MOST_SPACES, {
        description: 'Where the guests of a space sit',
      }),
    ),
    products: listOf(Type.Object({ key, ...fieldsOf(membersOf(house)) }, closed), MOST_PARTS.product, {
      description: 'How products of the venue are seated',
    }),
  },
  { ...closed, ...named('HouseDocument', 'How a venue of the system `house` is laid out and run') },
);

const TicketsDocument = Type.Object(
  {
    occurrences: listOf(NewOccurrenceBody, MOST_OCCURRENCES),
    ticketTypes: listOf(Type.Object({ key, ...fieldsOf(membersOf(tickets)) }, closed), MOST_PARTS.product, {
      description: 'How products of the event are sold',
    }),
  },
  {
    ...closed,
    ...named('TicketsDocument', 'When an event of the system `tickets` takes place, and its tickets'),
  },
);

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
