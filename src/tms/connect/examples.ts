/** Examples of bodies, one evening at one venue; the document and the guide show them. */

const START = { start: '2031-03-10T18:00:00+00:00', date: '2031-03-10', time: '18:00' };
const PARTY = { adults: 2, children: 1 };
const GUEST = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+442079460000' };
const BOOKING_ID = '0196f3a0-5c1e-7cc4-9d4f-2f8c6a1b3e57';
const NOTES = 'By the window, please.';
const PLACE = {
  venueId: 'harbour-kitchen',
  productId: 'dinner',
  ...START,
  party: PARTY,
  durationMinutes: null,
  spaceId: null,
  confirmedByVenue: false,
};
const EXPIRES_AT = '2031-03-01T12:05:00Z';

export const EXAMPLES: Record<string, object> = {
  VenuesPage: {
    venues: [
      {
        id: 'harbour-kitchen',
        name: 'Harbour Kitchen',
        timeZone: 'Europe/London',
        currency: 'GBP',
        address: { street: '1 Quay Street', city: 'Bristol', postcode: 'BS1 4DB', countryCode: 'GB' },
        products: [
          {
            id: 'dinner',
            name: 'Dinner',
            intervalMinutes: 30,
            minGuests: 1,
            hours: { weekly: [{ weekday: 1, opens: '18:00', closes: '00:00' }] },
          },
        ],
      },
    ],
    next: null,
    total: 1,
  },
  AvailabilityRequest: {
    venueId: 'harbour-kitchen',
    productId: 'dinner',
    dates: ['2031-03-10'],
    party: PARTY,
  },
  Availability: {
    durations: { minMinutes: 120, maxMinutes: 120, stepMinutes: 1 },
    days: [
      {
        date: '2031-03-10',
        closed: false,
        slots: [
          { start: START.start, time: '18:00', durationMinutes: 120, state: 'free' },
          { start: '2031-03-10T18:30:00+00:00', time: '18:30', durationMinutes: 120, state: 'taken' },
        ],
      },
    ],
  },
  BookingRequest: {
    ...PLACE,
    guest: GUEST,
    company: null,
    notes: NOTES,
    preorders: [{ name: 'Champagne', quantity: 1, pricePence: 4500 }],
    partner: { name: 'Demo Partner', bookingId: 'P-1' },
    depositPence: null,
  },
  Booking: {
    id: BOOKING_ID,
    reference: 'C1001',
    ...START,
    durationMinutes: 120,
    party: PARTY,
    tables: ['T3'],
    visit: 'expected',
    guest: GUEST,
    notes: NOTES,
  },
  HoldRequest: { ...PLACE, expiresAt: EXPIRES_AT },
  Hold: { id: BOOKING_ID, ...START, durationMinutes: 120, expiresAt: EXPIRES_AT },
  ChangesPage: { bookingIds: [BOOKING_ID], cursor: '4711', hasMore: false },
  Notification: { type: 'bookings.changed', bookingIds: [BOOKING_ID] },
  Problem: { title: 'Refused', status: 409, detail: 'No table is left at 18:00.', reason: 'taken' },
};
