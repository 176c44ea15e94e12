import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { TestApp } from '../../support/app.ts';
import { repeats } from '../../support/repeats.ts';
import { importInto, startBarePlatform } from './platforms.ts';
import { tavernOperator } from './tavern.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startBarePlatform();
});
after(() => maitred.close());

const GARBAGE: unknown[] = [
  ...[null, true, 0, -1, 1, 1.5, 32_768, 65_536, 2_147_483_647, 2_147_483_648, 1e21, Number.MAX_SAFE_INTEGER],
  ...[
    '',
    ' ',
    'x',
    '\0',
    '\ud800',
    '24:00',
    '25:00',
    '9999-12-31',
    '0001-01-01',
    '2030-02-30',
    'x'.repeat(3000),
  ],
  ...[
    'https://x',
    'house|tavern',
    '٣',
    'Europe/London',
    '00000000-0000-0000-0000-000000000000',
    'ä'.repeat(100),
  ],
  ...[[], {}, [[]], [null], [1, 1], { id: 1 }, { var: 'x' }, { if: [] }, [{ set: {} }]],
];

type Path = (string | number)[];

/** The places of all values in a document. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys: (string | number)[] = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  const below = keys.flatMap((key) =>
    pathsIn((value as Record<string | number, unknown>)[key], [...path, key]),
  );
  return path.length === 0 ? below : [path, ...below];
}

function replaced(value: unknown, [key, ...rest]: Path, put: unknown): unknown {
  if (key === undefined) return put;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  copy[key] = replaced(copy[key], rest, put);
  return copy;
}

test('no document whatsoever breaks an import', async () => {
  const paths = pathsIn(tavernOperator());
  const change = fc.record({ path: fc.constantFrom(...paths), put: fc.constantFrom(...GARBAGE) });
  await fc.assert(
    fc.asyncProperty(change, async ({ path, put }) => {
      const answer = await importInto(maitred, replaced(tavernOperator(), path, put), '?dryRun=true');
      const isUnderstood = answer.status === 200 || (answer.status >= 400 && answer.status < 500);
      assert.ok(isUnderstood, `${path.join('.')}: ${answer.text}`);
    }),
    { numRuns: repeats(400, 120) },
  );
});
