/** How an operator's account at a system is: whether it works now, and how its calls have gone. */
import { type Clock, nowOf, timestampOf } from '../../kernel/clock.ts';
import { newId } from '../../kernel/crypto.ts';
import { callFor, type RemoteConnector, type SystemAccount } from '../../tms/remote.ts';
import type { CallRecord } from './call-record.ts';
import { DURATION_BOUNDS_MS, quantileMs } from './call-record.ts';
import * as store from './call-store.ts';
import type { OperatorSystems } from './operator-systems.ts';
import type { PlatformSystemsDeps } from './platform-systems.ts';
import { problemSentence } from './problem-sentence.ts';
import type { CallSums, SystemHealth, SystemPath, SystemTest } from './schema.ts';

export interface SystemHealthService {
  read(path: SystemPath): Promise<SystemHealth>;
  /** Calls the system with the account as it is stored. */
  test(path: SystemPath): Promise<SystemTest>;
}

export interface SystemHealthDeps extends PlatformSystemsDeps {
  clock: Clock;
  calls: CallRecord;
  systems: OperatorSystems;
  /** How many nodes, this one left out, do not call the system because it has been failing. */
  countResting(tms: string): Promise<number>;
}

const MOST_ERRORS = 20;
const RECENT_MINUTES = 10;

export function createSystemHealth(deps: SystemHealthDeps): SystemHealthService {
  const { sql, clock, connections, calls, systems, countResting } = deps;

  return {
    async read(path) {
      const { tms, kind } = await systems.get(path);
      await calls.flush();
      const now = nowOf(clock);
      const dayAgo = now.subtract({ hours: 24 });
      const [operations, minutes, errors, restingOn] = await Promise.all([
        store.listOperationCalls(sql, path, dayAgo),
        store.listMinutes(sql, path, now.subtract({ minutes: 60 })),
        store.listErrors(sql, path, dayAgo, MOST_ERRORS),
        countResting(tms),
      ]);
      const recently = now.subtract({ minutes: RECENT_MINUTES });
      const recent = sumOf(minutes.filter(({ at }) => Temporal.Instant.compare(at, recently) >= 0));
      const isResting = restingOn > 0 || isRestingHere(path.tms);
      const lastAt = operations
        .map(({ lastAt: at }) => timestampOf(at))
        .sort()
        .at(-1);
      return {
        tms,
        state: stateOf({ kind, isResting, day: sumOf(operations), recent }),
        restingOn: Math.max(restingOn, isRestingHere(path.tms) ? 1 : 0),
        lastCallAt: lastAt ?? null,
        lastHour: viewOf(sumOf(minutes)),
        lastDay: viewOf(sumOf(operations)),
        operations: operations.map(({ operation, ...figures }) => ({ operation, ...viewOf(figures) })),
        minutes: minutes.map(({ at, calls: count, failed, inDoubt }) => ({
          at: timestampOf(at),
          calls: count,
          failed: failed + inDoubt,
        })),
        errors: errors.map(({ at, ...error }) => ({ ...error, at: timestampOf(at) })),
      };
    },

    async test(path) {
      const { tms } = await systems.get(path);
      const connector = connections.registry.get(tms);
      if (!connector)
        return { ok: false, tookMs: 0, problem: 'This service is not connected with the system.' };
      if (connector.flavour === 'local') return { ok: true, tookMs: 0 };
      const account = await connections.accounts.find(path);
      const startedMs = performance.now();
      const outcome = await ask(connector, path.operatorId, account);
      const tookMs = Math.round(performance.now() - startedMs);
      if (outcome.kind === 'ok') return { ok: true, tookMs };
      const problem =
        outcome.kind === 'refused'
          ? 'The system does not let this account in.'
          : (problemSentence(outcome) ?? 'The system could not be used.');
      return { ok: false, tookMs, problem };
    },
  };

  function isRestingHere(tms: string): boolean {
    return connections.listRemote().some(({ slug, isResting }) => slug === tms && isResting());
  }

  /** One that cannot check accounts is asked for a booking that is not there. */
  function ask(connector: RemoteConnector, operatorId: number, account: SystemAccount | undefined) {
    const call = callFor(operatorId);
    return connector.checkAccount
      ? connector.checkAccount(call, account ?? { settings: {}, credentials: {} })
      : connector.find(call, newId(clock));
  }
}

interface Signs {
  kind: 'built-in' | 'remote' | null;
  isResting: boolean;
  day: store.CallFigures;
  recent: store.CallFigures;
}

function stateOf({ kind, isResting, day, recent }: Signs): SystemHealth['state'] {
  if (kind === null) return 'not_connected';
  if (kind === 'built-in') return 'working';
  if (isResting) return 'resting';
  if (day.calls === 0) return 'unused';
  return 2 * (recent.failed + recent.inDoubt) > recent.calls ? 'failing' : 'working';
}

const NONE: store.CallFigures = {
  calls: 0,
  refused: 0,
  failed: 0,
  inDoubt: 0,
  maxMs: 0,
  durations: [...DURATION_BOUNDS_MS, 0].map(() => 0),
};

const sumOf = (all: readonly store.CallFigures[]): store.CallFigures =>
  all.reduce(
    (sum, next) => ({
      calls: sum.calls + next.calls,
      refused: sum.refused + next.refused,
      failed: sum.failed + next.failed,
      inDoubt: sum.inDoubt + next.inDoubt,
      maxMs: Math.max(sum.maxMs, next.maxMs),
      durations: sum.durations.map((count, index) => count + (next.durations[index] ?? 0)),
    }),
    NONE,
  );

const viewOf = ({ calls, refused, failed, inDoubt, maxMs, durations }: store.CallFigures): CallSums => ({
  calls,
  refused,
  failed,
  inDoubt,
  p50Ms: quantileMs(durations, 0.5, maxMs),
  p95Ms: quantileMs(durations, 0.95, maxMs),
  maxMs: calls > 0 ? maxMs : null,
});
