/** The layout of a venue: zones hold areas, areas hold tables, tables of one area can be pushed together. */
import type { Fragment, Tx } from '../db/database.ts';
import type { VenueId } from '../kernel/ids.ts';

export const TABLE_SHAPES = ['rectangle', 'round'] as const;
export type TableShape = (typeof TABLE_SHAPES)[number];

/** Where a table stands on a floor plan. */
export interface TablePlace {
  x: number | null;
  y: number | null;
  width: number | null;
  height: number | null;
  shape: TableShape | null;
  rotation: number | null;
}

/** What is not stated is null. */
export function placeOf(said: { [Key in keyof TablePlace]?: TablePlace[Key] | undefined }): TablePlace {
  const { x = null, y = null, width = null, height = null, shape = null, rotation = null } = said;
  return { x, y, width, height, shape, rotation };
}

export interface Zone {
  id: number;
  name: string;
}

export interface Area {
  id: number;
  zoneId: number;
  name: string;
}

export interface Table extends TablePlace {
  id: number;
  areaId: number;
  name: string;
  minCovers: number;
  maxCovers: number;
  isActive: boolean;
}

export interface Combination {
  id: number;
  tableIds: number[];
  minCovers: number;
  maxCovers: number;
}

/** Each list in the order of its ids. */
export interface Layout {
  zones: Zone[];
  areas: Area[];
  tables: Table[];
  combinations: Combination[];
}

/** Which of the four lists. */
export type LayoutList = keyof Layout;
/** What a part says besides its id. */
export type PartFields = Record<string, string | number | boolean | number[] | null>;
export type StoredPart = PartFields & { id: number };

export interface StayCount {
  tableId: number;
  name: string;
  stays: number;
  /** Those of them that are not over. */
  coming: number;
}

/** A party that has, or will have, some of the tables. */
export interface ComingStay {
  bookingId: string;
  guests: number;
  /** All of its tables, ascending. */
  tableIds: number[];
}

/** Where a system keeps the layouts of its venues. Whatever changes one locks it first. */
export interface LayoutStore {
  /** Locks the layout against changes, and its tables against bookings, until the transaction ends. */
  lock(tx: Tx, venueId: VenueId): Promise<void>;
  load(tx: Tx, venueId: VenueId): Promise<Layout>;
  insertPart(tx: Tx, list: LayoutList, venueId: VenueId, fields: PartFields): Promise<number>;
  updatePart(tx: Tx, list: LayoutList, id: number, fields: PartFields): Promise<void>;
  /** Ids that no other part will get. */
  takeIds(tx: Tx, list: LayoutList, count: number): Promise<number[]>;
  insertParts(tx: Tx, list: LayoutList, venueId: VenueId, parts: readonly StoredPart[]): Promise<void>;
  /** All parts have the same fields. */
  updateParts(tx: Tx, list: LayoutList, parts: readonly StoredPart[]): Promise<void>;
  deleteParts(tx: Tx, list: LayoutList, ids: readonly number[]): Promise<void>;
  /** The tables of these that have stays, past or to come. */
  countStays(tx: Tx, tableIds: readonly number[], now: Temporal.Instant): Promise<StayCount[]>;
  /** The stays that are not over and have one of these tables, the earliest first. */
  listComing(tx: Tx, tableIds: readonly number[], now: Temporal.Instant): Promise<ComingStay[]>;
  /** What is placed in the zones: spaces, and products that name these zones and no other, and have no spaces. */
  findDependants(tx: Tx, zoneIds: readonly number[]): Promise<string[]>;
  /** The zone that the guests of a space sit in; null: none. */
  placeSpace(tx: Tx, venueId: VenueId, spaceId: number, zoneId: number | null): Promise<void>;
  /** Zones by space. */
  listSpaceZones(tx: Tx, venueId: VenueId): Promise<Map<number, number>>;
  /** Selects the ids of the bookings that the system has in the space. */
  bookingsInSpace(tx: Tx, venueId: VenueId, spaceId: number): Fragment;
}
