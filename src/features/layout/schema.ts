import { type Static, type TInteger, type TProperties, type TSchema, Type } from 'typebox';
import { integerId } from '../../http/manage-route.ts';
import { named, nameText, nullable, oneOf, optional } from '../../http/validation/schema-helpers.ts';
import { TABLE_SHAPES } from '../../tms/layout.ts';
import { MAX_COVERS, MOST } from '../../tms/layout-parts.ts';

/** How a venue is laid out: zones hold areas, areas hold tables, tables of one area can be joined. */

const closed = { additionalProperties: false };

const name = (description: string) => nameText(description, 100);
const covers = (description: string) => Type.Integer({ minimum: 1, maximum: MAX_COVERS, description });

const zoneId = integerId('Id of the zone', 1011);
const areaId = integerId('Id of the area', 10111);
const tableId = integerId('Id of the table', 101101);
const combinationId = integerId('Id of the combination', 1);
export const ids = { zoneId, areaId, tableId, combinationId };

const zone = { name: name('What the house calls it') };
const area = { zoneId, name: name('What the house calls it') };
const table = { areaId, name: name('What the house calls it; bookings show it') };
const minCovers = covers('The smallest party it is given to');
const maxCovers = covers('The largest party it seats');

/** Wide enough for a hall in centimetres. */
const MAX_POSITION = 10_000;
const position = (description: string, minimum = 0) =>
  Type.Integer({ minimum, maximum: MAX_POSITION, description });
/** Where a table stands on a floor plan. */
const place = {
  x: position('Left edge, before it is turned, in whatever unit the floor plan is drawn in'),
  y: position('Upper edge, before it is turned'),
  width: position('From left to right', 1),
  height: position('From top to bottom', 1),
  shape: oneOf(TABLE_SHAPES),
  rotation: Type.Integer({ minimum: 0, maximum: 359, description: 'Degrees clockwise around its middle' }),
};
const placeInput = {
  x: optional(place.x),
  y: optional(place.y),
  width: optional(place.width),
  height: optional(place.height),
  shape: optional(place.shape),
  rotation: optional(place.rotation),
};
const tableIds = Type.Array(tableId, { minItems: 2, maxItems: 20, uniqueItems: true });

export const ZoneInput = Type.Object(zone, { ...closed, examples: [{ name: 'The restaurant' }] });
export const AreaInput = Type.Object(area, {
  ...closed,
  examples: [{ zoneId: 1011, name: 'Window booths' }],
});
export const TableInput = Type.Object(
  {
    ...table,
    minCovers: optional(minCovers, 'The smallest party it is given to; 1 when absent'),
    maxCovers,
    isActive: optional(
      Type.Boolean(),
      'False: it takes no new guests and keeps those it has; true when absent',
    ),
    ...placeInput,
  },
  { ...closed, examples: [{ areaId: 10111, name: 'W1', minCovers: 2, maxCovers: 4 }] },
);
export const CombinationInput = Type.Object(
  {
    tableIds,
    minCovers: optional(minCovers, 'Absent: one guest more than the largest of its tables seats'),
    maxCovers: optional(maxCovers, 'Absent: what its tables seat together'),
  },
  { ...closed, examples: [{ tableIds: [101106, 101107], minCovers: 5 }] },
);

export const Zone = Type.Object(
  { id: zoneId, ...zone },
  named('Zone', 'A part of the house that products and spaces are placed in'),
);
export const Area = Type.Object({ id: areaId, ...area }, named('Area', 'A room or corner of a zone'));
export const Table = Type.Object(
  {
    id: tableId,
    ...table,
    minCovers,
    maxCovers,
    isActive: Type.Boolean({ description: 'False: it takes no new guests and keeps those it has' }),
    x: nullable(place.x),
    y: nullable(place.y),
    width: nullable(place.width),
    height: nullable(place.height),
    shape: nullable(place.shape),
    rotation: nullable(place.rotation),
  },
  named('Table', 'A table, and whom it seats'),
);
export const Combination = Type.Object(
  { id: combinationId, tableIds, minCovers, maxCovers },
  named('TableCombination', 'Tables of one area that are pushed together, and whom the result seats'),
);

export const listOf = <Item extends TSchema>(item: Item) => Type.Object({ data: Type.Array(item) });

export const Layout = Type.Object(
  {
    zones: Type.Array(Zone),
    areas: Type.Array(Area),
    tables: Type.Array(Table),
    combinations: Type.Array(Combination),
  },
  named('Layout', 'How a venue is laid out, each list in the order of its ids'),
);

/** What is new has no id, and may have a `ref` by which other parts of the same request name it. */
const REF = '^[A-Za-z0-9._-]{1,50}$';
const ref = Type.String({
  pattern: REF,
  'x-message': 'must be up to 50 letters, digits, dots, hyphens and underscores',
  description: 'A name for this part within the request; nothing is kept of it',
});
const orRef = (id: TInteger) =>
  Type.Union([id, ref], { description: 'An id, or the `ref` of a part of this request' });
const sent = <Fields extends TProperties>(id: TInteger, fields: Fields) =>
  Type.Object({ id: optional(id, 'Absent: it is new'), ref: optional(ref), ...fields }, closed);

export const LayoutInput = Type.Object(
  {
    zones: Type.Array(sent(zoneId, ZoneInput.properties), { maxItems: MOST.zones }),
    areas: Type.Array(sent(areaId, { ...AreaInput.properties, zoneId: orRef(zoneId) }), {
      maxItems: MOST.areas,
    }),
    tables: Type.Array(sent(tableId, { ...TableInput.properties, areaId: orRef(areaId) }), {
      maxItems: MOST.tables,
    }),
    combinations: Type.Array(
      sent(combinationId, {
        ...CombinationInput.properties,
        tableIds: Type.Array(orRef(tableId), { minItems: 2, maxItems: 20, uniqueItems: true }),
      }),
      { maxItems: MOST.combinations },
    ),
  },
  {
    ...closed,
    examples: [
      {
        zones: [{ ref: 'ground', name: 'Ground floor' }],
        areas: [{ ref: 'window', zoneId: 'ground', name: 'Window' }],
        tables: [
          { ref: 't1', areaId: 'window', name: '1', maxCovers: 4, x: 0, y: 0, width: 80, height: 80 },
          { ref: 't2', areaId: 'window', name: '2', maxCovers: 4, x: 100, y: 0, width: 80, height: 80 },
        ],
        combinations: [{ tableIds: ['t1', 't2'] }],
      },
    ],
  },
);

const LayoutChange = Type.Object({
  part: oneOf(['zone', 'area', 'table', 'combination']),
  action: oneOf(['add', 'change', 'remove']),
  id: nullable(Type.Integer({ description: 'Null: it is new' })),
  name: Type.String({ description: 'Of a combination, the names of its tables' }),
  fields: Type.Array(Type.String(), { description: 'The fields that would change' }),
});

const LOSSES = ['removed', 'inactive', 'too_small'] as const;

const UnseatedBooking = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    date: Type.String({ description: 'Trading day' }),
    time: Type.String(),
    guestName: nullable(Type.String({ description: 'Null: not known' })),
    guests: Type.Integer({ description: 'Adults and children' }),
    tables: Type.Array(Type.String(), { description: 'The names of all its tables, as they are now' }),
    loses: Type.Array(
      Type.Object({
        tableId: Type.Integer(),
        name: Type.String(),
        reason: oneOf(LOSSES, {
          description: '`too_small`: all its tables together no longer seat the party',
        }),
      }),
    ),
  },
  named('UnseatedBooking', 'A booking to come whose tables the layout takes away'),
);
export type UnseatedBooking = Static<typeof UnseatedBooking>;

export const LayoutPreview = Type.Object(
  {
    isDryRun: Type.Literal(true),
    changes: Type.Array(LayoutChange),
    refusal: nullable(
      Type.Object(
        { code: Type.String(), detail: Type.String() },
        { description: 'Why it would not be stored; null: it would be' },
      ),
    ),
    bookings: Type.Array(UnseatedBooking, {
      description:
        'Up to 200, the earliest first. They keep their tables when it is stored; move them yourself.',
    }),
    bookingCount: Type.Integer({ description: 'How many there are' }),
  },
  named('LayoutPreview', 'What would change; nothing was stored'),
);

export type LayoutInput = Static<typeof LayoutInput>;
export type LayoutChange = Static<typeof LayoutChange>;
export type LayoutPreview = Static<typeof LayoutPreview>;
export type ZoneInput = Static<typeof ZoneInput>;
export type AreaInput = Static<typeof AreaInput>;
export type TableInput = Static<typeof TableInput>;
export type CombinationInput = Static<typeof CombinationInput>;
export type Zone = Static<typeof Zone>;
export type Area = Static<typeof Area>;
export type Table = Static<typeof Table>;
export type Combination = Static<typeof Combination>;
export type Layout = Static<typeof Layout>;

export const zoneExample: Zone = { id: 1011, name: 'The restaurant' };
export const areaExample: Area = { id: 10111, zoneId: 1011, name: 'Window booths' };
export const tableExample: Table = {
  id: 101106,
  areaId: 10111,
  name: 'W1',
  minCovers: 2,
  maxCovers: 4,
  isActive: true,
  x: 40,
  y: 20,
  width: 120,
  height: 80,
  shape: 'rectangle',
  rotation: 0,
};
const neighbour: Table = { ...tableExample, id: 101107, name: 'W2', x: 180 };
export const combinationExample: Combination = {
  id: 12,
  tableIds: [tableExample.id, neighbour.id],
  minCovers: 5,
  maxCovers: 8,
};
export const layoutExample: Layout = {
  zones: [zoneExample],
  areas: [areaExample],
  tables: [tableExample, neighbour],
  combinations: [combinationExample],
};
