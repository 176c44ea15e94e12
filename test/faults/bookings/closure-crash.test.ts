/** Nodes that die at every step of a closure, and others that take it up. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readConfig } from '../../../src/config.ts';
import type { Bookings } from '../../../src/features/bookings/service.ts';
import { createClosures } from '../../../src/features/closures/service.ts';
import type { Actor } from '../../../src/http/auth/actor.ts';
import { createKeyring } from '../../../src/kernel/crypto.ts';
import { venueOfProduct } from '../../../src/kernel/ids.ts';
import { addDays } from '../../../src/kernel/zone-time.ts';
import { createServices, type Services } from '../../../src/services.ts';
import { paid } from '../../features/payments/support.ts';
import { create } from '../../race/storm.ts';
import { addGig, FIRST_DAY, startsApart } from '../../race/venues.ts';
import {
  assertAgreed,
  type Bistro,
  type Bistros,
  DAY,
  ordered,
  startBistros,
} from '../../support/remote-tms/bistros.ts';
import { createRemote } from '../../support/remote-tms/connector.ts';
import { repeats } from '../../support/repeats.ts';
import { createLife, type Life } from '../orders/order-life.ts';

/** Longer than the lease of a closure, and than those of calls to remote systems. */
const LEASE_SECONDS = 61;
const ACTOR: Actor = {
  kind: 'client',
  id: 'demo-admin',
  name: 'demo-admin',
  isPlatform: true,
  roles: new Map(),
};
const MOST_STEPS = 400;
/** The death of the next node comes so many steps later. */
const STRIDE = repeats(1, 4);

let bistros: Bistros;
let bistro: Bistro;
let ahead = 0;
before(async () => {
  bistros = await startBistros({ count: 1, book: { partiesPerStart: 1000 } });
  bistro = bistros.next();
});
after(() => bistros.close());

function pass(seconds: number): void {
  ahead += seconds;
  bistros.wind(ahead);
}

type Tampering = (bookings: Bookings) => Bookings;

async function startNode(
  life: Life,
  tampering?: Tampering,
): Promise<Pick<Services, 'closures' | 'bookings'>> {
  const { system, slug } = bistro;
  const deps = {
    config: readConfig({ LOG_LEVEL: 'silent', RATE_LIMIT: '0' }),
    sql: life.sql(bistros.app.sql),
    notifications: { isConnected: () => false, subscribe: () => () => {}, close: async () => {} },
    encryptionKeys: createKeyring([Buffer.alloc(32, 7)]),
    clock: bistros.clock,
    connectors: [life.connector(createRemote(system.url, slug))],
  };
  const services = await createServices(deps);
  const { bookings, auditLog } = services;
  const log = { warn() {} };
  const tampered = tampering && createClosures({ ...deps, auditLog, bookings: tampering(bookings), log });
  life.beBorn();
  return { bookings, closures: tampered ?? services.closures };
}

interface Scene {
  venueId: ReturnType<typeof venueOfProduct>;
  date: string;
  /** Bookings to be cancelled, and enquiries to be rejected. */
  ids: string[];
  paidPence: number;
}

/** What is wrong with a scene whose closure is done, if anything. */
async function faultsIn(
  { ids, paidPence }: Scene,
  closure: { cancelled: number; state: string },
): Promise<string[]> {
  const { sql } = bistros.app;
  const rows = await sql<
    { id: string; status: string; entries: number; updates: number; messages: number }[]
  >`
    select id, status,
      (select count(*) from audit_entry where subject = 'booking ' || b.id
        and action in ('booking.cancel', 'booking.reject')) as entries,
      (select count(*) from event e where e.booking_id = b.id and e.type = 'booking.updated') as updates,
      (select count(*) from event e where e.booking_id = b.id and e.type = 'message.received') as messages
    from booking b where id = any(${ids}::uuid[]) order by id`;
  const [{ refunded }] = await sql<[{ refunded: number }]>`
    select coalesce(sum(amount_pence), 0)::int as refunded from refund where booking_id = any(${ids}::uuid[])`;
  return [
    ...(closure.state === 'done' ? [] : ['the closure is not done']),
    ...(closure.cancelled === ids.length ? [] : [`${closure.cancelled} count as cancelled`]),
    ...(refunded === paidPence ? [] : [`${refunded} of ${paidPence} are refunded`]),
    ...rows.flatMap(({ id, status, entries, messages }) => [
      ...(status === 'cancelled' || status === 'rejected' ? [] : [`${id} is ${status}`]),
      ...(entries === 1 ? [] : [`${id} has ${entries} audit entries`]),
      ...(messages === 1 ? [] : [`${id} has ${messages} messages`]),
    ]),
  ];
}

/** Closes on one node, lets another die after so many steps of the work, and a third do the rest. */
async function closeAndDie(scene: Scene, diesAfter: number, tampering?: Tampering) {
  const { venueId, date } = scene;
  const living = await startNode(createLife(), tampering);
  const body = { from: date, to: date, bookings: 'cancel', message: 'Sorry' } as const;
  const { id } = await living.closures.create({ actor: ACTOR, ifMatch: undefined }, venueId, body);
  const life = createLife({ diesAfter });
  const dying = await startNode(life, tampering);
  await dying.closures.workDue().catch(() => {});
  pass(LEASE_SECONDS);
  for (let round = 0; round < 5; round += 1) {
    await living.closures.workDue();
    pass(LEASE_SECONDS);
  }
  const faults = await faultsIn(scene, await living.closures.get(venueId, id));
  // Tokens would expire.
  pass(-ahead);
  return { faults, hasSurvived: !life.isDead() };
}

let gigDays = 0;
/** Three tickets, one of them paid, and an enquiry would be at a table; each scene has a day of its own. */
async function ticketScene(productId: Awaited<ReturnType<typeof addGig>>): Promise<Scene> {
  const date = addDays(FIRST_DAY, gigDays);
  gigDays += 1;
  const ids: string[] = [];
  for (const time of ['12:00', '14:00', '16:00']) {
    const made = await create(bistros.app.call, productId, { date, time });
    assert.equal(made.status, 201, made.text);
    ids.push(made.json.id);
  }
  const { amount } = await paid(bistros.app, String(ids[0]), { option: 'full' });
  return { venueId: venueOfProduct(productId), date, ids, paidPence: amount };
}

test('whatever step its node dies at, a closure cancels each booking once, with its refund, event and message', async (t) => {
  const productId = await addGig(bistros.app.sql, 50, startsApart(5 * MOST_STEPS));
  let steps = 0;
  for (let hasSurvived = false; !hasSurvived && steps < MOST_STEPS; steps += STRIDE) {
    const outcome = await closeAndDie(await ticketScene(productId), steps);
    assert.deepEqual(outcome.faults, [], `dead after ${steps} steps`);
    hasSurvived = outcome.hasSurvived;
  }
  t.diagnostic(`${steps} steps`);
  assert.ok(steps > 20 && steps < MOST_STEPS);
});

test('the same at a venue whose tables are elsewhere, and both sides agree in the end', async (t) => {
  let steps = 0;
  for (let hasSurvived = false; !hasSurvived && steps < MOST_STEPS; steps += STRIDE) {
    const date = addDays(DAY, 20 + steps);
    const ids = [
      await ordered(bistros, bistro, { date }),
      await ordered(bistros, bistro, { date, time: '20:00' }),
    ];
    const scene = { venueId: venueOfProduct(bistro.productId), date, ids, paidPence: 0 };
    const outcome = await closeAndDie(scene, steps);
    assert.deepEqual(outcome.faults, [], `dead after ${steps} steps`);
    hasSurvived = outcome.hasSurvived;
  }
  t.diagnostic(`${steps} steps`);
  assert.ok(steps > 20 && steps < MOST_STEPS);
  await bistros.settle();
  await assertAgreed(bistros, bistro);
});

test('a closure whose node dies while it is made is there as a whole or not at all, and is made once', async () => {
  const productId = await addGig(bistros.app.sql, 50, startsApart(500));
  const living = await startNode(createLife());
  let steps = 0;
  for (let hasSurvived = false; !hasSurvived && steps < MOST_STEPS; steps += 1) {
    gigDays = steps;
    const { venueId, date, ids } = await ticketScene(productId);
    const life = createLife({ diesAfter: steps });
    const dying = await startNode(life);
    const by = { actor: ACTOR, ifMatch: undefined };
    const body = { from: date, to: date, bookings: 'cancel' } as const;
    await dying.closures.create(by, venueId, body).catch(() => {});
    const { id, affected } = await living.closures.create(by, venueId, body);
    const { data } = await living.closures.list(venueId, {
      from: date,
      to: date,
      pageNumber: 1,
      pageSize: 20,
    });
    assert.deepEqual([data.map((each) => each.id), affected], [[id], ids.length]);
    hasSurvived = !life.isDead();
  }
  assert.ok(steps > 5);
});

test('bookings that are noted as cancelled before they are leave some standing by the same deaths', async () => {
  const productId = await addGig(bistros.app.sql, 50, startsApart(5 * MOST_STEPS));
  gigDays = 0;
  const { sql } = bistros.app;
  const tampering: Tampering = (bookings) => ({
    ...bookings,
    asOperator(action) {
      const silent = bookings.asOperator({ ...action, record: async () => {} });
      return {
        ...silent,
        async cancel(caller, bookingId, message) {
          await action.record(sql, { bookingId, what: 'booking', before: null, after: {} });
          await silent.cancel(caller, bookingId, message);
        },
      };
    },
  });
  const faults: string[] = [];
  for (let steps = 0; faults.length === 0 && steps < 60; steps += 1) {
    const outcome = await closeAndDie(await ticketScene(productId), steps, tampering);
    faults.push(...outcome.faults.filter((fault) => fault.includes('is confirmed')));
    if (outcome.hasSurvived) break;
  }
  assert.ok(faults.length > 0);
});
