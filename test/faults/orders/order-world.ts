/** A few houses, gigs and misbehaving bistros, and nodes that sell their places. */

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildApp } from '../../../src/app.ts';
import { readConfig } from '../../../src/config.ts';
import {
  type NotificationListener,
  type Notifications,
  openNotifications,
} from '../../../src/db/notifications.ts';
import type { Bookings } from '../../../src/features/bookings/service.ts';
import { createOrders } from '../../../src/features/orders/service.ts';
import { createKeyring } from '../../../src/kernel/crypto.ts';
import { addDays } from '../../../src/kernel/zone-time.ts';
import { type AppDeps, createServices, type Services } from '../../../src/services.ts';
import { createConfigCache } from '../../../src/tms/house/config-cache.ts';
import { createHouse } from '../../../src/tms/house/connector.ts';
import { createRegistry } from '../../../src/tms/registry.ts';
import { createTickets } from '../../../src/tms/tickets/connector.ts';
import { addGig, addRoom, startsApart } from '../../race/venues.ts';
import { patience } from '../../support/patience.ts';
import {
  type Bistro,
  type Bistros,
  countIntents,
  DAY,
  startBistros,
} from '../../support/remote-tms/bistros.ts';
import { createRemote } from '../../support/remote-tms/connector.ts';
import type { Fault, RemoteOperation } from '../../support/remote-tms/faults.ts';
import { createLife, type Life } from './order-life.ts';
import { type OrderAnswer, type Place, pick, type Random, type SentOrder } from './order-random.ts';

export interface World {
  bistros: Bistros;
  systems: readonly Bistro[];
  places: readonly Place[];
  notifications: Notifications;
  /** The clock of all nodes goes on by so much. */
  pass(seconds: number): void;
  close(): Promise<void>;
}

const SYSTEMS = 2;
const TABLES = 3;
const TICKETS = 12;
const PARTIES = 6;
const DAYS = 4;

export async function openWorld(): Promise<World> {
  const bistros = await startBistros({ count: SYSTEMS, book: { partiesPerStart: PARTIES } });
  const { sql, url } = bistros.app;
  const systems = Array.from({ length: SYSTEMS }, () => bistros.next());
  const starts = startsApart(5 * DAYS);
  const suppers = Array.from({ length: DAYS }, (_, index) => addDays(DAY, index)).flatMap((date) =>
    ['19:00', '20:00', '21:00'].map((time) => ({ date, time })),
  );
  const places = [
    ...[await addRoom(sql, TABLES), await addRoom(sql, TABLES), await addRoom(sql, TABLES)],
    ...[await addGig(sql, TICKETS, starts), await addGig(sql, TICKETS, starts)],
  ].map((productId) => ({ productId, starts, isRemote: false }));
  const suppersAt = systems.map(({ productId }) => ({ productId, starts: suppers, isRemote: true }));
  const notifications = await openNotifications(url);
  let aheadSeconds = 0;
  return {
    bistros,
    systems,
    places: [...places, ...suppersAt],
    notifications,
    pass(seconds) {
      aheadSeconds += seconds;
      bistros.wind(aheadSeconds);
    },
    async close() {
      await notifications.close();
      await bistros.close();
    },
  };
}

/** How the bookings that orders are made of are written, where a test takes a protection out. */
export type Tampering = (bookings: Bookings, deps: AppDeps) => Bookings;

export interface OrderNode {
  life: Life;
  services: Services;
  /** What hears of changes for it, for as long as the node is there. */
  listeners: NotificationListener[];
  /** Undefined: it died, and there was no answer. */
  order(sent: SentOrder): Promise<OrderAnswer | undefined>;
  /** Nobody asks it any more. There are hundreds of them, and each holds all that a whole application does. */
  leave(): Promise<void>;
}

/** The same notifications for a node that is gone when nobody asks it any more: what listens for it must not keep it. */
function passedOn(notifications: Notifications) {
  const listeners: NotificationListener[] = [];
  const heard = new WeakRef(listeners);
  notifications.subscribe({
    changed(topic) {
      for (const listener of heard.deref() ?? []) listener.changed(topic);
    },
    lost() {
      for (const listener of heard.deref() ?? []) listener.lost();
    },
  });
  const subscribe = (listener: NotificationListener) => {
    listeners.push(listener);
    return () => {};
  };
  return { listeners, notifications: { ...notifications, subscribe } };
}

export async function startOrderNode(
  { bistros, systems, notifications: shared }: World,
  { life = createLife(), tampering }: { life?: Life; tampering?: Tampering | undefined } = {},
): Promise<OrderNode> {
  const { listeners, notifications } = passedOn(shared);
  const deps: AppDeps = {
    config: readConfig({ LOG_LEVEL: 'silent', RATE_LIMIT: '0' }),
    sql: life.sql(bistros.app.sql),
    notifications,
    encryptionKeys: createKeyring([Buffer.alloc(32, 7)]),
    clock: bistros.clock,
    connectors: systems.map(({ slug, system }) => life.connector(createRemote(system.url, slug))),
  };
  const whole = await createServices(deps);
  const services = tampering ? { ...whole, orders: tampered(deps, whole, tampering) } : whole;
  const app = await buildApp(deps, services);
  await app.ready();
  life.beBorn();
  return {
    life,
    services,
    listeners,
    async order({ body, key }) {
      const token = await tokenOf(bistros);
      const headers = { authorization: `Bearer ${token}`, ...(key !== null && { 'idempotency-key': key }) };
      const answer = await app.inject({ method: 'POST', url: '/v1/orders', headers, payload: body });
      return life.isDead() ? undefined : { status: answer.statusCode, json: answer.json() };
    },
    leave: () => app.close(),
  };
}

function tampered(deps: AppDeps, { bookings, idempotency }: Services, tampering: Tampering) {
  const builtIn = [createHouse({ configs: createConfigCache(deps.notifications) }), createTickets()];
  const registry = createRegistry([...builtIn, ...(deps.connectors ?? [])]);
  const log = { error() {} };
  return createOrders({ ...deps, registry, idempotency, log, bookings: tampering(bookings, deps) });
}

/** Not one that is kept: time passes here faster than tokens last. */
async function tokenOf({ app }: Bistros): Promise<string> {
  const answer = await app.app.inject({
    method: 'POST',
    url: '/oauth/token',
    payload: {
      grant_type: 'client_credentials',
      client_id: 'demo-partner',
      client_secret: 'demo-partner-secret',
      audience: 'maitred',
    },
  });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json().access_token;
}

const CLEARING_REST_MS = 100;

/** Rounds of the resolver until nothing is in doubt; what systems do late they do between two of its looks. */
export async function clearUp({ bistros, systems, pass }: World, { services }: OrderNode): Promise<void> {
  for (const { system } of systems) system.faults.clear();
  const endsAt = performance.now() + patience(60_000);
  while ((await countIntents(bistros.app)) > 0) {
    assert.ok(performance.now() < endsAt, 'something stays in doubt');
    pass(61);
    await services.bookings.resolveIntents();
    for (const { system } of systems) system.applyLate();
    // A breaker that is open closes by the real clock; without a rest days would pass here meanwhile, and keys expire.
    if (services.remoteSystems.some((system) => system.isResting())) await sleep(CLEARING_REST_MS);
  }
}

const FAULTS: readonly [RemoteOperation, Fault][] = [
  ['book', { kind: 'cut-before-commit' }],
  ['book', { kind: 'cut-after-commit' }],
  ['book', { kind: 'cut-after-commit' }],
  ['book', { kind: 'late' }],
  ['book', { kind: 'slow', delayMs: 30 }],
  ['book', { kind: 'status', status: 503 }],
  ['book', { kind: 'status', status: 500 }],
  ['book', { kind: 'garbage' }],
  ['book', { kind: 'rate-limit', retryAfterSeconds: 1 }],
  ['find', { kind: 'cut-before-commit' }],
  ['find', { kind: 'status', status: 503 }],
  ['amend', { kind: 'cut-after-commit' }],
  ['cancel', { kind: 'late' }],
];
const SOUND: Fault = { kind: 'slow', delayMs: 0 };

/** One call in three goes wrong. */
export function misbehave({ systems }: World, random: Random, calls = 30): void {
  for (const { system } of systems)
    for (let call = 0; call < calls; call += 1) {
      const [operation, fault] = pick(random, FAULTS);
      system.faults.plan(random() < 1 / 3 ? fault : SOUND, { operations: [operation] });
    }
}
