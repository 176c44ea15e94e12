/** Calls to the server of a maker, with what is wrong about any answer, whatever it is about. */
import { randomUUID } from 'node:crypto';
import { Fault } from '../answers.ts';
import { REASONS, reasonNamed } from '../schema.ts';

export interface CheckOptions {
  url: string;
  token?: string;
  /** Answers that take longer are slow. */
  slowMs?: number;
  /** Told what is being tried. */
  progress?: (line: string) => void;
}

export interface Received {
  status: number;
  contentType: string;
  /** Undefined: it was not JSON. */
  body: unknown;
  reason: string | undefined;
}

export interface Sending {
  body?: unknown;
  headers?: Record<string, string>;
  isAnonymous?: boolean;
  /** How the call is called in sentences; absent: method and path. */
  name?: string;
}

/** Nothing more can be tried. */
export class Hopeless extends Error {}

/** The gateway gives up look-ups after this time. */
const SLOW_MS = 2000;
const PATIENCE_MS = 30_000;
const WITHOUT_REASON = [401, 403, 429];

export type Session = ReturnType<typeof startSession>;

export function startSession({ url, token, slowMs = SLOW_MS, progress = () => {} }: CheckOptions) {
  const base = url.replace(/\/+$/, '');
  const findings = new Set<string>();
  const made = { bookings: new Set<string>(), holds: new Set<string>() };
  const find = (sentence: string) => void findings.add(sentence);

  async function send(method: string, path: string, sending: Sending = {}): Promise<Received> {
    const { body, headers, isAnonymous = false, name = `${method} ${routeOf(path)}` } = sending;
    const beganAt = performance.now();
    const response = await fetch(base + path, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        accept: 'application/json, application/problem+json',
        ...(token && !isAnonymous && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((error: Error) =>
      hopeless(`${name} got no answer (${codeOf(error)}): see that ${base} can be reached.`),
    );
    const text = await response.text();
    const tookMs = performance.now() - beganAt;
    if (tookMs > slowMs)
      find(
        `${name} took ${(tookMs / 1000).toFixed(1)} s: answer within ${slowMs / 1000} s, or guests get no answer.`,
      );
    const received = read(response, text);
    const fault = faultOf(`${name} answered ${received.status}`, received, text !== '');
    if (fault) find(fault);
    return received;
  }

  return {
    find,
    findings,
    made,
    send,
    progress,
    /** The id of a booking or hold that is removed in the end. */
    newId(kind: keyof typeof made): string {
      const id = randomUUID();
      made[kind].add(id);
      return id;
    },
    /** Reads an answer as the gateway would; a sentence is found in it where the gateway could not use it. */
    use<Value>(name: string, readValue: () => Value): Value | undefined {
      try {
        return readValue();
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        find(`${name} answered what cannot be used. ${error.message} Answer as docs/connect.md shows it.`);
        return undefined;
      }
    },
  };
}

/** What is wrong with an answer, whatever was asked. */
function faultOf(
  said: string,
  { status, contentType, body, reason }: Received,
  hasBody: boolean,
): string | undefined {
  if (status >= 500) return `${said}: whatever is asked, answer with 2xx or with a refusal (4xx).`;
  if (status >= 300 && status < 400) return `${said}: do not redirect; give us the address that answers.`;
  if (WITHOUT_REASON.includes(status)) return undefined;
  const type = contentType || 'no content type';
  if (hasBody && body === undefined) return `${said} with a body that is not JSON (${type}): send JSON.`;
  if (status < 300)
    return hasBody && contentType !== 'application/json'
      ? `${said} as ${type}: set the content type application/json.`
      : undefined;
  if (reason === undefined)
    return `${said} without a \`reason\`: add one of ${Object.keys(REASONS).join(', ')}.`;
  if (!reasonNamed(reason))
    return `${said} with the reason "${reason.slice(0, 50)}", which connect does not have: use one of its list.`;
  return contentType === 'application/problem+json'
    ? undefined
    : `${said} as ${type}: set the content type application/problem+json for refusals.`;
}

export function hopeless(sentence: string): never {
  throw new Hopeless(sentence);
}

export const isDone = ({ status }: Received) => status >= 200 && status < 300;
export const isRefused = ({ status, reason }: Received, ...reasons: string[]) =>
  status >= 400 && status < 500 && reason !== undefined && (reasons.length === 0 || reasons.includes(reason));
/** What an answer was, for a sentence. */
export const saidBy = ({ status, reason }: Received) => (reason ? `${status} (${reason})` : String(status));

const routeOf = (path: string) =>
  (path.split('?')[0] ?? '').replace(/^\/(bookings|holds)\/.*/, (_all, kind) => `/${kind}/{id}`);

function read(response: Response, text: string): Received {
  const contentType = (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const body = parsed(text);
  const reason =
    typeof body === 'object' && body !== null && 'reason' in body && typeof body.reason === 'string'
      ? body.reason
      : undefined;
  return { status: response.status, contentType, body, reason };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function codeOf(error: Error): string {
  const { cause } = error;
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : error.name;
}
