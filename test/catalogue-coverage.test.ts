/** What only all tests together can show; runs when they have. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { problemCodes } from '../src/kernel/problem-catalogue.ts';
import { PERMISSIONS } from './features/management/permissions.ts';
import { CHANGE } from './support/seen-changes.ts';

function notes(t: TestContext): Set<string> | undefined {
  const file = process.env.MAITRED_SEEN_CODES;
  if (file) return new Set(readFileSync(file, 'utf8').split('\n').filter(Boolean));
  t.skip('runs after all other tests: MAITRED_SEEN_CODES names the file of what they saw');
  return undefined;
}

test('every code of the catalogue is seen by a test', (t) => {
  const seen = notes(t);
  if (!seen) return;
  assert.deepEqual(
    problemCodes.filter((code) => !seen.has(code)),
    [],
    'no test has seen these codes',
  );
});

/** Nothing is changed by trying what a rule would have done, or whether an address listens. */
const CHANGES_NOTHING = [
  'POST /manage/operators/{operatorId}/booking-rules/dry-run',
  'POST /manage/operators/{operatorId}/systems/{tms}/test',
  'POST /manage/operators/{operatorId}/webhooks/{webhookId}/test',
  'POST /manage/partners/{partnerId}/webhooks/{webhookId}/test',
];

test('every change under /manage has left an entry in the audit log, in some test', (t) => {
  const seen = notes(t);
  if (!seen) return;
  const { public: _, ...identified } = PERMISSIONS;
  const writes = Object.values(identified)
    .flat()
    .filter((route) => !route.startsWith('GET ') && !CHANGES_NOTHING.includes(route));
  assert.deepEqual(
    writes.filter((route) => !seen.has(CHANGE + route)),
    [],
    'no test has seen an entry of these',
  );
});
