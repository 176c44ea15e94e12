import type { TablePlace } from '../layout.ts';

/** How a house venue is laid out and run, as written by hand for demo data and tests; read by `importHouse`. */
export interface HouseDocument {
  zones: ZoneDocument[];
  /** Tables of one area that can be pushed together. */
  combinations?: CombinationDocument[];
  /** Where the guests of a space sit. */
  spaceZones?: { spaceId: number; zoneId: number }[];
  products: HouseProductDocument[];
}

/** Ids are explicit, and unique over all venues. */
export interface ZoneDocument {
  id: number;
  name: string;
  areas: AreaDocument[];
}

export interface AreaDocument {
  id: number;
  name: string;
  tables: TableDocument[];
}

export interface TableDocument extends Partial<TablePlace> {
  id: number;
  name: string;
  /** The smallest party it is given to; 1 when absent. */
  minCovers?: number;
  maxCovers: number;
  /** False: it takes no new guests; true when absent. */
  isActive?: boolean;
}

export interface CombinationDocument {
  tableIds: number[];
  /** Absent: one guest more than the largest of its tables seats. */
  minCovers?: number;
  /** Absent: what its tables seat together. */
  maxCovers?: number;
}

export interface TurnTime {
  upTo: number;
  minutes: number;
}

export interface HouseProductDocument {
  /** The product's key within its venue: `dinner` of `1|house|soho-grill|dinner`. */
  key: string;
  /** Absent: every zone that the venue has at the moment. Products with spaces go by `spaceZones` instead. */
  zoneIds?: number[];
  /** Absent: the smallest party that one of its tables or combinations is given to at the moment. */
  minGuests?: number;
  /** Absent: the largest party that one of its tables or combinations seats at the moment. */
  maxGuests?: number;
  /** Ascending; the last entry also holds for larger parties. */
  turnTimes?: TurnTime[];
  duration?: { minMinutes: number; maxMinutes: number; stepMinutes: number };
  /** Guests that may start at the same minute; absent: as many as fit. */
  coversPerStart?: number;
  /** Larger parties are confirmed by the operator; absent: all that fit are confirmed at once. */
  instantLimit?: number;
  isRequestOnly?: boolean;
  takesEnquiries?: boolean;
  noticeMinutes?: number;
  /** Absent: any day ahead. */
  horizonDays?: number;
  policy?: string;
  cancellationPolicy?: string;
}

export const DEFAULT_TURN_TIMES: readonly TurnTime[] = [
  { upTo: 2, minutes: 90 },
  { upTo: 6, minutes: 120 },
  { upTo: 7, minutes: 150 },
];

export const DEFAULT_DURATION = { minMinutes: 60, maxMinutes: 240, stepMinutes: 15 } as const;
