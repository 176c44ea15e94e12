import type { SpaceDocument, VenueDocument } from '../../../src/features/venues/transfer/document.ts';
import { parseProductId } from '../../../src/kernel/ids.ts';

/** A club with three tables: one of its own, and one in each of two spaces. It trades on Friday and Saturday nights. */

export const CLUB = parseProductId('950|house|club|table');
export const LOUNGES = parseProductId('950|house|club|lounge');
export const [CELLAR, ATTIC] = [950_001, 950_002];

const space = (
  id: number,
  accessibility: boolean,
  minimumSpend: SpaceDocument['policies']['minimumSpend'],
): SpaceDocument => ({
  id,
  name: `Space ${id}`,
  facilities: ['bar'],
  capacities: { seated: { min: 1, max: 4 } },
  policies: {
    minimumSpend,
    occasionTypes: ['birthday'],
    under18s: false,
    promotedEvents: true,
    accessibility,
    servesFood: false,
  },
});
const hours: VenueDocument['products'][number]['hours'] = {
  weekly: [{ weekdays: [5, 6], periods: [{ opens: '20:00', closes: '03:00' }] }],
};
const zoneWith = (id: number) => ({
  id,
  name: 'Zone',
  areas: [{ id, name: 'Area', tables: [{ id, name: 'T', maxCovers: 4 }] }],
});
const duration = { minMinutes: 60, maxMinutes: 180, stepMinutes: 30 };
const turnTimes = [{ upTo: 4, minutes: 120 }];

export const club: VenueDocument = {
  tms: 'house',
  resourceId: 'club',
  name: 'Club',
  timeZone: 'Europe/London',
  content: { summary: '', description: '', highlights: [] },
  location: { lat: 51.5, lng: -0.1, area: 'Soho', city: 'London', countryCode: 'GB' },
  types: [],
  photos: [],
  hours: { weekly: [] },
  spaces: [
    space(CELLAR, false, [
      { weekdays: [6], startTime: '00:00', endTime: '03:00', amount: 300 },
      { weekdays: [5], startTime: '22:00', endTime: '00:00', amount: 200 },
      { weekdays: [5], startTime: '18:00', endTime: '22:00', amount: 100 },
    ]),
    space(ATTIC, true, []),
  ],
  products: [
    {
      key: 'table',
      name: 'Table',
      timeIntervalMinutes: 60,
      hours,
      paymentRules: [
        { amount: 500, currency: 'GBP', per: 'adult', minPartySize: null, maxPartySize: null, weekdays: [5] },
      ],
    },
    { key: 'lounge', name: 'Lounge', timeIntervalMinutes: 60, hours, spaceIds: [CELLAR, ATTIC] },
  ],
  house: {
    zones: [zoneWith(950_010), zoneWith(CELLAR), zoneWith(ATTIC)],
    spaceZones: [CELLAR, ATTIC].map((id) => ({ spaceId: id, zoneId: id })),
    products: [
      {
        key: 'table',
        zoneIds: [950_010],
        duration,
        turnTimes,
        horizonDays: 60,
        takesEnquiries: true,
        policy: 'No trainers',
        cancellationPolicy: 'Until noon',
      },
      { key: 'lounge', duration, turnTimes },
    ],
  },
};
