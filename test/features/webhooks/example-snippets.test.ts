/** The code that docs/webhooks.md shows, on what a node really posts. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { blocksOf } from '../../docs/blocks.ts';
import { eventually } from '../../support/eventually.ts';
import type { ReceivedPost } from '../../support/peers/receiver.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { deliveringApp, happen, rotate, type Subscribed, subscribe } from './delivering.ts';

const { maitred, time, receiver } = deliveringApp({ delivers: true });

function snippet(language: string): string {
  const found = blocksOf('docs/webhooks.md').find(
    (block) => block.language === language && /good_?signature/i.test(block.text),
  );
  assert.ok(found, `the page has no code in ${language}`);
  return found.text;
}

interface Case {
  what: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  secretKey: string;
  hasGoodSignature: boolean;
  hasGoodApiKey: boolean;
}

async function nextPost({ posts }: Subscribed): Promise<ReceivedPost> {
  const before = posts().length;
  await happen(maitred(), time.clock, 'Ça va? 🌞');
  await eventually(() => posts().length > before);
  return posts()[before] as ReceivedPost;
}

/** What was posted before and after a change of secrets, and what a forger could make of it. */
async function cases(): Promise<Case[]> {
  const subscription = await subscribe(maitred(), receiver());
  const { secretKey } = subscription;
  const post = await nextPost(subscription);
  const newKey = await rotate(maitred(), subscription);
  const later = await nextPost(subscription);
  const { headers, body } = post;
  const genuine = { headers, body, secretKey, hasGoodSignature: true, hasGoodApiKey: true };
  const without = (name: string) =>
    Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
  const forged = { ...genuine, hasGoodSignature: false };
  const otherwise = { ...forged, hasGoodApiKey: false };
  const longAgo = String(Number(headers['webhook-timestamp']) - 301);
  return [
    { ...genuine, what: 'genuine' },
    {
      ...genuine,
      headers: later.headers,
      body: later.body,
      what: 'the old secret',
      hasGoodApiKey: false,
    },
    {
      ...genuine,
      headers: later.headers,
      body: later.body,
      what: 'the new secret',
      secretKey: newKey,
    },
    { ...otherwise, what: 'another secret', secretKey: newKey },
    { ...otherwise, what: 'another body', body: Buffer.concat([body, Buffer.from(' ')]) },
    { ...otherwise, what: 'no headers', headers: {} },
    { ...forged, what: 'another time', headers: { ...headers, 'webhook-timestamp': longAgo } },
    { ...forged, what: 'no time', headers: without('webhook-timestamp') },
    { ...forged, what: 'a time that is none', headers: { ...headers, 'webhook-timestamp': 'NaN' } },
    { ...forged, what: 'another id', headers: { ...headers, 'webhook-id': 'another' } },
    { ...forged, what: 'no signature', headers: without('webhook-signature') },
    {
      ...forged,
      what: 'a signature of another length',
      headers: { ...headers, 'webhook-signature': 'v1,é' },
    },
    {
      ...genuine,
      what: 'another key in X-API-Key',
      headers: { ...headers, 'x-api-key': '0'.repeat(64) },
      hasGoodApiKey: false,
    },
  ];
}

/** A signature that is right and of long ago: recorded, and posted again. */
async function recorded(): Promise<Case> {
  const subscription = await subscribe(maitred(), receiver());
  time.move({ minutes: -6 });
  const { headers, body } = await nextPost(subscription);
  time.move({ minutes: 6 });
  const { secretKey } = subscription;
  return { what: 'recorded', headers, body, secretKey, hasGoodSignature: false, hasGoodApiKey: true };
}

const expected = (all: readonly Case[]) =>
  all.map(({ what, hasGoodSignature, hasGoodApiKey }) => ({ what, hasGoodSignature, hasGoodApiKey }));

async function everyCase(): Promise<Case[]> {
  return [...(await cases()), await recorded()];
}

function written(t: TestContext, name: string, code: string): string {
  const file = join(scratchFolder(t), name);
  writeFileSync(file, code);
  return file;
}

test('the TypeScript of the page accepts what is genuine and nothing else', async (t) => {
  const verify = await import(written(t, 'verify.ts', snippet('ts')));
  const all = await everyCase();
  const found = all.map(({ what, headers, body, secretKey }) => ({
    what,
    hasGoodSignature: verify.hasGoodSignature(headers, body, secretKey),
    hasGoodApiKey: verify.hasGoodApiKey(headers, body, secretKey),
  }));
  assert.deepEqual(found, expected(all));
});

const HARNESS = `
import json, sys
print(json.dumps([
    {
        "what": case["what"],
        "hasGoodSignature": has_good_signature(case["headers"], base64.b64decode(case["body"]), case["secretKey"]),
        "hasGoodApiKey": has_good_api_key(case["headers"], base64.b64decode(case["body"]), case["secretKey"]),
    }
    for case in json.load(sys.stdin)
]))`;

test('the Python of the page accepts the same', async (t) => {
  if (spawnSync('python3', ['--version']).status !== 0) return t.skip('There is no python3 on this machine.');
  const all = await everyCase();
  const input = JSON.stringify(all.map((one) => ({ ...one, body: one.body.toString('base64') })));
  const file = written(t, 'verify.py', snippet('python') + HARNESS);
  const { status, stdout, stderr } = spawnSync('python3', [file], { input, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), expected(all));
});
