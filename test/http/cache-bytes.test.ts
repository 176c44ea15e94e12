import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CACHE_BYTES } from '../../src/kernel/cache-budget.ts';
import { startTestApp } from '../support/app.ts';
import { metricOf } from '../support/metrics.ts';

test('what a node keeps is measured by cache, compressed answers included', async (t) => {
  const maitred = await startTestApp();
  t.after(() => maitred.close());
  const answers = async () => (await metricOf(maitred, 'cache_bytes{cache="answers"}')) ?? Number.NaN;
  const read = async (headers: Record<string, string>) => {
    const authorization = `Bearer ${await maitred.token('demo-partner')}`;
    const url = '/venues?pageSize=40';
    return (await maitred.app.inject({ url, headers: { authorization, ...headers } })).rawPayload.length;
  };
  const before = await answers();
  const plain = await read({});
  const kept = await answers();
  assert.ok(kept >= before + plain && kept < before + plain + 2000, `${before} ${plain} ${kept}`);
  const compressed = await read({ 'accept-encoding': 'gzip' });
  const both = await answers();
  assert.ok(both >= kept + compressed && both < kept + compressed + 2000, `${kept} ${compressed} ${both}`);
  await read({ 'accept-encoding': 'gzip' });
  assert.equal(await answers(), both);

  const day = Temporal.Now.plainDateISO('Europe/London').add({ days: 7 }).toString();
  await maitred.call(`/venues/1%7Chouse%7Csoho-grill%7Cdinner/availability?date=${day}&partySize=2`);
  for (const cache of [
    'venues',
    'list_facts',
    'house_configurations',
    'house_stays',
    'house_answers',
    'identity',
  ])
    assert.ok(((await metricOf(maitred, `cache_bytes{cache="${cache}"}`)) ?? 0) > 100, cache);
});

test('whoever runs a node can read how much each cache may take, and all of them together', () => {
  const manual = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');
  const documented = [...manual.matchAll(/^\| `(\w+)` +\| +(\d+) MB \|/gm)].map(([, name, size]) => [
    name,
    Number(size) * 1024 ** 2,
  ]);
  assert.deepEqual(Object.fromEntries(documented), CACHE_BYTES);
  const [, total] = /The caches together take (\d+) MB at most/.exec(manual) ?? [];
  const sum = Object.values(CACHE_BYTES).reduce((all, bytes) => all + bytes, 0);
  assert.equal(Number(total) * 1024 ** 2, sum);
});
