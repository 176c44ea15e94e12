/**
 * Reads catalogues in the background. What is to be done stands in tables: a node claims a run for a while, each venue
 * is compared and written in a transaction that also notes it, and the cursor is stored after each page. A node that
 * dies only delays.
 */

import { createHash, randomUUID } from 'node:crypto';
import type { Sql } from '../../db/database.ts';
import type { Notifications } from '../../db/notifications.ts';
import { startWorkLoop, type Worker } from '../../jobs/work-loop.ts';
import { type Clock, nowOf } from '../../kernel/clock.ts';
import { DEADLINES } from '../../kernel/deadlines.ts';
import type { Log } from '../../kernel/log.ts';
import type { Registry } from '../../tms/registry.ts';
import type { CataloguePage, RemoteConnector } from '../../tms/remote.ts';
import type { AuditLog } from '../audit/service.ts';
import { pageFault } from './check.ts';
import * as store from './store.ts';
import { createVenueWork, LostRun } from './venue-work.ts';

export interface CatalogueWorkerDeps {
  sql: Sql;
  clock: Clock;
  notifications: Notifications;
  registry: Registry;
  auditLog: AuditLog;
  log: Pick<Log, 'warn'>;
}

/** Told by the trigger of the table. */
const TOPIC = 'catalogue-runs';
const LEASE_SECONDS = 60;
const EXTEND_MS = 20_000;
const LONGEST_PAUSE_SECONDS = 60;
const LONGEST_LIMIT_SECONDS = 300;
const MOST_ATTEMPTS = 10;
const GONE_AT_A_TIME = 100;
/** A catalogue that is longer, or goes on without anything new, never ends. */
const MOST_PAGES = 10_000;
const MOST_IDLE_PAGES = 20;

export function createCatalogueWorker(deps: CatalogueWorkerDeps): Worker {
  const { sql, clock, notifications, registry, log } = deps;
  const leaseEnd = () => nowOf(clock).add({ seconds: LEASE_SECONDS });
  const venueWork = createVenueWork(deps);

  async function workDue(signal?: AbortSignal): Promise<Temporal.Instant | null> {
    while (!signal?.aborted) {
      const lease = randomUUID();
      const run = await store.claimRun(sql, lease, { now: nowOf(clock), leasedUntil: leaseEnd() });
      if (!run) break;
      const extend = () => store.extendLease(sql, lease, leaseEnd()).catch(() => {});
      const extending = setInterval(extend, EXTEND_MS).unref();
      try {
        await work(run, signal ?? new AbortController().signal);
      } catch (error) {
        if (error instanceof LostRun) continue;
        log.warn({ err: error, runId: run.id }, 'A catalogue could not be worked on.');
        await tryLater(run, 'It could not be carried out here.');
      } finally {
        clearInterval(extending);
      }
    }
    return store.findNextDue(sql);
  }

  async function work(run: store.ClaimedRun, signal: AbortSignal): Promise<void> {
    const connector = registry.get(run.tms);
    if (connector?.flavour !== 'remote' || !connector.catalogue)
      return finish(run, `No catalogue can be read from ${run.tms}.`);
    while (!run.isRead) {
      if (signal.aborted) return giveBack(run);
      const page = await readPage(run, connector, signal);
      if (!page) return;
      if (!(await workOnPage(run, page, signal))) return;
    }
    await workOnGone(run, signal);
  }

  /** Undefined: the run has failed, or is put off. */
  async function readPage(
    run: store.ClaimedRun,
    connector: RemoteConnector,
    signal: AbortSignal,
  ): Promise<CataloguePage | undefined> {
    const call = { operatorId: run.operatorId, signal, deadlineMs: DEADLINES.cataloguePage };
    const outcome = await connector.catalogue?.(call, run.cursor);
    switch (outcome?.kind) {
      case 'ok': {
        const fault = pageFault(outcome.value);
        if (fault === undefined) return outcome.value;
        await finish(run, `Page ${run.pages + 1} of the catalogue cannot be used: ${fault}.`);
        return undefined;
      }
      case 'refused':
        await finish(run, `The system refused: ${outcome.detail ?? outcome.reason}`);
        return undefined;
      case 'rate-limited':
        await tryLater(run, 'The system takes no more calls for the moment.', outcome.retryAfterSeconds);
        return undefined;
      default:
        if (signal.aborted) await giveBack(run);
        else await tryLater(run, `The system could not be read: ${outcome?.detail ?? 'no answer'}`);
        return undefined;
    }
  }

  /** False: the run has failed, or is given back. */
  async function workOnPage(
    run: store.ClaimedRun,
    page: CataloguePage,
    signal: AbortSignal,
  ): Promise<boolean> {
    let isIdle = true;
    for (const venue of page.venues) {
      if (signal.aborted) {
        await giveBack(run);
        return false;
      }
      if (await venueWork.take(run, venue)) isIdle = false;
    }
    const { next, total } = page;
    const nextHash = next === null ? null : createHash('sha256').update(next).digest();
    const read = { next, nextHash, total: Number.isSafeInteger(total) ? (total ?? null) : null, isIdle };
    const isNew = await venueWork.inRun(run, (tx) => store.finishPage(tx, run, read));
    run.cursor = next;
    run.isRead = next === null;
    run.pages += 1;
    run.idlePages = isIdle ? run.idlePages + 1 : 0;
    run.attempts = 0;
    if (run.isRead) return true;
    const failure = endlessness(run, isNew);
    if (failure !== undefined) await finish(run, failure);
    return failure === undefined;
  }

  /** Venues that have products on sale here and were in no page. */
  async function workOnGone(run: store.ClaimedRun, signal: AbortSignal): Promise<void> {
    const { known, unread } = await store.countKnown(sql, run);
    if (run.kind === 'nightly' && unread * 2 > known)
      return finish(
        run,
        `${unread} of the ${known} venues on sale here are not in the catalogue any more. Nothing of them was withdrawn: read the catalogue, and review it.`,
      );
    for (;;) {
      const venueIds = await store.listUnread(sql, run, GONE_AT_A_TIME);
      if (venueIds.length === 0) return finish(run, null);
      for (const venueId of venueIds) {
        if (signal.aborted) return giveBack(run);
        await venueWork.takeGone(run, venueId);
      }
    }
  }

  const finish = (run: store.ClaimedRun, failure: string | null) =>
    store.finishRun(sql, run, failure?.slice(0, LONGEST_FAILURE) ?? null, nowOf(clock));

  const giveBack = (run: store.ClaimedRun) =>
    store.putOff(sql, run, { dueAt: nowOf(clock), attempts: run.attempts });

  async function tryLater(run: store.ClaimedRun, failure: string, afterSeconds?: number): Promise<void> {
    if (run.attempts >= MOST_ATTEMPTS) return finish(run, failure);
    const seconds = Math.ceil(afterSeconds ?? Math.min(2 ** run.attempts, LONGEST_PAUSE_SECONDS));
    const dueAt = nowOf(clock).add({ seconds: Math.min(Math.max(seconds, 1), LONGEST_LIMIT_SECONDS) });
    await store.putOff(sql, run, { dueAt, attempts: run.attempts + 1 });
  }

  return {
    workDue,
    start: () =>
      startWorkLoop({
        clock,
        notifications,
        topic: TOPIC,
        workDue,
        onError: (err) => log.warn({ err }, 'Catalogues could not be worked on.'),
      }),
  };
}

const LONGEST_FAILURE = 500;

/** Why reading on would not come to an end. */
function endlessness({ pages, idlePages }: store.ClaimedRun, isNewCursor: boolean): string | undefined {
  if (!isNewCursor)
    return 'The system gave the same cursor twice, so that its catalogue would never end. Venues in no page stay as they are.';
  if (idlePages >= MOST_IDLE_PAGES)
    return `${idlePages} pages in a row brought no venue that had not come before, so that the catalogue would never end. Venues in no page stay as they are.`;
  if (pages >= MOST_PAGES)
    return `The catalogue has more than ${MOST_PAGES} pages, which is more than are read. Venues in no page stay as they are.`;
  return undefined;
}
