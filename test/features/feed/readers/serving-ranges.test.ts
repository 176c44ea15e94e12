import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { seenCode } from '../../../support/seen-codes.ts';
import { newToken } from '../storage/storage-conformance.ts';
import { servingApp } from './serving-support.ts';

const { ask, storage } = servingApp();

const TEXT = 'abcdefghij';

async function path(text = TEXT): Promise<string> {
  const put = `${newToken()}/2026-11-15.1.json.gz`;
  await storage.put(put, Buffer.from(text));
  return put;
}

test('a part is sent with its place in the whole', async () => {
  const shard = await path();
  const parts: Record<string, [text: string, place: string]> = {
    'bytes=0-0': ['a', 'bytes 0-0/10'],
    'bytes=2-4': ['cde', 'bytes 2-4/10'],
    'bytes=7-': ['hij', 'bytes 7-9/10'],
    'bytes=7-99': ['hij', 'bytes 7-9/10'],
    'bytes=0-': [TEXT, 'bytes 0-9/10'],
    'bytes=-3': ['hij', 'bytes 7-9/10'],
    'bytes=-99': [TEXT, 'bytes 0-9/10'],
    'Bytes=0-1': ['ab', 'bytes 0-1/10'],
  };
  for (const [range, [text, place]] of Object.entries(parts)) {
    const answer = await ask(shard, { range });
    assert.equal(answer.statusCode, 206, range);
    assert.equal(answer.body, text, range);
    assert.equal(answer.headers['content-range'], place);
    assert.equal(answer.headers['content-length'], String(text.length));
    assert.ok(answer.headers.etag);
  }
});

test('a part that begins behind the end is refused with the length, and nobody keeps that', async () => {
  const shard = await path();
  for (const range of ['bytes=10-', 'bytes=10-20', 'bytes=-0', `bytes=${'9'.repeat(400)}-`]) {
    const answer = await ask(shard, { range });
    assert.equal(answer.statusCode, 416, range);
    assert.equal(answer.headers['content-range'], 'bytes */10');
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.equal(answer.headers.etag, undefined);
    assert.equal(seenCode(answer), 'HTTP-N-416');
  }
});

test('several parts at once, and what makes no sense, get the whole', async () => {
  const shard = await path();
  for (const range of ['bytes=0-1,3-4', 'bytes=4-2', 'bytes=-', 'bytes=a-b', 'lines=1-2', 'bytes 0-1', ''])
    assert.deepEqual(
      [(await ask(shard, { range })).statusCode, (await ask(shard, { range })).body],
      [200, TEXT],
    );
});

test('a part is only sent of the very state that is asked for', async () => {
  const shard = await path();
  const { etag, 'last-modified': date = '' } = (await ask(shard)).headers;
  const states: [string, number][] = [
    [String(etag), 206],
    [date, 206],
    [`W/${etag}`, 200],
    ['"another"', 200],
    [new Date(Date.parse(date) - 1000).toUTCString(), 200],
    [new Date(Date.parse(date) + 1000).toUTCString(), 200],
    ['some day', 200],
  ];
  for (const [state, status] of states) {
    const answer = await ask(shard, { range: 'bytes=0-1', 'if-range': state });
    assert.equal(answer.statusCode, status, state);
    assert.equal(answer.body, status === 206 ? 'ab' : TEXT);
  }
  const beyond = await ask(shard, { range: 'bytes=10-', 'if-range': '"another"' });
  assert.equal(beyond.statusCode, 200);
});

test('a file that is fetched in any parts is the file', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ minLength: 1, maxLength: 40 }),
      fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 40, maxLength: 40 }),
      async (text, lengths) => {
        const shard = await path(text);
        const size = Buffer.byteLength(text);
        const parts: Buffer[] = [];
        for (let start = 0; start < size; ) {
          const end = start + (lengths[parts.length] ?? 1) - 1;
          const answer = await ask(shard, { range: `bytes=${start}-${end}` });
          assert.equal(answer.statusCode, 206);
          parts.push(answer.rawPayload);
          start += answer.rawPayload.length;
        }
        assert.equal(String(Buffer.concat(parts)), text);
      },
    ),
    { numRuns: 25 },
  );
});
