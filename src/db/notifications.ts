import { setTimeout as sleep } from 'node:timers/promises';
import { addressesOf } from '../kernel/database-address.ts';
import { DEADLINES } from '../kernel/deadlines.ts';
import { openDriver } from './driver.ts';
import { type Liveness, watchLiveness } from './liveness.ts';

/**
 * Tells this node what other nodes change: one connection listens to the channel `changed`, whose messages are topics
 * such as `identity` or `venue:1|house|soho-grill`. Caches subscribe, and clear themselves when messages may have
 * been missed.
 */
export interface Notifications {
  /** While false, no cached value may be used. */
  isConnected(): boolean;
  subscribe(listener: NotificationListener): () => void;
  close(): Promise<void>;
}

export interface NotificationListener {
  changed(topic: string): void;
  /** Called when the connection breaks, and again when it is back: anything may have changed in between. */
  lost(): void;
}

interface Log {
  warn(message: string): void;
  info(message: string): void;
}

export interface NotificationOptions {
  heartbeatMs?: number;
  log?: Log | undefined;
  /** Which host is listened to; absent: the only one, or the one that this finds for itself. */
  liveness?: Liveness;
}

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5000;
const LISTENING_WITHIN_MS = DEADLINES.listenConnect + 1000;

export async function openNotifications(
  url: string,
  options: NotificationOptions = {},
): Promise<Notifications> {
  const { heartbeatMs = 5000, log } = options;
  const own = !options.liveness && addressesOf(url).length > 1 ? watchLiveness(url) : undefined;
  const liveness = options.liveness ?? own;
  const listeners = new Set<NotificationListener>();
  let current: Connection | undefined;
  let isClosed = false;

  function tell(call: (listener: NotificationListener) => void): void {
    for (const listener of listeners) {
      try {
        call(listener);
      } catch (error) {
        log?.warn(`A listener to changes failed: ${error}`);
      }
    }
  }

  async function connect(isAgain: boolean): Promise<void> {
    const connection = await openConnection(url, {
      heartbeatMs,
      liveness,
      onTopic: (topic) => tell((listener) => listener.changed(topic)),
    });
    if (isClosed) return connection.close();
    if (isAgain) tell((listener) => listener.lost());
    current = connection;
    connection.broken.then(() => {
      if (current !== connection) return;
      current = undefined;
      tell((listener) => listener.lost());
      log?.warn('The connection that listens for changes broke.');
      void reconnect();
    });
  }

  async function reconnect(): Promise<void> {
    for (let delayMs = FIRST_RETRY_MS; !isClosed; delayMs = Math.min(delayMs * 2, LONGEST_RETRY_MS)) {
      await sleep(delayMs, undefined, { ref: false });
      if (isClosed) return;
      try {
        await connect(true);
        return log?.info('Listening for changes again.');
      } catch {
        // The database is still away; the next round tries again.
      }
    }
  }

  await connect(false).catch(async (error) => {
    await own?.stop();
    throw error;
  });
  return {
    isConnected: () => current !== undefined,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      isClosed = true;
      const connection = current;
      current = undefined;
      await connection?.close();
      await own?.stop();
    },
  };
}

interface Connection {
  /** Settles when no more messages can be expected. */
  broken: Promise<void>;
  close(): Promise<void>;
}

interface ListenOptions {
  heartbeatMs: number;
  liveness: Liveness | undefined;
  onTopic(topic: string): void;
}

/** The driver's own `listen` reconnects silently, so that the gap would go unnoticed. */
async function openConnection(
  url: string,
  { heartbeatMs, liveness, onTopic }: ListenOptions,
): Promise<Connection> {
  const { promise: broken, resolve: breakOff } = Promise.withResolvers<void>();
  const options = {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: DEADLINES.listenConnect / 1000,
    fetch_types: false,
    connection: { application_name: 'maitred notifications' },
    onnotice: () => {},
    // Missing from the driver's types, although its own `listen` is built on it.
    onnotify: (_channel: string, topic: string) => onTopic(topic),
    onclose: () => breakOff(),
  };
  const { driver: sql, abandon } = openDriver(url, options, {
    find: liveness?.find,
    // It has nothing to tell.
    onStandby: () => abandon(),
  });
  const close = () => sql.end({ timeout: 0 });
  // A connection whose peer vanished silently stays open for hours; one with an overdue answer is treated as broken.
  const ask = (statement: string, withinMs: number) =>
    Promise.race([sql.unsafe(statement), failAfter(withinMs)]);
  try {
    await ask('listen changed', LISTENING_WITHIN_MS);
  } catch (error) {
    await close();
    throw error;
  }
  const heartbeat = setInterval(() => void ask('select 1', heartbeatMs).catch(() => breakOff()), heartbeatMs);
  const forget = liveness?.onLost(() => breakOff());
  void broken.then(() => {
    clearInterval(heartbeat);
    forget?.();
    return close();
  });
  return {
    broken,
    close: async () => {
      breakOff();
      await close();
    },
  };
}

async function failAfter(ms: number): Promise<never> {
  await sleep(ms, undefined, { ref: false });
  throw new Error('The database does not answer.');
}
