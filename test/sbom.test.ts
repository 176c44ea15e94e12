/** The bill of materials names what is installed, no less and no more, under licences that we can pass on. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Bill, productionPackages, SBOM_FILE } from '../scripts/sbom.ts';
import { PROGRAM_VERSION } from '../src/kernel/version.ts';

const bill: Bill = JSON.parse(readFileSync(SBOM_FILE, 'utf8'));
const production = productionPackages();
const OWN = ['@maitred/client', '@maitred/cli'].map((name) => `${name}@${PROGRAM_VERSION}`);
/** They ask for their notice at most; none asks anything of what is built with it. */
const LICENCES = ['MIT', 'Apache-2.0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'MIT-0', 'Unlicense'];

test('it names every production package of the lock file with its version, and no other', () => {
  assert.ok(production.size > 100);
  const named = bill.components.map((each) => each['bom-ref']);
  assert.deepEqual(named.toSorted(), [...OWN, ...production.keys()].toSorted());
});

test('its checksums are those that packages are installed by', () => {
  for (const component of bill.components) {
    const [algorithm, base64] = production.get(component['bom-ref'])?.integrity?.split('-') ?? [];
    if (algorithm !== 'sha512' || !base64) continue;
    const [hash] = component.hashes ?? [];
    assert.equal(hash?.content, Buffer.from(base64, 'base64').toString('hex'), component['bom-ref']);
  }
});

test('it is about this version, and the same contents make the same document', () => {
  const { name, version } = bill.metadata.component;
  assert.deepEqual([name, version], ['maitred', PROGRAM_VERSION]);
  assert.equal(bill.serialNumber, undefined);
  assert.equal(bill.metadata.timestamp, undefined);
});

test('no licence asks to publish what is built with it', () => {
  for (const { 'bom-ref': ref, licenses = [] } of bill.components) {
    assert.equal(licenses.length, 1, ref);
    for (const { license, expression = license?.id ?? '' } of licenses) {
      // Of several we may choose one.
      const choices = expression.replaceAll(/[()]/g, '').split(' OR ');
      assert.ok(
        choices.some((each) => LICENCES.includes(each)),
        `${ref}: ${expression}`,
      );
    }
  }
});

test('dependencies lead to packages of the bill', () => {
  const refs = new Set([
    bill.metadata.component['bom-ref'],
    ...bill.components.map((each) => each['bom-ref']),
  ]);
  for (const { ref, dependsOn } of bill.dependencies)
    for (const each of [ref, ...dependsOn]) assert.ok(refs.has(each), each);
});
