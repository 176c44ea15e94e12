/** Bistros whose tables are in somebody else's system, one system each, in an application with a clock to wind. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction } from '../../../src/db/database.ts';
import { importOperator, mapVenue } from '../../../src/features/venues/service.ts';
import type { VenueDocument } from '../../../src/features/venues/transfer/document.ts';
import type { Caller } from '../../../src/http/auth/caller.ts';
import type { Clock } from '../../../src/kernel/clock.ts';
import { type ProductId, parseProductId, venueOfProduct } from '../../../src/kernel/ids.ts';
import type { AppDeps } from '../../../src/services.ts';
import type { RemoteConnector, Settings } from '../../../src/tms/remote.ts';
import { createTransport } from '../../../src/tms/transport.ts';
import { type Answer, assertProblem, startTestApp, type TestApp } from '../app.ts';
import { eventually } from '../eventually.ts';
import { patience } from '../patience.ts';
import type { RemoteBookOptions } from './book.ts';
import type { Fault, RemoteOperation } from './faults.ts';
import { REMOTE_ZONE } from './harness.ts';
import { connectKind, type HeldBooking, type RunningSystem, type SystemKind } from './kinds.ts';
import type { RemoteTms } from './server.ts';

export const OPERATOR = 9;
export const operator: Caller = {
  kind: 'operator',
  operatorId: OPERATOR,
  clientId: 'elsewhere',
  scopes: new Set(['operator:write']),
};

export interface Bistro<System = RemoteTms> {
  slug: string;
  productId: ProductId;
  system: System & RunningSystem;
  /** What the system holds. */
  held(): HeldBooking[];
}

export interface Bistros<System = RemoteTms> {
  app: TestApp;
  clock: Clock;
  /** How far the clock is ahead. */
  wind(seconds: number): void;
  /** A system that nothing has gone wrong with yet: its breaker is closed. */
  next(): Bistro<System>;
  /** Rounds of the resolver, with the clock running fast, until nothing is left in doubt. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export interface BistrosOptions {
  count: number;
  book?: Partial<RemoteBookOptions>;
  deps?: Partial<AppDeps>;
  /** What the platform would set for each system. */
  remote?: Settings;
  /** Stands between the gateway and each system. */
  around?: (connector: RemoteConnector) => RemoteConnector;
}

/** Each in a system that speaks `connect`. */
export const startBistros = (options: BistrosOptions): Promise<Bistros> =>
  startBistrosIn(connectKind, options);

export async function startBistrosIn<System>(
  kind: SystemKind<System>,
  options: BistrosOptions,
): Promise<Bistros<System>> {
  const { count, book = {}, deps = {}, remote = {}, around = (connector) => connector } = options;
  const transport = createTransport({ allowLoopback: true });
  const slugs = Array.from({ length: count }, (_, index) => `bistro${index}`);
  const bistros: Bistro<System>[] = [];
  for (const slug of slugs) {
    const productId = parseProductId(`${OPERATOR}|${slug}|bistro|${kind.productKey}`);
    const system = await kind.start(productId, book);
    bistros.push({ slug, productId, system, held: () => kind.held(system) });
  }
  let aheadSeconds = 0;
  const clock = () => Temporal.Now.instant().add({ seconds: aheadSeconds });
  const connectors = bistros.map(({ slug, system }) =>
    around(kind.connect(system.url, slug, remote, transport.fetch)),
  );
  const app = await startTestApp({ deps: { clock, connectors, ...deps } });
  await inTransaction(app.sql, async (tx) => {
    const venues = slugs.map((slug) => bistroDocument(slug, kind.productKey));
    await importOperator(tx, { id: OPERATOR, name: 'Elsewhere', systems: slugs, venues });
    for (const { productId } of bistros)
      await mapVenue(tx, { partnerId: 1, venueId: venueOfProduct(productId), productIds: [productId] });
  });
  // Starting so much on a busy machine can look like overload, and then a node turns requests away.
  await eventually(async () => (await app.app.inject('/venues')).statusCode !== 503);
  const wind = (seconds: number) => {
    aheadSeconds = seconds;
  };
  let used = 0;
  return {
    app,
    clock,
    wind,
    next() {
      const bistro = bistros[used];
      assert.ok(bistro, 'there are fewer bistros than tests');
      used += 1;
      return bistro;
    },
    async settle() {
      const endsAt = performance.now() + patience(30_000);
      for (let round = 1; (await countIntents(app)) > 0; round += 1) {
        assert.ok(performance.now() < endsAt, 'something stays in doubt');
        wind(round * 61);
        const due = await app.services.bookings.resolveIntents();
        if (due === 0) await sleep(2);
      }
      wind(0);
    },
    async close() {
      await app.close();
      await transport.close();
      for (const { system } of bistros) await system.close();
    },
  };
}

export async function countIntents({ sql }: TestApp): Promise<number> {
  const [{ count }] = await sql<[{ count: number }]>`select count(*) as count from booking_intent`;
  return count;
}

export function bistroDocument(slug: string, key = 'supper'): VenueDocument {
  return {
    tms: slug,
    resourceId: 'bistro',
    name: 'Bistro',
    timeZone: REMOTE_ZONE,
    content: { summary: '', description: '', highlights: [] },
    location: { lat: 48.85, lng: 2.35, area: 'Marais', city: 'Paris', countryCode: 'FR' },
    types: [],
    photos: [],
    hours: { weekly: [] },
    products: [{ key, name: 'Supper', timeIntervalMinutes: 60, hours: { weekly: [] } }],
  };
}

export const DAY = Temporal.Now.plainDateISO(REMOTE_ZONE).add({ days: 10 }).toString();

/** Supper for two at seven. */
export const supper = {
  type: 'book',
  partySize: 2,
  date: DAY,
  time: '19:00',
  firstName: 'Ada',
  lastName: 'Lovelace',
};

export function order(
  { app }: Bistros<unknown>,
  { productId }: Bistro<unknown>,
  overrides: object = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const path = `/venues/${encodeURIComponent(productId)}/booking`;
  return app.call(path, { method: 'POST', body: { ...supper, ...overrides }, headers });
}

/** The id of a booking that was taken. */
export async function ordered(
  bistros: Bistros<unknown>,
  bistro: Bistro<unknown>,
  overrides: object = {},
): Promise<string> {
  const answer = await order(bistros, bistro, overrides);
  assert.equal(answer.status, 201, answer.text);
  return answer.json.id;
}

export function amend(
  { app }: Bistros<unknown>,
  { productId }: Bistro<unknown>,
  id: string,
  overrides: object,
): Promise<Answer> {
  const body = { ...supper, compositeId: productId, ...overrides };
  return app.call(`/venues/bookings/${id}`, { method: 'PUT', body });
}

export const cancel = ({ app }: Bistros<unknown>, id: string): Promise<Answer> =>
  app.call(`/venues/bookings/${id}`, { method: 'DELETE' });

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape and assert what they find.
export async function read({ app }: Bistros<unknown>, id: string): Promise<any> {
  return (await app.call(`/venues/bookings/${id}`)).json;
}

/** The first call is done or not, as `fault` says, and the second is turned away: nobody learns what came of it. */
export async function inDoubt(
  { system }: Bistro,
  operation: RemoteOperation,
  fault: Fault,
  attempt: () => Promise<Answer>,
): Promise<void> {
  system.faults.plan(fault, { operations: [operation] });
  system.faults.plan({ kind: 'status', status: 503 }, { operations: [operation] });
  assertProblem(await attempt(), 503, 'BOOK-R-002');
}

/** What is held, as one line for each booking, by us and by the system. */
export async function bothSides({ app }: Bistros<unknown>, { productId, held }: Bistro<unknown>) {
  const rows = await app.sql<{ line: string }[]>`
    select concat_ws(' ', id, trading_day, starts_minute, adults + children) as line
    from booking where product_id = ${productId} and status = 'confirmed' order by 1`;
  const theirs = held().map(({ id, date, minute, guests }) => `${id} ${date} ${minute} ${guests}`);
  return { ours: rows.map(({ line }) => line), theirs: theirs.sort() };
}

export async function assertAgreed(bistros: Bistros<unknown>, bistro: Bistro<unknown>): Promise<string[]> {
  const { ours, theirs } = await bothSides(bistros, bistro);
  assert.deepEqual(theirs, ours, 'what the system holds is what we say');
  return ours;
}
