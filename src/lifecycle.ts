import { ConfigError } from './config.ts';
import { StartError } from './kernel/start-error.ts';
import type { RunningNode } from './node.ts';

/** Ctrl-C under `npm start` arrives twice at once: from the terminal and passed on by npm. */
const ECHO_MS = 1000;
const PARENT_POLL_MS = 250;

export interface LifecycleOptions {
  /**
   * Whether the end of the parent process counts as a signal to stop. It has to under npm, which passes a SIGTERM on
   * to a shell that dies of it without telling us.
   */
  stopsWithParent?: boolean;
}

/** The life of a process that is one node: start, work until told to stop, stop in order, exit. */
export async function runUntilStopped(
  start: () => Promise<RunningNode>,
  { stopsWithParent = false }: LifecycleOptions = {},
): Promise<void> {
  let stoppingSince: number | undefined;
  const starting = start().catch(fail);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
  if (stopsWithParent) onceParentIsGone(stop);
  await starting;

  async function stop(): Promise<void> {
    if (stoppingSince === undefined) {
      stoppingSince = Date.now();
      await starting.then((node) => node.stop()).catch(fail);
      process.exit(0);
    }
    // A second signal is from somebody who does not want to wait.
    if (Date.now() - stoppingSince > ECHO_MS) process.exit(1);
  }
}

function onceParentIsGone(stop: () => Promise<void>): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    void stop();
  }, PARENT_POLL_MS);
  watch.unref();
}

/** A sentence for what a person can put right; anything else is a fault of ours and shows where. */
function fail(error: unknown): never {
  const isExpected = error instanceof ConfigError || error instanceof StartError;
  console.error(isExpected ? error.message : error);
  process.exit(1);
}
