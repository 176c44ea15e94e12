import assert from 'node:assert/strict';
import type { TestApp } from './app.ts';

/** What `/metrics` says of this name now; undefined: it has no such line. */
export async function metricOf(maitred: TestApp, name: string): Promise<number | undefined> {
  const { status, text } = await maitred.call('/metrics', { as: null });
  assert.equal(status, 200);
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}
