import { ConfigError } from './config.ts';
import { StartError } from './kernel/problem.ts';
import type { RunningNode } from './node.ts';

/** Ctrl-C under `npm start` arrives twice at once: from the terminal and passed on by npm. */
const ECHO_MS = 1000;

/** Runs a process that is one node: start, work until a signal, stop in order, exit. */
export async function runUntilStopped(start: () => Promise<RunningNode>): Promise<void> {
  let stoppingSince: number | undefined;
  process.on('unhandledRejection', (error) => {
    if (!isForgottenByDriver(error)) fail(error);
  });
  // Before anything else: from its first line on, a signal stops the node in order.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
  const starting = start().catch(fail);
  await starting;

  async function stop(): Promise<void> {
    if (stoppingSince === undefined) {
      stoppingSince = Date.now();
      const node = await starting;
      setTimeout(giveUp, node.stopsWithinMs, node.stopsWithinMs);
      await node.stop().catch(fail);
      process.exit(0);
    }
    // A second signal stops the node without waiting.
    if (Date.now() - stoppingSince > ECHO_MS) process.exit(1);
  }
}

/** Nothing that was acknowledged is lost: the same would happen if the process were killed. */
function giveUp(afterMs: number): never {
  console.error(`The node did not stop within ${afterMs / 1000} s, and is ended.`);
  process.exit(1);
}

/**
 * On every new connection postgres.js queries the array types and does not await the answer: a database that goes
 * away at that moment rejects a promise that no caller can handle. The caller that wanted the connection gets its own
 * error.
 */
function isForgottenByDriver(error: unknown): boolean {
  const isOfDriver = error instanceof Error && 'query' in error;
  return isOfDriver && String(error.query).includes('b.typarray');
}

/** A sentence for what a person can put right; anything else is a fault of ours and shows where. */
function fail(error: unknown): never {
  const isExpected = error instanceof ConfigError || error instanceof StartError;
  console.error(isExpected ? error.message : error);
  process.exit(1);
}
