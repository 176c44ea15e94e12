import {
  bulkhead,
  CircuitState,
  CountBreaker,
  circuitBreaker,
  handleWhenResult,
  isBrokenCircuitError,
  isBulkheadRejectedError,
} from 'cockatiel';
import { DEADLINES } from '../kernel/deadlines.ts';
import { reasonOf } from '../kernel/problem.ts';
import { currentSpan, traced } from '../kernel/tracing.ts';
import type { Outcome } from './contract.ts';
import type { RemoteCall, RemoteConnector } from './remote.ts';

/**
 * What stands between the gateway and a system it does not run: a deadline, a limit on calls at a time, a
 * breaker and a small budget for retries. One instance per system, so that one that hangs costs the others nothing.
 */
export interface ResilienceOptions {
  /** How long a look-up may take, waiting in the queue and retrying included. */
  readTimeoutMs: number;
  /** The same for booking, amending and cancelling, and for pages of a catalogue or of changes: no guest waits for those. */
  writeTimeoutMs: number;
  /** Calls at a time; bookings and availability each have so many, so that shoppers cannot keep out buyers. */
  maxConcurrent: number;
  maxQueued: number;
  /** The breaker opens when more than `threshold` of the last `size` calls failed, but not before `minimum` calls. */
  breaker: { threshold: number; size: number; minimum: number };
  /** How long an open breaker waits before it lets one call try. */
  halfOpenAfterMs: number;
  /** Retries per call on average, at most. */
  retryShare: number;
  /** Told of every call when it has ended. */
  observe?: CallObserver;
}

export type CallObserver = (call: ObservedCall) => void;

export interface ObservedCall {
  tms: string;
  operatorId: number;
  operation: Operation;
  result: CallResult;
  tookMs: number;
  outcome: Outcome<unknown>;
}

const CALL_RESULTS = [
  'ok',
  'refused',
  'rate_limited',
  'unavailable',
  'in_doubt',
  /** The breaker was open, or too many calls were under way. */
  'not_called',
  /** The caller has gone, which says nothing about the system. */
  'abandoned',
] as const;
export type CallResult = (typeof CALL_RESULTS)[number];

export const DEFAULT_RESILIENCE: ResilienceOptions = {
  readTimeoutMs: DEADLINES.remoteRead,
  writeTimeoutMs: DEADLINES.remoteWrite,
  maxConcurrent: 20,
  maxQueued: 10,
  breaker: { threshold: 0.5, size: 20, minimum: 5 },
  halfOpenAfterMs: 5000,
  retryShare: 0.1,
};

export type Operation =
  | 'availability'
  | 'book'
  | 'amend'
  | 'cancel'
  | 'find'
  | 'hold'
  | 'extend'
  | 'confirm'
  | 'release'
  | 'checkAccount'
  | 'catalogue'
  | 'changes';
type Invoke<Value> = (call: RemoteCall) => Promise<Outcome<Value>>;
interface Attempt {
  outcome: Outcome<unknown>;
  /** The caller hung up, which says nothing about the system. */
  isAbandoned: boolean;
}

export interface ProtectedConnector extends RemoteConnector {
  /** The breaker is not closed: the system has been failing, and is called now and then at most. */
  isResting(): boolean;
}

/** The same connector, protected. It keeps every deadline and never rejects. */
export function withResilience(
  connector: RemoteConnector,
  options: Partial<ResilienceOptions> = {},
): ProtectedConnector {
  const settings = { ...DEFAULT_RESILIENCE, ...options };
  const { threshold, size, minimum } = settings.breaker;
  const shopping = bulkhead(settings.maxConcurrent, settings.maxQueued);
  const booking = bulkhead(settings.maxConcurrent, settings.maxQueued);
  const budget = retryBudget(settings.retryShare);
  const breaker = circuitBreaker(
    handleWhenResult((attempt) => isFault(attempt as Attempt)),
    {
      breaker: new CountBreaker({ threshold, size, minimumNumberOfCalls: minimum }),
      halfOpenAfter: settings.halfOpenAfterMs,
    },
  );

  async function guarded<Value>(
    operation: Operation,
    call: RemoteCall,
    invoke: Invoke<Value>,
  ): Promise<Outcome<Value>> {
    const startedMs = performance.now();
    const { slug } = connector;
    const outcome = await traced(
      `${slug}.${operation}`,
      async () => {
        const outcome = await protectedCall(operation, call, invoke);
        currentSpan()?.set({ 'maitred.outcome': outcome.kind });
        return outcome;
      },
      'internal',
      { 'maitred.system': slug },
    );
    const tookMs = performance.now() - startedMs;
    const { operatorId, signal } = call;
    const result = resultOf(outcome, signal.aborted);
    settings.observe?.({ tms: slug, operatorId, operation, result, tookMs, outcome });
    return outcome;
  }

  async function protectedCall<Value>(
    operation: Operation,
    call: RemoteCall,
    invoke: Invoke<Value>,
  ): Promise<Outcome<Value>> {
    const isRead = isReading(operation);
    const limitMs = Math.min(
      isPaged(operation) || !isRead ? settings.writeTimeoutMs : settings.readTimeoutMs,
      call.deadlineMs,
    );
    const compartment = operation === 'availability' ? shopping : booking;
    const deadline = startDeadline(limitMs, call.signal);
    let hasStarted = false;

    async function attempt(): Promise<Attempt & { outcome: Outcome<Value> }> {
      hasStarted = true;
      let outcome: Outcome<Value>;
      try {
        outcome = await deadline.guard(
          invoke({ ...call, signal: deadline.signal, deadlineMs: deadline.leftMs() }),
        );
      } catch (error) {
        outcome = { kind: isRead ? 'unavailable' : 'unknown', detail: reasonOf(error) };
      }
      // A look-up changes nothing, so nothing is in doubt after it.
      if (isRead && outcome.kind === 'unknown') outcome = { ...outcome, kind: 'unavailable' };
      return { outcome, isAbandoned: call.signal.aborted };
    }

    /** While one call tries a system that was down, the others are not made to wait for its luck. */
    async function throughBreaker(): Promise<Outcome<Value>> {
      if (breaker.state === CircuitState.HalfOpen) return RECOVERING;
      return (await breaker.execute(attempt)).outcome;
    }

    async function withRetry(): Promise<Outcome<Value>> {
      const first = await throughBreaker();
      const mayRetry = isRead && first.kind === 'unavailable' && !deadline.signal.aborted;
      return mayRetry && breaker.state === CircuitState.Closed && budget.take() ? throughBreaker() : first;
    }

    budget.earn();
    try {
      return await deadline.guard(compartment.execute(withRetry, deadline.signal));
    } catch (error) {
      if (isBrokenCircuitError(error)) return RECOVERING;
      if (isBulkheadRejectedError(error)) return BUSY;
      // What never left the queue has certainly not been applied.
      return { kind: isRead || !hasStarted ? 'unavailable' : 'unknown', detail: reasonOf(error) };
    } finally {
      deadline.stop();
    }
  }

  /** In a closed circuit a caller that left counts for nothing; as the one call that tries, it has proved nothing. */
  function isFault({ outcome, isAbandoned }: Attempt): boolean {
    if (isAbandoned && breaker.state === CircuitState.Closed) return false;
    return outcome.kind === 'unavailable' || outcome.kind === 'unknown';
  }

  const checkAccount = connector.checkAccount?.bind(connector);
  const catalogue = connector.catalogue?.bind(connector);
  const changes = connector.changes?.bind(connector);
  const { holds } = connector;
  const readNotification = connector.readNotification?.bind(connector);
  return {
    flavour: 'remote',
    slug: connector.slug,
    capabilities: connector.capabilities,
    isResting: () => breaker.state !== CircuitState.Closed,
    availability: (call, query) => guarded('availability', call, (c) => connector.availability(c, query)),
    book: (call, request) => guarded('book', call, (c) => connector.book(c, request)),
    amend: (call, request) => guarded('amend', call, (c) => connector.amend(c, request)),
    cancel: (call, bookingId) => guarded('cancel', call, (c) => connector.cancel(c, bookingId)),
    find: (call, bookingId) => guarded('find', call, (c) => connector.find(c, bookingId)),
    ...(holds && {
      holds: {
        hold: (call, request, untilMs) => guarded('hold', call, (c) => holds.hold(c, request, untilMs)),
        extend: (call, id, untilMs, nowMs) =>
          guarded('extend', call, (c) => holds.extend(c, id, untilMs, nowMs)),
        confirm: (call, request) => guarded('confirm', call, (c) => holds.confirm(c, request)),
        release: (call, bookingId) => guarded('release', call, (c) => holds.release(c, bookingId)),
      },
    }),
    ...(checkAccount && {
      checkAccount: (call, account) => guarded('checkAccount', call, (c) => checkAccount(c, account)),
    }),
    ...(catalogue && {
      catalogue: (call, cursor) => guarded('catalogue', call, (c) => catalogue(c, cursor)),
    }),
    ...(changes && { changes: (call, cursor) => guarded('changes', call, (c) => changes(c, cursor)) }),
    ...(readNotification && { readNotification }),
  };
}

const RECOVERING = {
  kind: 'unavailable',
  detail: 'The system has been failing and is given a rest.',
} as const;
const BUSY = { kind: 'unavailable', detail: 'Too many calls to the system are under way.' } as const;

function resultOf(outcome: Outcome<unknown>, isAbandoned: boolean): CallResult {
  if (outcome === RECOVERING || outcome === BUSY) return 'not_called';
  switch (outcome.kind) {
    case 'ok':
    case 'refused':
      return outcome.kind;
    case 'rate-limited':
      return 'rate_limited';
    case 'unavailable':
      return isAbandoned ? 'abandoned' : 'unavailable';
    case 'unknown':
      return 'in_doubt';
  }
}

const READING: readonly Operation[] = ['availability', 'find', 'checkAccount', 'catalogue', 'changes'];
const isReading = (operation: Operation) => READING.includes(operation);
const isPaged = (operation: Operation) => operation === 'catalogue' || operation === 'changes';

/** One signal for the caller's deadline and our own, and a way to stop waiting for connectors that ignore it. */
function startDeadline(limitMs: number, outer: AbortSignal) {
  const controller = new AbortController();
  const endsAt = performance.now() + limitMs;
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => {});
  const end = (reason: unknown) => {
    controller.abort(reason);
    ended.reject(reason);
  };
  const timer = setTimeout(() => end(new Error(`No answer within ${limitMs} ms.`)), limitMs);
  // Not AbortSignal.any: a signal that outlives many calls would keep something of each.
  const leave = () => end(outer.reason);
  if (outer.aborted) leave();
  else outer.addEventListener('abort', leave, { once: true });
  return {
    signal: controller.signal,
    leftMs: () => Math.max(0, endsAt - performance.now()),
    guard: <T>(work: Promise<T>): Promise<T> => Promise.race([work, ended.promise]),
    stop: () => {
      clearTimeout(timer);
      outer.removeEventListener('abort', leave);
    },
  };
}

/** Retries. */
const MOST_SAVED = 10;

/** Calls earn a share of a retry each; a burst of failures spends what has been earned and no more. */
export function retryBudget(share: number) {
  let earned = 0;
  return {
    earn() {
      earned = Math.min(MOST_SAVED, earned + share);
    },
    take(): boolean {
      // Ten tenths fall short of one by a rounding error.
      if (earned + 1e-9 < 1) return false;
      earned -= 1;
      return true;
    },
  };
}
