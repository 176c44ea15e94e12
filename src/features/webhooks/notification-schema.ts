import { Type } from 'typebox';
import { CLOCK_TIME, EMAIL, named, nullable, oneOf, pence, text } from '../../http/schema-words.ts';
import { EVENT_TYPES } from '../events/service.ts';

const instant = (description: string) => Type.String({ format: 'date-time', description });
const id = (description: string) => Type.String({ format: 'uuid', description });
const orNull = (description: string) => nullable(text(description));

const BookingEntry = Type.Object(
  {
    id: id('Id of the booking; with `lastUpdate` it tells whether you have seen this before'),
    venueId: text('Composite id of the venue'),
    date: Type.String({ format: 'date', description: 'Trading day' }),
    time: text('Local time of the start, `HH:MM`', CLOCK_TIME),
    partySize: Type.Integer({ description: 'Adults' }),
    status: oneOf(['pending', 'confirmed', 'cancelled', 'completed', 'no_show'] as const),
    reference: orNull("The booking's number in the system of the venue"),
    firstName: orNull('Of the guest'),
    lastName: orNull('Of the guest'),
    email: nullable(text('Of the guest', EMAIL)),
    phone: orNull('Of the guest'),
    actualGuests: nullable(Type.Integer({ description: 'How many came; null until the operator says so' })),
    actualSpend: nullable(pence('What they spent')),
    duration: Type.Integer({ description: 'Minutes' }),
    notes: orNull('What the guest has said'),
    createdDate: instant('When it was made'),
    lastUpdate: instant('When it was last changed; always later than before'),
  },
  named('NotifiedBooking', 'A booking as it is after the change'),
);

const MessageEntry = Type.Object(
  {
    id: id('Id of the message'),
    bookingId: id('The booking that it is about'),
    text: text('What the operator says'),
    replyTo: nullable(text('Where an answer goes', EMAIL)),
  },
  named('NotifiedMessage', 'Something that the operator says about a booking'),
);

const VenueEntry = Type.Object(
  { compositeId: text('Id of the venue'), active: Type.Boolean({ description: 'False: it has closed' }) },
  named('NotifiedVenue', 'A venue that has closed'),
);

export const Notification = Type.Object(
  {
    eventType: oneOf(EVENT_TYPES),
    timestamp: instant('When it happened'),
    bookings: Type.Optional(Type.Array(BookingEntry, { description: 'Of `booking.updated`' })),
    messages: Type.Optional(Type.Array(MessageEntry, { description: 'Of `message.received`' })),
    venues: Type.Optional(Type.Array(VenueEntry, { description: 'Of `venue.updated`' })),
  },
  named('WebhookNotification', 'What is posted'),
);
