/** The driver, with its sockets in our hands: whom they reach, and when they are given up. */
import net, { type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import postgres from 'postgres';
import { addressesOf } from '../kernel/database-address.ts';

/** The code of errors of a database that does not answer. */
export const SILENT = 'DATABASE_SILENT';
/** The code of errors of a database that refuses to write, as a standby does, and has written nothing. */
export const READ_ONLY = 'DATABASE_READ_ONLY';

export function silentError(): Error {
  return Object.assign(new Error('The database does not answer.'), { code: SILENT });
}

export function readOnlyError(cause?: unknown): Error {
  const message = 'The database takes no writes at the moment.';
  return Object.assign(new Error(message, { cause }), { code: READ_ONLY });
}

export interface Driver {
  driver: postgres.Sql;
  /**
   * Closes all connections at once, with everything sent or queued. The driver's state of a connection does not
   * always survive this, so a pool starts anew with another one.
   */
  abandon(): void;
}

export interface DriverOptions {
  /** A connection that owes an answer for longer is dead. */
  owesAtMostMs?: number | undefined;
  /** The address of the host to connect to; without one it is the first of `url`. */
  find?: (() => Promise<string | undefined>) | undefined;
  /** Called when a connection has reached a standby, before anything is sent on it. */
  onStandby?: () => void;
}

const LONGEST_RETRY_SECONDS = 1;

export function openDriver(
  url: string,
  options: postgres.Options<Record<string, postgres.PostgresType>>,
  { owesAtMostMs, find, onStandby }: DriverOptions = {},
): Driver {
  const [first = url] = addressesOf(url);
  const open = new Set<Socket>();
  let isAbandoned = false;

  async function connect({ host, port, path }: Endpoint): Promise<Duplex> {
    let to: net.NetConnectOpts = path ? { path } : { port: Number(port[0]), host: host[0] ?? 'localhost' };
    try {
      const found = await find?.();
      if (found) to = endpointOf(found);
    } catch (error) {
      return refusing(error as Error);
    }
    // What waits in the driver's queue when connections end is given to new ones.
    if (isAbandoned) return refusing(silentError());
    const socket = net.connect(to);
    // The driver reads there which name a certificate has to be for.
    if ('host' in to) Object.assign(socket, { host: to.host });
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    if (owesAtMostMs !== undefined) breakWhenOverdue(socket, owesAtMostMs);
    return socket;
  }

  const driver = postgres(first, {
    ...options,
    socket: connect as never,
    // The driver's own rises to 20 s, which the first callers after an outage would wait.
    backoff: (retries: number) =>
      (0.5 + Math.random() / 2) * Math.min(3 ** retries / 100, LONGEST_RETRY_SECONDS),
    // Every server says so of itself when a connection begins.
    onparameter(name: string, value: string) {
      if (name === 'in_hot_standby' && value === 'on') onStandby?.();
    },
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

interface Endpoint {
  host: string[];
  port: number[];
  path: string | false;
}

export function endpointOf(address: string): { host: string; port: number } {
  const { hostname, port } = new URL(address);
  return { host: hostname.replace(/^\[|\]$/g, '') || 'localhost', port: Number(port || 5432) };
}

const refusing = (error: Error) => new Duplex({ read() {}, write: (_chunk, _encoding, done) => done(error) });

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
