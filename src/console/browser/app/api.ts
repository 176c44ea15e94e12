/** Calls of `/manage`. The session is a cookie, so nothing secret is held here. */
import { signal } from '@preact/signals';

/** What the service says when it refuses: shown to people as it is. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly errors: Record<string, string[]>;
  readonly body: Record<string, unknown>;

  constructor(status: number, body: Record<string, unknown>) {
    super(String(body.detail ?? body.title ?? `HTTP ${status}`));
    this.status = status;
    this.body = body;
    this.code = String(body.code ?? '');
    this.title = String(body.title ?? '');
    this.errors = (body.errors ?? {}) as Record<string, string[]>;
  }

  /** Another person has changed the thing since it was read; nothing was done. */
  get isChangedMeanwhile(): boolean {
    return this.status === 412;
  }
}

/** Counts what was changed from here, for what has to look again then. */
export const writes = signal(0);
/** False from the first call that got no answer until one is answered again. */
export const isConnected = signal(true);
/** A 401 that says nothing of the session: the present password was mistyped. */
const WRONG_PASSWORD = 'USER-N-003';
/** Counts how often the session was found to have ended. */
export const sessionEnded = signal(0);

/** An address with its values percent-encoded: path`/manage/venues/${venueId}/diary`. */
export function path(texts: TemplateStringsArray, ...values: (string | number)[]): string {
  return texts.reduce(
    (whole, text, index) => whole + encodeURIComponent(String(values[index - 1] ?? '')) + text,
  );
}

export type Query = Record<string, string | number | boolean | null | undefined>;

/** `?a=1&b=2` of what has a value. */
export function queryText(query: Query = {}): string {
  const pairs = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

export interface CallOptions {
  query?: Query;
  /** The ETag of what was read: nothing is done if it has changed since. */
  ifMatch?: string | null | undefined;
  /** Makes a repeated POST safe where the route allows it. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

export interface Tagged<T> {
  data: T;
  etag: string | null;
}

async function call<T>(
  method: string,
  address: string,
  body: unknown,
  { query, ifMatch, idempotencyKey, signal: abort }: CallOptions = {},
): Promise<Tagged<T>> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined && !(body instanceof Blob)) headers['content-type'] = 'application/json';
  if (body instanceof Blob) headers['content-type'] = body.type || 'application/octet-stream';
  if (ifMatch) headers['if-match'] = ifMatch;
  if (idempotencyKey) headers['idempotency-key'] = idempotencyKey;
  let answer: Response;
  try {
    answer = await fetch(`${address}${queryText(query)}`, {
      method,
      headers,
      credentials: 'same-origin',
      ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
      ...(abort && { signal: abort }),
    });
  } catch (error) {
    if (!abort?.aborted) isConnected.value = false;
    throw error;
  }
  isConnected.value = true;
  const text = await answer.text();
  const isJson = /json/.test(answer.headers.get('content-type') ?? '');
  const parsed = text !== '' && isJson ? JSON.parse(text) : text;
  if (!answer.ok) {
    if (answer.status === 401 && parsed?.code !== WRONG_PASSWORD) sessionEnded.value++;
    throw new ApiProblem(answer.status, isJson ? parsed : { title: answer.statusText });
  }
  if (method !== 'GET') writes.value++;
  return { data: parsed as T, etag: answer.headers.get('etag') };
}

const untagged = async <T>(answer: Promise<Tagged<T>>) => (await answer).data;

export const api = {
  get: <T>(address: string, query?: Query, options?: CallOptions) =>
    untagged(call<T>('GET', address, undefined, { ...options, ...(query && { query }) })),
  /** With its ETag, for what will be changed. */
  getTagged: <T>(address: string, query?: Query) =>
    call<T>('GET', address, undefined, query ? { query } : {}),
  post: <T>(address: string, body: unknown = {}, options?: CallOptions) =>
    untagged(call<T>('POST', address, body, options)),
  put: <T>(address: string, body: unknown, options?: CallOptions) =>
    untagged(call<T>('PUT', address, body, options)),
  patch: <T>(address: string, body: unknown, options?: CallOptions) =>
    untagged(call<T>('PATCH', address, body, options)),
  remove: (address: string, options?: CallOptions) =>
    untagged(call<void>('DELETE', address, undefined, options)),
};
