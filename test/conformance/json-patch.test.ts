import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { applyPatch, type Json } from '../../src/kernel/patch.ts';

interface Case {
  comment?: string;
  doc: Json;
  patch: { op: string }[];
  expected?: Json;
  error?: string;
  disabled?: boolean;
}

const FILE = join(import.meta.dirname, '../../../shared/conformance/json-patch/spec_tests.json');
const OURS = ['add', 'remove', 'replace'];

if (!existsSync(FILE)) {
  test('the cases of RFC 6902', (t) => t.skip(`the cases are not at hand (${FILE})`));
} else {
  const cases: Case[] = JSON.parse(readFileSync(FILE, 'utf8'));
  for (const { comment, doc, patch, expected, error, disabled } of cases) {
    if (disabled) continue;
    const isOurs = patch.every(({ op }) => OURS.includes(op));
    test(`RFC 6902 ${comment ?? JSON.stringify(patch)}${isOurs ? '' : ' (an operation the interface leaves out)'}`, () => {
      if (isOurs && error === undefined) assert.deepEqual(applyPatch(doc, patch), expected);
      else assert.throws(() => applyPatch(doc, patch), { code: 'VALID-N-001' });
    });
  }
}
