import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEADLINES } from '../../src/kernel/deadlines.ts';

type Name = keyof typeof DEADLINES;

/** Each ends before the next: what is inside gives up first, and can say why. */
const ORDERS: Name[][] = [
  ['lock', 'statement', 'request', 'order', 'transfer'],
  ['batchLock', 'lock'],
  ['partitionLock', 'lock'],
  ['migrationLock', 'lock', 'migrationLocks'],
  ['standbyReplay', 'answer'],
  ['brokenConnection', 'statement'],
  ['toolLock', 'feedStatement'],
  ['remoteRead', 'remoteCall', 'request'],
  ['remoteWrite', 'request'],
  ['payment', 'request'],
  ['searchEmbedding', 'request'],
  ['redisAnswer', 'redisConnect', 'request'],
  ['dns', 'dial'],
  ['dialAddress', 'dial'],
  ['remoteToken', 'remoteCall'],
  ['webhook', 'webhookTest'],
  ['sameReservation', 'request'],
  ['sameBooking', 'sameOrder', 'order'],
  ['healthCheck', 'request'],
  ['answer', 'request'],
  ['databaseAnswer', 'statement'],
  ['statement', 'idleTransaction', 'closingVenue'],
  ['jobStatement', 'job'],
  ['mailSilence', 'jobEnd', 'job'],
  ['remoteCall', 'jobEnd'],
  ['payment', 'jobEnd'],
  ['venueEmbeddings', 'job'],
  ['cataloguePage', 'job'],
  ['bucketConnect', 'bucketAnswer'],
  ['mailConnect', 'mailSilence'],
  ['request', 'stopRequests', 'stop'],
  ['order', 'stop'],
  ['stopJobs', 'stop'],
  ['embeddedStop', 'dataDirectory', 'embeddedStart'],
];

for (const names of ORDERS)
  test(`${names.join(' < ')}`, () => {
    for (const [index, name] of names.slice(1).entries()) {
      const inner = names[index] as Name;
      assert.ok(DEADLINES[inner] < DEADLINES[name], `${inner} ends before ${name}`);
    }
  });

test('what is done one after the other fits into what contains it', () => {
  const { answer, request, statement, remoteWrite, stop } = DEADLINES;
  assert.ok(statement + answer < request, 'a statement that is ended leaves time for the answer');
  assert.ok(remoteWrite + answer < request, 'so does a call to a system');
  const parts = Object.entries(DEADLINES).filter(([name]) => /^stop[A-Z]/.test(name));
  const partsMs = parts.reduce((sum, [, ms]) => sum + ms, 0);
  assert.ok(partsMs < stop, `${parts.map(([name]) => name).join(' + ')} = ${partsMs} ms`);
});

test('the guide lists every deadline as it is', () => {
  const guide = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'operating.md'), 'utf8');
  const [, section = ''] = guide.split('\n## Deadlines\n');
  const [table = ''] = section.split('\n## ');
  const listed = [...table.matchAll(/^\| `(\w+)` +\| +([^|]+?) +\|/gm)].map(([, name, ms]) => [name, ms]);
  assert.deepEqual(
    listed,
    Object.entries(DEADLINES).map(([name, ms]) => [name, inWords(ms)]),
  );
});

function inWords(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  return ms < 300_000 ? `${ms / 1000} s` : `${ms / 60_000} min`;
}
