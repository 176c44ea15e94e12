import {
  ConnectionError,
  isProblem,
  MaitredError,
  ProblemError,
  TimeoutError,
  withOutcome,
} from './errors.ts';
import { Limit } from './limit.ts';
import {
  type Failure,
  isPassing,
  mayComeAgain,
  problemIn,
  retryAfterSecondsOf,
  TOKEN_PATH,
  waitBeforeNext,
} from './retries.ts';
import { type TokenSource, Tokens } from './tokens.ts';
import type { ProblemCode } from './types.ts';

export interface MaitredOptions {
  /** Where the service is, as in `https://api.example.com`. */
  baseUrl: string;
  /** With `clientSecret`, to fetch tokens with. Never in a browser: give that a `token` of your own server's. */
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  /** In place of id and secret: a token, or a function that returns one that is valid now. */
  token?: TokenSource;
  /** Of agents: the partner that they act for. */
  partnerReference?: string | undefined;
  /** To ask for less than the client may do. */
  scopes?: readonly string[];
  /** The name of the service in token requests. */
  audience?: string;
  /** For a whole call with all its attempts; 30 seconds unless given, a minute for orders. */
  timeoutMs?: number;
  /** For one attempt; 12 seconds unless given, 35 for orders, which is a little more than the service itself allows. */
  attemptTimeoutMs?: number;
  /** How often a call is sent at most; 4 unless given, 1 for never again. */
  maxAttempts?: number;
  /** In place of the global `fetch`. */
  fetch?: typeof fetch;
  /** Called before a call is sent again. */
  onRetry?: (retry: Retry) => void;
}

export interface Retry {
  method: string;
  path: string;
  /** The attempt that has failed, from 1. */
  attempt: number;
  waitMs: number;
  error: MaitredError;
}

export interface CallOptions {
  /** Ends the call; it then rejects with the reason of the signal. */
  signal?: AbortSignal;
  /** For this call with all its attempts. */
  timeoutMs?: number;
  /** For each attempt at this call. */
  attemptTimeoutMs?: number;
  headers?: Record<string, string>;
  /** Shown in the logs of the service; a random one unless given. */
  correlationId?: string;
}

export interface WriteOptions extends CallOptions {
  /**
   * What is sent twice under one key is done once. Unless given each call has a random one, kept over its attempts. Give
   * your own, such as the id of a basket, where a call may be made again by a process that has lost the first.
   */
  idempotencyKey?: string;
}

/** Lists are joined by commas; what is undefined or null is left out. */
export type Query = Record<string, string | number | boolean | readonly string[] | null | undefined>;

export interface RequestOptions extends WriteOptions {
  query?: Query | undefined;
  body?: unknown;
  /** `text/toon` for the compact form that language models read; the body is then a string. */
  accept?: 'application/json' | 'text/toon';
}

export interface RawAnswer<Body = unknown> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface Call extends RequestOptions {
  method: string;
  path: string;
  /** Doing it twice is the same as doing it once, so that it may be sent again when it is not known what happened. */
  isRepeatable: boolean;
  /** The code that a second attempt gets where the first, whose answer was lost, has done it. */
  doneBefore?: ProblemCode;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_ATTEMPT_TIMEOUT_MS = 12_000;
const DEFAULT_ATTEMPTS = 4;

/** Makes the parts of a path safe: ids have `|` in them, and might have anything. */
export function path(strings: TemplateStringsArray, ...ids: string[]): string {
  return String.raw({ raw: strings }, ...ids.map(segment));
}

/** `.` and `..` would be taken for steps in the path. */
function segment(id: string): string {
  if (typeof id !== 'string' || id === '' || id === '.' || id === '..')
    throw new TypeError('The id is missing');
  return encodeURIComponent(id);
}

function withQuery(address: string, query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) parameters.set(name, String(value));
  }
  // `size` is not in every browser yet.
  const text = String(parameters);
  return text === '' ? address : `${address}?${text}`;
}

/** The key of a call, also where it was given as a header. */
export function keyOf({ idempotencyKey, headers }: WriteOptions): string | undefined {
  return idempotencyKey ?? new Headers(headers).get('idempotency-key') ?? undefined;
}

/** Sends calls: with a token, within their deadline, again where that is safe. */
export class Transport {
  readonly #options: MaitredOptions;
  readonly #baseUrl: string;
  readonly #fetch: typeof fetch;
  readonly #tokens: Tokens;

  constructor(options: MaitredOptions) {
    this.#options = options;
    this.#baseUrl = new URL(options.baseUrl).href.replace(/\/+$/, '');
    // The `fetch` of browsers may not be called as a method of something else.
    this.#fetch = (...args) => (options.fetch ?? globalThis.fetch)(...args);
    this.#tokens = new Tokens(options, (body) => this.#requestToken(body));
  }

  /** What is asked for, or an error. */
  async body<Body>(call: Call): Promise<Body> {
    return (await this.send(call)).body as Body;
  }

  async send(call: Call): Promise<RawAnswer> {
    const limit = this.#limitOf(call);
    let refused: string | undefined;
    return this.#untilAnswered(call, limit, async () => {
      const token = await this.#token(limit, refused);
      if (typeof token !== 'string') return token;
      const failure = await this.#attempt(call, limit, token);
      // A token may have been withdrawn, or the clock here be wrong. A new one is tried once.
      if (!isFailure(failure) || failure.error instanceof ConnectionError) return failure;
      if (failure.status !== 401 || refused !== undefined) return failure;
      refused = token;
      const renewed = await this.#token(limit, refused);
      if (typeof renewed !== 'string') return renewed;
      return renewed === token ? failure : this.#attempt(call, limit, renewed);
    });
  }

  /** A token, or why there is none. That was retried already, and of the attempt that needs it nothing was sent. */
  async #token(limit: Limit, refused: string | undefined): Promise<string | Failure> {
    try {
      return await limit.wait(this.#tokens.get(refused));
    } catch (error) {
      if (!(error instanceof MaitredError)) throw error;
      return { error: withOutcome(error, true), isFinal: true };
    }
  }

  async #untilAnswered(
    call: Call,
    limit: Limit,
    attempt: () => Promise<RawAnswer | Failure>,
  ): Promise<RawAnswer> {
    const attempts = this.#options.maxAttempts ?? DEFAULT_ATTEMPTS;
    let mayBeDone = false;
    for (let number = 1; ; number += 1) {
      const outcome = await attempt();
      if (!isFailure(outcome)) return outcome;
      const { error } = outcome;
      if (mayBeDone && call.doneBefore && isProblem(error, call.doneBefore))
        return { status: 204, headers: new Headers(), body: undefined };
      const waitMs = waitBeforeNext(outcome, number);
      const isLast = number >= attempts || !mayComeAgain(outcome, call.isRepeatable);
      // Waiting for what comes too late would only delay the bad news.
      if (isLast || waitMs >= limit.leftMs()) throw mayBeDone ? withDoubt(outcome, call) : error;
      mayBeDone ||= !error.isOutcomeKnown;
      this.#options.onRetry?.({ method: call.method, path: call.path, attempt: number, waitMs, error });
      await limit.sleep(waitMs);
    }
  }

  #limitOf(call: Call): Limit {
    const timeoutMs = call.timeoutMs ?? this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const correlationId = call.correlationId ?? crypto.randomUUID();
    call.correlationId = correlationId;
    return new Limit(timeoutMs, call.signal, () => {
      return new TimeoutError(`${call.method} ${call.path}: no answer within ${timeoutMs} ms`, {
        correlationId,
      });
    });
  }

  async #attempt(call: Call, limit: Limit, token: string | undefined): Promise<RawAnswer | Failure> {
    const { correlationId, method } = call;
    const what = `${method} ${call.path}`;
    const attemptMs = call.attemptTimeoutMs ?? this.#options.attemptTimeoutMs ?? DEFAULT_ATTEMPT_TIMEOUT_MS;
    const aborting = limit.startAttempt(attemptMs);
    try {
      const response = await this.#fetch(this.#baseUrl + withQuery(call.path, call.query), {
        method,
        headers: this.#headersOf(call, token),
        // Followed, a redirect could turn a POST into a GET, and take the token elsewhere.
        redirect: 'manual',
        signal: aborting.signal,
        ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      });
      return readAnswer(what, response, await response.text(), call);
    } catch (cause) {
      limit.throwIfOver();
      const isUnsent = !aborting.signal.aborted && neverConnected(cause);
      const message = aborting.signal.aborted
        ? `${what}: no answer within ${attemptMs} ms`
        : `${what}: ${reasonOf(cause)}${isUnsent ? `; is ${this.#baseUrl} the address of the service?` : ''}`;
      const error = aborting.signal.aborted
        ? new TimeoutError(message, { correlationId })
        : new ConnectionError(message, { correlationId, cause, isOutcomeKnown: isUnsent });
      return { error };
    } finally {
      aborting.end();
    }
  }

  #headersOf(call: Call, token: string | undefined): Headers {
    const { partnerReference } = this.#options;
    const headers = new Headers({
      accept: call.accept ?? 'application/json',
      'x-correlation-id': call.correlationId ?? '',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(partnerReference !== undefined && { 'x-partner-reference': partnerReference }),
      ...(call.body !== undefined && { 'content-type': 'application/json' }),
    });
    // Set one by one, because two spellings of a name would be joined into one value.
    for (const [name, value] of Object.entries(call.headers ?? {})) headers.set(name, value);
    if (call.idempotencyKey !== undefined) headers.set('idempotency-key', call.idempotencyKey);
    return headers;
  }

  /** Apart from the call that needs the token: others may be waiting for it too. */
  async #requestToken(body: object): Promise<unknown> {
    const call: Call = { method: 'POST', path: TOKEN_PATH, body, isRepeatable: true };
    const limit = this.#limitOf(call);
    const answer = await this.#untilAnswered(call, limit, () => this.#attempt(call, limit, undefined));
    return answer.body;
  }
}

function isFailure(outcome: RawAnswer | Failure): outcome is Failure {
  return 'error' in outcome;
}

function readAnswer(what: string, response: Response, text: string, call: Call): RawAnswer | Failure {
  const { status, headers } = response;
  const correlationId = headers.get('x-correlation-id') ?? call.correlationId;
  const type = headers.get('content-type')?.split(';')[0] ?? 'no type';
  const odd = (message: string): Failure => ({
    error: new ConnectionError(`${what}: ${message}`, { correlationId, status }),
    status,
    retryAfterSeconds: retryAfterSecondsOf(headers),
  });
  // Browsers hide the status of a redirect that is not followed.
  if (response.type === 'opaqueredirect' || [301, 302, 303, 307, 308].includes(status))
    return odd(`answered with a redirect to ${headers.get('location') ?? 'elsewhere'}; check baseUrl`);
  if (status === 204 || status === 304 || (response.ok && call.method === 'HEAD'))
    return { status, headers, body: undefined };
  // Without the status, because it says nothing: what was asked for may be there the next time.
  if (status < 300 && text === '') return { error: odd(`answered ${status} with nothing`).error };
  const body = type.endsWith('json') ? parsed(text) : undefined;
  if (status < 300) {
    if (body !== undefined) return { status, headers, body };
    if (type === call.accept) return { status, headers, body: text };
    return odd(`answered ${status} with ${type}, which the service does not send; check baseUrl`);
  }
  const problem = problemIn(body, status, call.path);
  if (!problem) return odd(`answered ${status} with ${type}, which is not from the service itself`);
  const retryAfterSeconds = retryAfterSecondsOf(headers);
  return {
    error: new ProblemError(problem, {
      ...{ correlationId, retryAfterSeconds },
      isOutcomeKnown: status !== 500 && problem.isOutcomeKnown !== false,
    }),
    ...{ status, retryAfterSeconds },
  };
}

/**
 * The error of a call of which an earlier attempt may have been carried out. Under an `Idempotency-Key` that attempt would
 * have been answered again; only a refusal that comes before the key is looked at leaves the doubt.
 */
function withDoubt(failure: Failure, { idempotencyKey }: Call): MaitredError {
  const { error, status } = failure;
  const isSettled = idempotencyKey !== undefined && status !== 401 && !isPassing(failure);
  return isSettled ? error : withOutcome(error, false);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `fetch` says only that it failed; the reason is in the cause. */
function reasonOf(cause: unknown): string {
  const inner = (cause as { cause?: { code?: unknown; message?: unknown } } | undefined)?.cause;
  return String(inner?.code ?? inner?.message ?? (cause as Error | undefined)?.message ?? 'no connection');
}

/** These come before anything was sent. Elsewhere than in Node and Bun the reason is hidden, and nothing is known. */
function neverConnected(cause: unknown): boolean {
  const { code, cause: inner } = (cause ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'ConnectionRefused'].includes(
    String(inner?.code ?? code),
  );
}
