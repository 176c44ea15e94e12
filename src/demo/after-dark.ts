import type { ProductDocument, VenueDocument } from '../features/venues/transfer/document.ts';
import { closedAtChristmas, daily, periods, photosOf, weekly } from './hours.ts';
import { blueNoteHouse, nightOwlHouse } from './houses.ts';
import { freeUntilTheDayBefore, ticketsUntilTwoDaysBefore } from './terms.ts';

const CAMDEN = {
  lat: 51.5392,
  lng: -0.1424,
  address: '31 Inverness Street',
  area: 'Camden',
  city: 'London',
  postcode: 'NW1 7HB',
  countryCode: 'GB',
};

/** Trades past midnight, seven nights a week: 02:00 on Saturday belongs to its Friday. */
export function nightOwl(today: Temporal.PlainDate): VenueDocument {
  const exceptions = closedAtChristmas(today);
  return {
    tms: 'house',
    resourceId: 'night-owl',
    name: 'Night Owl',
    timeZone: 'Europe/London',
    content: {
      summary: 'Velvet booths and long drinks in Shoreditch, until three in the morning.',
      description:
        'Down a staircase behind an unmarked green door, Night Owl pours classic cocktails to a turntable and keeps its kitchen ' +
        'open for toasted sandwiches until two. Booths seat up to ten and are yours for the evening.',
      highlights: ['Open until 03:00', 'Vinyl only', 'Late kitchen'],
    },
    phoneNumber: '+44 20 7946 0201',
    website: 'https://night-owl.example',
    location: {
      lat: 51.5249,
      lng: -0.0787,
      address: '18 Rivington Street',
      area: 'Shoreditch',
      city: 'London',
      postcode: 'EC2A 3DU',
      countryCode: 'GB',
    },
    types: ['bar', 'cocktail-bar', 'late-night'],
    photos: photosOf('night-owl', 'The booths', 'Behind the bar', 'The record wall'),
    hours: { weekly: daily('18:00-03:00'), exceptions },
    packages: [
      {
        id: 201,
        slug: 'house-bottle',
        name: 'A bottle and mixers',
        description: 'Vodka, gin or rum with everything that goes with it.',
        pricePence: 14_000,
        pricePer: 'booking',
      },
      {
        id: 202,
        slug: 'nightcap-tray',
        name: 'Nightcap tray',
        description: 'A miniature old fashioned, a miniature negroni and a toasted sandwich.',
        pricePence: 1800,
        pricePer: 'guest',
      },
    ],
    products: [
      {
        key: 'booth',
        name: 'A booth',
        slug: 'booth',
        category: 'drinks',
        timeIntervalMinutes: 30,
        hours: { weekly: daily('18:00-03:00'), exceptions },
        packageIds: [201, 202],
      },
    ],
    house: nightOwlHouse,
  };
}

/** The house of the jazz night; on other evenings, and for dinner before the show, its tables are booked as usual. */
export function blueNote(today: Temporal.PlainDate): VenueDocument {
  const exceptions = closedAtChristmas(today);
  return {
    tms: 'house',
    resourceId: 'blue-note',
    name: 'The Blue Note Rooms',
    timeZone: 'Europe/London',
    content: {
      summary: 'Supper club and listening room in Camden, with a small stage and a good piano.',
      description:
        'Forty tables on two levels, all of them facing the stage. The kitchen cooks Creole and southern French, the bar ' +
        'stirs its martinis cold, and on Thursdays the room belongs to the jazz night.',
      highlights: ['Stage and grand piano', 'Supper before the show', 'Step-free throughout'],
    },
    phoneNumber: '+44 20 7946 0211',
    website: 'https://blue-note-rooms.example',
    location: CAMDEN,
    types: ['restaurant', 'bar', 'live-music', 'late-night', 'wheelchair-accessible'],
    photos: photosOf('blue-note', 'The stage', 'Tables on the balcony', 'Gumbo and a martini'),
    hours: { weekly: daily('17:00-01:00'), exceptions },
    products: [
      {
        key: 'table',
        name: 'A table in the club',
        slug: 'table',
        category: 'dinner',
        timeIntervalMinutes: 15,
        refundTerms: freeUntilTheDayBefore.refundTerms,
        hours: { weekly: daily('17:00-23:30'), exceptions },
      },
    ],
    house: blueNoteHouse,
  };
}

const ACTS = [
  'The Marlowe Quartet',
  'Ines Duarte sings Ellington',
  'Northern Line Big Band',
  'Kofi Mensah Trio',
  'Late Set: Ballads for Two Horns',
  'The Thursday Sessions',
];

const ticketTypes: NonNullable<VenueDocument['tickets']>['ticketTypes'] = [
  {
    key: 'standard',
    pricePence: 2400,
    capacity: 80,
    maxPerBooking: 8,
    salesCloseMinutesBefore: 120,
    policy: 'Seats on the floor and at the bar, first come, first seated.',
    cancellationPolicy: ticketsUntilTwoDaysBefore.cancellationPolicy,
  },
  {
    key: 'vip',
    pricePence: 6000,
    capacity: 12,
    maxPerBooking: 4,
    salesCloseMinutesBefore: 120,
    policy: 'A reserved table at the stage and a drink on arrival.',
    cancellationPolicy: ticketsUntilTwoDaysBefore.cancellationPolicy,
  },
];

/**
 * An event has no weekly hours: each occurrence is a dated period, half a year of Thursdays without the
 * one on which its house is shut.
 */
export function jazzNight(today: Temporal.PlainDate): VenueDocument {
  const shut = closedAtChristmas(today).map(({ date }) => date);
  const thursdays = weekly(today, 4, 26).filter((date) => !shut.includes(date));
  const exceptions = thursdays.map((date, week) => ({
    date,
    periods: periods('20:00-23:00'),
    reason: ACTS[week % ACTS.length] ?? 'Jazz Night',
  }));
  const ticket = (key: string, name: string): ProductDocument => ({
    key,
    name,
    slug: key,
    category: 'tickets',
    timeIntervalMinutes: 180,
    refundTerms: ticketsUntilTwoDaysBefore.refundTerms,
    hours: { weekly: [], exceptions },
  });
  return {
    tms: 'tickets',
    resourceId: 'jazz-night',
    name: 'Jazz Night at the Blue Note Rooms',
    timeZone: 'Europe/London',
    content: {
      summary: 'Live jazz every Thursday: two sets, one interval and the best seats in Camden.',
      description:
        'A different band each week, from trios to a seventeen-piece that only just fits the stage. Doors open an hour before ' +
        'the music. Standard tickets are for the floor and the bar; VIP tickets come with a reserved table at the stage ' +
        'and a drink on arrival.',
      highlights: ['Every Thursday at 20:00', 'A new band each week', 'VIP tables at the stage'],
    },
    phoneNumber: '+44 20 7946 0211',
    website: 'https://blue-note-rooms.example/jazz-night',
    location: CAMDEN,
    types: ['event', 'live-music', 'wheelchair-accessible'],
    photos: photosOf('jazz-night', 'The Marlowe Quartet on stage', 'A full house on Thursday'),
    host: { tms: 'house', resourceId: 'blue-note' },
    hours: { weekly: [], exceptions },
    products: [ticket('standard', 'Standard ticket'), ticket('vip', 'VIP ticket')],
    tickets: {
      occurrences: thursdays.map((date) => ({ date, startsMinute: 20 * 60, durationMinutes: 180 })),
      ticketTypes,
    },
  };
}
