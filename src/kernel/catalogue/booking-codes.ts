import type { CodeList } from './entry.ts';

export const bookingCodes = {
  'BOOK-N-001': {
    status: 404,
    title: 'Operator has no booking system',
    meaning: 'No table management system is connected for the operator of this venue.',
    remedy: 'Tell the operator; nothing of theirs can be booked until a system is connected.',
  },
  'BOOK-N-002': {
    status: 409,
    title: 'Booking exists already',
    meaning: 'You have used this partnerBookingId, or partnerOrderId, for another booking or order before.',
    remedy: 'Read the existing one, whose id is in bookingId, or send the new one under an id of its own.',
  },
  'BOOK-N-003': {
    status: 404,
    title: 'System in the id not connected',
    meaning: 'The operator does not use the table management system that the composite id names.',
    remedy: 'Take the composite id from a fresh read of the venue.',
  },
  'BOOK-N-004': {
    status: 422,
    title: 'No booking source for you',
    meaning: 'The operator has not configured under which source your bookings enter their system.',
    remedy: 'Ask the operator to configure your source.',
  },
  'BOOK-N-005': {
    status: 404,
    title: 'Not associated with the operator',
    meaning: 'There is no working association between you and the operator of this venue.',
    remedy: 'Ask the operator to set it up or to resume it.',
  },
  'BOOK-N-006': {
    status: 404,
    title: 'Booking not found',
    meaning: 'No booking or order has this id.',
    remedy: 'Check the id; bookings can also be found by partnerBookingId or operatorBookingId.',
  },
  'BOOK-N-007': {
    status: 422,
    title: 'Pre-order required',
    meaning: 'The product is only booked together with a package, a menu or both.',
    remedy: 'Add preorders as preOrderRequiredType of the product says.',
  },
  'BOOK-N-008': {
    status: 422,
    title: 'Card required up front',
    meaning:
      'The system of the venue requires a card before it books, or a payment requires one. Cards cannot be taken here.',
    remedy: 'Send the guest to the venue itself, or choose a slot that needs no card.',
  },
  'BOOK-N-009': {
    status: 422,
    title: 'Refused by the venue system',
    meaning:
      'The table management system, or for a payment the provider, understood and declined; detail repeats its reason.',
    remedy: 'Change what the reason names; sending the same again will be declined again.',
  },
  'BOOK-N-010': {
    status: 404,
    title: 'No such space',
    meaning: 'spaceId names a space that does not exist.',
    remedy: 'Take spaceId from the spaces of the product.',
  },
  'BOOK-N-011': {
    status: 422,
    title: 'Space not linked to a zone',
    meaning: 'The space exists, but it is not linked to a zone of the venue system.',
    remedy: 'Choose another space, and tell the operator about this one.',
  },
  'BOOK-N-012': {
    status: 422,
    title: 'Zone without areas',
    meaning: 'The zone behind the space has no areas in which a party could sit.',
    remedy: 'Choose another space, and tell the operator about this one.',
  },
  'BOOK-N-013': {
    status: 422,
    title: 'More tickets cannot be added',
    meaning: 'A booking of tickets can give tickets back, but not take further ones.',
    remedy: 'Make a second booking for the additional tickets.',
  },
  'BOOK-N-014': {
    status: 409,
    title: 'Not possible in this status',
    meaning: 'The booking has reached a status, or a moment, in which this can no longer be done with it.',
    remedy: 'Read the booking and act on the status it has now.',
  },
  'BOOK-N-015': {
    status: 422,
    title: 'Company not on the list',
    meaning: 'Your channel takes bookings for a fixed list of companies, and this one is not on it.',
    remedy: 'Use a name from bookingRequirements.company.companyNames of the venue.',
  },
  'BOOK-N-016': {
    status: 422,
    title: 'Company required',
    meaning: 'Bookings of your channel must say for which company they are.',
    remedy: 'Send company; bookingRequirements of the venue lists the names it takes.',
  },
  'BOOK-N-017': {
    status: 422,
    title: 'Space belongs to another product',
    meaning: 'The space exists, but this product does not offer it.',
    remedy: 'Take spaceId from the spaces of the product you book.',
  },
  'BOOK-N-018': {
    status: 400,
    title: 'dateTime contradicts date and time',
    meaning: 'The body gives the moment twice, and the two are not the same moment at the venue.',
    remedy: 'Send either dateTime or date with time.',
  },
  'BOOK-N-019': {
    status: 400,
    title: 'Date and time missing',
    meaning: 'A booking needs a moment, and the body has none or only half of it.',
    remedy: 'Send dateTime with an offset, or both date and time.',
  },
  'BOOK-N-020': {
    status: 400,
    title: 'Not a possible date and time',
    meaning:
      'The text is no date or time, lacks its offset, or names an hour that the clock change skips at the venue.',
    remedy: 'Use RFC 3339 with an offset or Z for dateTime, YYYY-MM-DD for date and HH:MM for time.',
  },
  'BOOK-R-001': {
    status: 503,
    title: 'Venue system is limiting us',
    meaning: 'The table management system takes no further changes for the moment. Nothing was changed.',
    remedy: 'Send the same request again, with the same partnerBookingId, after the time in Retry-After.',
  },
  'BOOK-R-002': {
    status: 503,
    title: 'Venue system cannot be reached',
    meaning:
      'The table management system, or for a payment the provider, did not answer in time. Nothing was changed.',
    remedy: 'Send the same request again, with the same partnerBookingId, after the time in Retry-After.',
  },
  'EVENT-N-001': {
    status: 404,
    title: 'Event system not connected',
    meaning: 'The operator does not use the ticket system that the id of the event names.',
    remedy: 'Take the id from a fresh read of the listing.',
  },
  'EVENT-N-002': {
    status: 404,
    title: 'Ticket type not found',
    meaning: 'The event exists, but the last segment of the composite id is no ticket type of it.',
    remedy: 'Take compositeId from bookableProducts of the event.',
  },
  'EVENT-N-003': {
    status: 422,
    title: 'More tickets cannot be added',
    meaning: 'An item of an order can give tickets back, but not take further ones.',
    remedy: 'Order the additional tickets as a new item.',
  },
  'ORDER-N-007': {
    status: 400,
    title: 'Move leaves the venue',
    meaning: 'A booked item can only move to another product of the same venue or event.',
    remedy: 'Keep the first three segments of compositeId, or cancel the item and order it anew.',
  },
  'ORDER-N-008': {
    status: 400,
    title: 'Two ways to change pre-orders',
    meaning:
      'One item has both preorders, which replaces everything, and preorderChanges, which adds and removes.',
    remedy: 'Send one of the two.',
  },
  'ORDER-N-009': {
    status: 422,
    title: 'Item cannot be held',
    meaning:
      'The order is all or nothing, and the system behind one of its items cannot hold a place meanwhile.',
    remedy: 'Order that item on its own, or send the order without `atomic`.',
  },
  'ORDER-N-010': {
    status: 422,
    title: 'Another item failed',
    meaning: 'The order is all or nothing, and another item of it could not be booked.',
    remedy: 'Look at the items that failed for reasons of their own, change them, and send the order anew.',
  },
  'BKRUL-N-001': {
    status: 400,
    title: 'Deposit required by a rule',
    meaning: 'A rule of the operator requires a deposit with this booking, and it is missing or too small.',
    remedy: 'Take the deposit and send depositAmount; deposit.total says how much this party needs.',
  },
  'BKRUL-N-002': {
    status: 400,
    title: 'One package for the whole party',
    meaning: 'A rule of the operator requires the same package for every guest of the party.',
    remedy: 'Choose a single package, once for each guest.',
  },
  'BKRUL-N-003': {
    status: 400,
    title: 'Too late or too early to amend',
    meaning: 'A rule of the operator says when bookings may be amended, and that is not now.',
    remedy: 'Leave the booking as it is, or ask the venue.',
  },
  'BKRUL-N-004': {
    status: 400,
    title: 'Too late or too early to cancel',
    meaning: 'A rule of the operator says when bookings may be cancelled, and that is not now.',
    remedy: 'Ask the venue to cancel.',
  },
  'BKRUL-N-005': {
    status: 400,
    title: 'Party size not taken',
    meaning: 'A rule of the operator takes only smaller or only larger parties here.',
    remedy:
      'Change the number of guests to what the rule in violations allows; largestPartySize is the most.',
  },
  'BKRUL-N-006': {
    status: 400,
    title: 'Pre-order required by a rule',
    meaning: 'A rule of the operator requires a package or a menu for parties of this size.',
    remedy: 'Add preorders; the rule in violations says from how many guests and of which kind.',
  },
  'BKRUL-N-100': {
    status: 400,
    title: 'Refused by a rule',
    meaning:
      'A rule that the operator wrote refuses this booking; rejectMessages in violations give the reason.',
    remedy: 'Show the reason to the guest and change what it names.',
  },
} as const satisfies CodeList;
