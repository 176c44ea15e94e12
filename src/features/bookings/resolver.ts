/**
 * Clears up after calls whose outcome nobody learnt: what the caller was told is made true in the system behind the
 * venue. A call may still take effect late, so the system is looked at several times.
 */
import { randomUUID } from 'node:crypto';
import { inTransaction, type Sql, type Tx } from '../../db/database.ts';
import { type Clock, nowOf } from '../../kernel/clock.ts';
import type { BookingRequest, Outcome, RemoteConnector, SystemBooking } from '../../tms/contract.ts';
import type { Registry } from '../../tms/registry.ts';
import * as intents from './intent-store.ts';
import { leaseTimes, newCall } from './remote.ts';

/** What the system has made irrevocable after all is followed here, so that both sides agree. */
export interface Followers {
  /** The booking has moved to what was wanted. */
  moved(tx: Tx, intent: intents.StoredIntent, held: SystemBooking): Promise<void>;
  /** The booking is gone. */
  released(tx: Tx, intent: intents.StoredIntent): Promise<void>;
}

export interface ResolverDeps {
  sql: Sql;
  clock: Clock;
  registry: Registry;
  followers: Followers;
}

/** Seconds between one look and the next; after the last the matter is closed. */
const LOOKS_APART_SECONDS = [30, 120, 600];
const RETRY_SECONDS = 60;
const BATCH = 100;

type Finding =
  /** The system is as we said. */
  | { kind: 'as-told' }
  /** It does not say, or not now. */
  | { kind: 'silent' }
  /** It cannot be brought back to that. */
  | { kind: 'moved'; held: SystemBooking }
  | { kind: 'released' };

export function createResolver({ sql, clock, registry, followers }: ResolverDeps) {
  async function resolve(due: intents.StoredIntent): Promise<void> {
    const lease = { bookingId: due.bookingId, lease: randomUUID() };
    if (!(await intents.takeLease(sql, due, lease, leaseTimes(clock)))) return;
    const connector = registry.get(due.tms);
    const finding: Finding =
      connector?.flavour === 'remote'
        ? await restore(connector, due, nowOf(clock).epochMilliseconds)
        : { kind: 'silent' };
    await (finding.kind === 'moved' || finding.kind === 'released'
      ? follow(due, lease, finding)
      : lookAgain(due, lease, finding));
  }

  async function lookAgain(
    { checks, standing, wanted }: intents.StoredIntent,
    lease: intents.Lease,
    { kind }: Finding,
  ): Promise<void> {
    const now = nowOf(clock);
    const isAsTold = kind === 'as-told';
    const startMs = Math.max(standing?.startMs ?? 0, wanted?.startMs ?? 0);
    // Once the visit has begun there is nothing left to put right.
    const isOver = isAsTold ? checks >= LOOKS_APART_SECONDS.length : startMs <= now.epochMilliseconds;
    if (isOver) {
      await intents.finish(sql, lease);
      return;
    }
    const seconds = (isAsTold && LOOKS_APART_SECONDS[checks]) || RETRY_SECONDS;
    const nextCheckAt = now.add({ seconds });
    await intents.scheduleCheck(sql, lease, { checks: isAsTold ? checks + 1 : checks, nextCheckAt });
  }

  async function follow(
    due: intents.StoredIntent,
    lease: intents.Lease,
    finding: Extract<Finding, { kind: 'moved' | 'released' }>,
  ): Promise<void> {
    await inTransaction(sql, async (tx) => {
      if (finding.kind === 'released') await intents.replaceWish(tx, lease, { ...due, wanted: null });
      if (!(await intents.settle(tx, lease, leaseTimes(clock).nextCheckAt))) return;
      await (finding.kind === 'moved' ? followers.moved(tx, due, finding.held) : followers.released(tx, due));
    });
  }

  /** One after the other, so that guests who book have the system to themselves most of the time. */
  async function resolveAll(due: readonly intents.StoredIntent[]): Promise<unknown[]> {
    const failures: unknown[] = [];
    for (const intent of due) await resolve(intent).catch((error) => failures.push(error));
    return failures;
  }

  return {
    /** One round over everything that is due; says how much there was. */
    async resolveDue(): Promise<number> {
      const failures: unknown[] = [];
      let total = 0;
      for (let isMore = true; isMore; ) {
        const due = await intents.listDue(sql, nowOf(clock), BATCH);
        const bySystem = Map.groupBy(due, ({ tms }) => tms);
        failures.push(...(await Promise.all([...bySystem.values()].map(resolveAll))).flat());
        total += due.length;
        isMore = due.length === BATCH;
      }
      if (failures.length > 0) throw new AggregateError(failures, 'Some calls could not be cleared up.');
      return total;
    },
  };
}

async function restore(
  connector: RemoteConnector,
  { bookingId, standing, wanted }: intents.StoredIntent,
  nowMs: number,
): Promise<Finding> {
  if (!standing) return findingOf(await connector.cancel(newCall(), bookingId));
  // What stands has had its consent.
  const today = (request: BookingRequest) => ({ ...request, nowMs, isConfirmedByOperator: true });
  const back = await connector.amend(newCall(), today(standing));
  if (back.kind !== 'refused') return findingOf(back);
  if (back.reason === 'not-found') {
    const again = await connector.book(newCall(), today(standing));
    return again.kind === 'refused' ? { kind: 'released' } : findingOf(again);
  }
  // It is there, but the way back is closed.
  if (!wanted) return { kind: 'as-told' };
  const onward = await connector.amend(newCall(), today(wanted));
  return onward.kind === 'ok' ? { kind: 'moved', held: onward.value } : findingOf(onward);
}

const findingOf = ({ kind }: Outcome<unknown>): Finding => ({ kind: kind === 'ok' ? 'as-told' : 'silent' });
