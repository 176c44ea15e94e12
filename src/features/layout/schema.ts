import { type Static, type TSchema, Type } from 'typebox';
import { integerId } from '../../http/manage-paths.ts';
import { named, optional } from '../../http/schema-words.ts';

/** How a house venue is laid out: zones hold areas, areas hold tables, tables of one area can be joined. */

/** A bound of the column. */
export const MAX_COVERS = 32_767;
const closed = { additionalProperties: false };

const name = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '\\S',
    'x-message': 'must not be empty',
    description,
  });
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

export type ZoneInput = Static<typeof ZoneInput>;
export type AreaInput = Static<typeof AreaInput>;
export type TableInput = Static<typeof TableInput>;
export type CombinationInput = Static<typeof CombinationInput>;
export type Zone = Static<typeof Zone>;
export type Area = Static<typeof Area>;
export type Table = Static<typeof Table>;
export type Combination = Static<typeof Combination>;
export type Layout = Static<typeof Layout>;
