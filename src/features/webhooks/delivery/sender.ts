/** Posts to receivers, and keeps of the answer whether it was accepted and how it begins. */

import { Agent, type Dispatcher } from 'undici';
import {
  createSafeConnector,
  failureReason,
  type SafeConnectorOptions,
} from '../../../kernel/safe-connector.ts';
import { readCallbackUrl } from '../subscriptions/callback-url.ts';
import type { Post, PostError, PostOutcome, Sender } from './attempt.ts';

/** The number of concurrent posts of a dispatcher: subscriptions at one origin must not wait for each other. */
const MAX_CONNECTIONS_PER_ORIGIN = 256;
/** Read to its end, the connection can be used again. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** What is kept of an answer, and how long after its head that may take. */
const KEPT_CHARACTERS = 2000;
const KEPT_BYTES = 4 * KEPT_CHARACTERS;
const KEPT_WITHIN_MS = 250;
/** Unless the receiver says how long it keeps a connection: shorter than most of them do. */
const IDLE_MS = 4_000;
const MAX_IDLE_MS = 30_000;

/** Receivers are posted to again and again, and what their addresses say does not change. */
const MAX_KNOWN_TARGETS = 1000;

interface Target {
  origin: string;
  path: string;
}

export interface SenderOptions extends SafeConnectorOptions {
  maxConnectionsPerOrigin?: number;
}

export function createSender(options: SenderOptions): Sender {
  const { allowLoopback, maxConnectionsPerOrigin = MAX_CONNECTIONS_PER_ORIGIN } = options;
  const safeConnector = createSafeConnector(options);
  const agent = new Agent({
    connect: safeConnector.connect,
    connections: maxConnectionsPerOrigin,
    allowH2: false,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: MAX_IDLE_MS,
    // A post has one limit, on the whole of it.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const targets = new Map<string, Target | undefined>();

  function findTarget(url: string): Target | undefined {
    if (targets.has(url)) return targets.get(url);
    const target = readTarget(url, allowLoopback);
    if (targets.size === MAX_KNOWN_TARGETS) targets.clear();
    targets.set(url, target);
    return target;
  }

  return {
    async post(post) {
      const target = findTarget(post.url);
      if (target) return exchange(agent, target, post);
      return { isDelivered: false, statusCode: null, error: 'refused', durationMs: 0, answer: '' };
    },
    async close() {
      safeConnector.close();
      await agent.destroy();
    },
  };
}

/**
 * Undefined for addresses that are never allowed. The safe connector checks the resolved address for every
 * connection.
 */
function readTarget(url: string, allowLoopback: boolean): Target | undefined {
  if (!readCallbackUrl(url, { allowLoopback })) return undefined;
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search };
}

/**
 * Decided by the head of the answer, whatever becomes of the rest. Settled when the beginning of the body is there, or
 * soon after the head; the rest may still be coming then, within the same limits.
 */
function exchange(agent: Agent, target: Target, { headers, body, timeoutMs }: Post): Promise<PostOutcome> {
  const { promise, resolve } = Promise.withResolvers<PostOutcome>();
  const startedAt = performance.now();
  let decided: Omit<PostOutcome, 'answer'> | undefined;
  const kept = keepBeginning();
  const decide = (statusCode: number | null, error: PostError | null) => {
    const durationMs = Math.round(performance.now() - startedAt);
    decided ??= { isDelivered: error === null, statusCode, error, durationMs };
  };
  const settle = () => {
    clearTimeout(answerTimer);
    if (decided) resolve({ ...decided, answer: kept.text() });
  };

  let request: Dispatcher.DispatchController | undefined;
  let isOutOfTime = false;
  let answerTimer: NodeJS.Timeout | undefined;
  const timer = setTimeout(() => {
    isOutOfTime = true;
    decide(null, 'timeout');
    settle();
    request?.abort(new Error('The time is up.'));
  }, timeoutMs);

  agent.dispatch(
    { ...target, method: 'POST', headers, body },
    {
      onRequestStart(controller) {
        request = controller;
        // It may have waited for a connection all the while.
        if (isOutOfTime) controller.abort(new Error('The time is up.'));
      },
      onResponseStart(_controller, statusCode) {
        if (statusCode < 200) return;
        decide(statusCode, statusCode < 300 ? null : 'status');
        answerTimer = setTimeout(settle, KEPT_WITHIN_MS);
      },
      onResponseData(controller, chunk) {
        kept.add(chunk);
        if (kept.bytes() >= KEPT_BYTES) settle();
        if (kept.bytes() > MAX_ANSWER_BYTES) controller.abort(new Error('The answer is too long.'));
      },
      onResponseEnd() {
        clearTimeout(timer);
        settle();
      },
      onResponseError(_controller, error) {
        clearTimeout(timer);
        decide(null, failureReason(error));
        settle();
      },
    },
  );
  return promise;
}

/** Counts all bytes and keeps the first. */
function keepBeginning() {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    bytes: () => bytes,
    add(chunk: Buffer): void {
      if (bytes < KEPT_BYTES) chunks.push(Buffer.from(chunk.subarray(0, KEPT_BYTES - bytes)));
      bytes += chunk.length;
    },
    text: () => (chunks.length === 0 ? '' : Buffer.concat(chunks).toString().slice(0, KEPT_CHARACTERS)),
  };
}
