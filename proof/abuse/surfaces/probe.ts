/**
 * Requests to what the OpenAPI documents do not describe, or not far enough: the tools of MCP, notifications of other
 * systems, pages, cookies. Each says itself what has to hold for its answer.
 */
import { codeIn, type Outcome } from '../../../test/abuse/support/target.ts';
import type { Caller } from '../callers.ts';
import type { Chances } from '../chances.ts';
import type { Operation } from '../document.ts';
import type { Known } from '../known.ts';
import type { Victim } from '../requests/addresses.ts';
import type { Send, WireRequest } from '../wire.ts';

export interface Probe {
  /** Under which it is counted, as in `tool find_tables`. */
  name: string;
  caller: Caller;
  wire: WireRequest;
  /** Nothing about it was meant to be wrong. */
  isGood: boolean;
  /** What is wrong with its answer, besides what may be wrong with any. */
  faultsIn(outcome: Outcome): string[];
  /** Whether a refusal may be something else than a problem, such as a page for people. */
  isPage?: boolean;
}

export interface ProbeSetting {
  chances: Chances;
  known: Known;
  victim: Victim;
  operations: readonly Operation[];
  callers: readonly Caller[];
  receiverUrl: string;
}

export interface Surface {
  next(setting: ProbeSetting): Probe;
}

/** What a run has besides its node, as far as it has it. */
export interface Surroundings {
  /** A system that speaks `connect`, with its token and the secret that its notifications are signed with. */
  connect?: { operatorId: number; slug: string; token: string; secret: string };
  /** A node that takes payments with Stripe, on the same database. */
  stripe?: { send: Send; secret: string };
}

export const withBody = (value: unknown): { body: Buffer; headers: Record<string, string> } => ({
  body: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
  headers: { 'content-type': 'application/json' },
});

/** The code of a refusal; undefined where the answer is no JSON, or has none. */
export function refusalCode({ status, text }: Outcome): string | undefined {
  if (status < 400) return undefined;
  try {
    return codeIn(JSON.parse(text));
  } catch {
    return undefined;
  }
}
