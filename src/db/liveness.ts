/**
 * Detects a database that has stopped answering without closing its connections, which no time-out of the server can.
 * One connection probes it all the time. When an answer is overdue, all connections of the pool are destroyed, so
 * that nothing waits any longer, and none is opened until it answers again.
 */
import net, { type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { DEADLINES } from '../kernel/deadlines.ts';

const ASK_EVERY_MS = 500;
/** Longer than an attempt, which ends it. */
const LONGEST_CONNECT_SECONDS = 60;

/** The code of errors of a database that does not answer. */
export const SILENT = 'DATABASE_SILENT';

export function silentError(): Error {
  return Object.assign(new Error('The database does not answer.'), { code: SILENT });
}

export interface Liveness {
  isSilent(): boolean;
  stop(): Promise<void>;
}

export interface LivenessLog {
  warn(message: string): void;
  info(message: string): void;
}

export interface LivenessOptions {
  /** Called once each time the answers stop. */
  onSilence: () => void;
  log: LivenessLog | undefined;
}

export function watchLiveness(url: string, { onSilence, log }: LivenessOptions): Liveness {
  const stopping = new AbortController();
  const isStopped = () => stopping.signal.aborted;
  const pause = (ms: number, other?: AbortSignal) => {
    const signal = other ? AbortSignal.any([other, stopping.signal]) : stopping.signal;
    return sleep(ms, undefined, { signal, ref: false }).catch(() => {});
  };
  let isSilent = false;
  let asker = openAsker(url);

  /** False when nothing came in time. An error is an answer too: the next statement gets the same. */
  async function isAnswered(withinMs: number): Promise<boolean> {
    let hasAnswered = false;
    const patience = new AbortController();
    const asked = asker.ask().finally(() => {
      hasAnswered = true;
      patience.abort();
    });
    await Promise.race([asked.catch(() => {}), pause(withinMs, patience.signal)]);
    // Where the event loop was held up, the answer has arrived and is read in this tick.
    if (!hasAnswered) await nextTick();
    return hasAnswered;
  }

  function turn(isNowSilent: boolean): void {
    if (isNowSilent === isSilent) return;
    isSilent = isNowSilent;
    if (isSilent) onSilence();
    if (isSilent) log?.warn('The database does not answer; calls that need it are refused.');
    else log?.info('The database answers again.');
  }

  async function keepAsking(): Promise<void> {
    while (!isStopped()) {
      const isAnswering = await isAnswered(isSilent ? DEADLINES.databaseReturn : DEADLINES.databaseAnswer);
      if (isStopped()) break;
      turn(!isAnswering);
      if (isAnswering) await pause(ASK_EVERY_MS);
      else {
        asker.close();
        asker = openAsker(url);
      }
    }
    asker.close();
  }

  const asking = keepAsking();
  return {
    isSilent: () => isSilent,
    async stop() {
      stopping.abort();
      await asking;
    },
  };
}

/** One connection, which is not used again once it owed an answer for too long. */
function openAsker(url: string) {
  const { driver: sql, abandon } = openDriver(url, {
    max: 1,
    connect_timeout: LONGEST_CONNECT_SECONDS,
    fetch_types: false,
    max_lifetime: null,
    onnotice: () => {},
    connection: { application_name: 'maitred liveness' },
  });
  return { ask: async () => void (await sql`select 1`), close: abandon };
}

export interface Driver {
  driver: postgres.Sql;
  /**
   * Closes all connections at once, with everything sent or queued. The driver's state of a connection does not
   * always survive this, so a pool starts anew with another one.
   */
  abandon(): void;
}

const LONGEST_RETRY_SECONDS = 1;

/** The driver, with its sockets in our hands. `owesAtMostMs`: a connection that owes an answer for longer is dead. */
export function openDriver(
  url: string,
  options: postgres.Options<Record<string, postgres.PostgresType>>,
  owesAtMostMs?: number,
): Driver {
  const open = new Set<Socket>();
  let isAbandoned = false;

  function connect({ host, port, path }: { host: string[]; port: number[]; path: string | false }): Duplex {
    // What waits in the driver's queue when connections end is given to new ones.
    if (isAbandoned) return refusing();
    const socket = path ? net.connect(path) : net.connect(Number(port[0]), host[0]);
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    if (owesAtMostMs !== undefined) breakWhenOverdue(socket, owesAtMostMs);
    return socket;
  }

  const driver = postgres(url, {
    ...options,
    socket: connect as never,
    // The driver's own rises to 20 s, which the first callers after an outage would wait.
    backoff: (retries: number) =>
      (0.5 + Math.random() / 2) * Math.min(3 ** retries / 100, LONGEST_RETRY_SECONDS),
  } as never);
  return {
    driver,
    abandon() {
      isAbandoned = true;
      for (const socket of open) socket.destroy(silentError());
      void driver.end({ timeout: 0 });
    },
  };
}

const refusing = () => new Duplex({ read() {}, write: (_chunk, _encoding, done) => done(silentError()) });

/** One connection may be dead while the others live. */
function breakWhenOverdue(socket: Socket, owesAtMostMs: number): void {
  let writtenWhenRead = 0;
  socket.on('data', () => {
    writtenWhenRead = socket.bytesWritten;
  });
  socket.setTimeout(owesAtMostMs, () => {
    if (socket.bytesWritten > writtenWhenRead) setImmediate(() => socket.destroy(silentError()));
  });
}
