/** The bodies of `connect`, our protocol for makers of table systems. docs/connect.openapi.json is made of them. */
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import { CAPABILITIES, OVERRIDES, type RefusalReason, SYSTEM_VISITS } from '../contract.ts';

/** PostgreSQL stores no NUL. */
const NO_NUL = '^[^\\u0000]*$';
const DATE = '^\\d{4}-\\d{2}-\\d{2}$';
const TIME = '^([01]\\d|2[0-3]):[0-5]\\d$';
/** What may be a segment of our ids. */
const SEGMENT = '^[A-Za-z0-9][A-Za-z0-9._~-]*$';

const MOST_GUESTS = 10_000;
const MOST_MINUTES = 2880;
const MOST_PENCE = 100_000_000;

const text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, pattern: NO_NUL, ...(description && { description }) });
const id = (description: string) =>
  Type.String({ minLength: 1, maxLength: 100, pattern: SEGMENT, description });
const cursor = (description: string) =>
  Type.String({ minLength: 1, maxLength: 500, pattern: NO_NUL, description });
const bookingId = (description: string) => Type.String({ minLength: 1, maxLength: 100, description });
const instant = (description: string) => Type.String({ format: 'date-time', maxLength: 40, description });
const date = (description: string) => Type.String({ pattern: DATE, description });
const time = (description: string) => Type.String({ pattern: TIME, description });
const minutes = (description: string) => Type.Integer({ minimum: 1, maximum: MOST_MINUTES, description });
const pence = (description: string) => Type.Integer({ minimum: 0, maximum: MOST_PENCE, description });
const nullable = <Given extends TSchema>(schema: Given) => Type.Union([schema, Type.Null()]);
const oneOf = <const Name extends string>(names: readonly Name[], description: string, title?: string) =>
  Type.Unsafe<Name>({ type: 'string', enum: [...names], description, ...(title && { title }) });
/** A shape that the document shows under its own name. */
const named = <Given extends TProperties>(
  title: string,
  description: string,
  properties: Given,
): TObject<Given> => Type.Object(properties, { title, description });

const START = 'When it begins, RFC 3339 with an offset. This is what counts; `date` and `time` say the same.';
const TRADING_DATE =
  'The trading day: a start at 01:00 belongs to the evening before, although `start` is on the next calendar day.';
const LOCAL_TIME = 'What clocks at the venue show, `HH:MM`.';

export const Party = named('Party', 'Who comes.', {
  adults: Type.Integer({ minimum: 0, maximum: MOST_GUESTS }),
  children: Type.Integer({ minimum: 0, maximum: MOST_GUESTS }),
});

const Period = {
  opens: time('The first minute.'),
  closes: time('The end; one that is not after `opens` is on the next day.'),
};

export const Hours = named('Hours', 'When a venue is open, or when a product may begin and end.', {
  weekly: Type.Array(
    Type.Object({
      weekday: Type.Integer({ minimum: 1, maximum: 7, description: '1 is Monday.' }),
      ...Period,
    }),
    { maxItems: 100 },
  ),
  exceptions: Type.Optional(
    Type.Array(
      Type.Object({
        date: date('The day that differs.'),
        periods: Type.Array(Type.Object(Period), { maxItems: 10, description: 'Empty: closed all day.' }),
      }),
      { maxItems: 1000 },
    ),
  ),
});

export const Product = named('Product', 'What is booked at a venue: dinner, lunch, an event.', {
  id: id('Yours; it stays the same for ever.'),
  name: text(200),
  description: Type.Optional(text(5000)),
  intervalMinutes: Type.Optional(minutes('Between one start and the next.')),
  hours: Type.Optional(Hours),
  minGuests: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_GUESTS })),
  maxGuests: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_GUESTS })),
  pricePence: Type.Optional(
    pence(
      'What a guest pays, in hundredths of the currency; leave it out where guests pay for what they have.',
    ),
  ),
});

export const Venue = named('Venue', 'A venue. What you leave out stays as it is with us.', {
  id: id('Yours; it stays the same for ever.'),
  name: text(200),
  timeZone: Type.String({ minLength: 1, maxLength: 100, description: 'IANA, such as `Europe/London`.' }),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
  summary: Type.Optional(text(1000)),
  description: Type.Optional(text(10_000)),
  address: Type.Optional(
    Type.Object({
      street: Type.Optional(text(200)),
      area: Type.Optional(text(200)),
      city: Type.Optional(text(200)),
      postcode: Type.Optional(text(20)),
      countryCode: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
    }),
  ),
  position: Type.Optional(
    Type.Object({
      lat: Type.Number({ minimum: -90, maximum: 90 }),
      lng: Type.Number({ minimum: -180, maximum: 180 }),
    }),
  ),
  phone: Type.Optional(text(50)),
  website: Type.Optional(text(1000)),
  hours: Type.Optional(Hours),
  spaces: Type.Optional(
    Type.Array(Type.Object({ id: id('Yours.'), name: text(200), description: Type.Optional(text(5000)) }), {
      maxItems: 200,
      description: 'Parts of the venue that guests can ask for: terrace, bar.',
    }),
  ),
  products: Type.Array(Product, { maxItems: 1000 }),
});

export const VenuesPage = named(
  'VenuesPage',
  'One page of the venues that the token may see, in an order that stays.',
  {
    venues: Type.Array(Venue, { maxItems: 1000 }),
    next: nullable(cursor('Send it as `cursor` to get the next page; null: this is the last.')),
    total: Type.Optional(Type.Integer({ minimum: 0, description: 'Venues in all pages.' })),
  },
);

export const AvailabilityRequest = named('AvailabilityRequest', 'What a party could have on some days.', {
  venueId: id('Of the venue.'),
  productId: id('Of the product.'),
  dates: Type.Array(date('A trading day.'), { minItems: 1, maxItems: 100 }),
  party: Party,
  durationMinutes: Type.Optional(minutes('Absent: what you give a party of that size.')),
  spaceId: Type.Optional(id('The space that the guest asks for.')),
});

export const SLOT_STATES = [
  'free',
  'on-request',
  'taken',
  'too-soon',
  'too-far',
  'party-never-fits',
] as const;
const REQUEST_REASONS = ['fully_booked', 'exceeds_auto_confirm', 'request_only'] as const;

export const SlotBody = named('Slot', 'One start.', {
  start: instant(START),
  time: time(LOCAL_TIME),
  durationMinutes: minutes('How long the party stays.'),
  state: oneOf(
    SLOT_STATES,
    '`free`: a `PUT` at this moment would succeed. `on-request`: only the venue can confirm it. Anything else: it cannot be had.',
  ),
  requestReason: Type.Optional(oneOf(REQUEST_REASONS, 'Why it is only on request.')),
  spaces: Type.Optional(
    Type.Array(Type.Object({ id: id('Of the space.'), free: Type.Boolean() }), { maxItems: 200 }),
  ),
});

export const Availability = named('Availability', 'Every start of every day that was asked for.', {
  durations: Type.Object({
    minMinutes: minutes('The shortest stay that can be asked for.'),
    maxMinutes: minutes('The longest.'),
    stepMinutes: minutes('Between one and the next.'),
  }),
  partySizes: Type.Optional(
    Type.Object(
      {
        smallest: Type.Integer({ minimum: 1, maximum: MOST_GUESTS }),
        atOnce: Type.Integer({
          minimum: 0,
          maximum: MOST_GUESTS,
          description: 'The largest that is confirmed at once.',
        }),
        byEnquiry: Type.Integer({
          minimum: 0,
          maximum: MOST_GUESTS,
          description: 'The largest that may ask.',
        }),
      },
      { description: 'How many guests one booking may have, whatever is free.' },
    ),
  ),
  policy: Type.Optional(nullable(text(5000, 'What guests should know before they book.'))),
  cancellationPolicy: Type.Optional(nullable(text(5000))),
  days: Type.Array(
    Type.Object({
      date: date(TRADING_DATE),
      closed: Type.Boolean({ description: 'Closed that day for everyone.' }),
      slots: Type.Array(SlotBody, { maxItems: 1440 }),
    }),
    { maxItems: 100, description: 'The days asked for, all of them, in that order.' },
  ),
});

export const Guest = named('Guest', 'Who books. Each part may be unknown.', {
  firstName: nullable(text(200)),
  lastName: nullable(text(200)),
  email: nullable(text(320)),
  phone: nullable(text(50)),
});

const PLACE = {
  venueId: id('Of the venue.'),
  productId: id('Of the product.'),
  start: instant(START),
  date: date(TRADING_DATE),
  time: time(LOCAL_TIME),
  party: Party,
  durationMinutes: nullable(minutes('Null: what you give a party of that size.')),
  spaceId: nullable(id('Null: you choose.')),
  blockedSpaceIds: Type.Optional(
    Type.Array(id('Of a space.'), { maxItems: 200, description: 'Seat the party elsewhere.' }),
  ),
  confirmedByVenue: Type.Boolean({
    description: 'The venue itself has said yes: do not refuse as `over-instant-limit` or `enquiry-only`.',
  }),
  overrides: Type.Optional(
    Type.Array(oneOf(OVERRIDES, 'A limit.'), {
      description: 'Limits that the venue sets aside for this booking.',
    }),
  ),
};

export const BookingBody = named('BookingRequest', 'A booking as it is to be.', {
  ...PLACE,
  holdId: Type.Optional(bookingId('The hold that becomes this booking; it has the same id.')),
  guest: nullable(Guest),
  company: nullable(text(500)),
  notes: nullable(text(10_000)),
  preorders: Type.Array(
    Type.Object({
      name: text(500),
      quantity: Type.Integer({ minimum: 1 }),
      pricePence: nullable(pence('Of one.')),
    }),
    { description: 'What was ordered ahead.' },
  ),
  partner: nullable(
    Type.Object(
      { name: text(500), bookingId: nullable(text(500)) },
      { description: 'Who sold it; null: the venue took the booking itself.' },
    ),
  ),
  depositPence: nullable(pence('What was paid ahead.')),
});

export const Booking = named('Booking', 'A booking as it is.', {
  id: bookingId('Ours: the id of the path.'),
  reference: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: NO_NUL,
    description: 'Your own number for it, which staff can find it by; it stays when the booking is amended.',
  }),
  start: instant(START),
  date: date(TRADING_DATE),
  time: time(LOCAL_TIME),
  durationMinutes: minutes('How long the party stays.'),
  party: Party,
  tables: Type.Optional(Type.Array(text(100), { maxItems: 100, description: 'Names of the tables.' })),
  space: Type.Optional(nullable(Type.Object({ id: id('Of the space.'), name: text(200) }))),
  pricePerGuestPence: Type.Optional(nullable(pence('What you charge for each guest.'))),
  visit: Type.Optional(oneOf(SYSTEM_VISITS, 'How far the visit is.')),
  guest: Type.Optional(nullable(Guest)),
  notes: Type.Optional(nullable(text(10_000))),
});

const EXPIRES_AT = 'From then on the place is free for others.';

export const HoldBody = named('HoldRequest', 'A place to keep for the booking that will have this id.', {
  ...PLACE,
  expiresAt: instant(EXPIRES_AT),
});
export const ExtensionBody = named('HoldExtension', 'With `If-Match: *`: the hold is to end later.', {
  expiresAt: instant(EXPIRES_AT),
});
export const Hold = named('Hold', 'A place that is kept.', {
  id: bookingId('The id of the path.'),
  start: instant(START),
  date: date(TRADING_DATE),
  time: time(LOCAL_TIME),
  durationMinutes: minutes('How long the party will stay.'),
  expiresAt: instant(
    `${EXPIRES_AT} You may keep it for a shorter time than was asked for, never for longer.`,
  ),
});

export const ChangesPageBody = named('ChangesPage', 'Bookings that may have changed.', {
  bookingIds: Type.Array(bookingId('Ours. We ask for each with `GET /bookings/{bookingId}`.'), {
    maxItems: 10_000,
  }),
  cursor: cursor('Send it as `after` next time.'),
  hasMore: Type.Boolean({ description: 'There is more after this cursor already.' }),
});

export const Notification = named('Notification', 'What you send us when bookings change at the venue.', {
  type: Type.Literal('bookings.changed'),
  bookingIds: Type.Array(bookingId('Ours.'), { minItems: 1, maxItems: 1000 }),
});

/** Every reason of a refusal, and what it says to a maker. */
export const REASONS: Record<RefusalReason, string> = {
  closed: 'The venue or the product is closed then.',
  taken: 'There is no place left then.',
  paced: 'A table is free, but too many guests arrive then already.',
  'not-a-start': 'Nothing of this product begins at that time, however empty the venue is.',
  'over-instant-limit': 'Only the venue can confirm so large a party.',
  'enquiry-only': 'Only the venue can confirm this.',
  duration: 'A stay of that length cannot be had.',
  'too-soon': 'It begins too soon, or has begun.',
  'too-far': 'It is too far ahead.',
  'party-never-fits': 'No table or combination of tables ever seats that party.',
  'no-such-product': 'There is no such venue or product.',
  'no-such-table': 'There is no such table.',
  'space-without-zone': 'The space cannot be booked.',
  'zone-without-areas': 'The space has no tables.',
  'not-found': 'There is no such booking.',
  'hold-ended': 'There is no such hold, or it has ended.',
  'card-required': 'A card has to be charged first, which cannot be done from here.',
  rejected: 'Anything else; say in `detail` what.',
};
const REASON_NAMES = Object.keys(REASONS) as RefusalReason[];
export const reasonNamed = (name: string) => REASON_NAMES.find((reason) => reason === name);

export const Problem = named('Problem', 'Why something is not done, after RFC 9457.', {
  type: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
  status: Type.Optional(Type.Integer()),
  detail: Type.Optional(Type.String({ description: 'One sentence for people.' })),
  reason: oneOf(REASON_NAMES, REASON_NAMES.map((reason) => `\`${reason}\`: ${REASONS[reason]}`).join(' ')),
});

export const TokenAnswer = Type.Object({
  access_token: Type.String({ minLength: 1, maxLength: 10_000, pattern: '^[\\x21-\\x7e]+$' }),
  expires_in: Type.Optional(Type.Number({ minimum: 0 })),
});

/** What the platform sets for one system that speaks `connect`. */
export const SystemSettings = Type.Object({
  url: Type.String({
    title: 'Address',
    format: 'uri',
    maxLength: 500,
    description: 'Where the routes begin, such as https://api.example.com/connect.',
  }),
  tokenUrl: Type.Optional(
    Type.String({
      title: 'Token address',
      format: 'uri',
      maxLength: 500,
      description: 'Where clients get tokens (OAuth 2.0 client credentials).',
    }),
  ),
  holds: Type.Optional(Type.Boolean({ title: 'Holds', description: 'It has /holds.', default: false })),
  changes: Type.Optional(Type.Boolean({ title: 'Changes', description: 'It has /changes.', default: false })),
  catalogue: Type.Optional(
    Type.Boolean({ title: 'Catalogue', description: 'It has /venues.', default: true }),
  ),
  capability: Type.Optional(oneOf(CAPABILITIES, 'What guests get: a table or a ticket.', 'What is booked')),
  tellsTables: Type.Optional(
    Type.Boolean({ title: 'Tables', description: 'It says at which tables guests sit.', default: false }),
  ),
});

/** An operator's account has nothing to set besides its credentials. */
export const AccountSettings = Type.Object({});

export const AccountCredentials = Type.Object({
  token: Type.Optional(
    Type.String({
      title: 'Token',
      maxLength: 5000,
      pattern: '^[\\x21-\\x7e]*$',
      description: 'The bearer token.',
    }),
  ),
  clientId: Type.Optional(
    Type.String({
      title: 'Client id',
      maxLength: 500,
      description: 'With a token address, in place of the token.',
    }),
  ),
  clientSecret: Type.Optional(Type.String({ title: 'Client secret', maxLength: 5000 })),
  webhookSecret: Type.Optional(
    Type.String({
      title: 'Secret of notifications',
      maxLength: 500,
      pattern: '^whsec_[A-Za-z0-9+/]{32,}={0,2}$',
      description: 'What notifications are signed with: `whsec_` and at least 24 bytes in Base64.',
    }),
  ),
});

export type VenueValue = Static<typeof Venue>;
export type HoursValue = Static<typeof Hours>;
export type BookingValue = Static<typeof Booking>;
export type HoldValue = Static<typeof Hold>;
export type AvailabilityValue = Static<typeof Availability>;
export type PlaceValue = Static<typeof HoldBody>;
export type BookingBodyValue = Static<typeof BookingBody>;
