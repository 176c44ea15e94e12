/**
 * Traces of what a request, a job or a delivery causes. Off unless `http/observability/opentelemetry.ts` has set a
 * tracer: without one every function here checks a variable and does nothing else. Spans carry no bodies, no
 * query strings, no ids from paths and no messages of errors, since those may name guests.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { codeOf } from './problem.ts';

export type Attributes = Record<string, string | number | undefined>;
export type SpanKind = 'internal' | 'server' | 'client' | 'producer';

export interface Span {
  readonly traceId: string;
  /** Whether the trace is recorded. */
  readonly isSampled: boolean;
  /** As W3C Trace Context has it, for those who are called. */
  readonly traceparent: string;
  readonly tracestate: string | undefined;
  /** False when the trace is not recorded, and once the span has ended: nothing below it is recorded then. */
  isRecording(): boolean;
  set(attributes: Attributes): void;
  /** `failure` is a code or the name of an error. */
  end(failure?: string): void;
}

/** Where a trace comes from when its parent is not in this process. */
export interface Origin {
  traceparent?: string | null | undefined;
  tracestate?: string | undefined;
}

export interface Tracer {
  /** Undefined for a trace that would begin here and is not recorded: it is of no use to those who are called either. */
  startRoot(name: string, kind: SpanKind, origin: Origin, attributes: Attributes): Span | undefined;
  startChild(name: string, kind: SpanKind, parent: Span, attributes: Attributes): Span;
}

let tracer: Tracer | undefined;
const spans = new AsyncLocalStorage<Span | undefined>();

export function setTracer(next: Tracer | undefined): void {
  tracer = next;
}

export const isTracing = (): boolean => tracer !== undefined;

export const currentSpan = (): Span | undefined => (tracer === undefined ? undefined : spans.getStore());

/** Whether what happens now is recorded; cheap, since it is asked before every statement. */
export const isRecorded = (): boolean => currentSpan()?.isRecording() === true;

/** Entering a context costs a request more than all else that tracing does for one that is not recorded. */
export const runInSpan = <Result>(span: Span | undefined, work: () => Result): Result =>
  tracer === undefined || span === spans.getStore() ? work() : spans.run(span, work);

/** A span below the current one; undefined where nothing is recorded. The caller ends it. */
export function startSpan(
  name: string,
  kind: SpanKind = 'internal',
  attributes: Attributes = {},
): Span | undefined {
  if (tracer === undefined) return undefined;
  const parent = spans.getStore();
  return parent?.isRecording() ? tracer.startChild(name, kind, parent, attributes) : undefined;
}

/** The same for as long as `work` takes. */
export function traced<Result>(
  name: string,
  work: () => Promise<Result>,
  kind: SpanKind = 'internal',
  attributes: Attributes = {},
): Promise<Result> {
  if (tracer === undefined) return work();
  const span = startSpan(name, kind, attributes);
  return span ? spans.run(span, () => endWith(span, work())) : work();
}

/** The first span of a process: of a trace that goes on from its origin, or of a new one. */
export function tracedRoot<Result>(
  name: string,
  work: () => Promise<Result>,
  {
    kind = 'internal',
    attributes = {},
    ...origin
  }: Origin & { kind?: SpanKind; attributes?: Attributes } = {},
): Promise<Result> {
  if (tracer === undefined) return work();
  const span = tracer.startRoot(name, kind, origin, attributes);
  return runInSpan(span, () => (span ? endWith(span, work()) : work()));
}

export const startRoot = (name: string, kind: SpanKind, origin: Origin): Span | undefined =>
  tracer?.startRoot(name, kind, origin, {});

async function endWith<Result>(span: Span, working: Promise<Result>): Promise<Result> {
  try {
    const result = await working;
    span.end();
    return result;
  } catch (error) {
    span.end(failureOf(error));
    throw error;
  }
}

/** What a span says of an error. Its message may quote a row, its code cannot. */
export const failureOf = (error: unknown): string =>
  codeOf(error) ?? (error instanceof Error ? error.name : 'thrown');

/** Headers for those who are called on behalf of the current span. */
export function traceHeaders(): Record<string, string> | undefined {
  const span = currentSpan();
  if (!span) return undefined;
  const { traceparent, tracestate } = span;
  return tracestate ? { traceparent, tracestate } : { traceparent };
}

/** The same services, with a span for each call of one of their methods that is waited for. */
export function tracedServices<Services extends object>(services: Services, prefix = ''): Services {
  if (tracer === undefined) return services;
  const known = new Map<string | symbol, { value: unknown; traced: unknown }>();
  return new Proxy(services, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof name === 'symbol') return value;
      const before = known.get(name);
      if (before && before.value === value) return before.traced;
      const wrapped = tracedMember(target, value, prefix + name);
      known.set(name, { value, traced: wrapped });
      return wrapped;
    },
  });
}

/** A proxy may not show other members than a frozen object has. */
const isPlain = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  Object.getPrototypeOf(value) === Object.prototype &&
  !Object.isFrozen(value);

function tracedMember(owner: object, member: unknown, name: string): unknown {
  if (isPlain(member)) return tracedServices(member, `${name}.`);
  if (typeof member !== 'function') return member;
  return (...args: unknown[]) => {
    const span = startSpan(name);
    if (!span) return Reflect.apply(member, owner, args);
    const result: unknown = spans.run(span, () => Reflect.apply(member, owner, args));
    // A span that is never ended is never sent: what answers at once is not worth one.
    return result instanceof Promise ? endWith(span, result) : result;
  };
}
