/** How late the event loop of the node was, by the node's own metrics. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Send } from './wire.ts';

export interface Lag {
  p50Ms: number;
  p90Ms: number;
  p99Ms: number;
  maxMs: number;
}

/** Since it was last asked: reading them begins them anew. They include the 10 ms between two looks at the clock. */
export async function lagOf(send: Send): Promise<Lag> {
  const { status, text } = await send({ method: 'GET', path: '/metrics', headers: {} });
  assert.equal(status, 200);
  const read = (name: string) => {
    const [, seconds] =
      new RegExp(`^nodejs_eventloop_lag_${name}_seconds(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(text) ?? [];
    return Number(seconds) * 1000;
  };
  return { p50Ms: read('p50'), p90Ms: read('p90'), p99Ms: read('p99'), maxMs: read('max') };
}

/** The same of a thread that does nothing all the while: what the machine alone takes. */
export function watchIdle(): { stop(): Promise<Lag> } {
  const worker = new Worker(
    `const { monitorEventLoopDelay } = require('node:perf_hooks');
    const { parentPort } = require('node:worker_threads');
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    parentPort.once('message', () => {
      const ms = (nanoseconds) => nanoseconds / 1e6;
      const [p50Ms, p90Ms, p99Ms] = [50, 90, 99].map((share) => ms(delay.percentile(share)));
      parentPort.postMessage({ p50Ms, p90Ms, p99Ms, maxMs: ms(delay.max) });
    });`,
    { eval: true },
  );
  return {
    async stop() {
      worker.postMessage('stop');
      const [lag] = await once(worker, 'message');
      await worker.terminate();
      return lag;
    },
  };
}
