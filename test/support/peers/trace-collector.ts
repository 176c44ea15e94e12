/** A collector of traces on loopback: takes OTLP over HTTP in JSON and keeps the spans. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface CollectedSpan {
  name: string;
  traceId: string;
  spanId: string;
  /** Empty: it is the first of its trace. */
  parentSpanId: string;
  kind: number;
  attributes: Record<string, string | number>;
  isFailed: boolean;
  startMs: number;
  durationMs: number;
}

export interface Collector {
  url: string;
  spans: CollectedSpan[];
  /** Of the requests that brought them. */
  headers: IncomingHttpHeaders[];
  /** What a node says of itself. */
  resources: Record<string, string | number>[];
  close(): Promise<void>;
}

interface Pair {
  key: string;
  value: { stringValue?: string; intValue?: number | string; doubleValue?: number };
}
interface SentSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  attributes: Pair[];
  status?: { code?: number };
  startTimeUnixNano: string;
  endTimeUnixNano: string;
}
interface Sent {
  resourceSpans: { resource: { attributes: Pair[] }; scopeSpans: { spans: SentSpan[] }[] }[];
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const resources: Collector['resources'] = [];
  const server = createServer(async (request, response) => {
    const { resourceSpans } = (await json(request)) as Sent;
    headers.push(request.headers);
    for (const { resource, scopeSpans } of resourceSpans) {
      resources.push(attributesOf(resource.attributes));
      spans.push(...scopeSpans.flatMap(({ spans: sent }) => sent.map(spanOf)));
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers,
    resources,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const attributesOf = (pairs: readonly Pair[]) =>
  Object.fromEntries(
    pairs.map(({ key, value }) => [
      key,
      value.stringValue ?? (value.intValue === undefined ? (value.doubleValue ?? 0) : Number(value.intValue)),
    ]),
  );

const FAILED = 2;
const toMs = (nanoseconds: string) => Number(BigInt(nanoseconds) / 1000n) / 1000;

function spanOf(sent: SentSpan): CollectedSpan {
  const { name, traceId, spanId, parentSpanId = '', kind, status } = sent;
  const startMs = toMs(sent.startTimeUnixNano);
  return {
    ...{ name, traceId, spanId, parentSpanId, kind },
    attributes: attributesOf(sent.attributes),
    isFailed: status?.code === FAILED,
    startMs,
    durationMs: toMs(sent.endTimeUnixNano) - startMs,
  };
}

/** The spans of a trace as a tree, a line each, in the order in which they began. */
export function treeOf(
  spans: readonly CollectedSpan[],
  line: (span: CollectedSpan) => string = ({ name }) => name,
): string[] {
  const known = new Set(spans.map(({ spanId }) => spanId));
  const inOrder = spans.toSorted((one, other) => one.startMs - other.startMs);
  const below = (parentId: string | undefined, depth: number): string[] =>
    inOrder
      .filter(({ parentSpanId }) =>
        parentId === undefined ? !known.has(parentSpanId) : parentSpanId === parentId,
      )
      .flatMap((span) => [`${'  '.repeat(depth)}${line(span)}`, ...below(span.spanId, depth + 1)]);
  return below(undefined, 0);
}
