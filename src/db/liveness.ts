/**
 * Detects a database that has stopped answering without closing its connections, which no time-out of the server can,
 * and finds the host that takes writes where an address names several. One connection to each host probes it all the
 * time. When the answer of the host in use is overdue, or another host has taken over, all connections of the pool
 * are destroyed, so that nothing waits any longer, and none is opened until a host is there.
 */
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import { addressesOf, placeOf } from '../kernel/database-address.ts';
import { DEADLINES } from '../kernel/deadlines.ts';
import { codeOf } from '../kernel/problem.ts';
import { openDriver, silentError } from './driver.ts';

const ASK_EVERY_MS = 500;
/** Longer than an attempt, which ends it. */
const LONGEST_CONNECT_SECONDS = (2 * DEADLINES.databaseReturn) / 1000;

/** What a server says of itself. */
export interface HostState {
  isStandby: boolean;
  isReadOnly: boolean;
  /** Grows by one with each promotion; unknown of a standby. */
  timeline: number | null;
  /** In the write-ahead log: what a primary has written, what a standby has replayed. */
  position: number | null;
}

/** Undefined: no answer in time. An error is an answer too: the next statement gets the same. */
type Heard = { state: HostState } | { error: unknown } | undefined;

export interface LivenessLog {
  warn(message: string): void;
  info(message: string): void;
}

export interface Liveness {
  /** No host can be used now. */
  isSilent(): boolean;
  /** Which host to connect to; rejects when there is none. Undefined: the only one. */
  find(): Promise<string | undefined>;
  /** Connections from before are of no use: there is no host any more, or it is another. */
  onLost(listener: () => void): () => void;
  stop(): Promise<void>;
}

export function watchLiveness(
  url: string,
  log?: LivenessLog,
  onState?: (state: HostState | undefined) => void,
): Liveness {
  const listeners = new Set<() => void>();
  const addresses = addressesOf(url);
  const choice = choosePrimary(addresses);
  const firstRound = Promise.withResolvers<void>();
  let isSilent = false;

  function announceChange(before: string | undefined): void {
    const now = choice.current();
    const wasSilent = isSilent;
    isSilent = now === undefined;
    if (before !== undefined && before !== now) for (const listener of listeners) listener();
    if (isSilent && !wasSilent) log?.warn('The database does not answer; calls that need it are refused.');
    else if (wasSilent && now) log?.info(`The database answers again, at ${placeOf(now)}.`);
    else if (before && now && before !== now)
      log?.warn(`The database that takes writes is now at ${placeOf(now)}.`);
  }

  const watch = watchHosts(addresses, (index, heard) => {
    const before = choice.current();
    choice.hear(index, heard);
    onState?.(heard && 'state' in heard ? heard.state : undefined);
    if (!choice.haveAllBeenAsked()) return;
    announceChange(before);
    firstRound.resolve();
  });

  return {
    isSilent: () => isSilent,
    async find() {
      if (addresses.length === 1) return undefined;
      await firstRound.promise;
      const address = choice.current();
      if (address === undefined) throw silentError();
      return address;
    },
    onLost(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stop() {
      await watch.stop();
      firstRound.resolve();
    },
  };
}

/**
 * Which of several hosts is written to: one that is no standby, of the latest timeline that was ever seen. A former
 * primary that comes back and does not know of its successor has an earlier one. A single host is taken as it is.
 */
function choosePrimary(addresses: readonly string[]) {
  const isOnly = addresses.length === 1;
  const hosts = addresses.map((address) => ({
    address,
    isAsked: false,
    isSilent: false,
    state: undefined as HostState | undefined,
  }));
  let latest = 0;
  let chosen = isOnly ? hosts[0] : undefined;

  function choose() {
    const writable = hosts.filter(
      ({ state }) => state && !state.isStandby && !state.isReadOnly && (state.timeline ?? 0) >= latest,
    );
    latest = Math.max(latest, ...writable.map(({ state }) => state?.timeline ?? 0));
    const ofLatest = writable.filter(({ state }) => state?.timeline === latest);
    return chosen && ofLatest.includes(chosen) ? chosen : ofLatest[0];
  }

  return {
    current: () => (isOnly && chosen?.isSilent ? undefined : chosen?.address),
    haveAllBeenAsked: () => hosts.every(({ isAsked }) => isAsked),
    hear(index: number, heard: Heard): void {
      const host = hosts[index];
      if (!host) return;
      host.isAsked = true;
      host.isSilent = heard === undefined;
      if (heard === undefined || isBreak(heard)) host.state = undefined;
      else if ('state' in heard) host.state = heard.state;
      if (!isOnly && hosts.every(({ isAsked }) => isAsked)) chosen = choose();
    },
  };
}

/** A server that refuses one more connection is there all the same; one that starts or stops is not. */
const isAway = (error: unknown) => !/^(?!57P|08)\d/.test(codeOf(error) ?? '');
const isBreak = (heard: Heard) => heard !== undefined && 'error' in heard && isAway(heard.error);

/** Asks each host all the time, by a connection of its own. */
function watchHosts(
  addresses: readonly string[],
  onHeard: (index: number, heard: Heard) => void,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const isStopped = () => stopping.signal.aborted;
  const pause = (ms: number, other?: AbortSignal) => {
    const signal = other ? AbortSignal.any([other, stopping.signal]) : stopping.signal;
    return sleep(ms, undefined, { signal, ref: false }).catch(() => {});
  };

  async function hear(asker: Asker, withinMs: number): Promise<Heard> {
    let heard: Heard;
    const patience = new AbortController();
    const asked = asker
      .ask()
      .then(
        (state) => {
          heard = { state };
        },
        (error) => {
          heard = { error };
        },
      )
      .finally(() => patience.abort());
    await Promise.race([asked, pause(withinMs, patience.signal)]);
    // Where the event loop was held up, the answer has arrived and is read in this tick.
    if (!heard) await nextTick();
    return heard;
  }

  async function keepAsking(address: string, index: number): Promise<void> {
    let asker = openAsker(address);
    let isSilent = false;
    let wasThere = false;
    while (!isStopped()) {
      let heard = await hear(asker, isSilent ? DEADLINES.databaseReturn : DEADLINES.databaseAnswer);
      if (wasThere && !isStopped() && isBreak(heard)) {
        // It may have been this connection alone, which a firewall or an administrator has ended.
        asker.close();
        asker = openAsker(address);
        heard = await hear(asker, DEADLINES.databaseAnswer);
      }
      if (isStopped()) break;
      isSilent = heard === undefined;
      wasThere = heard !== undefined && !isBreak(heard);
      onHeard(index, heard);
      if (heard) await pause(ASK_EVERY_MS);
      else {
        asker.close();
        asker = openAsker(address);
      }
    }
    asker.close();
  }

  const asking = addresses.map(keepAsking);
  return {
    async stop() {
      stopping.abort();
      await Promise.all(asking);
    },
  };
}

interface Asker {
  ask(): Promise<HostState>;
  close(): void;
}

/** One connection, which is not used again once it owed an answer for too long. */
function openAsker(address: string): Asker {
  const { driver: sql, abandon } = openDriver(address, {
    max: 1,
    connect_timeout: LONGEST_CONNECT_SECONDS,
    fetch_types: false,
    max_lifetime: null,
    onnotice: () => {},
    connection: { application_name: 'maitred liveness' },
  });
  return {
    async ask() {
      const [row] = await sql<[HostState]>`
        select pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only') = 'on' as "isReadOnly",
          case when not pg_is_in_recovery()
            then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline,
          (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end
            - '0/0')::float8 as position`;
      return row;
    },
    close: () => abandon(),
  };
}
