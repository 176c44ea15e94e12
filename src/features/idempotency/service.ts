/**
 * A request with an `Idempotency-Key` is carried out once and answered alike every time, on whichever node it comes
 * again and whatever happens in between: the answer is kept in the transaction that does the work.
 */

import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql, Tx } from '../../db/database.ts';
import type { JobDefinition } from '../../jobs/jobs.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type Keyring, open, seal } from '../../kernel/crypto.ts';
import { DEADLINES } from '../../kernel/deadlines.ts';
import { invalid, Problem, type ProblemCode, type ProblemOptions, problem } from '../../kernel/problem.ts';
import { currentScope, outsideRequest, withinDeadline } from '../../kernel/request-scope.ts';
import type { SealedTable } from '../../kernel/sealed-table.ts';
import type { KeptAnswer } from './store.ts';
import * as store from './store.ts';

export interface KeyedRequest {
  clientId: string;
  /** Undefined: the caller takes its chances, and the work is simply done. */
  key: string | undefined;
  /** Everything that distinguishes this request from another. */
  content: unknown;
}

/** Must be called in the transaction that commits the work, with what will be answered. */
export interface Keep<Value> {
  (tx: Tx, value: Value): Promise<void>;
  /** The answer that `saveAnswers` saves in a batch with others; null: none. Absent: the function itself must be called. */
  answerOf?(value: Value): KeptAnswer | null;
}

const NOTHING_KEPT = Object.assign(async () => {}, { answerOf: () => null });

export interface Idempotency {
  once<Value>(request: KeyedRequest, work: (keep: Keep<Value>) => Promise<Value>): Promise<Value>;
  /** Keys that may be used again are removed. */
  forgetOld(): Promise<void>;
}

export interface IdempotencyDeps {
  sql: Sql;
  clock: Clock;
  encryptionKeys: Keyring;
  /** How long a request that no longer renews it keeps others waiting. */
  leaseSeconds?: number;
}

export const KEPT_HOURS = 24;
const POLL_MS = 40;

type Answer = { value: unknown } | { problem: { code: ProblemCode; options: ProblemOptions } };

const contextOf = (clientId: string, key: string) => `idempotency:${clientId}:${key}`;

export const SEALED_KEPT_ANSWERS: SealedTable = {
  table: 'idempotency_key',
  columns: ['answer'],
  key: ['client_id', 'key'],
  contextOf,
};

export function createIdempotency(deps: IdempotencyDeps): Idempotency {
  const { sql, clock, encryptionKeys, leaseSeconds = 15 } = deps;

  const leaseEnd = () => clock().add({ seconds: leaseSeconds });

  /** Waits for the answer given before; undefined when there is none and no request is working on one. */
  async function awaitAnswer(
    clientId: string,
    key: string,
    { fingerprint, endsAt }: { fingerprint: Buffer; endsAt: number },
  ): Promise<Answer | undefined> {
    while (performance.now() < endsAt) {
      const kept = await store.findKept(sql, clientId, key);
      if (kept && !fingerprint.equals(kept.fingerprint)) throw otherRequest();
      if (kept?.answer)
        return JSON.parse(open(encryptionKeys, kept.answer, contextOf(clientId, key)).toString());
      if (!kept || Temporal.Instant.compare(kept.leasedUntil, clock()) < 0) return undefined;
      await sleep(POLL_MS);
    }
    return undefined;
  }

  const release = (held: store.Held) => outsideRequest(() => store.release(sql, held));

  /**
   * The database is back, or has a successor, before long: the caller that repeats its request need not wait for the
   * end of the lease, which frees the key in any case.
   */
  async function releaseLater(held: store.Held): Promise<void> {
    for (let second = 1; second < leaseSeconds; second += 1) {
      await sleep(1000, undefined, { ref: false });
      const isReleased = await release(held).then(
        () => true,
        () => false,
      );
      if (isReleased) return;
    }
  }

  function claimFor(clientId: string, key: string, fingerprint: Buffer, lease: string): Promise<boolean> {
    const now = clock();
    const leasedUntil = leaseEnd();
    const forgottenBefore = now.subtract({ hours: KEPT_HOURS });
    const claim = { clientId, key, fingerprint, lease, now, leasedUntil, forgottenBefore };
    // Outside the request's scope, so that it does not count as a write: a request that only holds its key has
    // changed nothing, and may be cut off.
    return outsideRequest(() => store.claim(sql, claim));
  }

  async function perform<Value>(
    held: store.Held,
    work: (keep: Keep<Value>) => Promise<Value>,
  ): Promise<Value> {
    const context = contextOf(held.clientId, held.key);
    const sealed = (answer: Answer) => seal(encryptionKeys, JSON.stringify(answer), context);
    const keptAnswer = (answer: Answer) => ({ ...held, answer: sealed(answer) });
    const keep = (tx: Tx, answer: Answer) => saveAnswers(tx, [keptAnswer(answer)]);
    const renew = () => outsideRequest(() => store.renew(sql, held, leaseEnd())).catch(() => {});
    const renewing = setInterval(renew, (leaseSeconds * 1000) / 3).unref();
    try {
      const keepValue: Keep<Value> = Object.assign((tx: Tx, value: Value) => keep(tx, { value }), {
        answerOf: (value: Value) => keptAnswer({ value }),
      });
      return await work(keepValue);
    } catch (error) {
      if (!isFinal(error)) await release(held).catch(() => void releaseLater(held));
      else await keep(sql, { problem: { code: error.code, options: withoutCause(error.options) } });
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }

  return {
    async once({ clientId, key, content }, work) {
      if (key === undefined) return work(NOTHING_KEPT);
      const fingerprint = fingerprintOf(content);
      const lease = randomUUID();
      const endsAt = performance.now() + withinDeadline(DEADLINES.sameIdempotencyKey);
      do {
        if (await claimFor(clientId, key, fingerprint, lease)) return perform({ clientId, key, lease }, work);
        const answer = await awaitAnswer(clientId, key, { fingerprint, endsAt });
        if (answer) return repeat(answer);
      } while (performance.now() < endsAt);
      throw problem('HTTP-R-503', {
        detail: 'The first request with this Idempotency-Key is still at work.',
        retryAfterSeconds: 5,
      });
    },

    async forgetOld() {
      await store.forgetBefore(sql, clock().subtract({ hours: KEPT_HOURS }));
    },
  };
}

/** Whether the same request would be refused again, so that its key may keep the refusal. */
function isFinal(error: unknown): error is Problem {
  // A refusal that the caller asked for is over with its request.
  if (!(error instanceof Problem) || currentScope()?.faults?.met.size) return false;
  // What asks for a confirmation has decided nothing: the same key may come with the confirmation.
  return error.status < 500 && error.code !== 'MANDT-N-002';
}

function repeat<Value>(answer: Answer): Value {
  if ('problem' in answer) throw problem(answer.problem.code, answer.problem.options);
  return answer.value as Value;
}

const otherRequest = () => invalid('Idempotency-Key', 'was used before for another request');

const withoutCause = ({ cause: _, ...options }: ProblemOptions): ProblemOptions => options;

/** Equal for requests that say the same, in whatever order their members come; null counts as left out. */
export function fingerprintOf(content: unknown): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(ordered(content)))
    .digest();
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const said = Object.entries(value).filter(([, member]) => member !== null);
  const members = said.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, ordered(member)]));
}

export function idempotencyJobs(idempotency: Idempotency): JobDefinition[] {
  return [
    { name: 'idempotency.forget-old-keys', schedule: '27 * * * *', handle: () => idempotency.forgetOld() },
  ];
}

/** A request whose key was taken over by another one must not be carried out as well. */
export async function saveAnswers(tx: Tx, answers: readonly KeptAnswer[]): Promise<void> {
  if (answers.length > 0 && !(await store.saveAnswers(tx, answers)))
    throw problem('HTTP-R-503', { retryAfterSeconds: 1 });
}
