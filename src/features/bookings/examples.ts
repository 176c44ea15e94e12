import { venueExample } from '../venues/examples.ts';
import type { Booking, ListedBooking } from './schema.ts';

/** What the OpenAPI document shows of a booking. */
export const bookingExample: Booking = {
  id: '019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60',
  compositeId: '1|house|soho-grill|dinner',
  type: 'book',
  date: '2026-12-05',
  time: '19:30',
  dateTime: '2026-12-05T19:30:00+00:00',
  partySize: 2,
  children: 0,
  status: 'confirmed',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44 20 7946 0018',
  company: null,
  venueGroupName: venueExample.venueGroupName,
  venueName: venueExample.name,
  location: venueExample.location,
  duration: 90,
  productName: 'Dinner',
  spaceId: null,
  notes: 'A quiet table, please.',
  labels: [],
  createdDate: '2026-11-15T10:12:30.125Z',
  tmsCreatedDate: '2026-11-15T10:12:30.125Z',
  lastUpdate: '2026-11-15T10:12:30.125Z',
  preorders: { packages: [], menus: [] },
  partnerBookingId: 'order-4711',
  operatorBookingId: 'H-7K3M9Q',
  reference: 'H-7K3M9Q',
  payments: [],
  depositAmount: null,
  actualGuests: null,
  actualSpend: null,
};

export const listedBookingExample: ListedBooking = {
  ...bookingExample,
  area: { id: 1, name: 'Main room' },
};
