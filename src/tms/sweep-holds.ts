import { inTransaction, type Sql } from '../db/database.ts';
import { type Clock, epochMilliseconds } from '../kernel/clock.ts';
import type { LocalConnector } from './contract.ts';

interface SweepDeps {
  sql: Sql;
  clock: Clock;
  connectors: readonly LocalConnector[];
}

/** Deletes holds that ended long ago, in short transactions. Only for space: a hold that has ended counts for nothing. */
export function createHoldSweeper({ sql, clock, connectors }: SweepDeps) {
  return async (signal: AbortSignal): Promise<void> => {
    for (const { sweepHolds } of connectors) {
      if (!sweepHolds) continue;
      const sweep = () => inTransaction(sql, (tx) => sweepHolds(tx, epochMilliseconds(clock)));
      while (!signal.aborted && (await sweep()) > 0);
    }
  };
}
