/**
 * Reads that standbys may answer. A standby is asked only once it has replayed everything that had been written when
 * the read began, so callers see what they have written, on whichever node, and what is cached from such a read is as
 * new as a read of the primary at that moment.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { addressesOf, placeOf } from '../kernel/database-address.ts';
import { DEADLINES } from '../kernel/deadlines.ts';
import { codeOf } from '../kernel/problem.ts';
import { batchLoader } from './batch-loader.ts';
import { inSnapshot, NODE_POOL, openPool, type PoolOptions, type Sql, type Tx } from './database.ts';
import { READ_ONLY, SILENT } from './driver.ts';
import { type HostState, type LivenessLog, watchLiveness } from './liveness.ts';

export interface Reads {
  /** `work` changes nothing. It is done a second time, on the primary, when a standby fails in the middle of it. */
  read<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** Where to read, for work that cannot be done a second time. */
  choose(): Promise<Sql>;
}

export const primaryReads = (sql: Sql): Reads => ({
  read: (work) => work(sql),
  choose: async () => sql,
});

/** Several reads on one snapshot, so that what they return belongs together. */
export const readTogether = <Result>(reads: Reads, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
  reads.read((sql) => inSnapshot(sql, work));

/** Why a read went where it went. */
export type ReadReason = 'caught_up' | 'away' | 'behind' | 'failed';

export interface Replicas extends Reads {
  /** Reads since the start; all but those of a standby that had caught up went to the primary. */
  counts: ReadonlyMap<ReadReason, number>;
  /** How much of the log each standby that answers has yet to replay. */
  lags(): Promise<{ host: string; bytes: number }[]>;
  close(): Promise<void>;
}

export interface ReplicaOptions {
  sql: Sql;
  pool?: PoolOptions;
  log?: LivenessLog;
}

/** A place in the write-ahead log. Positions of two timelines cannot be compared. */
interface Position {
  timeline: number | null;
  position: number;
}

const UNKNOWN: Position = { timeline: null, position: 0 };

/** A standby that lags is asked again after this, then after twice as long each time. */
const FIRST_WAIT_MS = 5;

export function openReplicas(url: string, { sql, pool = NODE_POOL, log }: ReplicaOptions): Replicas {
  const standbys = addressesOf(url).map((address) => openStandby(address, pool, log));
  const counts = new Map<ReadReason, number>();
  let round = 0;

  function count(reason: ReadReason): void {
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }

  function next(): Standby | undefined {
    const usable = standbys.filter((standby) => standby.isUsable());
    round += 1;
    return usable[round % usable.length];
  }

  /** Undefined: the primary. */
  async function find(): Promise<Standby | undefined> {
    const standby = next();
    if (!standby) {
      count('away');
      return undefined;
    }
    const needed = await positionOf(sql, null);
    try {
      if (await standby.reaches(needed)) return standby;
      count('behind');
    } catch (error) {
      if (!isOfStandby(error)) throw error;
      count('failed');
    }
    return undefined;
  }

  return {
    counts,

    async read(work) {
      const standby = await find();
      if (!standby) return work(sql);
      try {
        const result = await work(standby.sql);
        count('caught_up');
        return result;
      } catch (error) {
        if (!isOfStandby(error)) throw error;
        count('failed');
        return work(sql);
      }
    },

    async choose() {
      const standby = await find();
      if (standby) count('caught_up');
      return standby?.sql ?? sql;
    },

    async lags() {
      const { position } = await positionOf(sql, null);
      return standbys.flatMap(({ host, replayed }) => {
        const known = replayed();
        return known === undefined ? [] : { host, bytes: Math.max(0, position - known) };
      });
    },

    close: async () => void (await Promise.all(standbys.map((standby) => standby.close()))),
  };
}

interface Standby {
  host: string;
  sql: Sql;
  isUsable(): boolean;
  /** As far as is known. */
  replayed(): number | undefined;
  /** Whether it has replayed that much, if need be after a moment. */
  reaches(needed: Position): Promise<boolean>;
  close(): Promise<void>;
}

function openStandby(address: string, pool: PoolOptions, log?: LivenessLog): Standby {
  const host = placeOf(address);
  let heard: HostState | undefined;
  let known = UNKNOWN;
  const liveness = watchLiveness(address, undefined, (state) => {
    const wasUsable = heard?.isStandby === true;
    heard = state;
    // Another database may be there when it comes back.
    if (!state?.isStandby) known = UNKNOWN;
    if (wasUsable && !state?.isStandby) log?.warn(`The standby at ${host} answers no reads any more.`);
    if (!wasUsable && state?.isStandby) log?.info(`The standby at ${host} answers reads.`);
  });
  liveness.onLost(() => {
    known = UNKNOWN;
  });
  const sql = openPool(address, { ...pool, liveness, isForReading: true });
  const hasReplayed = (needed: Position) =>
    known.timeline === needed.timeline && known.position >= needed.position;

  return {
    host,
    sql,
    isUsable: () => heard?.isStandby === true && !liveness.isSilent(),
    replayed: () => (heard?.isStandby ? Math.max(heard.position ?? 0, known.position) : undefined),

    async reaches(needed) {
      if (hasReplayed(needed)) return true;
      known = await replayedOf(sql, null);
      let waitMs = FIRST_WAIT_MS;
      for (let waitedMs = 0; waitedMs < DEADLINES.standbyReplay; waitedMs += waitMs, waitMs *= 2) {
        if (hasReplayed(needed)) return true;
        // It follows another primary, or none; waiting does not change that.
        if (known.timeline !== needed.timeline) return false;
        await sleep(waitMs);
        known = await replayedOf(sql, null);
      }
      return hasReplayed(needed);
    },

    async close() {
      await liveness.stop();
      await sql.end({ timeout: DEADLINES.stopPool / 1000 });
    },
  };
}

/** What the primary has written by now; reads of the same moment share the question. */
const positionOf = batchLoader<null, Position>(String, async (tx) => [await findPosition(tx)]);

async function findPosition(tx: Tx): Promise<Position> {
  const [row] = await tx<[Position & { noted: number | null }]>`
    select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline,
      (pg_current_wal_flush_lsn() - '0/0')::float8 as position, ${lastNoted(tx)} as noted`;
  // Since the promotion no standby can have it, so none is asked yet. In a new cluster the number may be an earlier one,
  // and the clock of another machine may be behind.
  if (row.noted !== row.timeline)
    await tx`
      insert into database_timeline (timeline, noted_at)
      select ${row.timeline}, greatest(clock_timestamp(), max(noted_at) + interval '1 second') from database_timeline
      on conflict (timeline) do update set noted_at = excluded.noted_at`;
  return row;
}

const lastNoted = (tx: Tx) => tx`(select timeline from database_timeline order by noted_at desc limit 1)`;

/** What a standby has replayed, and of which primary: it has the timeline of its own in the table, as all others. */
const replayedOf = batchLoader<null, Position>(String, async (tx) => {
  const [row] = await tx<[Position]>`
    select ${lastNoted(tx)} as timeline,
      coalesce((case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end - '0/0')::float8, -1) as position`;
  return [row];
});

const OF_STANDBY = new Set([
  ...['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'CONNECTION_ENDED', 'CONNECT_TIMEOUT', SILENT, READ_ONLY],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ETIMEDOUT'],
  // A conflict with what it replays, a restart, a table that it does not have yet.
  ...['40001', '40P01', '57P01', '57P02', '57P03', '42P01', '25006', '53300'],
]);
const isOfStandby = (error: unknown) => OF_STANDBY.has(codeOf(error) ?? '');
