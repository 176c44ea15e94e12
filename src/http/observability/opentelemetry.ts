/**
 * Sends spans to a collector with OTLP over HTTP. Loaded only where `OTEL_EXPORTER_OTLP_ENDPOINT` is set. Nothing waits
 * for the collector: spans queue up to a limit, and what does not fit or cannot be sent is dropped and counted.
 */

import { randomBytes } from 'node:crypto';
import type { Span as SdkSpan, Tracer as SdkTracer, SpanContext, TraceState } from '@opentelemetry/api';
import { ROOT_CONTEXT, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { Counter, type Registry } from 'prom-client';
import type { TracingConfig } from '../../config.ts';
import { DEADLINES } from '../../kernel/deadlines.ts';
import {
  type Attributes,
  type Origin,
  type Span,
  type SpanKind,
  setTracer,
  type Tracer,
} from '../../kernel/tracing.ts';
import { PROGRAM_VERSION } from '../../kernel/version.ts';

export interface Tracing {
  register(registry: Registry): void;
  /** Sends what is left, for as long as that may take. */
  stop(): Promise<void>;
}

interface TracingLog {
  warn(line: string): void;
  info(line: string): void;
}

/** Some megabytes. */
const MOST_WAITING = 8192;
const BATCH = 1024;
const SEND_EVERY_MS = 1000;

export function startTracing(config: TracingConfig, log: TracingLog): Tracing {
  const { processor, counts } = boundedProcessor(config, log);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': config.serviceName,
      'service.version': PROGRAM_VERSION,
    }),
    spanProcessors: [processor],
  });
  setTracer(tracerOn(provider.getTracer('maitred', PROGRAM_VERSION), config.ratio));
  return {
    register: (registry) => registerCounts(registry, counts),
    async stop() {
      setTracer(undefined);
      let giveUp: NodeJS.Timeout | undefined;
      const tooLate = new Promise<void>((resolve) => {
        giveUp = setTimeout(resolve, DEADLINES.stopTracing);
      });
      await Promise.race([provider.shutdown().catch(() => {}), tooLate]);
      clearTimeout(giveUp);
    },
  };
}

interface SpanCounts {
  sent: number;
  dropped: number;
}

/** The batches of the library, which does not tell what it drops: so what is on its way is counted here. */
function boundedProcessor({ url, headers }: TracingConfig, log: TracingLog) {
  const counts: SpanCounts = { sent: 0, dropped: 0 };
  let waiting = 0;
  let isFailing = false;
  const exporter = new OTLPTraceExporter({
    url: `${url}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: DEADLINES.traceExport,
  });

  function note(spans: number, isSent: boolean): void {
    waiting -= spans;
    counts[isSent ? 'sent' : 'dropped'] += spans;
    if (isFailing === !isSent) return;
    isFailing = !isSent;
    if (isFailing) log.warn('Traces cannot be sent to the collector; they are dropped until it answers.');
    else log.info('The collector of traces answers again.');
  }

  const counting: SpanExporter = {
    export(spans, done) {
      exporter.export(spans, (result) => {
        note(spans.length, result.code === 0);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  };
  const batches = new BatchSpanProcessor({
    exporter: counting,
    maxQueueSize: MOST_WAITING,
    maxExportBatchSize: BATCH,
    scheduledDelayMillis: SEND_EVERY_MS,
    // The exporter ends by itself, and then says so.
    exportTimeoutMillis: 2 * DEADLINES.traceExport,
  });
  const processor: SpanProcessor = {
    onStart() {},
    onEnd(span: ReadableSpan) {
      if (waiting >= MOST_WAITING) {
        counts.dropped += 1;
        return;
      }
      waiting += 1;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
  return { processor, counts };
}

function registerCounts(registry: Registry, counts: SpanCounts): void {
  const count = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  count('otel_spans_sent_total', 'Spans that the collector has taken.', () => counts.sent);
  count(
    'otel_spans_dropped_total',
    'Spans that were dropped because the collector was away or too slow.',
    () => counts.dropped,
  );
}

/** As the library numbers them. */
const KINDS: Record<SpanKind, number> = { internal: 0, server: 1, client: 2, producer: 3 };

/**
 * A caller that has decided whether its trace is recorded is followed. The library is not asked about traces that are
 * not recorded: for it they would cost half as much as those that are.
 */
function tracerOn(sdk: SdkTracer, ratio: number): Tracer {
  const started = (name: string, kind: SpanKind, attributes: Attributes, parent: SdkSpan | undefined) => {
    const context = parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    return new OurSpan(sdk.startSpan(name, { kind: KINDS[kind], attributes }, context));
  };
  return {
    startRoot(name, kind, origin, attributes) {
      const caller = readOrigin(origin);
      const isSampled = caller ? caller.traceFlags === TraceFlags.SAMPLED : Math.random() < ratio;
      if (!isSampled) return caller && new UnrecordedSpan(caller);
      return started(name, kind, attributes, caller && trace.wrapSpanContext(caller));
    },
    startChild: (name, kind, parent, attributes) =>
      started(name, kind, attributes, (parent as OurSpan).sdkSpan),
  };
}

/** Of a caller who does not record its trace: it is only told on. */
class UnrecordedSpan implements Span {
  readonly isSampled = false;
  readonly #caller: SpanContext;

  constructor(caller: SpanContext) {
    this.#caller = caller;
  }

  get traceId(): string {
    return this.#caller.traceId;
  }

  get traceparent(): string {
    return `00-${this.traceId}-${randomBytes(8).toString('hex')}-00`;
  }

  get tracestate(): string | undefined {
    return this.#caller.traceState?.serialize();
  }

  isRecording(): boolean {
    return false;
  }

  set(): void {}
  end(): void {}
}

class OurSpan implements Span {
  readonly isSampled = true;
  readonly sdkSpan: SdkSpan;

  constructor(sdkSpan: SdkSpan) {
    this.sdkSpan = sdkSpan;
  }

  get traceId(): string {
    return this.sdkSpan.spanContext().traceId;
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.sdkSpan.spanContext();
    return `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`;
  }

  get tracestate(): string | undefined {
    return this.sdkSpan.spanContext().traceState?.serialize();
  }

  isRecording(): boolean {
    return this.sdkSpan.isRecording();
  }

  set(attributes: Attributes): void {
    this.sdkSpan.setAttributes(attributes);
  }

  end(failure?: string): void {
    if (failure !== undefined) {
      this.sdkSpan.setAttribute('error.type', failure);
      this.sdkSpan.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.sdkSpan.end();
  }
}

/** A version that we do not know may have more fields behind the four of this one. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:$|-)/;
const NONE = /^0+$/;
const MAX_TRACESTATE_LENGTH = 512;

/** Undefined where it is not what the standard says; the trace then begins here. */
function readOrigin({ traceparent, tracestate }: Origin): SpanContext | undefined {
  const [, traceId = '0', spanId = '0', flags = '0'] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (NONE.test(traceId) || NONE.test(spanId)) return undefined;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  const isPassedOn = tracestate !== undefined && tracestate.length <= MAX_TRACESTATE_LENGTH;
  return {
    traceId,
    spanId,
    traceFlags,
    isRemote: true,
    ...(isPassedOn && { traceState: unread(tracestate) }),
  };
}

/** It belongs to other vendors and is passed on as it came. */
const unread = (text: string): TraceState => {
  const state: TraceState = {
    set: () => state,
    unset: () => state,
    get: () => undefined,
    serialize: () => text,
  };
  return state;
};
