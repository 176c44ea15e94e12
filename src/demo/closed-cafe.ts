import type { VenueDocument } from '../features/venues/transfer/document.ts';
import { daily, inDays } from './hours.ts';
import { closedCafeHouse } from './houses.ts';
import { photosOf } from './photos.ts';

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
