/** The calls of partners of the last seven days, for their developers and the platform. */

import type { Registry } from 'prom-client';
import type { Sql } from '../../db/database.ts';
import { dropPartitions, makePartitions } from '../../db/partitions.ts';
import { primaryReads, type Reads, readTogether } from '../../db/reads.ts';
import type { Caller } from '../../http/auth/caller.ts';
import { nodeCounter } from '../../http/observability/metrics.ts';
import type { JobDefinition } from '../../jobs/jobs.ts';
import { type Clock, nowOf, timestampOf } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import { problem } from '../../kernel/problem.ts';
import { instantOf } from '../../kernel/rfc3339.ts';
import { createRecorder, REQUEST_LOG, type Recorder } from './recorder.ts';
import type { LoggedRequest, LoggedRequests, RequestsQuery } from './schema.ts';
import { findLastLookedAt, listRequests, type Place, type RequestFilter, type RequestRow } from './store.ts';

export interface RequestLog {
  recorder: Recorder;
  list(partnerId: number, query: RequestsQuery): Promise<LoggedRequests>;
  /** Of the caller's partner. An agent sees its own calls alone: those of others are not its business. */
  listFor(caller: Caller, query: RequestsQuery): Promise<LoggedRequests>;
  /** Makes the partitions of the next days and drops those that are out of date. */
  keepPartitions(): Promise<void>;
}

export interface RequestLogDeps {
  sql: Sql;
  reads?: Reads;
  clock: Clock;
  log: Pick<Log, 'warn'>;
}

const KEPT_DAYS = 7;
const DAYS_AHEAD = 3;
/** For one page. */
const LOOKED_AT = 20_000;
const NOTHING: LoggedRequests = { data: [], meta: { nextCursor: null } };

export function createRequestLog({ sql, reads = primaryReads(sql), clock, log }: RequestLogDeps): RequestLog {
  async function list(partnerId: number, { limit, ...query }: RequestsQuery): Promise<LoggedRequests> {
    const filter = readFilter(partnerId, query, nowOf(clock));
    return readTogether(reads, async (tx) => {
      const found = await listRequests(tx, filter, { limit: limit + 1, lookedAt: LOOKED_AT });
      const data = found.slice(0, limit).map(requestView);
      const last = found.length > limit ? data.at(-1) : await findLastLookedAt(tx, filter, LOOKED_AT);
      return { data, meta: { nextCursor: last?.id ?? null } };
    });
  }

  return {
    recorder: createRecorder({ sql, log }),
    list,

    async listFor(caller, query) {
      if (!('partner' in caller))
        throw problem('IDENT-N-002', {
          detail: 'The request log belongs to partners; call as a partner, or as an agent for one.',
        });
      const { clientId, kind, partner } = caller;
      if (kind === 'partner') return list(partner.id, query);
      if (query.clientId !== undefined && query.clientId !== clientId) return NOTHING;
      return list(partner.id, { ...query, clientId });
    },

    async keepPartitions() {
      const now = nowOf(clock);
      await makePartitions(sql, REQUEST_LOG, now, DAYS_AHEAD);
      // That of the day that began less than this long ago is still shown.
      await dropPartitions(sql, REQUEST_LOG, now.subtract({ hours: 24 * KEPT_DAYS }));
    },
  };
}

function readFilter(
  partnerId: number,
  query: Omit<RequestsQuery, 'limit'>,
  now: Temporal.Instant,
): RequestFilter {
  const { from, to, cursor, status, correlationId, code, method, route, clientId } = query;
  const oldest = now.subtract({ hours: 24 * KEPT_DAYS });
  const asked = from === undefined ? oldest : instantOf(from);
  return {
    partnerId,
    // A partition holds a day more than is shown of it.
    from: Temporal.Instant.compare(asked, oldest) < 0 ? oldest : asked,
    to: to === undefined ? to : instantOf(to),
    after: cursor === undefined ? cursor : placeOf(cursor),
    status: status === undefined ? status : statusesOf(status),
    correlationId,
    code,
    method,
    route,
    clientId,
  };
}

/** PostgreSQL writes later years in another way. */
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** An id begins with the time of its row. One that is made up may begin with any. */
function placeOf(id: string): Place {
  const milliseconds = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  return { id, at: Temporal.Instant.fromEpochMilliseconds(Math.min(milliseconds, LATEST_MS)) };
}

function statusesOf(text: string): { from: number; to: number } {
  if (!text.endsWith('xx')) return { from: Number(text), to: Number(text) };
  const hundreds = 100 * Number(text[0]);
  return { from: hundreds, to: hundreds + 99 };
}

function requestView({ partnerId: _, at, ...request }: RequestRow): LoggedRequest {
  return { ...request, at: timestampOf(at) };
}

export function requestLogJobs(requestLog: RequestLog): JobDefinition[] {
  return [
    {
      name: 'request-log.keep-partitions',
      schedule: '41 * * * *',
      handle: () => requestLog.keepPartitions(),
    },
  ];
}

export function requestLogMetrics(registry: Registry, { recorder }: RequestLog): void {
  counter('request_log_written_total', 'Calls that this node has written to the request log.', 'written');
  counter('request_log_dropped_total', 'Calls that are missing in the request log.', 'dropped');

  function counter(name: string, help: string, what: keyof Recorder['counts']): void {
    nodeCounter(registry, { name, help, read: () => recorder.counts[what] });
  }
}
