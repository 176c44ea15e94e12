/** The places at which partners find what rules are given, for programs and in words. */
import type { Hook } from './rule.ts';

/**
 * Lists in a path mean the entry that is booked: of `products` the product, of `spaces` the space, of `times` the
 * start. At the end of a path they mean all entries.
 */
export type FactSource =
  /** What is sent: the body of a creation, or the booking as an amendment leaves it. */
  | { from: 'bookingBody'; path: string }
  /** A header of the creation. */
  | { from: 'bookingHeader'; path: string }
  /** The first so many segments of the product id. */
  | { from: 'productId'; segments: 1 | 3 | 4 }
  | { from: 'bookingRules'; path: string }
  | { from: 'venue'; path: string }
  | { from: 'availability'; path: string }
  | { from: 'booking'; path: string }
  | { from: 'listedBooking'; path: string }
  | { from: 'computed'; how: Computation };

export type Computation = 'guests' | 'weekday' | 'daysAhead' | 'crossedBands' | 'orderedTotal';

/** Where one reads what `path` names; the sentence goes on after what the fact is. */
export function placeOf(source: FactSource, hook: Hook): string {
  switch (source.from) {
    case 'bookingBody':
      return `\`${source.path}\` of ${SENT[hook]}${source.path.startsWith('preorders.') ? BY_ID : ''}`;
    case 'bookingHeader':
      return `the header \`${source.path}\` with which the booking ${hook === 'booking.create' ? 'is' : 'was'} made`;
    case 'productId':
      return SEGMENTS[source.segments];
    case 'bookingRules':
      return `\`${source.path}\` of \`GET /booking-rules\`${ofOperator(source.path)}`;
    case 'venue':
      return `\`${source.path}\` of \`GET /venues/{venueId}\`${entryOf(source.path)}`;
    case 'availability':
      return `\`${source.path}\` of \`GET /venues/{compositeId}/availability\` for the same party and \`duration\`, at the start that is booked; \`includeUnavailable=true\` shows it even where it cannot be had`;
    case 'booking':
      return `\`${source.path}\` of \`GET /venues/bookings/{bookingId}\``;
    case 'listedBooking':
      return `\`${source.path}\` of the booking in \`GET /venues/bookings\``;
    case 'computed':
      return COMPUTED[source.how];
  }
}

const SENT: Record<Hook, string> = {
  'booking.create': 'the booking that you send',
  'booking.amend': 'the booking as it is to be, which is what you PUT, or what your PATCH makes of it',
  payment: 'the booking as you sent it when you made or last amended it',
};

const BY_ID =
  '; where it has an `id` instead, the slug is at that id in `products[].preorders` of `GET /venues/{venueId}`';

const SEGMENTS = {
  1: 'the first segment of the product id, as a number',
  3: 'the first three segments of the product id',
  4: 'the id under which it is booked, four segments',
};

const COMPUTED: Record<Computation, string> = {
  guests: 'the sum of `booking.partySize` and `booking.children`',
  weekday: 'the weekday of `booking.date`',
  daysAhead: '`booking.date` minus the date of today in Europe/London',
  crossedBands:
    '`products[].spaces[].policies.minimumSpend` of `GET /venues/{venueId}`, as far as the time from `time` on for `duration` minutes of `GET /venues/bookings/{bookingId}` meets them; after midnight the bands of the next weekday count. What the operator asks for on single dates holds in their place; `GET /venues/{compositeId}/availability` shows it at the start',
  orderedTotal:
    'the sum of `preorders.packages[].total` and `preorders.menus[].total` of `GET /venues/bookings/{bookingId}`; for tickets, `finalBalance` of `GET /venues/bookings/{bookingId}/payment-options` as long as no rule changes it',
};

function entryOf(path: string): string {
  if (path.includes('spaces[]')) return ', at the product and the space that are booked';
  return path.includes('products[]') ? ', at the product that is booked' : '';
}

const ofOperator = (path: string) =>
  path.includes('[operatorId]') ? ', with the `operatorId` of the rule' : '';
