import type { VenueDocument } from '../features/venues/transfer/document.ts';
import { gardenRoomMenus } from './garden-room-menus.ts';
import { closedAtChristmas, daily } from './hours.ts';
import { gardenRoomHouse } from './houses.ts';
import { photosOf } from './photos.ts';
import { returnedUntilTwoDaysBefore } from './terms.ts';

/** The venue with everything that a booking can be asked for: a pre-order, a deposit and, by its mapping, a company. */
export function gardenRoom(today: Temporal.PlainDate): VenueDocument {
  const exceptions = closedAtChristmas(today);
  return {
    tms: 'house',
    resourceId: 'garden-room',
    name: 'The Garden Room',
    timeZone: 'Europe/London',
    content: {
      summary: 'Brunch under glass in Hampstead, with a walled garden for the days that allow it.',
      description:
        'A Victorian glasshouse behind a row of bookshops, planted with lemons and tree ferns. Brunch runs from early coffee ' +
        'to mid-afternoon and is ordered ahead, so that a table of twelve is served as quickly as a table of two. ' +
        'Dogs are welcome in the garden and offered water before anybody else.',
      highlights: ['Glasshouse dining room', 'Walled garden', 'Ordered ahead, served together'],
    },
    phoneNumber: '+44 20 7946 0111',
    website: 'https://garden-room.example',
    location: {
      lat: 51.5561,
      lng: -0.1781,
      address: '12 Flask Walk',
      area: 'Hampstead',
      city: 'London',
      postcode: 'NW3 1HE',
      countryCode: 'GB',
    },
    types: ['cafe', 'outdoor-seating', 'vegan-friendly', 'halal-options', 'family-friendly', 'dog-friendly'],
    photos: photosOf('garden-room', 'The glasshouse', 'Brunch in the walled garden', 'Cardamom buns'),
    hours: { weekly: daily('08:30-17:00'), exceptions },
    packages: [
      {
        id: 111,
        slug: 'bottomless-brunch',
        name: 'Bottomless brunch',
        description: 'A plate, a dessert and ninety minutes of sparkling wine or spritz.',
        pricePence: 3800,
        pricePer: 'guest',
      },
      {
        id: 112,
        slug: 'garden-brunch',
        name: 'Garden brunch',
        description: 'A plate, a pastry and all the coffee and tea you like.',
        pricePence: 2400,
        pricePer: 'guest',
      },
      {
        id: 113,
        slug: 'flowers-on-the-table',
        name: 'Flowers on the table',
        description: 'Cut from the garden that morning, and yours to take home.',
        pricePence: 3000,
        pricePer: 'booking',
      },
    ],
    menus: gardenRoomMenus,
    products: [
      {
        key: 'brunch',
        name: 'Brunch',
        slug: 'brunch',
        category: 'brunch',
        timeIntervalMinutes: 30,
        preOrderRequiredType: 'packageAndMenu',
        paymentRules: [
          {
            amount: 1000,
            currency: 'GBP',
            per: 'guest',
            minPartySize: null,
            maxPartySize: null,
            weekdays: null,
          },
        ],
        refundTerms: returnedUntilTwoDaysBefore.refundTerms,
        hours: { weekly: daily('09:00-16:00'), exceptions },
        packageIds: [111, 112, 113],
        menuIds: [111, 112],
      },
    ],
    house: gardenRoomHouse,
  };
}
