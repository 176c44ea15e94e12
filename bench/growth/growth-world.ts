/** A database of one size, and a node on it with those who call. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction, type Sql, type Tx } from '../../src/db/database.ts';
import { makePartitions } from '../../src/db/partitions.ts';
import { sealGuest } from '../../src/features/bookings/store.ts';
import { addSecret, createClient, createPartner } from '../../src/features/identity/service.ts';
import { ATTEMPTS, AUDIT_LOG, DELIVERIES, EVENTS } from '../../src/features/retention/store.ts';
import { saveVocabulary } from '../../src/features/venues/service.ts';
import { createKeyring, seal } from '../../src/kernel/crypto.ts';
import { fillVenues } from '../availability/many-venues-store.ts';
import { fillTables } from '../availability/reservations-store.ts';
import { tokenOf } from '../caller.ts';
import type { Context } from '../context.ts';
import { bodyOf } from '../deliveries/deliveries-body.ts';
import type { ServerProcess } from '../servers/server-process.ts';
import * as store from './growth-store.ts';

/** What a node is given as ENCRYPTION_KEY, because guests are sealed before there is one. */
export const ENCRYPTION_KEY = Buffer.alloc(32, 'growth');
const KEYS = createKeyring([ENCRYPTION_KEY]);
const OTHER_PARTNERS = 9;
const VENUES_PER_OPERATOR = 100;

export interface Size {
  venues: number;
  bookings: number;
}

export interface World extends Size {
  sql: Sql;
  url: string;
  partnerId: number;
  operators: number;
}

export async function fillWorld(context: Context, size: Size): Promise<World> {
  const { venues, bookings } = size;
  const step = (what: string) => context.progress(`${venues} venues, ${bookings} bookings: ${what} …`);
  step('venues');
  const { sql, url } = await context.createDatabase();
  const operators = Math.max(1, venues / VENUES_PER_OPERATOR);
  await store.hurry(sql, true);
  const others: number[] = [];
  const partnerId = await inTransaction(sql, async (tx) => {
    await saveVocabulary(tx, { categories: [], venueTypes: [{ slug: 'restaurant', name: 'Restaurant' }] });
    const partner = await createPartner(tx, { reference: 'growth-partner', name: 'Growth' });
    for (let n = 1; n <= OTHER_PARTNERS; n += 1)
      others.push((await createPartner(tx, { reference: `growth-${n}`, name: `Growth ${n}` })).id);
    await fillVenues(tx, partner.id, venues, operators);
    await fillTables(tx, store.VENUES);
    await store.fillOperation(tx, partner.id);
    await store.fillPartners(tx, others);
    await createClient(tx, { id: 'growth-partner', kind: 'partner', partnerId: partner.id });
    await createClient(tx, { id: 'growth-operator', kind: 'operator', operatorId: store.FIRST_OPERATOR });
    await createClient(tx, { id: 'growth-admin', kind: 'platform' });
    for (const id of ['growth-partner', 'growth-operator', 'growth-admin'])
      await addSecret(tx, id, { secret: `${id}-secret` });
    return partner.id;
  });
  await sql`analyze`;
  step('months');
  await makeMonths(sql);
  step('places');
  await inTransaction(sql, (tx) =>
    store.placeBookings(tx, { venues, bookings, operators, partnerId, others }),
  );
  step('guests');
  await store.copySeeds(sql, sealedGuests(sql));
  await store.withoutIndexes(sql, async () => {
    const filling = (what: string, fill: (tx: Tx) => Promise<void>) => {
      step(what);
      return inTransaction(sql, async (tx) => {
        await tx`set local session_replication_role = replica`;
        await tx`set local work_mem = '256MB'`;
        await fill(tx);
      });
    };
    await filling('bookings', store.fillBookings);
    await filling('events', store.fillEvents);
    await filling('audit log', (tx) => store.fillAudit(tx, size));
    step('indexes');
  });
  step('vacuum');
  await store.settle(sql);
  await store.hurry(sql, false);
  return { ...size, sql, url, partnerId, operators };
}

/** The months of three years; those that the migration has made are for the time to come. */
async function makeMonths(sql: Sql): Promise<void> {
  const first = Temporal.Now.instant().subtract({ hours: 24 * (store.EVENT_DAYS + 31) });
  for (const table of [EVENTS, DELIVERIES, ATTEMPTS]) await makePartitions(sql, table, first, 15);
  const longAgo = Temporal.Now.instant().subtract({ hours: 24 * (store.DAYS_BEFORE + 31) });
  await makePartitions(sql, AUDIT_LOG, longAgo, 38);
}

async function* sealedGuests(sql: Sql): AsyncGenerator<store.SeedBooking[]> {
  for await (const some of store.knownGuests(sql))
    yield some.map(({ n, id, eventId }) => ({
      n,
      guest: sealGuest(KEYS, id, { ...GUEST, comments: `Booking ${n}` }),
      body: seal(KEYS, bodyOf(n), `event:${eventId}`),
    }));
}

const GUEST = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44 20 7946 0018',
  company: null,
  labels: [],
  adminNotes: null,
};

/** What operations are about and who asks for them. */
export interface Callers {
  server: ServerProcess;
  startMs: number;
  headersOf: Record<'partner' | 'operator' | 'admin', Record<string, string>>;
  bookingIds: string[];
  eventIds: string[];
  /** Different in each run, so that no id of a partner comes twice. */
  run: string;
}

export async function startCallers(context: Context, { sql, url, partnerId }: World): Promise<Callers> {
  const began = performance.now();
  const server = await context.startOurs(url);
  const startMs = performance.now() - began;
  await untilReady(server);
  const headersFor = async (id: string) => ({ authorization: `Bearer ${await tokenOf(server, id)}` });
  return {
    server,
    startMs,
    headersOf: {
      partner: await headersFor('growth-partner'),
      operator: await headersFor('growth-operator'),
      admin: await headersFor('growth-admin'),
    },
    bookingIds: await store.someIds(sql, 'booking', partnerId),
    eventIds: await store.someIds(sql, 'event', partnerId),
    run: randomUUID().slice(0, 8),
  };
}

/** A node that has just started on a busy machine is still behind, and says so. */
async function untilReady({ address }: ServerProcess): Promise<void> {
  while ((await fetch(new URL('/venues', address))).status === 503) await sleep(200);
}
