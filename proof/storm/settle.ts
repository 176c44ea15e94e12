/** After the storm: what leases, retries and resolvers would clear up in an hour is cleared up now. */

import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../src/config.ts';
import type { Sql } from '../../src/db/database.ts';
import { openNotifications } from '../../src/db/notifications.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createKeyring } from '../../src/kernel/crypto.ts';
import { createServices, type Services } from '../../src/services.ts';
import { answer } from '../../test/support/receiver.ts';
import { createRemote } from '../../test/support/remote-tms/connector.ts';
import { SLUG, type World } from './world.ts';

export const KEY = Buffer.alloc(32, 7);
const PATIENCE_MS = 60_000;
const POLL_MS = 200;
const ROUNDS_BETWEEN_RETRIES = 15;

/** What is still under way, as words; none when all is settled. */
async function unsettled(sql: Sql): Promise<string[]> {
  const rows = await sql<{ what: string }[]>`
    select count(*) || ' intents' as what from booking_intent having count(*) > 0
    union all select count(*) || ' orders' from booking_order where settled_at is null having count(*) > 0
    union all select count(*) || ' payments' from payment where status = 'pending' having count(*) > 0
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
  const { remote, receiver } = world;
  for (const path of ['/hanging', '/failing']) receiver.behave(answer(204), path);
  remote.faults.clear();
  remote.applyLate();
  let aheadSeconds = 0;
  const notifications = await openNotifications(databaseUrl);
  const services = await createServices({
    config: readConfig({ LOG_LEVEL: 'silent', ENVIRONMENT: 'sandbox' }),
    sql,
    notifications,
    encryptionKeys: createKeyring([KEY]),
    clock: () => systemClock().add({ seconds: aheadSeconds }),
    connectors: [createRemote(remote.url, SLUG)],
  });
  await sql`update feed_venue set leased_until = '-infinity' where lease is not null`;
  const deadline = performance.now() + PATIENCE_MS;
  let left = await unsettled(sql);
  for (let round = 0; left.length > 0 && performance.now() < deadline; round += 1) {
    aheadSeconds += 61;
    await clearUp(services);
    if (round % ROUNDS_BETWEEN_RETRIES === 0) await retryNow(sql);
    remote.applyLate();
    await sleep(POLL_MS);
    left = await unsettled(sql);
  }
  await services.webhooks.close();
  await notifications.close();
  return left.map((what) => `${what} are still under way a minute after the storm`);
}

async function clearUp({ bookings, orders, payments }: Services): Promise<void> {
  const { signal } = new AbortController();
  await bookings.resolveIntents();
  await orders.closeAbandoned();
  await payments.settlePending(signal);
  await payments.settleRefunds(signal);
}

/** As if the minutes until the next attempt, and the leases of couriers that are gone, were over. */
const retryNow = (sql: Sql) =>
  sql`update delivery set due_at = now() where status = 'pending' and due_at > now()`;
