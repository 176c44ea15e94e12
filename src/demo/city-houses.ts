/** The house systems of operators 4 and 5: by the kind of the venue, each a little different in size. */
import type { SpaceDocument } from '../features/venues/transfer/document.ts';
import type { Weekday } from '../kernel/zone-time.ts';
import { type AreaPlan, capacityOf, floorPlan, type House, tablesFor } from './layout.ts';
import { freeUntilTwoHoursBefore, keptWithinTwoDays, roomFreeUntilAWeekBefore } from './terms.ts';

type HouseProduct = House['products'][number];
type Terms = Omit<HouseProduct, 'key'>;

interface HouseKind {
  /** Areas of a venue that has `extra` tables more than the smallest of its kind. */
  areas(extra: number): AreaPlan[];
  terms: Terms;
}

const twoRooms = (extra: number): AreaPlan[] => [
  {
    name: 'Window',
    letter: 'W',
    seats: tablesFor(2, 6 + extra),
    joined: ['1+2', '3+4'],
  },
  {
    name: 'Dining room',
    letter: 'D',
    seats: [...tablesFor(4, 6 + extra), 6, 6],
    joined: ['1+2', '3+4', '1+2+3'],
  },
];

const meal: Terms = {
  maxGuests: 12,
  turnTimes: [
    { upTo: 2, minutes: 90 },
    { upTo: 6, minutes: 120 },
    { upTo: 12, minutes: 150 },
  ],
  duration: { minMinutes: 60, maxMinutes: 180, stepMinutes: 15 },
  coversPerStart: 20,
  instantLimit: 6,
  takesEnquiries: true,
  noticeMinutes: 60,
  horizonDays: 90,
  cancellationPolicy: freeUntilTwoHoursBefore.cancellationPolicy,
};

const short: Terms = {
  maxGuests: 8,
  turnTimes: [{ upTo: 8, minutes: 90 }],
  duration: { minMinutes: 60, maxMinutes: 120, stepMinutes: 30 },
  noticeMinutes: 30,
  horizonDays: 60,
};

type HouseKindName = 'restaurant' | 'allDay' | 'cafe' | 'teaRoom' | 'bar' | 'tasting';

const kinds: Record<HouseKindName, HouseKind> = {
  restaurant: { areas: twoRooms, terms: meal },
  allDay: { areas: twoRooms, terms: { ...meal, coversPerStart: 28, instantLimit: 8 } },
  cafe: {
    areas: (extra) => [
      {
        name: 'Café',
        letter: 'T',
        seats: [...tablesFor(2, 5 + extra), ...tablesFor(4, 4)],
        joined: ['1+2', '3+4'],
      },
      { name: 'Big table', letter: 'B', seats: [8] },
    ],
    terms: short,
  },
  teaRoom: {
    areas: (extra) => [
      { name: 'Parlour', letter: 'P', seats: [...tablesFor(2, 6), ...tablesFor(4, 4 + extra), 8] },
    ],
    terms: { ...short, noticeMinutes: 180, policy: 'Tea is served in sittings of ninety minutes.' },
  },
  bar: {
    areas: (extra) => [
      { name: 'Bar', letter: 'S', seats: tablesFor(2, 6) },
      { name: 'Booths', letter: 'B', seats: [...tablesFor(4, 3 + extra), 6, 8] },
    ],
    terms: { ...short, duration: { minMinutes: 60, maxMinutes: 240, stepMinutes: 30 }, takesEnquiries: true },
  },
  tasting: {
    areas: (extra) => [
      {
        name: 'Room',
        letter: 'T',
        seats: [...tablesFor(2, 5 + extra), 4, 4, 6],
        joined: ['1+2', '3+4'],
      },
    ],
    terms: {
      maxGuests: 6,
      turnTimes: [{ upTo: 6, minutes: 180 }],
      duration: { minMinutes: 150, maxMinutes: 240, stepMinutes: 30 },
      coversPerStart: 12,
      noticeMinutes: 1440,
      horizonDays: 120,
      cancellationPolicy: keptWithinTwoDays.cancellationPolicy,
    },
  },
};

const INSTANT_ROOM_GUESTS = 40;

/** Small rooms are let at once, large ones after a talk with the house. */
function hireTerms(room: SpaceDocument): Terms {
  const { maxCovers } = capacityOf(room);
  return {
    turnTimes: [{ upTo: maxCovers, minutes: 180 }],
    duration: { minMinutes: 120, maxMinutes: 360, stepMinutes: 30 },
    isRequestOnly: maxCovers > INSTANT_ROOM_GUESTS,
    takesEnquiries: true,
    noticeMinutes: 1440,
    horizonDays: 365,
    cancellationPolicy: roomFreeUntilAWeekBefore.cancellationPolicy,
  };
}

/** `productKeys` are those of the kind; private hire is added where there is a room for it. */
export function cityHouse(venueNumber: number, row: VenueRow, productKeys: string[]): House {
  const { areas, terms } = kinds[row.kind];
  const { room } = row;
  const zones = [{ name: row.name, areas: areas(venueNumber % 4) }, ...(room ? [{ space: room }] : [])];
  const zoneIds = [venueNumber * 10 + 1];
  return {
    ...floorPlan(venueNumber, zones),
    products: [
      ...productKeys.map((key) => ({ key, zoneIds, ...terms })),
      ...(room ? [{ key: 'private-hire', ...hireTerms(room) }] : []),
    ],
  };
}

export interface VenueRow {
  resourceId: string;
  name: string;
  kind: HouseKindName;
  area: string;
  address: string;
  postcode: string;
  lat: number;
  lng: number;
  types: string[];
  summary: string;
  description: string;
  highlights: string[];
  photos: string[];
  closedOn?: Weekday[];
  /** A room for private hire; its id is of the operator's hundred. */
  room?: SpaceDocument;
  /** The set menu of a tasting restaurant; its id is of the operator's hundred. */
  tastingMenu?: { id: number; pricePence: number; description: string };
}
