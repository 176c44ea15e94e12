import assert from 'node:assert/strict';
import { test } from 'node:test';
import { progressOf, runToApply } from '../../src/console/browser/pages/systems/catalogue-state.ts';
import { type CatalogueRun, runExample } from '../../src/features/system-catalogue/schema.ts';

const run = (said: Partial<CatalogueRun>): CatalogueRun => ({ ...runExample, ...said });

test('only the last run can be applied, if it ended well and found something', () => {
  const review = run({ added: 1 });
  assert.equal(runToApply([review]), review);
  assert.equal(runToApply([run({ state: 'running' }), review]), undefined);
  assert.equal(runToApply([run({ state: 'failed' }), review]), undefined);
  assert.equal(runToApply([run({ kind: 'apply' }), review]), undefined);
  assert.equal(runToApply([run({ added: 0, changed: 0, withdrawn: 0 })]), undefined);
  assert.equal(runToApply([]), undefined);
});

test('of a nightly run only what is new is left to apply', () => {
  const nightly = run({ kind: 'nightly', added: 1, changed: 0 });
  assert.equal(runToApply([nightly]), nightly);
  assert.equal(runToApply([run({ kind: 'nightly', added: 0, changed: 4 })]), undefined);
});

test('progress is a share of what the system has, if it says', () => {
  assert.equal(progressOf({ total: null, venuesRead: 4 }), undefined);
  assert.equal(progressOf({ total: 8, venuesRead: 4 }), 0.5);
  assert.equal(progressOf({ total: 2, venuesRead: 4 }), 1);
});
