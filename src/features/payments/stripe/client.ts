/** Sends calls to Stripe, each within its deadline and only once, and sorts out how they fail. */

import Stripe from 'stripe';
import type { Log } from '../../../kernel/log.ts';
import { NEVER_SENT } from '../../../kernel/network.ts';
import { codeOf } from '../../../kernel/problem.ts';
import type { TimedCall } from '../../../tms/remote.ts';

export interface StripeAccess {
  secretKey: string;
  /** Undefined: Stripe's own. */
  apiUrl?: string | undefined;
  log: Pick<Log, 'error'>;
}

export type Attempt<Value> = { kind: 'done'; value: Value } | Failure;

/** Its error is never shown or logged as it is: what Stripe writes may contain the key. */
export interface Failure {
  kind: /** Certainly not done. */
    | 'unsent'
    /** Not done: the key is not accepted, or not for this account. */
    | 'denied'
    /** Not done, and the error says why. */
    | 'refused'
    /** It is unknown whether it was done. */
    | 'lost';
  error: StripeError;
}

type StripeError = Pick<
  InstanceType<typeof Stripe.errors.StripeError>,
  'code' | 'decline_code' | 'param' | 'statusCode'
>;

export function createStripeClient({ secretKey, apiUrl, log }: StripeAccess) {
  /** One for each call, so that it ends with the call. */
  function clientFor(call: TimedCall, stripeAccount: string | null): Stripe {
    const httpClient = Stripe.createFetchHttpClient(
      (address: Parameters<typeof fetch>[0], init?: RequestInit) => {
        const signals = init?.signal ? [init.signal, call.signal] : [call.signal];
        return fetch(address, { ...init, signal: AbortSignal.any(signals) });
      },
    );
    return new Stripe(secretKey, {
      ...addressIn(apiUrl),
      ...(stripeAccount !== null && { stripeAccount }),
      httpClient,
      timeout: call.deadlineMs,
      maxNetworkRetries: 0,
      telemetry: false,
    });
  }

  return {
    webhooks: Stripe.webhooks,

    async attempt<Value>(
      call: TimedCall,
      account: string | null,
      work: (stripe: Stripe) => Promise<Value>,
    ): Promise<Attempt<Value>> {
      try {
        return { kind: 'done', value: await work(clientFor(call, account)) };
      } catch (error) {
        // Neither Stripe nor the connection: a fault of ours, which would pass for an outage.
        if (!isStripeError(error) && !call.signal.aborted)
          log.error({ err: error }, 'a call to Stripe broke down');
        return failureOf(error);
      }
    },
  };
}

function addressIn(apiUrl: string | undefined): Stripe.StripeConfig {
  if (apiUrl === undefined) return {};
  const { hostname, port, protocol } = new URL(apiUrl);
  const isSecure = protocol === 'https:';
  return { host: hostname, port: port || (isSecure ? 443 : 80), protocol: isSecure ? 'https' : 'http' };
}

const isStripeError = (error: unknown) => error instanceof Stripe.errors.StripeError;

function failureOf(error: unknown): Failure {
  if (!isStripeError(error)) return { kind: 'lost', error: {} };
  return { kind: kindOf(error), error };
}

function kindOf({ statusCode, detail }: InstanceType<typeof Stripe.errors.StripeError>): Failure['kind'] {
  if (statusCode === undefined) {
    const cause = detail instanceof Error ? (detail.cause ?? detail) : detail;
    return NEVER_SENT.includes(codeOf(cause) ?? '') ? 'unsent' : 'lost';
  }
  if (statusCode === 429) return 'unsent';
  if (statusCode === 401 || statusCode === 403) return 'denied';
  // The outcome of a request that is under way already, or that failed there, is unknown.
  return statusCode === 409 || statusCode >= 500 ? 'lost' : 'refused';
}
