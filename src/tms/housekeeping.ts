/** What the built-in systems do behind the answers, in short transactions. It is for space, and changes no answer. */
import { inTransaction, type Sql } from '../db/database.ts';
import { type Clock, epochMilliseconds } from '../kernel/clock.ts';
import type { LocalConnector } from './contract.ts';

interface SweepDeps {
  sql: Sql;
  clock: Clock;
  connectors: readonly LocalConnector[];
}

/** Deletes holds that ended long ago: a hold that has ended counts for nothing. */
export function createHoldSweeper({ sql, clock, connectors }: SweepDeps) {
  return async (signal: AbortSignal): Promise<void> => {
    for (const { sweepHolds } of connectors) {
      if (!sweepHolds) continue;
      const sweep = () => inTransaction(sql, (tx) => sweepHolds(tx, epochMilliseconds(clock)));
      while (!signal.aborted && (await sweep()) > 0);
    }
  };
}

/** Moves stays of the past out of the way of new bookings. Where it is cut off, the next run begins again. */
export function createPastMover({ sql, clock, connectors }: SweepDeps) {
  return async (signal: AbortSignal): Promise<void> => {
    for (const { movePastStays } of connectors) {
      if (!movePastStays) continue;
      let after: string | undefined = '';
      while (!signal.aborted && after !== undefined) {
        const from: string = after;
        after = await inTransaction(sql, (tx) => movePastStays(tx, epochMilliseconds(clock), from));
      }
    }
  };
}
