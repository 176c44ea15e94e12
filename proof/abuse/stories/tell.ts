/** A request of a story: an operation of the document, by name, with what it needs. */
import type { Caller } from '../callers.ts';
import type { Chances } from '../chances.ts';
import type { Operation } from '../document.ts';
import type { Asking } from '../requests/addresses.ts';
import type { Json } from '../requests/bodies.ts';
import type { Shot } from '../requests/shot.ts';
import type { Results } from '../results.ts';
import type { Surroundings } from '../surfaces/probe.ts';
import type { NewVictim, VictimContext } from '../victims.ts';
import { jsonBody } from '../wire.ts';

export interface Teller {
  context: VictimContext;
  operations: readonly Operation[];
  results: Results;
  victim: NewVictim;
  chances: Chances;
  callers: readonly Caller[];
  connect: Surroundings['connect'];
  /** Returns the body of a good answer. */
  fire(shot: Shot): Promise<Json>;
}

interface Step {
  name: string;
  ids?: Record<string, string | number>;
  /** As in `?dryRun=true`. */
  query?: string;
  body?: unknown;
  bytes?: Buffer;
  headers?: Record<string, string>;
  /** Who calls; absent: the platform, or whoever is in the headers. */
  as?: Caller;
}

const SOMEBODY: Caller = {
  name: 'a story',
  headers: {},
  sight: 'everything',
  isPerson: true,
  rank: 'platform',
};

export function tell({ operations, chances, context, victim, fire }: Teller, step: Step): Promise<Json> {
  const operation = operations.find(({ name }) => name === step.name);
  if (!operation) throw new Error(`${step.name} is not in the document.`);
  const plain = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(step.ids?.[name]));
  const caller = step.as ?? SOMEBODY;
  const asking: Asking = { chances, known: context.known, victim, operation, caller };
  const type = step.bytes ? 'application/octet-stream' : 'application/json';
  const bytes = step.bytes ?? (step.body === undefined ? undefined : jsonBody(step.body));
  const path = plain.replaceAll('|', '%7C');
  const headers = step.as ? step.as.headers : context.admin;
  return fire({
    asking,
    isGood: true,
    isStep: true,
    address: { plain, encoded: path, operatorId: victim.operatorId },
    wire: {
      method: operation.method,
      path: `${path}${step.query ?? ''}`,
      headers: { ...headers, ...step.headers, ...(bytes && { 'content-type': type }) },
      body: bytes,
    },
  });
}

export function callerNamed({ callers }: Teller, name: string): Caller {
  const found = callers.find((caller) => caller.name === name);
  if (!found) throw new Error(`Nobody is called ${name}.`);
  return found;
}

/** A day on which restaurants are open and little is booked. */
export const inDays = (days: number): string =>
  Temporal.Now.plainDateISO('Europe/London').add({ days }).toString();
