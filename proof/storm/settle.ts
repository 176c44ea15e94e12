/** After the storm: what leases, retries and resolvers would clear up in an hour is cleared up now. */

import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../src/config.ts';
import type { Sql } from '../../src/db/database.ts';
import { openNotifications } from '../../src/db/notifications.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createKeyring } from '../../src/kernel/crypto.ts';
import { createServices, type Services } from '../../src/services.ts';
import { answer } from '../../test/support/peers/receiver.ts';
import type { World } from './world.ts';

export const KEY = Buffer.alloc(32, 7);
const PATIENCE_MS = 60_000;
const POLL_MS = 200;
/** A supplier that tells no changes is asked about one booking after the other, and twice about what is gone. */
const LEAST_ROUNDS = 20;
const ROUNDS_BETWEEN_RETRIES = 15;

/** What is still under way, as words; none when all is settled. */
async function unsettled(sql: Sql): Promise<string[]> {
  const rows = await sql<{ what: string }[]>`
    select count(*) || ' intents' as what from booking_intent having count(*) > 0
    union all select count(*) || ' orders' from booking_order where settled_at is null having count(*) > 0
    union all select count(*) || ' payments' from payment
      where status in ('requires_action', 'processing', 'authorised') having count(*) > 0
    union all select count(*) || ' bookings that wait for a payment' from booking
      where payment_until is not null having count(*) > 0
    union all select count(*) || ' closures' from closure where state <> 'done' having count(*) > 0
    union all select count(*) || ' changes of systems' from system_change having count(*) > 0
    union all select count(*) || ' refunds' from refund where status = 'due' having count(*) > 0
    union all select count(*) || ' deliveries' from delivery d join webhook w on w.id = webhook_id
      where d.status = 'pending' and w.is_active having count(*) > 0
    union all select count(*) || ' feeds' from feed_venue f where mark > made_mark or lease is not null
      or exists (select from house_day d where d.venue_id = f.venue_id and not is_fed) having count(*) > 0
    union all select count(*) || ' transactions' from pg_stat_activity where datname = current_database()
      and pid <> pg_backend_pid() and xact_start < now() - interval '1 second' having count(*) > 0`;
  return rows.map(({ what }) => what);
}

/** Sentences about what did not come to rest; the nodes do their own part of the work all the while. */
export async function settle(databaseUrl: string, sql: Sql, world: World): Promise<string[]> {
  const { remote, towers, receiver } = world;
  for (const path of ['/hanging', '/failing']) receiver.behave(answer(204), path);
  for (const system of [remote, towers]) {
    system.faults.clear();
    system.applyLate();
  }
  let aheadSeconds = 0;
  await using ending = new AsyncDisposableStack();
  const notifications = await openNotifications(databaseUrl);
  ending.defer(() => notifications.close());
  const services = await createServices({
    config: readConfig({ LOG_LEVEL: 'silent', ENVIRONMENT: 'sandbox', WEBHOOK_ALLOW_LOOPBACK: 'true' }),
    sql,
    notifications,
    encryptionKeys: createKeyring([KEY]),
    clock: () => systemClock().add({ seconds: aheadSeconds }),
  });
  ending.defer(() => services.webhooks.close());
  ending.defer(() => services.connections.close());
  ending.defer(() => services.systems.calls.close());
  await sql`update feed_venue set leased_until = '-infinity' where lease is not null`;
  const leases = await sql<DayLease[]>`
    select venue_id as "venueId", trading_day as date, leased_until as "leasedUntil" from waitlist_day
    where leased_until > now()`;
  const deadline = performance.now() + PATIENCE_MS;
  let left = await unsettled(sql);
  for (let round = 0; (left.length > 0 || round < LEAST_ROUNDS) && performance.now() < deadline; round += 1) {
    aheadSeconds += 61;
    await clearUp(services);
    if (round % ROUNDS_BETWEEN_RETRIES === 0) await retryNow(sql);
    await sleep(POLL_MS);
    left = await unsettled(sql);
  }
  aheadSeconds = 0;
  await breakLeases(sql, leases);
  left.push(...(await offerPlaces(sql, services)));
  return left.map((what) => `${what} are still under way a minute after the storm`);
}

async function clearUp({ bookings, orders, payments, systemChanges }: Services): Promise<void> {
  const { signal } = new AbortController();
  await bookings.resolveIntents();
  await bookings.sweepHolds(signal);
  await orders.closeAbandoned();
  await payments.settlePending(signal);
  await payments.finishUnpaid(signal);
  await payments.settleRefunds(signal);
  await systemChanges.workDue();
}

interface DayLease {
  venueId: string;
  date: string;
  leasedUntil: Temporal.Instant;
}

/** A node that is alive has released such a lease long before. */
async function breakLeases(sql: Sql, leases: readonly DayLease[]): Promise<void> {
  for (const { venueId, date, leasedUntil } of leases)
    await sql`
      update waitlist_day set leased_until = '-infinity'
      where venue_id = ${venueId} and trading_day = ${date} and leased_until = ${leasedUntil}`;
}

/** Every list of parties that wait is looked at again, until nobody is offered anything any more. */
async function offerPlaces(sql: Sql, { waitlist }: Services): Promise<string[]> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let offered = -1; performance.now() < deadline; ) {
    await sql`update waitlist_day set looked_at = '-infinity' where leased_until < now()`;
    await waitlist.workDue();
    const [{ count }] = await sql<[{ count: number }]>`
      select count(*)::int as count from waitlist_entry where status = 'offered'`;
    if (count === offered) return [];
    offered = count;
  }
  return ['offers to parties that wait'];
}

/** As if the minutes until the next attempt, and the leases of couriers that are gone, were over. */
const retryNow = (sql: Sql) =>
  sql`update delivery set due_at = now() where status = 'pending' and due_at > now()`;
