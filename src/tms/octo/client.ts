/** One call to a supplier, and what is certain after it. */
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { reasonOf } from '../../kernel/problem.ts';
import { type Outcome, ok, type Refusal, refused } from '../contract.ts';
import type { RemoteCall, SystemAccount, SystemResponse, SystemSetup } from '../remote.ts';
import { TransportError } from '../transport.ts';
import { OctoError } from './schema.ts';

/** What the supplier says against a request that it has understood and not carried out. */
export interface SupplierError {
  kind: 'error';
  code: string;
  message: string;
}
export type Answer<Value> = Outcome<Value> | SupplierError;

export interface Client {
  operatorId: number;
  account: SystemAccount;
  /** Changes nothing, so that a failure leaves nothing in doubt; the availability check is one, although it is a POST. */
  read<Schema extends TSchema>(path: string, schema: Schema, body?: object): Promise<Answer<Static<Schema>>>;
  write<Schema extends TSchema>(
    method: 'POST' | 'PATCH',
    path: string,
    schema: Schema,
    body: object,
  ): Promise<Answer<Static<Schema>>>;
}

const DEFAULT_CAPABILITIES = 'octo/content,octo/pricing';
const MOST_RETRY_SECONDS = 3600;
const MOST_MESSAGE = 300;

/** Refused, and not `unavailable`: one operator's wrong key must not make the system rest for all others. */
const NOT_LET_IN = refused('rejected', 'The system does not accept the account of the operator.');
const NO_ACCOUNT = refused('rejected', 'The operator has no account at the system.');

export function createClients(setup: SystemSetup) {
  const { url, capabilities } = setup.settings;
  const base = String(url).replace(/\/+$/, '');

  function clientFor(call: RemoteCall, account: SystemAccount): Client {
    async function exchange<Schema extends TSchema>(
      request: { method: string; path: string; body?: object | undefined; isRead: boolean },
      schema: Schema,
    ): Promise<Answer<Static<Schema>>> {
      const { method, path, body, isRead } = request;
      if (call.signal.aborted) return inDoubt(true, 'The call ended before it was sent.');
      let response: SystemResponse;
      try {
        response = await setup.fetch(base + path, {
          method,
          headers: {
            accept: 'application/json',
            authorization: `Bearer ${account.credentials.apiKey ?? ''}`,
            'octo-capabilities': String(capabilities ?? DEFAULT_CAPABILITIES),
            ...(body && { 'content-type': 'application/json' }),
          },
          ...(body && { body: JSON.stringify(body) }),
          signal: call.signal,
        });
      } catch (error) {
        return inDoubt(isRead || wasNeverSent(error), reasonOf(error));
      }
      return judge(response, isRead, schema);
    }
    return {
      operatorId: call.operatorId,
      account,
      read: (path, schema, body) =>
        exchange({ method: body ? 'POST' : 'GET', path, body, isRead: true }, schema),
      write: (method, path, schema, body) => exchange({ method, path, body, isRead: false }, schema),
    };
  }

  return {
    clientFor,
    async open(call: RemoteCall): Promise<Outcome<Client>> {
      const account = await setup.findAccount(call.operatorId);
      return account ? ok(clientFor(call, account)) : NO_ACCOUNT;
    },
  };
}

function judge<Schema extends TSchema>(
  { status, headers, body }: SystemResponse,
  isRead: boolean,
  schema: Schema,
): Answer<Static<Schema>> {
  if (status === 429)
    return { kind: 'rate-limited', retryAfterSeconds: retryAfterSeconds(headers['retry-after']) };
  const json = parsed(body);
  if (status >= 200 && status < 300) {
    if (fits(schema, json)) return ok(json as Static<Schema>);
    return inDoubt(isRead, 'The system answered something that is not OCTO.');
  }
  const error = fits(OctoError, json) ? (json as Static<typeof OctoError>) : undefined;
  const code = error?.error;
  if (status === 401 || status === 403 || code === 'UNAUTHORIZED' || code === 'FORBIDDEN') return NOT_LET_IN;
  // Suppliers may send this code with the status 400. Without a code it may be a proxy that answers.
  if (!error || status < 400 || status >= 500 || code === 'INTERNAL_SERVER_ERROR')
    return inDoubt(isRead, `The system answered ${status}${code === undefined ? '' : ` ${code}`}.`);
  return {
    kind: 'error',
    code: error.error,
    message: (error.errorMessage ?? error.error).slice(0, MOST_MESSAGE),
  };
}

const compiled = new WeakMap<TSchema, ReturnType<typeof Compile>>();

/** Compiled, since an answer may have thousands of starts. */
function fits(schema: TSchema, json: unknown): boolean {
  return compiled.getOrInsertComputed(schema, Compile).Check(json);
}

const inDoubt = (isCertain: boolean, detail: string): Refusal => ({
  kind: isCertain ? 'unavailable' : 'unknown',
  detail,
});

const wasNeverSent = (error: unknown) => error instanceof TransportError && !error.isSent;

function retryAfterSeconds(header: string | undefined): number {
  const seconds = Math.ceil(Number(header));
  return Number.isFinite(seconds) && seconds >= 1 ? Math.min(seconds, MOST_RETRY_SECONDS) : 1;
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** What a supplier's error means where it has no special meaning. */
export function refusalFor({ code, message }: SupplierError): Refusal {
  switch (code) {
    case 'INVALID_PRODUCT_ID':
    case 'INVALID_OPTION_ID':
      return refused('no-such-product');
    case 'INVALID_AVAILABILITY_ID':
      return refused('not-a-start');
    case 'INVALID_BOOKING_UUID':
      return refused('not-found');
    default:
      return refused('rejected', message);
  }
}

export const settled = <Value>(answer: Answer<Value>): Outcome<Value> =>
  answer.kind === 'error' ? refusalFor(answer) : answer;

/** Goes on with a value; everything else is passed on. */
export async function then<From, To>(
  answer: Answer<From>,
  next: (value: From) => Outcome<To> | Promise<Outcome<To>>,
): Promise<Outcome<To>> {
  const outcome = settled(answer);
  return outcome.kind === 'ok' ? next(outcome.value) : outcome;
}
