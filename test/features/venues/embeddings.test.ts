import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { readConfig } from '../../../src/config.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { metricOf } from '../../support/metrics.ts';

/** What the server does with the next calls; texts are vectors of their words, and «rooftree» means ferns. */
let behaviour: 'answers' | 'hangs' | 'fails' | 'garbage' = 'answers';
const seen: { model: string; input: string[]; authorization: string | undefined }[] = [];
const hanging: ServerResponse[] = [];
const DIMENSIONS = 4096;
const MEANS: Record<string, string> = { rooftree: 'ferns' };

function vectorOf(text: string): number[] {
  const vector = new Array<number>(DIMENSIONS).fill(0);
  for (const word of text.toLowerCase().match(/[a-z]{4,}/g) ?? []) {
    let hash = 7;
    for (const letter of MEANS[word] ?? word) hash = (hash * 31 + letter.charCodeAt(0)) % 1_000_003;
    vector[hash % DIMENSIONS] = 1;
  }
  return vector;
}

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { model, input } = JSON.parse(Buffer.concat(chunks).toString());
  seen.push({ model, input, authorization: request.headers.authorization });
  if (behaviour === 'hangs') {
    hanging.push(response);
    return;
  }
  response.statusCode = behaviour === 'fails' ? 500 : 200;
  response.setHeader('content-type', 'application/json');
  const data = input.map((text: string, index: number) => ({ index, embedding: vectorOf(text) }));
  response.end(
    JSON.stringify(behaviour === 'garbage' ? { data: [{ index: 0 }] } : { data: data.toReversed() }),
  );
});

let maitred: TestApp;
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/embeddings`;
  maitred = await startTestApp({
    config: { embeddings: { url, model: 'words', key: 'secret', waitMs: 60_000 } },
  });
});
after(async () => {
  for (const response of hanging) response.destroy();
  await maitred.close();
  server.close();
  server.closeAllConnections();
});

const describe = () => maitred.services.venues.embeddings?.describeVenues(new AbortController().signal);
async function found(query: string, node = maitred): Promise<string[]> {
  const path = `/venues?sortBy=relevance&pageSize=100&fields=id&query=${encodeURIComponent(query)}`;
  const { json } = await node.call(path, { as: 'demo-partner' });
  return json.data.map(({ id }: { id: string }) => id.split('|')[2] ?? '');
}

test('every venue is described once, and again only when its text changes', async () => {
  assert.deepEqual(await found('rooftree'), []);
  await describe();
  const [{ described, venues } = { described: 0, venues: 0 }] = await maitred.sql<
    { described: number; venues: number }[]
  >`
    select (select count(*) from venue_embedding) as described, count(*) as venues from venue`;
  assert.equal(described, venues);
  assert.equal(seen.at(-1)?.model, 'words');
  assert.equal(seen.at(-1)?.authorization, 'Bearer secret');
  const before = seen.length;
  await maitred.sql`update venue set phone_number = '1' where id = '4|house|canopy'`;
  await describe();
  assert.equal(seen.length, before, 'the text is the same');
  await maitred.sql`update venue set name = 'Canopy Two' where id = '4|house|canopy'`;
  await describe();
  assert.equal(seen.length, before + 1);
  assert.equal(seen.at(-1)?.input.length, 1);
});

test('a venue without any of the words is found by its meaning, by those who see it', async () => {
  assert.equal((await found('a rooftree'))[0], 'canopy');
  assert.ok(!(await found('hidden pantry kitchen')).includes('hidden-kitchen'));
});

test('what has the words goes before what only resembles it', async () => {
  assert.equal((await found('oysters under the arches'))[0], 'saltmarsh');
});

test('listings stand on the same order', async () => {
  const { json } = await maitred.call('/v1/listings?sortBy=relevance&query=my%20rooftree', {
    as: 'demo-partner',
  });
  assert.equal(json.listings[0]?.items[0]?.name, 'Canopy Two');
});

test('while the endpoint hangs, fails or talks nonsense a search goes by words, and soon no longer asks', async () => {
  const { embeddings } = maitred.deps.config;
  assert.ok(embeddings);
  const impatient = await startTestApp({ config: { embeddings: { ...embeddings, waitMs: 50 } } });
  behaviour = 'hangs';
  assert.equal((await found('jazz in camden', impatient))[0], 'jazz-night');
  behaviour = 'fails';
  assert.ok((await found('oysters please', impatient)).includes('saltmarsh'));
  behaviour = 'garbage';
  assert.ok((await found('some oysters', impatient)).includes('saltmarsh'));
  assert.ok((await found('any oysters', impatient)).includes('saltmarsh'));
  const outcomes = impatient.services.venues.embeddings?.outcomes();
  assert.deepEqual(Object.fromEntries(outcomes ?? []), { failed: 3, resting: 1 });
  assert.equal(await metricOf(impatient, 'search_embeddings_total{outcome="failed"}'), 3);
  behaviour = 'answers';
  await impatient.close();
});

test('the settings go together', () => {
  assert.throws(() => readConfig({ EMBEDDINGS_MODEL: 'm' }), /EMBEDDINGS_URL is required/);
  assert.throws(
    () => readConfig({ EMBEDDINGS_URL: 'https://a.example/v1/embeddings' }),
    /EMBEDDINGS_MODEL is required/,
  );
  assert.deepEqual(
    readConfig({ EMBEDDINGS_URL: 'https://a.example/v1/embeddings', EMBEDDINGS_MODEL: 'm' }).embeddings,
    {
      url: 'https://a.example/v1/embeddings',
      model: 'm',
      key: undefined,
    },
  );
});
