/**
 * Search by meaning, where the platform has set an endpoint that turns texts into vectors (as OpenAI's `/v1/embeddings`
 * does). A job describes venues whose text has changed. A search asks for the vector of its text for a moment only;
 * without one it is a search by words alone. The two orders are mixed by reciprocal rank.
 */

import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleAll } from 'cockatiel';
import type { Registry } from 'prom-client';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { Config } from '../../../config.ts';
import type { Sql, Tx } from '../../../db/database.ts';
import { nodeCounter } from '../../../http/observability/metrics.ts';
import type { JobDefinition } from '../../../jobs/jobs.ts';
import { CACHE_BYTES, measureCache } from '../../../kernel/cache-budget.ts';
import { DEADLINES } from '../../../kernel/deadlines.ts';
import type { VenueId } from '../../../kernel/ids.ts';
import { withinDeadline } from '../../../kernel/request-scope.ts';
import type { Resolve } from '../../../kernel/safe-connector.ts';
import { createTransport } from '../../../tms/transport.ts';
import { listDigests, listStale, loadVectors, saveVectors } from './embedding-store.ts';
import { findFew, type Ranked, rankByText, withoutUnwanted } from './relevance-store.ts';
import type { Rank } from './search-store.ts';

export interface Embeddings {
  /** How to rank by this text: with its meaning, or by words alone while the endpoint does not answer. */
  rankFor(text: string): Promise<Rank>;
  /** Describes venues whose text has changed, until all are done or the signal says so. */
  describeVenues(signal: AbortSignal): Promise<void>;
  /** How often the meaning of a text was asked for, by what came of it. */
  outcomes(): ReadonlyMap<Outcome, number>;
}

type Outcome = 'answered' | 'known' | 'failed' | 'resting';

const BATCH = 64;
const FAILURES = 3;
const REST_MS = 30_000;
const KNOWN_TEXTS = 500;
/** Of the order by meaning, whose end means nothing. */
const MOST_SIMILAR = 50;
/** As usual for reciprocal rank fusion: the first places differ, those far down hardly do. */
const RANK_OFFSET = 60;
/** What has the words that were asked for goes before what only resembles it. */
const SHARE_OF_MEANING = 0.5;

const answer = Compile(
  Type.Object({
    data: Type.Array(
      Type.Object({ index: Type.Integer(), embedding: Type.Array(Type.Number(), { minItems: 1 }) }),
    ),
  }),
);

export interface EmbeddingsDeps {
  sql: Sql;
  config: Pick<Config, 'embeddings'>;
  resolve?: Resolve;
}

/** Undefined: no endpoint is set. */
export function createEmbeddings({ sql, config, resolve }: EmbeddingsDeps): Embeddings | undefined {
  const settings = config.embeddings;
  if (!settings) return undefined;
  const { url, key, model, waitMs = DEADLINES.searchEmbedding } = settings;
  // The platform has chosen the address itself, and a model may run beside the node.
  const transport = createTransport({ allowLoopback: true, ...(resolve && { resolve }) });
  const breaker = circuitBreaker(handleAll, {
    halfOpenAfter: REST_MS,
    breaker: new ConsecutiveBreaker(FAILURES),
  });
  const counts = new Map<Outcome, number>();
  const count = (outcome: Outcome) => counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const texts = new Map<string, Float32Array>();
  const vectors = createVectorCache();

  async function embed(input: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const response = await transport.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({ model, input, encoding_format: 'float' }),
      signal,
    });
    if (response.status !== 200) throw new Error(`The embedding endpoint answers ${response.status}.`);
    return vectorsOf(JSON.parse(response.body.toString()), input.length);
  }

  async function findVector(text: string): Promise<Float32Array | undefined> {
    const known = texts.get(text);
    if (known) {
      count('known');
      return known;
    }
    if (breaker.state === CircuitState.Open) {
      count('resting');
      return undefined;
    }
    try {
      const [vector] = await breaker.execute(() =>
        embed([text], AbortSignal.timeout(withinDeadline(waitMs))),
      );
      count('answered');
      if (vector) texts.set(text, vector);
      const [oldest] = texts.keys();
      if (texts.size > KNOWN_TEXTS && oldest !== undefined) texts.delete(oldest);
      return vector;
    } catch {
      count('failed');
      return undefined;
    }
  }

  return {
    async rankFor(text) {
      const asked = await findVector(text.trim().toLowerCase());
      if (!asked) return rankByText;
      return async (tx, question, scope) => {
        const byText = await rankByText(tx, question, scope);
        const ids = (await findFew(tx, withoutUnwanted(tx, question, scope))) ?? byText.map(({ id }) => id);
        return mixed(byText, await mostSimilar(tx, model, vectors, asked, ids));
      };
    },

    async describeVenues(signal) {
      for (;;) {
        const stale = await listStale(sql, model, BATCH);
        if (stale.length === 0 || signal.aborted) return;
        const changed = stale.filter(({ isSame }) => !isSame);
        const within = AbortSignal.any([signal, AbortSignal.timeout(DEADLINES.venueEmbeddings)]);
        const found =
          changed.length === 0
            ? []
            : await embed(
                changed.map(({ text }) => text),
                within,
              );
        const vectorOf = new Map(changed.map(({ id }, n) => [id, found[n]]));
        await saveVectors(
          sql,
          model,
          stale.map((venue) => ({ ...venue, vector: bytesOf(vectorOf.get(venue.id)) })),
        );
      }
    },

    outcomes: () => counts,
  };
}

function vectorsOf(body: unknown, expected: number): Float32Array[] {
  if (!answer.Check(body)) throw new Error('The embedding endpoint answers in another form.');
  const ordered = body.data
    .toSorted((a, b) => a.index - b.index)
    .map(({ embedding }) => normalised(embedding));
  if (ordered.length !== expected) throw new Error('The embedding endpoint answers with too few vectors.');
  return ordered;
}

function normalised(numbers: readonly number[]): Float32Array {
  const length = Math.hypot(...numbers) || 1;
  return Float32Array.from(numbers, (number) => number / length);
}

const bytesOf = (vector: Float32Array | undefined) =>
  vector ? Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength) : null;

/** Vectors by the digest of their text, so that one can never be of another text; the oldest go first. */
interface VectorCache {
  get(digest: string): Float32Array | undefined;
  keep(digest: string, vector: Float32Array): void;
}

function createVectorCache(): VectorCache {
  const kept = new Map<string, Float32Array>();
  const size = { bytes: 0 };
  measureCache('embeddings', size);
  return {
    get: (digest) => kept.get(digest),
    keep(digest, vector) {
      if (kept.has(digest)) return;
      kept.set(digest, vector);
      size.bytes += vector.byteLength;
      for (const [oldest, { byteLength }] of kept) {
        if (size.bytes <= CACHE_BYTES.embeddings) break;
        kept.delete(oldest);
        size.bytes -= byteLength;
      }
    },
  };
}

async function mostSimilar(
  tx: Tx,
  model: string,
  cache: VectorCache,
  asked: Float32Array,
  ids: readonly VenueId[],
): Promise<VenueId[]> {
  const described = await listDigests(tx, model, ids);
  const missing = described.filter(({ digest }) => !cache.get(digest));
  const loaded = new Map<string, Float32Array>();
  if (missing.length > 0)
    for (const { digest, vector } of await loadVectors(
      tx,
      missing.map(({ id }) => id),
    )) {
      const numbers = new Float32Array(new Uint8Array(vector).buffer);
      loaded.set(digest, numbers);
      cache.keep(digest, numbers);
    }
  return described
    .map(({ id, digest }) => ({ id, similarity: product(asked, loaded.get(digest) ?? cache.get(digest)) }))
    .filter(({ similarity }) => similarity > 0)
    .toSorted((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1))
    .slice(0, MOST_SIMILAR)
    .map(({ id }) => id);
}

/** Of vectors of another length, which another model has made, nothing can be said. */
function product(a: Float32Array, b: Float32Array | undefined): number {
  if (b?.length !== a.length) return 0;
  let sum = 0;
  for (let n = 0; n < a.length; n++) sum += (a[n] ?? 0) * (b[n] ?? 0);
  return sum;
}

/** Reciprocal rank fusion. */
function mixed(byText: readonly Ranked[], byMeaning: readonly VenueId[]): Ranked[] {
  const scores = new Map<VenueId, number>();
  const add = (id: VenueId, score: number) => scores.set(id, (scores.get(id) ?? 0) + score);
  byText.forEach(({ id }, n) => {
    add(id, 1 / (RANK_OFFSET + n + 1));
  });
  byMeaning.forEach((id, n) => {
    add(id, SHARE_OF_MEANING / (RANK_OFFSET + n + 1));
  });
  return [...scores]
    .map(([id, score]) => ({ id, score }))
    .toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

export function embeddingJobs(embeddings: Embeddings | undefined): JobDefinition[] {
  if (!embeddings) return [];
  return [
    {
      name: 'venues.describe',
      schedule: '* * * * *',
      handle: (signal) => embeddings.describeVenues(signal),
    },
  ];
}

export function embeddingMetrics(registry: Registry, embeddings: Embeddings | undefined): void {
  if (!embeddings) return;
  nodeCounter(registry, {
    name: 'search_embeddings_total',
    help: 'Searches of this node that asked for the meaning of their text, by outcome.',
    labelNames: ['outcome'],
    read: () => [...embeddings.outcomes()].map(([outcome, count]) => ({ outcome, count })),
  });
}
