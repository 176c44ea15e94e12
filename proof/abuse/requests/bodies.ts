/** Bodies that are in order: the examples of the document, about things that are there. */

import { viewOf } from '../known.ts';
import { type GuestLetter, guestOf, PARTNERS } from '../markers.ts';
import { PASSWORDS } from '../planted.ts';
import type { Address, Asking } from './addresses.ts';

// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape.
export type Json = any;

export interface Surroundings {
  asking: Asking;
  address: Address;
  /** Where webhooks may be sent. */
  receiverUrl: string;
}

/** A body that the operation may well take; undefined where it takes none. */
export function bodyFor(surroundings: Surroundings): Json | undefined {
  const { chances, operation } = surroundings.asking;
  const example = chances.maybe(operation.bodyExamples);
  if (example === undefined) return undefined;
  // A document that is whole in itself; only its name and its number must be new.
  if (operation.path === '/manage/imports')
    return { ...structuredClone(example as object), id: undefined, name: chances.word() };
  // Its parts name each other by references of their own.
  if (operation.path.endsWith('/layout')) return structuredClone(example);
  const body = told(surroundings, structuredClone(example));
  if (operation.path === '/venues/bookings/{bookingId}/payments') return paid(surroundings, body);
  return /orders$|\/booking$/.test(operation.path) ? varied(surroundings, body) : body;
}

/** The same example again and again would find the same table taken. */
function varied({ asking: { chances } }: Surroundings, body: Json): Json {
  for (const item of body.items ?? [body]) {
    if (chances.happens(0.4)) item.type = chances.pick(['request', 'book']);
    const size = 1 + chances.below(4);
    if ('quantity' in item) item.quantity = size;
    else item.partySize = size;
    if (chances.happens(0.2)) item.children = chances.below(3);
    if (chances.happens(0.2)) item.company = 'Fennimore Bank';
  }
  return body;
}

/** Every outcome that the sandbox knows, apart from those that keep a connection for long. */
const PAYMENT_TOKENS = ['tok_success', 'tok_declined', 'tok_authenticate', 'tok_processing', 'tok_unknown'];

function paid({ asking: { chances } }: Surroundings, body: Json): Json {
  return {
    ...body,
    option: chances.pick(['full', 'deposit', 'deposit_25']),
    token: chances.pick(PAYMENT_TOKENS),
  };
}

/** The same with what is named in it told by what is there. */
export function told(surroundings: Surroundings, value: Json, key = ''): Json {
  if (Array.isArray(value)) {
    const entries = value.map((entry) => told(surroundings, entry, key));
    // One id twice, or one of nothing that is there, would be refused.
    return /Ids$|Keys$/.test(key) ? [...new Set(entries)].filter((id) => !value.includes(id)) : entries;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => [name, told(surroundings, member, name)]);
    return Object.fromEntries(members);
  }
  if (key === 'id') return ownId(surroundings, value);
  // Where a list may be null, no single id may stand.
  if (value === null && /Ids$|Keys$/.test(key)) return null;
  const teller = TELLERS[key];
  return teller ? (teller(surroundings, value) ?? value) : value;
}

type Teller = (surroundings: Surroundings, value: Json) => Json;

const HOURS = ['12:30', '13:00', '18:00', '18:30', '19:00', '19:30', '20:00', '21:00'];

const dayAhead = ({ asking: { chances } }: Surroundings) =>
  Temporal.Now.plainDateISO('UTC')
    .add({ days: 1 + chances.below(150) })
    .toString();

const soon = ({ asking: { chances } }: Surroundings, days: number) =>
  Temporal.Now.plainDateISO('UTC')
    .add({ days: days + chances.below(2) })
    .toString();

/** The days of an example that was written long ago, as far from each other as there. */
function moved(_: Surroundings, value: Json): Json {
  const [day = '', rest = ''] = /^(\d{4}-\d\d-\d\d)(.*)$/.exec(String(value))?.slice(1) ?? [];
  if (day === '') return value;
  const apart = Temporal.PlainDate.from('2026-12-05').until(day).days;
  return `${Temporal.Now.plainDateISO('UTC').add({ days: 20 + apart })}${rest}`;
}

const oneOf =
  (kind: string): Teller =>
  ({ asking: { chances, known, caller } }) =>
    chances.maybe(known.in(`${viewOf(caller)} ${kind}`));

/** Ids under `/manage` are numbers, apart from those that are not. */
const member =
  (collection: (surroundings: Surroundings) => string): Teller =>
  (surroundings, value) => {
    const { chances, known } = surroundings.asking;
    const id = chances.maybe(known.in(collection(surroundings)));
    return id === undefined ? undefined : typeof value === 'number' ? Number(id) : id;
  };

const venueOf = ({ address }: Surroundings) => /\/(\d+\|[^/]+)/.exec(address.plain)?.[1] ?? '';
const ofVenue = (name: string) => member((surroundings) => `/manage/venues/${venueOf(surroundings)}/${name}`);
const ofOperator = (name: string) =>
  member(({ address }) => `/manage/operators/${address.operatorId}/${name}`);
const partner = member(() => '/manage/partners');

const unique: Teller = ({ asking: { chances, operation } }, value) =>
  operation.method === 'POST' && typeof value === 'string'
    ? `${value.slice(0, 20)}-${chances.word()}`
    : value;

const isAboutGuests = ({ asking: { operation } }: Surroundings) => !operation.path.startsWith('/manage');

/** A guest whom a venue has entered itself, and no partner may know. */
const isAboutHouse = ({ asking: { operation } }: Surroundings) =>
  /^POST \/manage\/venues\/\{venueId\}\/(?:bookings|waitlist)$/.test(operation.name);

function letterOf(surroundings: Surroundings): GuestLetter | undefined {
  if (isAboutHouse(surroundings)) return 'H';
  const { sight } = surroundings.asking.caller;
  return isAboutGuests(surroundings) && typeof sight === 'object' && 'partner' in sight
    ? sight.partner
    : undefined;
}

/** What others send in the place of a guest is about nobody. */
const guest =
  (name: 'firstName' | 'lastName' | 'phone' | 'comments'): Teller =>
  (surroundings) => {
    const letter = letterOf(surroundings);
    return letter ? guestOf(letter, guestOperator(surroundings))[name] : undefined;
  };

/** That of the product in the path; an amendment or an order may turn out to be anybody's. */
function guestOperator({ address }: Surroundings): number {
  return /^(?:\/manage)?\/venues\/(\d+)\|/.test(address.plain) ? address.operatorId : 0;
}

const email: Teller = (surroundings, value) => {
  const letter = letterOf(surroundings);
  const { chances, operation } = surroundings.asking;
  if (letter) return guestOf(letter, guestOperator(surroundings)).email;
  if (isAboutGuests(surroundings)) return value;
  // The accounts that others call with stay out of it: ten wrong passwords would lock them.
  return operation.method === 'GET' ? value : `${chances.word()}@people.example`;
};

const TELLERS: Record<string, Teller> = {
  compositeId: oneOf('products'),
  venueId: (surroundings) => managedVenue(surroundings) ?? oneOf('venues')(surroundings, ''),
  venueIds: (surroundings) => managedVenue(surroundings),
  venueCompositeId: oneOf('venues'),
  bookingId: (surroundings) =>
    oneOf(surroundings.address.plain.startsWith('/v1') ? 'order bookings' : 'bookings')(surroundings, ''),
  bookingIds: oneOf('order bookings'),
  eventId: oneOf('events'),
  holdId: oneOf('holds'),
  productId: oneOf('products'),
  availabilityId: oneOf('starts'),
  uuid: ({ asking: { chances } }) => chances.uuid(),
  fullName: guest('lastName'),
  emailAddress: (surroundings, value) => email(surroundings, value),
  phoneNumber: guest('phone'),
  resellerReference: ({ asking: { chances } }) => chances.word(),
  localDateStart: (surroundings) => soon(surroundings, 3),
  localDateEnd: (surroundings) => soon(surroundings, 5),
  from: (surroundings, value) => moved(surroundings, value),
  to: (surroundings, value) => moved(surroundings, value),
  date: (surroundings) => dayAhead(surroundings),
  time: ({ asking: { chances } }) => chances.pick(HOURS),
  dateTime: (surroundings) =>
    `${dayAhead(surroundings)}T${surroundings.asking.chances.pick(HOURS)}:00${surroundings.asking.chances.pick(['Z', '+00:00'])}`,
  firstName: guest('firstName'),
  lastName: guest('lastName'),
  phone: guest('phone'),
  comments: guest('comments'),
  notes: guest('comments'),
  email,
  password: ({ asking: { chances } }) => chances.pick(PASSWORDS),
  newPassword: ({ asking: { chances } }) => chances.pick(PASSWORDS),
  currentPassword: ({ asking: { chances } }) => chances.pick(PASSWORDS),
  partnerBookingId: ({ asking: { chances } }) => chances.word(),
  partnerOrderId: ({ asking: { chances } }) => chances.word(),
  callbackUrl: (surroundings) =>
    `${surroundings.receiverUrl}/${subscriberOf(surroundings)}/${surroundings.asking.chances.word()}`,
  since: () => Temporal.Now.instant().subtract({ hours: 1 }).toString(),
  partnerId: partner,
  partnerIds: partner,
  categoryId: ofOperator('partner-categories'),
  categoryIds: ofOperator('partner-categories'),
  ruleIds: ofOperator('booking-rules'),
  zoneId: ofVenue('zones'),
  zoneIds: ofVenue('zones'),
  areaId: ofVenue('areas'),
  tableIds: ofVenue('tables'),
  packageIds: ofVenue('packages'),
  menuIds: ofVenue('menus'),
  spaceId: ofVenue('spaces'),
  spaceIds: ofVenue('spaces'),
  productKey: ofVenue('products'),
  productKeys: ofVenue('products'),
  operatorId: ({ asking: { victim } }) => victim.operatorId,
  reference: unique,
  slug: (surroundings, value) => (value === null ? null : slugOf(unique(surroundings, value))),
  key: unique,
  resourceId: unique,
  name: unique,
};

/** Whose subscription it becomes: what is posted there may name their guests and no others. */
function subscriberOf({ asking: { caller, operation }, address }: Surroundings): string {
  if (operation.path.startsWith('/manage/operators/')) return `operator-${address.operatorId}`;
  const partnerId = /^\/manage\/partners\/(\d+)\//.exec(address.plain)?.[1];
  const letter = partnerId === undefined ? viewOf(caller) : PARTNERS[Number(partnerId) - 1];
  return `partner-${letter ?? 'none'}`;
}

function managedVenue({ asking, address }: Surroundings): string | undefined {
  if (!address.plain.startsWith('/manage')) return undefined;
  return asking.chances.maybe(asking.known.in(`/manage/operators/${address.operatorId}/venues`));
}

const slugOf = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** A new client may choose its id; everything else that has one in an example is told by the place it is named in. */
function ownId(surroundings: Surroundings, value: Json): Json {
  const { path } = surroundings.asking.operation;
  if (path.includes('/menus') && typeof value === 'number') return undefined;
  return path === '/manage/clients' ? unique(surroundings, value) : value;
}
