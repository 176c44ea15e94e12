const MOMENT = '2027-01-01T12:00:00.000Z';

/** A booking that an event can be about; `marked` tells it from others. */
export const madeUpBooking = (marked: Record<string, unknown>) => ({
  id: '01990a6e-0000-7000-8000-000000000001',
  venueId: '1|house|soho-grill',
  date: '2027-02-01',
  time: '19:00',
  partySize: 2,
  status: 'confirmed',
  reference: null,
  firstName: null,
  lastName: null,
  email: null,
  phone: null,
  actualGuests: null,
  actualSpend: null,
  duration: 90,
  notes: null,
  createdDate: MOMENT,
  lastUpdate: MOMENT,
  ...marked,
});
