/** The words of an event as long as those of a booking are, and different each time. */
export function bodyOf(index: number): string {
  const booking = {
    id: `019a7f52-3b1e-7c40-8d25-${String(index).padStart(12, '0')}`,
    venueId: '1|house|soho-grill',
    date: '2031-05-14',
    time: '19:30',
    partySize: 2,
    status: 'confirmed',
    reference: 'SG-48213',
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    phone: '+44 20 7946 0018',
    duration: 90,
    notes: 'A quiet table, please.',
    createdDate: '2031-04-02T10:15:30.123Z',
    lastUpdate: '2031-04-02T10:15:30.123Z',
  };
  return JSON.stringify({ eventType: 'booking.updated', timestamp: booking.lastUpdate, bookings: [booking] });
}
