import type { Fragment, Tx } from '../../db/database.ts';
import type { AnsweredCall } from '../../http/observability/answered-calls.ts';

export interface NewRequest extends AnsweredCall {
  id: string;
}

export interface RequestRow extends Omit<NewRequest, 'arrivedMs'> {
  at: Temporal.Instant;
}

export interface InsertOptions {
  /** The rows were sent before, and the answer was lost: those that are there are left out. */
  isRepeated: boolean;
}

/** Most calls of a batch are alike: what they have in common goes once, with arrays of the rest. */
export async function insertRequests(
  tx: Tx,
  rows: readonly NewRequest[],
  { isRepeated }: InsertOptions,
): Promise<void> {
  await tx`
    insert into request_log (at, id, partner_id, client_id, method, route, venue_id, status, code, correlation_id,
      duration_ms)
    select at, id, "partnerId", "clientId", method, route, "venueId", status, code, "correlationId", "durationMs"
    from json_to_recordset(${JSON.stringify(alikeOf(rows))}::text::json) as alike ("partnerId" integer,
        "clientId" text, method text, route text, "venueId" text, status smallint, code text, "arrivedMs" bigint[],
        ids uuid[], "correlationIds" text[], "durationsMs" real[]),
      unnest("arrivedMs", ids, "correlationIds", "durationsMs") as r (ms, id, "correlationId", "durationMs"),
      lateral (select timestamptz 'epoch' + ms * interval '1 millisecond' as at) arrived
    where not (${isRepeated}::boolean and exists (
      select from request_log l where l.partner_id = alike."partnerId" and l.at = arrived.at and l.id = r.id))`;
}

function alikeOf(rows: readonly NewRequest[]) {
  const byKind = Map.groupBy(rows, ({ partnerId, clientId, method, route, venueId, status, code }) =>
    [partnerId, clientId, method, route, venueId, status, code].join('\n'),
  );
  return byKind
    .values()
    .toArray()
    .map((alike) => {
      const [{ partnerId, clientId, method, route, venueId, status, code }] = alike as [NewRequest];
      return {
        ...{ partnerId, clientId, method, route, venueId, status, code },
        arrivedMs: alike.map((row) => row.arrivedMs),
        ids: alike.map(({ id }) => id),
        correlationIds: alike.map(({ correlationId }) => correlationId),
        durationsMs: alike.map(({ durationMs }) => durationMs),
      };
    });
}

/** The place of a row in the list, which is ordered by time and then by id. */
export interface Place {
  at: Temporal.Instant;
  id: string;
}

export interface RequestFilter {
  partnerId: number;
  /** The first included, the last not. */
  from: Temporal.Instant;
  to: Temporal.Instant | undefined;
  /** Only what comes after this row in the list. */
  after: Place | undefined;
  correlationId: string | undefined;
  /** The first and the last that fit. */
  status: { from: number; to: number } | undefined;
  code: string | undefined;
  method: string | undefined;
  route: string | undefined;
  clientId: string | undefined;
}

export interface Window {
  /** So many of those that fit. */
  limit: number;
  /** So many rows are looked at: a filter without an index may fit few of many millions. */
  lookedAt: number;
}

/** The newest first. */
export async function listRequests(
  tx: Tx,
  filter: RequestFilter,
  { limit, lookedAt }: Window,
): Promise<RequestRow[]> {
  const rows = await tx<RequestRow[]>`
    select at, id, partner_id as "partnerId", client_id as "clientId", method, route, venue_id as "venueId", status,
      code, correlation_id as "correlationId", duration_ms as "durationMs"
    from (${candidates(tx, filter, tx`*`)} limit ${lookedAt}) candidate
    where ${fits(tx, filter)} order by at desc, id desc limit ${limit}`;
  return [...rows];
}

/** The last row that such a list looks at; undefined: it looks at all there are. */
export async function findLastLookedAt(
  tx: Tx,
  filter: RequestFilter,
  lookedAt: number,
): Promise<Place | undefined> {
  const [row] = await tx<Place[]>`${candidates(tx, filter, tx`at, id`)} offset ${lookedAt - 1} limit 1`;
  return row;
}

/** What an index finds. */
function candidates(tx: Tx, filter: RequestFilter, columns: Fragment): Fragment {
  const { partnerId, from, to, after, correlationId, status } = filter;
  // A code alone does not say that: refusals of MCP tools are answers with 200.
  const isFailure = status !== undefined && status.from >= 400;
  return tx`
    select ${columns} from request_log
    where partner_id = ${partnerId} and at >= ${from}
      ${to === undefined ? tx`` : tx`and at < ${to}`}
      ${after === undefined ? tx`` : tx`and at <= ${after.at} and (at, id) < (${after.at}, ${after.id})`}
      ${correlationId === undefined ? tx`` : tx`and correlation_id = ${correlationId}`}
      ${isFailure ? tx`and status >= 400` : tx``}
    order by at desc, id desc`;
}

function fits(tx: Tx, { status, code, method, route, clientId }: RequestFilter): Fragment {
  return tx`true
    ${status === undefined ? tx`` : tx`and status between ${status.from} and ${status.to}`}
    ${code === undefined ? tx`` : tx`and code = ${code}`}
    ${method === undefined ? tx`` : tx`and method = ${method}`}
    ${route === undefined ? tx`` : tx`and route = ${route}`}
    ${clientId === undefined ? tx`` : tx`and client_id = ${clientId}`}`;
}
