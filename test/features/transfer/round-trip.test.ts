import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { demoOperators } from '../../../src/demo/operators.ts';
import { keyOf } from '../../../src/features/transfer/faults.ts';
import type { OperatorDocument } from '../../../src/features/venues/transfer/document.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { assertSaid } from './comparing.ts';
import { exportFrom, importInto, mapAsDemo, startBarePlatform } from './platforms.ts';

let demo: TestApp;
let other: TestApp;
let exported: OperatorDocument[];
before(async () => {
  [demo, other] = await Promise.all([startTestApp(), startBarePlatform()]);
  exported = await Promise.all([1, 2, 3, 4, 5].map((id) => exportFrom(demo, id)));
});
after(() => Promise.all([demo.close(), other.close()]));

test('every operator of the demo moves to another platform and keeps all it has', async () => {
  for (const document of exported) {
    const answer = await importInto(other, document);
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.json.operatorId, document.id);
    assert.deepEqual(answer.json.renumbered, {});
    assert.deepEqual(await exportFrom(other, document.id), document);
  }
});

test('an export says all that the documents of the demo say', () => {
  const written = demoOperators(Temporal.Now.plainDateISO('Europe/London'));
  for (const [index, document] of written.entries()) assertSaid(inOrder(document), exported[index]);
});

/** Venues are exported in the order of their ids. */
const inOrder = (document: OperatorDocument): OperatorDocument => ({
  ...document,
  venues: document.venues.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
});

test('partners that are mapped there read the same venues as before', async () => {
  await mapAsDemo(other, demoOperators(Temporal.Now.plainDateISO('Europe/London')));
  for (const as of ['demo-partner', 'other-partner']) {
    const { json } = await demo.call('/venues?pageSize=100&fields=id', { as });
    assert.ok(json.data.length > 1);
    for (const { id } of json.data) {
      assert.deepEqual(await readVenue(other, id, as), await readVenue(demo, id, as), id);
    }
    const rules = await Promise.all([demo, other].map((platform) => readRules(platform, as)));
    assert.deepEqual(rules[1], rules[0]);
    const faqs = await other.call(`/venues/${encodeURIComponent('1|house|soho-grill')}/site-faqs`, { as });
    assert.equal(faqs.status, 200);
  }
});

async function readVenue(platform: TestApp, id: string, as: string) {
  const { status, json } = await platform.call(`/venues/${encodeURIComponent(id)}`, { as });
  assert.equal(status, 200);
  const { created_at: _created, updated_at: _updated, ...venue } = json;
  return venue;
}

async function readRules(platform: TestApp, as: string) {
  const { status, json } = await platform.call('/booking-rules', { as });
  assert.equal(status, 200);
  const { generatedAt: _, ...rules } = json;
  return rules;
}
