import type { VenueDocument } from '../features/venues/transfer/document.ts';
import { closedAtChristmas, daily, inDays, periods, photosOf } from './hours.ts';
import { closedCafeHouse, hiddenKitchenHouse } from './houses.ts';
import { keptWithinTwoDays } from './terms.ts';

/** Across the ocean, and invisible to the demo partner. */
export function hiddenKitchen(today: Temporal.PlainDate): VenueDocument {
  const exceptions = closedAtChristmas(today);
  return {
    tms: 'house',
    resourceId: 'hidden-kitchen',
    name: 'Hidden Kitchen',
    timeZone: 'America/New_York',
    content: {
      summary: 'Twenty-two seats behind a flower shop in the West Village.',
      description:
        'Walk past the peonies, through the cold room and into a kitchen with chairs. The menu changes with the farmers’ market ' +
        'on Union Square, and the cooks bring the plates themselves.',
      highlights: ['Counter around the stove', 'Market menu', 'Natural wine list'],
    },
    phoneNumber: '+1 212 555 0131',
    website: 'https://hidden-kitchen.example',
    location: {
      lat: 40.7349,
      lng: -74.0036,
      address: '27 Charles Street',
      area: 'West Village',
      city: 'New York',
      postcode: '10014',
      countryCode: 'US',
    },
    types: ['restaurant', 'fine-dining', 'natural-wine'],
    photos: photosOf('hidden-kitchen', 'The kitchen counter', 'Through the flower shop', 'Market plates'),
    hours: {
      weekly: [
        { weekdays: [1, 2, 3, 4], periods: periods('17:00-23:00') },
        { weekdays: [5, 6, 7], periods: periods('11:30-15:00', '17:00-00:00') },
      ],
      exceptions,
    },
    packages: [
      {
        id: 301,
        slug: 'market-menu',
        name: 'The market menu',
        description: 'Six plates, decided that morning.',
        pricePence: 9500,
        pricePer: 'guest',
      },
    ],
    products: [
      {
        key: 'dinner',
        name: 'Dinner at the counter',
        slug: 'dinner',
        category: 'dinner',
        timeIntervalMinutes: 30,
        paymentRules: [
          {
            amount: 2500,
            currency: 'GBP',
            per: 'guest',
            minPartySize: 5,
            maxPartySize: null,
            weekdays: null,
          },
        ],
        refundTerms: keptWithinTwoDays.refundTerms,
        hours: { weekly: daily('17:00-22:30'), exceptions },
        packageIds: [301],
      },
    ],
    house: hiddenKitchenHouse,
  };
}

/** Shut for good a month before the demo begins: still read and listed, no longer booked. */
export function closedCafe(today: Temporal.PlainDate): VenueDocument {
  return {
    tms: 'house',
    resourceId: 'closed-cafe',
    name: 'Corner Café, Clerkenwell',
    timeZone: 'Europe/London',
    content: {
      summary: 'For thirty years the corner café of Exmouth Market; its doors are closed now.',
      description:
        'Eggs on toast, a proper pot of tea and the crossword left on the counter. The Corner Café has served its last breakfast, ' +
        'and its regulars are looked after at The Garden Room.',
      highlights: ['Closed for good'],
    },
    location: {
      lat: 51.5257,
      lng: -0.1093,
      address: '5 Exmouth Market',
      area: 'Clerkenwell',
      city: 'London',
      postcode: 'EC1R 4QD',
      countryCode: 'GB',
    },
    types: ['cafe', 'family-friendly'],
    photos: photosOf('closed-cafe', 'The shopfront', 'The last breakfast'),
    closedAt: `${inDays(today, -30)}T17:00:00.000Z`,
    hours: { weekly: daily('07:30-16:00') },
    products: [
      {
        key: 'table',
        name: 'A table',
        slug: 'table',
        category: 'brunch',
        timeIntervalMinutes: 30,
        hours: { weekly: daily('08:00-15:00') },
      },
    ],
    house: closedCafeHouse,
  };
}
