import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { patience } from './patience.ts';

const PATIENCE_MS = patience(20_000);
const POLL_MS = 10;

/** Waits for what a notification brings about a moment later; fails when it does not come. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, `It did not come true within ${PATIENCE_MS / 1000} seconds.`);
    await sleep(POLL_MS);
  }
}
