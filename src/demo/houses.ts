/** The house systems of the venues that examples name. */
import type { SpaceDocument } from '../features/venues/transfer/document.ts';
import { floorPlan, type House, tablesFor } from './layout.ts';
import { boothPlaces, counterPlaces, diningRoomPlaces, roomPlaces } from './soho-grill-floor.ts';
import {
  freeUntilTheDayBefore,
  keptWithinTwoDays,
  returnedUntilTwoDaysBefore,
  roomFreeUntilAFortnightBefore,
} from './terms.ts';

/**
 * The restaurant confirms up to eight at once. Three tables in the middle make a board for twenty, the most
 * one can ask for; the two private rooms are let by enquiry and never lent to the restaurant.
 */
export function sohoGrillHouse(spaces: SpaceDocument[]): House {
  const plan = floorPlan(101, [
    {
      name: 'The restaurant',
      areas: [
        { name: 'Grill counter', letter: 'C', seats: tablesFor(2, 5), places: counterPlaces },
        { name: 'Window booths', letter: 'W', seats: [4, 4, 4, 4, 6, 6], places: boothPlaces },
        {
          name: 'Dining room',
          letter: 'D',
          seats: [...tablesFor(2, 8), ...tablesFor(4, 8), 6, 6, 8, 8],
          joined: ['1+2', '3+4', '5+6', '7+8', '9+10', '11+12', '13+14', '17+18', '19+20', '17+18+19'],
          places: diningRoomPlaces,
        },
      ],
    },
    ...spaces.map((space) => ({ space, place: roomPlaces[space.name] })),
  ]);
  return {
    ...plan,
    products: [
      {
        key: 'dinner',
        zoneIds: [1011],
        maxGuests: 20,
        turnTimes: [
          { upTo: 2, minutes: 90 },
          { upTo: 4, minutes: 105 },
          { upTo: 6, minutes: 120 },
          { upTo: 8, minutes: 150 },
        ],
        duration: { minMinutes: 60, maxMinutes: 240, stepMinutes: 15 },
        coversPerStart: 24,
        instantLimit: 8,
        takesEnquiries: true,
        noticeMinutes: 60,
        horizonDays: 180,
        policy: 'We hold your table for fifteen minutes.',
        cancellationPolicy: freeUntilTheDayBefore.cancellationPolicy,
      },
      {
        key: 'private-dining',
        turnTimes: [{ upTo: 45, minutes: 240 }],
        duration: { minMinutes: 120, maxMinutes: 480, stepMinutes: 30 },
        isRequestOnly: true,
        takesEnquiries: true,
        noticeMinutes: 2 * 1440,
        horizonDays: 365,
        policy: 'A room is yours once our events team has confirmed it.',
        cancellationPolicy: roomFreeUntilAFortnightBefore.cancellationPolicy,
      },
    ],
  };
}

/** Brunch is cooked to order, so the kitchen wants to know a day ahead; the garden is a zone of its own. */
export const gardenRoomHouse: House = {
  ...floorPlan(102, [
    {
      name: 'Glasshouse',
      areas: [
        {
          name: 'Under the lemons',
          letter: 'L',
          seats: [...tablesFor(2, 6), ...tablesFor(4, 6)],
          joined: ['1+2', '3+4', '7+8', '9+10', '7+8+9', '7+8+9+10'],
        },
        { name: 'Long table', letter: 'T', seats: [12] },
      ],
    },
    {
      name: 'Walled garden',
      areas: [
        {
          name: 'Garden',
          letter: 'G',
          seats: [...tablesFor(2, 4), ...tablesFor(4, 4)],
          joined: ['5+6', '7+8'],
        },
      ],
    },
  ]),
  products: [
    {
      key: 'brunch',
      turnTimes: [
        { upTo: 4, minutes: 90 },
        { upTo: 16, minutes: 120 },
      ],
      duration: { minMinutes: 60, maxMinutes: 180, stepMinutes: 30 },
      coversPerStart: 30,
      instantLimit: 12,
      takesEnquiries: true,
      noticeMinutes: 1440,
      horizonDays: 90,
      cancellationPolicy: returnedUntilTwoDaysBefore.cancellationPolicy,
    },
  ],
};

export const closedCafeHouse: House = {
  ...floorPlan(103, [
    { name: 'Café', areas: [{ name: 'Café', letter: 'T', seats: [...tablesFor(2, 5), ...tablesFor(4, 3)] }] },
  ]),
  products: [{ key: 'table', maxGuests: 4, turnTimes: [{ upTo: 4, minutes: 60 }], horizonDays: 30 }],
};

/** Half an hour's notice: people ring from the street. The last booths of the evening start after midnight. */
export const nightOwlHouse: House = {
  ...floorPlan(201, [
    {
      name: 'Downstairs',
      areas: [
        { name: 'Velvet booths', letter: 'B', seats: [4, 4, 6, 6, 6, 8, 10] },
        { name: 'By the turntable', letter: 'V', seats: [2, 2, 4, 4] },
      ],
    },
  ]),
  products: [
    {
      key: 'booth',
      maxGuests: 10,
      turnTimes: [{ upTo: 10, minutes: 150 }],
      duration: { minMinutes: 60, maxMinutes: 540, stepMinutes: 30 },
      instantLimit: 8,
      takesEnquiries: true,
      noticeMinutes: 30,
      horizonDays: 90,
      policy: 'Over 18 only after 21:00.',
    },
  ],
};

/** Forty tables on two levels. */
export const blueNoteHouse: House = {
  ...floorPlan(202, [
    {
      name: 'Floor',
      areas: [
        {
          name: 'At the stage',
          letter: 'S',
          seats: tablesFor(2, 8),
          joined: ['1+2', '3+4', '5+6', '7+8'],
        },
        {
          name: 'Main floor',
          letter: 'F',
          seats: [...tablesFor(4, 14), 6, 6, 6, 6],
          joined: ['1+2', '3+4', '15+16'],
        },
      ],
    },
    {
      name: 'Balcony',
      areas: [{ name: 'Balcony', letter: 'B', seats: [...tablesFor(2, 10), ...tablesFor(4, 4)] }],
    },
  ]),
  products: [
    {
      key: 'table',
      maxGuests: 12,
      turnTimes: [
        { upTo: 2, minutes: 105 },
        { upTo: 12, minutes: 135 },
      ],
      duration: { minMinutes: 75, maxMinutes: 360, stepMinutes: 15 },
      coversPerStart: 40,
      instantLimit: 8,
      takesEnquiries: true,
      noticeMinutes: 60,
      horizonDays: 120,
      cancellationPolicy: freeUntilTheDayBefore.cancellationPolicy,
    },
  ],
};

/** Twenty-two seats, and no enquiries: what is taken is taken. */
export const hiddenKitchenHouse: House = {
  ...floorPlan(301, [
    {
      name: 'The kitchen',
      areas: [
        {
          name: 'Counter',
          letter: 'C',
          seats: tablesFor(2, 7),
          joined: ['1+2', '3+4', '5+6'],
        },
        { name: 'Back table', letter: 'T', seats: [4, 4], joined: ['1+2'] },
      ],
    },
  ]),
  products: [
    {
      key: 'dinner',
      maxGuests: 8,
      turnTimes: [{ upTo: 8, minutes: 120 }],
      duration: { minMinutes: 90, maxMinutes: 180, stepMinutes: 30 },
      coversPerStart: 10,
      noticeMinutes: 240,
      horizonDays: 60,
      cancellationPolicy: keptWithinTwoDays.cancellationPolicy,
    },
  ],
};
