/**
 * Every fact that an expression may name, and where a partner finds it: no decision depends on facts that only we
 * know. A place is given twice, for programs and as a sentence, and a test follows each to the value that rules get.
 */
import type { Facts } from './facts.ts';
import { HOOKS, type Hook } from './rule.ts';

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
    '`products[].spaces[].policies.minimumSpend` of `GET /venues/{venueId}`, as far as the time from `time` on for `duration` minutes of `GET /venues/bookings/{bookingId}` meets them; after midnight the bands of the next weekday count. Overrides for single dates replace the weekly bands; `GET /venues/{compositeId}/availability` shows it at the start',
  orderedTotal:
    'the sum of `preorders.packages[].total` and `preorders.menus[].total` of `GET /venues/bookings/{bookingId}`; for tickets, `finalBalance` of `GET /venues/bookings/{bookingId}/payment-options` as long as no rule changes it',
};

const ofOperator = (path: string) =>
  path.includes('[operatorId]') ? ', with the `operatorId` of the rule' : '';

export interface FactEntry {
  name: FactName;
  type: string;
  source: FactSource;
  /** What stands for a value that is not there; undefined: nothing, and rules that need it are skipped. */
  otherwise?: string | number;
  howToObtain: string;
}

type Scalar = string | number | readonly unknown[];
type Paths<Document> = {
  [Name in keyof Document & string]-?: NonNullable<Document[Name]> extends Scalar
    ? Name
    : `${Name}.${keyof NonNullable<Document[Name]> & string}`;
}[keyof Document & string];
export type FactName = Paths<Facts>;

interface Fact {
  type: string;
  /** What it is, as the beginning of a sentence. */
  what: string;
  sources: Partial<Record<Hook, FactSource>>;
  otherwise?: string | number;
  /** A sentence more: when it is not known, or what is easily taken for it. */
  remark?: string;
}

type Sources = Record<Hook, FactSource>;

const everywhere = (source: FactSource): Sources => ({
  'booking.create': source,
  'booking.amend': source,
  payment: source,
});

/** Sent with the booking, and shown by it later. */
const sent = (path: string): Sources => ({
  ...everywhere({ from: 'bookingBody', path }),
  payment: { from: 'booking', path },
});

/** Of a start that is sent as an instant, availability knows the trading day and the local time. */
const ofStart = (path: string): Sources => ({
  ...everywhere({ from: 'availability', path: `times[].${path}` }),
  payment: { from: 'booking', path },
});

const ofVenue = (path: string) => everywhere({ from: 'venue', path });
const ofProductId = (segments: 1 | 3 | 4) => everywhere({ from: 'productId', segments });
const computed = (how: Computation) => everywhere({ from: 'computed', how });

const WITHOUT_SPACE = 'Not known when no space is requested.';
const WITHOUT_SLUG = 'What has no slug counts by its id, as text.';

const FACTS: Record<FactName, Fact> = {
  'booking.partySize': { type: 'integer', what: 'The adults', sources: sent('partySize') },
  'booking.children': { type: 'integer', what: 'The children', sources: sent('children'), otherwise: 0 },
  'booking.guests': { type: 'integer', what: 'Adults and children', sources: computed('guests') },
  'booking.type': {
    type: 'text',
    what: '`book` or `request`',
    sources: sent('type'),
    remark: 'Once a rule has turned the booking into an enquiry, later rules see `request`.',
  },
  'booking.date': { type: 'text', what: 'The trading day, `YYYY-MM-DD`', sources: ofStart('date') },
  'booking.weekday': {
    type: 'integer',
    what: 'The weekday of the trading day, 1 for Monday to 7 for Sunday',
    sources: computed('weekday'),
  },
  'booking.time': { type: 'text', what: 'The start in local time, `HH:MM`', sources: ofStart('time') },
  'booking.duration': {
    type: 'integer',
    what: 'The requested stay, in minutes',
    sources: everywhere({ from: 'bookingBody', path: 'duration' }),
    remark: 'Not known when it is left to the venue.',
  },
  'booking.source': {
    type: 'text',
    what: 'The channel through which the booking came',
    sources: everywhere({ from: 'bookingHeader', path: 'X-Booking-Source' }),
    otherwise: 'api',
  },
  'booking.depositAmount': {
    type: 'number',
    what: 'What you have taken from the guest, in pence',
    sources: { ...sent('depositAmount'), payment: { from: 'listedBooking', path: 'depositAmount' } },
    otherwise: 0,
  },
  'booking.packages': {
    type: 'list of texts',
    what: 'The slugs of the packages that are ordered ahead',
    sources: sent('preorders.packages[].slug'),
    remark: WITHOUT_SLUG,
  },
  'booking.menus': {
    type: 'list of texts',
    what: 'The slugs of the menus that are ordered from',
    sources: sent('preorders.menus[].slug'),
    remark: WITHOUT_SLUG,
  },
  'partner.id': {
    type: 'integer',
    what: 'The number of your partner account',
    sources: everywhere({ from: 'bookingRules', path: 'caller.partnerId' }),
  },
  'partner.categoryIds': {
    type: 'list of integers',
    what: 'The categories in which the operator has put you',
    sources: everywhere({ from: 'bookingRules', path: 'caller.categoryIdsByOperator[operatorId]' }),
  },
  'product.id': { type: 'text', what: 'The product', sources: ofProductId(4) },
  'product.name': {
    type: 'text',
    what: 'The name of the product',
    sources: ofVenue('products[].productName'),
  },
  'product.slug': {
    type: 'text',
    what: 'The slug of the product',
    sources: ofVenue('products[].slug'),
    remark: 'Not known when it is null.',
  },
  'product.category': {
    type: 'text',
    what: 'The slug of the category of the product',
    sources: ofVenue('products[].category.slug'),
    remark: 'Not known when the category is null.',
  },
  'venue.id': { type: 'text', what: 'The venue', sources: ofProductId(3) },
  'venue.operatorId': { type: 'integer', what: 'The operator', sources: ofProductId(1) },
  'venue.name': { type: 'text', what: 'The name of the venue', sources: ofVenue('name') },
  'venue.area': { type: 'text', what: 'The part of the city', sources: ofVenue('location.area') },
  'venue.city': { type: 'text', what: 'The city', sources: ofVenue('location.city') },
  'venue.timeZone': { type: 'text', what: 'The IANA time zone', sources: ofVenue('timeZone') },
  'space.id': {
    type: 'integer',
    what: 'The space',
    sources: sent('spaceId'),
    remark: WITHOUT_SPACE,
  },
  'space.name': {
    type: 'text',
    what: 'The name of the space',
    sources: ofVenue('products[].spaces[].spaceName'),
    remark: WITHOUT_SPACE,
  },
  daysAhead: {
    type: 'integer',
    what: 'Whole calendar days from today in London to the trading day; negative for one that is past',
    sources: computed('daysAhead'),
  },
  'payment.bands': {
    type: 'list of objects with startTime (text), endTime (text) and amount (integer, pence)',
    what: 'The minimum-spend bands of the booked space that the stay crosses, in their order',
    sources: { payment: { from: 'computed', how: 'crossedBands' } },
    remark: WITHOUT_SPACE,
  },
  'payment.finalBalance': {
    type: 'integer',
    what: 'What the booking costs, in pence, before rules change it',
    sources: { payment: { from: 'computed', how: 'orderedTotal' } },
    remark: 'Later rules see what earlier ones have set.',
  },
};

function sentenceOf({ what, otherwise, remark }: Fact, source: FactSource, hook: Hook): string {
  const absence = otherwise === undefined ? '' : `; \`${otherwise}\` when there is none`;
  return `${what}: ${placeOf(source, hook)}${absence}.${remark ? ` ${remark}` : ''}`;
}

function entriesOf(hook: Hook): FactEntry[] {
  return Object.entries(FACTS).flatMap(([name, fact]) => {
    const source = fact.sources[hook];
    if (!source) return [];
    const { type, otherwise } = fact;
    const howToObtain = sentenceOf(fact, source, hook);
    return [
      {
        name: name as FactName,
        type,
        source,
        ...(otherwise !== undefined && { otherwise }),
        howToObtain,
      },
    ];
  });
}

const ENTRIES = Object.fromEntries(HOOKS.map((hook) => [hook, entriesOf(hook)])) as Record<Hook, FactEntry[]>;

export const factsOf = (hook: Hook): readonly FactEntry[] => ENTRIES[hook];

/**
 * Where partners find what rules are given. Lists in a path mean the entry that is booked: of `products` the product, of `spaces` the space, of `times` the
 * start. At the end of a path they mean all entries.
 */
type FactSource =
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
function placeOf(source: FactSource, hook: Hook): string {
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

function entryOf(path: string): string {
  if (path.includes('spaces[]')) return ', at the product and the space that are booked';
  return path.includes('products[]') ? ', at the product that is booked' : '';
}
