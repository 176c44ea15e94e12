/** Arguments made up from a schema: mostly of the right kind, and about things that are there. */

import { addDays } from '../../src/kernel/zone-time.ts';
import type { Chances } from '../abuse/chances.ts';
import type { Schema } from '../abuse/document.ts';
import type { AgentClient, Product, World } from './world.ts';

/** What an agent has been told, so that it can go on with it. */
export interface Memory {
  bookings: string[];
  holds: string[];
  orders: string[];
  entries: string[];
  reservations: string[];
  confirmations: string[];
  /** What places were taken for, by the id that they have. */
  stays: Map<string, TakenStay>;
}

export interface TakenStay {
  product: Product;
  date?: unknown;
  time?: unknown;
  partySize?: unknown;
  children?: unknown;
}

export interface Setting {
  world: Pick<World, 'products' | 'today' | 'dates'>;
  client: Pick<AgentClient, 'mandate'>;
  chances: Chances;
  memory: Memory;
  /** What this call is about. */
  product: Product;
}

type Teller = (setting: Setting) => unknown;

const NAMES = ['Ada', 'Grace', 'Edsger', 'Barbara', 'Alan'];
/** Some of them are too many for every mandate, and one for every table. */
const PARTIES = [1, 2, 2, 2, 2, 3, 3, 4, 4, 5, 6, 8, 12, 20];
const DEPOSITS = [0, 500, 1999, 2000, 2001, 5000, 5001, 100_000];
const ODD_VALUES = [null, -1, 0, 1.5, '', 'x'.repeat(300), true, [], {}, '2026-02-30', 1e12];
const ODD = 0.01;
/** How often a member that may be left out is there, where nothing else is said. */
const OPTIONAL = 0.1;

const partySize: Teller = ({ chances }) => chances.pick(PARTIES);

/** Mostly near, sometimes just beyond what a mandate allows, or far beyond. */
const date: Teller = ({ chances, world, client }) => {
  if (world.dates && chances.happens(0.9)) return chances.pick(world.dates);
  const most = client.mandate?.maxDaysAhead ?? 30;
  const ahead = chances.happens(0.85) ? chances.below(most + 1) : most + chances.below(20);
  return addDays(world.today, ahead);
};
const time: Teller = ({ chances, product }) => chances.pick(product.times);
const unit = ({ id }: Product) => (id.includes('|tickets|') ? 'ticket' : 'guest');

/** By the name of the member; in a list, of its entries. */
const TELLERS: Record<string, Teller> = {
  compositeId: ({ product }) => product.id,
  productId: ({ product }) => product.id,
  venueId: ({ product }) => product.venueId,
  city: ({ product }) => product.city,
  area: ({ product }) => product.city,
  optionId: () => 'DEFAULT',
  unitId: ({ product }) => unit(product),
  availabilityId: (setting) => `${date(setting)}T${time(setting)}:00+00:00`,
  date,
  time,
  from: ({ product }) => product.times[0],
  to: ({ product }) => product.times.at(-1),
  earliest: ({ product }) => product.times[0],
  latest: ({ product }) => product.times.at(-1),
  localDateStart: date,
  localDateEnd: date,
  partySize,
  quantity: partySize,
  children: ({ chances }) => chances.below(3),
  limit: ({ chances }) => 1 + chances.below(10),
  pageSize: ({ chances }) => 1 + chances.below(10),
  depositAmount: ({ chances }) => chances.pick(DEPOSITS),
  firstName: ({ chances }) => chances.pick(NAMES),
  lastName: ({ chances }) => chances.pick(NAMES),
  email: () => 'ada@example.com',
  emailAddress: () => 'ada@example.com',
  phone: () => '+44 20 7946 0018',
  phoneNumber: () => '+44 20 7946 0018',
  startTime: time,
  endTime: ({ product }) => product.times.at(-1),
  partnerBookingId: ({ chances }) => chances.word(),
  partnerOrderId: ({ chances }) => chances.word(),
  resellerReference: ({ chances }) => chances.word(),
  bookingId: ({ memory, chances }) => chances.maybe(memory.bookings) ?? chances.uuid(),
  bookingIds: ({ memory, chances }) => chances.maybe(memory.bookings) ?? chances.uuid(),
  holdId: ({ memory, chances }) => chances.maybe(memory.holds),
  orderId: ({ memory, chances }) => chances.maybe(memory.orders) ?? chances.uuid(),
  entryId: ({ memory, chances }) => chances.maybe(memory.entries) ?? chances.uuid(),
  uuid: ({ chances }) => chances.uuid(),
  confirmationToken: ({ memory, chances }) => chances.maybe(memory.confirmations),
  token: ({ chances }) => chances.pick(['tok_success', 'tok_success', 'tok_declined', 'tok_processing']),
  ttlSeconds: ({ chances }) => chances.pick([1, 5, 300, 600]),
  expirationMinutes: ({ chances }) => chances.pick([1, 5, 60]),
  notes: () => 'By the window, please',
};

/**
 * How often these are there where they may be left out. A start is told by date and time alone. The remote system knows
 * one duration, and answers with that whatever it is asked: the gateway would say that it is faulty.
 */
const SHARES: Record<string, number> = {
  ...{ date: 0.98, time: 0.95, firstName: 0.97, lastName: 0.97, unitItems: 0.98, availabilityId: 0.98 },
  ...{ contact: 0.9, holdId: 0.25, depositAmount: 0.3, atomic: 0.4, quantity: 0.7, type: 0.6, token: 0.9 },
  ...{ confirmationToken: 0.05, uuid: 0.3, partySize: 0.7, city: 0.5, children: 0.15 },
  ...{ dateTime: 0, spaceId: 0, offerToken: 0, company: 0, preorders: 0, preorderChanges: 0, duration: 0 },
  ...{
    labels: 0,
    comments: 0,
    amount: 0,
    currency: 0,
    returnUrl: 0,
    fields: 0,
    cursor: 0,
    near: 0.02,
    venueIds: 0.1,
  },
};

export function madeUp(setting: Setting, schema: Schema, name = ''): unknown {
  const { chances } = setting;
  if (chances.happens(ODD)) return chances.pick(ODD_VALUES);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return madeUp(setting, variants[0], name);
  const types = [schema.type].flat();
  if (types.includes('array')) return listOf(setting, schema, name);
  if (types.includes('object')) return objectOf(setting, schema);
  const teller = TELLERS[name];
  return teller ? teller(setting) : plain(chances, schema, types);
}

function objectOf(setting: Setting, schema: Schema): Record<string, unknown> {
  const required: string[] = schema.required ?? [];
  const { chances, world } = setting;
  // Each entry of an order is about something else.
  const isOwn = required.includes('compositeId');
  const own = isOwn && chances.happens(0.5) ? { ...setting, product: chances.pick(world.products) } : setting;
  const members = Object.entries<Schema>(schema.properties ?? {})
    .filter(([name]) => required.includes(name) || chances.happens(SHARES[name] ?? OPTIONAL))
    .map(([name, member]) => [name, madeUp(own, member, name)] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function listOf(setting: Setting, schema: Schema, name: string): unknown[] {
  const { chances } = setting;
  const length = name === 'unitItems' ? chances.pick(PARTIES) : (schema.minItems ?? 1) + chances.below(3);
  return Array.from({ length }, () => madeUp(setting, schema.items ?? {}, name));
}

function plain(chances: Chances, schema: Schema, types: unknown[]): unknown {
  if (Array.isArray(schema.enum)) return chances.pick(schema.enum);
  if (schema.const !== undefined) return schema.const;
  if (types.includes('boolean')) return chances.happens(0.5);
  if (types.includes('integer') || types.includes('number')) return (schema.minimum ?? 1) + chances.below(5);
  if (types.includes('string')) return chances.word();
  return undefined;
}
