/** Works on what stands in a table, as it comes and as it falls due, until it is stopped. */
import type { Notifications } from '../db/notifications.ts';
import { type Clock, nowOf } from '../kernel/clock.ts';

export interface WorkLoopOptions {
  clock: Clock;
  notifications: Notifications;
  /** Told by a trigger when there is something new. */
  topic: string;
  /** Works on everything that is due; says when there is more to do. */
  workDue(signal: AbortSignal): Promise<Temporal.Instant | null>;
  onError(error: unknown): void;
}

/** Works on rows of a table that wait for it, in a loop of its own or once. */
export interface Worker {
  /** Works on everything that is due; says when there is more to do. */
  workDue(signal?: AbortSignal): Promise<Temporal.Instant | null>;
  /** Works as rows come, until it is stopped. */
  start(): { stop(): Promise<void> };
}

const PAUSE_AFTER_ERROR_MS = 2000;
const LONGEST_SLEEP_MS = 60_000;

export function startWorkLoop(options: WorkLoopOptions): { stop(): Promise<void> } {
  const { clock, notifications, topic, workDue, onError } = options;
  const stopping = new AbortController();
  let wake = Promise.withResolvers<void>();
  const unsubscribe = notifications.subscribe({
    changed(changed) {
      if (changed === topic) wake.resolve();
    },
    // The timer finds what comes while the listener is disconnected.
    lost: () => {},
  });
  stopping.signal.addEventListener('abort', () => wake.resolve());

  async function workAndWait(): Promise<number> {
    try {
      const next = await workDue(stopping.signal);
      return next ? next.epochMilliseconds - nowOf(clock).epochMilliseconds : LONGEST_SLEEP_MS;
    } catch (error) {
      onError(error);
      return PAUSE_AFTER_ERROR_MS;
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake = Promise.withResolvers<void>();
      const leftMs = await workAndWait();
      const timer = setTimeout(wake.resolve, Math.min(Math.max(leftMs, 0), LONGEST_SLEEP_MS));
      if (!stopping.signal.aborted) await wake.promise;
      clearTimeout(timer);
    }
  }

  const running = run();
  return {
    async stop() {
      unsubscribe();
      stopping.abort();
      await running;
    },
  };
}
