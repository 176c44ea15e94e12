/** For how long the event log, deliveries and the audit log are kept: in months, which are dropped as a whole. */

import type { Registry } from 'prom-client';
import type { Config } from '../../config.ts';
import type { Sql } from '../../db/database.ts';
import {
  dropPartitions,
  listPartitions,
  makePartitions,
  type Partition,
  type PartitionedTable,
} from '../../db/partitions.ts';
import { databaseGauge } from '../../http/observability/metrics.ts';
import type { JobDefinition } from '../../jobs/jobs.ts';
import { type Clock, nowOf } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import {
  ATTEMPTS,
  AUDIT_LOG,
  DELIVERIES,
  deleteStrays,
  dropDeliveryMonth,
  dropEventMonth,
  EVENTS,
} from './store.ts';

export interface Retention {
  /** Makes the partitions of this month and the next ones. */
  prepareMonths(): Promise<void>;
  /** Drops the months that are out of date. */
  dropMonths(signal?: AbortSignal): Promise<void>;
  /** For how long there are partitions without a gap, of the log that has them for the shortest. */
  aheadSeconds(): Promise<number>;
  /** For how long the oldest month could have been dropped and was not. */
  overdueSeconds(): Promise<number>;
}

export interface RetentionDeps {
  sql: Sql;
  clock: Clock;
  config: Pick<Config, 'eventDays' | 'auditDays'>;
  log: Pick<Log, 'info' | 'warn'>;
}

const LOGS: readonly PartitionedTable[] = [EVENTS, DELIVERIES, ATTEMPTS, AUDIT_LOG];
/** Longer than anybody leaves a failing job alone; what comes later still is kept in the default partition. */
const MONTHS_AHEAD = 3;

export function createRetention({ sql, clock, config, log }: RetentionDeps): Retention {
  /** Undefined: for ever. */
  function oldestKept(days: number): Temporal.Instant | undefined {
    return days === 0 ? undefined : nowOf(clock).subtract({ hours: 24 * days });
  }

  const isOver = (before: Temporal.Instant) => (partition: Partition) =>
    Temporal.Instant.compare(partition.until, before) <= 0;

  /** One after the other, up to the first that has to stay: attempts are of its deliveries, or of later ones. */
  async function dropEvents(before: Temporal.Instant): Promise<void> {
    for (const month of (await listPartitions(sql, EVENTS)).filter(isOver(before))) {
      if (!(await dropEventMonth(sql, month))) {
        log.warn({ partition: month.name }, 'A month of events is kept: some are still to be delivered.');
        break;
      }
      log.info({ partition: month.name }, 'A month of events was dropped with its deliveries.');
    }
    const kept = (await listPartitions(sql, EVENTS)).find(isOver(before));
    const end = kept ? kept.until.subtract({ nanoseconds: 1 }) : before;
    await dropDeliveries(end);
    await dropPartitions(sql, ATTEMPTS, end);
  }

  /** Those that had no month of events of the same name, see `add_partition`. */
  async function dropDeliveries(before: Temporal.Instant): Promise<void> {
    for (const month of (await listPartitions(sql, DELIVERIES)).filter(isOver(before))) {
      if (!(await dropDeliveryMonth(sql, month))) break;
      log.info({ partition: month.name }, 'A month of deliveries was dropped.');
    }
  }

  async function deleteAllStrays(
    tables: readonly PartitionedTable[],
    before: Temporal.Instant,
    signal?: AbortSignal,
  ): Promise<void> {
    for (const table of tables) while (!signal?.aborted && (await deleteStrays(sql, table, before))) {}
  }

  return {
    async prepareMonths() {
      for (const table of LOGS) await makePartitions(sql, table, nowOf(clock), MONTHS_AHEAD);
    },

    async dropMonths(signal) {
      const events = oldestKept(config.eventDays);
      if (events) {
        await dropEvents(events);
        await deleteAllStrays([EVENTS, DELIVERIES, ATTEMPTS], events, signal);
      }
      const audit = oldestKept(config.auditDays);
      if (audit) {
        const dropped = await dropPartitions(sql, AUDIT_LOG, audit);
        if (dropped > 0) log.info({ months: dropped }, 'Months of the audit log were dropped.');
        await deleteAllStrays([AUDIT_LOG], audit, signal);
      }
    },

    async aheadSeconds() {
      const now = nowOf(clock);
      const ends: number[] = [];
      for (const table of LOGS) {
        const end = coveredUntil(await listPartitions(sql, table), now);
        ends.push(end.since(now).total('seconds'));
      }
      return Math.max(0, Math.min(...ends));
    },

    async overdueSeconds() {
      const since = async (table: PartitionedTable, days: number) => {
        const before = oldestKept(days);
        const [oldest] = await listPartitions(sql, table);
        return before && oldest ? before.since(oldest.until).total('seconds') : 0;
      };
      return Math.max(
        0,
        await since(EVENTS, config.eventDays),
        await since(DELIVERIES, config.eventDays),
        await since(AUDIT_LOG, config.auditDays),
      );
    },
  };
}

/** From that moment on, up to the first gap. The partitions are in order. */
function coveredUntil(partitions: readonly Partition[], at: Temporal.Instant): Temporal.Instant {
  let end = at;
  for (const { from, until } of partitions) {
    const isNext = from === null || Temporal.Instant.compare(from, end) <= 0;
    if (isNext && Temporal.Instant.compare(until, end) > 0) end = until;
  }
  return end;
}

export function retentionJobs(retention: Retention): JobDefinition[] {
  return [
    {
      name: 'retention.make-months',
      schedule: '29 * * * *',
      handle: () => retention.prepareMonths(),
    },
    {
      name: 'retention.drop-months',
      schedule: '53 3 * * *',
      handle: (signal) => retention.dropMonths(signal),
    },
  ];
}

export function retentionMetrics(registry: Registry, retention: Retention): void {
  databaseGauge(registry, {
    name: 'log_months_ahead_seconds',
    help: 'For how long there are partitions of the event log, deliveries and the audit log, without a gap.',
    read: () => retention.aheadSeconds(),
  });
  databaseGauge(registry, {
    name: 'log_months_overdue_seconds',
    help: 'For how long the oldest month of these logs could have been dropped and was not.',
    read: () => retention.overdueSeconds(),
  });
}
