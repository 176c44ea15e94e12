/**
 * Systems that fail when the request that they are called for asks for it. For a system over the network this stands
 * between the gateway and its protection, so that what follows is real (intents, looking up, resolving) and no breaker
 * opens for other callers. A system in our database gives the outcomes that such a system would.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { currentScope } from '../kernel/request-scope.ts';
import type { Fault, FaultSubject } from '../kernel/sandbox-faults.ts';
import { type LocalConnector, type Outcome, type Refusal, refused } from './contract.ts';
import type { Registry } from './registry.ts';
import type { Connector, RemoteConnector, TimedCall } from './remote.ts';

const RETRY_AFTER_SECONDS = 2;

/** One wrapper for each connector: callers group their work by it. */
export function withSandboxFaults(registry: Registry): Registry {
  const wrapped = new WeakMap<Connector, Connector>();
  return {
    ...registry,
    get(slug) {
      const connector = registry.get(slug);
      return connector && wrapped.getOrInsertComputed(connector, wrap);
    },
  };
}

const wrap = (connector: Connector): Connector =>
  connector.flavour === 'local' ? failingLocally(connector) : failingRemotely(connector);

/** Enquiries that become bookings and bookings that become enquiries are amendments, whatever the system is asked. */
const TO_BOOK: FaultSubject[] = ['booking', 'amend'];
const TO_HOLD: FaultSubject[] = ['hold', 'booking'];
const TO_CANCEL: FaultSubject[] = ['cancel', 'amend'];

const faultOf = (subjects: readonly FaultSubject[]): Fault | undefined =>
  currentScope()?.faults?.meet(...subjects);

/** What is answered without doing anything. */
function refusalOf({ name }: Fault): Refusal | undefined {
  switch (name) {
    case 'taken':
      return refused('taken');
    case 'rejected':
      return refused('rejected', 'The system of the venue declines, as you asked with X-Sandbox-Fault.');
    case 'rate-limited':
      return { kind: 'rate-limited', retryAfterSeconds: RETRY_AFTER_SECONDS };
    case 'unavailable':
      return { kind: 'unavailable' };
    case 'unknown-not-applied':
      return { kind: 'unknown' };
    default:
      return undefined;
  }
}

function failingLocally(connector: LocalConnector): LocalConnector {
  const { holds } = connector;
  return {
    ...connector,
    availability: (tx, query) => alone(['availability'], () => connector.availability(tx, query)),
    book: (tx, requests) => several(TO_BOOK, requests, () => connector.book(tx, requests)),
    amend: (tx, request) => alone(['amend'], () => connector.amend(tx, request)),
    cancel: (tx, bookingId) => alone(TO_CANCEL, () => connector.cancel(tx, bookingId)),
    ...(holds && {
      holds: {
        hold: (tx, request, untilMs) => alone(TO_HOLD, () => holds.hold(tx, request, untilMs)),
        holdAll: (tx, asked) => several(TO_HOLD, asked, () => holds.holdAll(tx, asked)),
        extend: (tx, id, untilMs, nowMs) => alone(TO_HOLD, () => holds.extend(tx, id, untilMs, nowMs)),
        confirm: (tx, request) => alone(TO_BOOK, () => holds.confirm(tx, request)),
        confirmAll: (tx, requests) => several(TO_BOOK, requests, () => holds.confirmAll(tx, requests)),
        // Called to clear up as well, so a fault of the hold itself does not concern it.
        release: (tx, bookingId) => alone(['cancel'], () => holds.release(tx, bookingId)),
      },
    }),
  };
}

async function alone<Value>(
  subjects: readonly FaultSubject[],
  work: () => Promise<Outcome<Value>>,
): Promise<Outcome<Value>> {
  if (!currentScope()?.faults) return work();
  const [outcome] = await several(subjects, [null], async () => [await work()]);
  return outcome as Outcome<Value>;
}

async function several<Value>(
  subjects: readonly FaultSubject[],
  asked: readonly unknown[],
  work: () => Promise<Outcome<Value>[]>,
): Promise<Outcome<Value>[]> {
  if (!currentScope()?.faults) return work();
  const fault = faultOf(subjects);
  const refusal = fault && refusalOf(fault);
  if (refusal) return asked.map(() => refusal);
  const outcomes = await work();
  if (fault) hideOutcome(fault);
  return outcomes;
}

/** The transaction goes on: only what the caller hears of it is late, or lost. */
function hideOutcome({ name, seconds }: Fault): void {
  const faults = currentScope()?.faults;
  if (!faults) return;
  faults.answerDelayMs = Math.max(faults.answerDelayMs, 1000 * seconds);
  if (name === 'unknown-applied') faults.isAnswerLost = true;
}

function failingRemotely(connector: RemoteConnector): RemoteConnector {
  const { holds } = connector;
  return {
    ...connector,
    availability: (call, query) =>
      called(call, ['availability'], () => connector.availability(call, query), 'unavailable'),
    book: (call, request) => called(call, TO_BOOK, () => connector.book(call, request)),
    amend: (call, request) => called(call, ['amend'], () => connector.amend(call, request)),
    cancel: (call, bookingId) => called(call, TO_CANCEL, () => connector.cancel(call, bookingId)),
    find: async (call, bookingId) =>
      currentScope()?.faults?.hidesOutcomes() ? { kind: 'unavailable' } : connector.find(call, bookingId),
    ...(holds && {
      holds: {
        hold: (call, request, untilMs) => called(call, TO_HOLD, () => holds.hold(call, request, untilMs)),
        extend: (call, id, untilMs, nowMs) =>
          called(call, TO_HOLD, () => holds.extend(call, id, untilMs, nowMs)),
        confirm: (call, request) => called(call, TO_BOOK, () => holds.confirm(call, request)),
        release: (call, bookingId) => called(call, ['cancel'], () => holds.release(call, bookingId)),
      },
    }),
  };
}

/** `silence`: what a call comes to whose answer does not come in time. */
async function called<Value>(
  { deadlineMs }: TimedCall,
  subjects: readonly FaultSubject[],
  work: () => Promise<Outcome<Value>>,
  silence: 'unavailable' | 'unknown' = 'unknown',
): Promise<Outcome<Value>> {
  const fault = faultOf(subjects);
  const refusal = fault && refusalOf(fault);
  if (refusal) return refusal;
  const startedMs = performance.now();
  const outcome = await work();
  if (fault?.name === 'unknown-applied') return outcome.kind === 'ok' ? { kind: 'unknown' } : outcome;
  if (fault?.name !== 'slow') return outcome;
  const lateMs = 1000 * fault.seconds;
  const leftMs = Math.max(0, deadlineMs - (performance.now() - startedMs));
  await sleep(Math.min(lateMs, leftMs));
  return lateMs > leftMs ? { kind: silence } : outcome;
}
