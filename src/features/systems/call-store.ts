import type { Tx } from '../../db/database.ts';

/** The calls of one operation for one operator within a minute. */
export interface MinuteOfCalls {
  tms: string;
  operatorId: number;
  operation: string;
  minuteMs: number;
  calls: number;
  refused: number;
  failed: number;
  inDoubt: number;
  totalMs: number;
  maxMs: number;
  durations: number[];
  lastMs: number;
  lastError: string | null;
  lastErrorMs: number | null;
}

/** Adds to what other nodes have written. In the order of the key, so that two nodes do not deadlock. */
export async function addCalls(tx: Tx, minutes: readonly MinuteOfCalls[]): Promise<void> {
  await tx`
    insert into system_call (tms, operator_id, minute, operation, calls, refused, failed, in_doubt, total_ms, max_ms,
      durations, last_at, last_error, last_error_at)
    select tms, "operatorId", to_timestamp("minuteMs" / 1000.0), operation, calls, refused, failed, "inDoubt",
      "totalMs", "maxMs", array(select value::int from jsonb_array_elements_text(durations)),
      to_timestamp("lastMs" / 1000.0), "lastError", to_timestamp("lastErrorMs" / 1000.0)
    from jsonb_to_recordset(${tx.json(minutes as never)}) as m(tms text, "operatorId" int, "minuteMs" bigint,
      operation text, calls int, refused int, failed int, "inDoubt" int, "totalMs" bigint, "maxMs" int,
      durations jsonb, "lastMs" bigint, "lastError" text, "lastErrorMs" bigint)
    order by 1, 2, 3, 4
    on conflict (tms, operator_id, minute, operation) do update set
      calls = system_call.calls + excluded.calls, refused = system_call.refused + excluded.refused,
      failed = system_call.failed + excluded.failed, in_doubt = system_call.in_doubt + excluded.in_doubt,
      total_ms = system_call.total_ms + excluded.total_ms, max_ms = greatest(system_call.max_ms, excluded.max_ms),
      durations = array(select a + b from unnest(system_call.durations, excluded.durations)
        with ordinality as d(a, b, i) order by i),
      last_at = greatest(system_call.last_at, excluded.last_at),
      last_error = coalesce(excluded.last_error, system_call.last_error),
      last_error_at = coalesce(excluded.last_error_at, system_call.last_error_at)`;
}

export async function forgetCalls(tx: Tx, before: Temporal.Instant): Promise<void> {
  await tx`delete from system_call where minute < ${before}`;
}

export interface CallFigures {
  calls: number;
  refused: number;
  failed: number;
  inDoubt: number;
  maxMs: number;
  durations: number[];
}

const sums = (tx: Tx) => tx`
  sum(calls)::int as calls, sum(refused)::int as refused, sum(failed)::int as failed, sum(in_doubt)::int as "inDoubt",
  max(max_ms)::int as "maxMs", array[sum(durations[1]), sum(durations[2]), sum(durations[3]), sum(durations[4]),
    sum(durations[5]), sum(durations[6]), sum(durations[7]), sum(durations[8]), sum(durations[9]),
    sum(durations[10]), sum(durations[11])]::int[] as durations`;

interface Account {
  tms: string;
  operatorId: number;
}

export interface OperationFigures extends CallFigures {
  operation: string;
  lastAt: Temporal.Instant;
}

export async function listOperationCalls(
  tx: Tx,
  { tms, operatorId }: Account,
  since: Temporal.Instant,
): Promise<OperationFigures[]> {
  const rows = await tx<OperationFigures[]>`
    select operation, max(last_at) as "lastAt", ${sums(tx)} from system_call
    where tms = ${tms} and operator_id = ${operatorId} and minute >= ${since}
    group by operation order by operation`;
  return [...rows];
}

export interface MinuteFigures extends CallFigures {
  at: Temporal.Instant;
}

export async function listMinutes(
  tx: Tx,
  { tms, operatorId }: Account,
  since: Temporal.Instant,
): Promise<MinuteFigures[]> {
  const rows = await tx<MinuteFigures[]>`
    select minute as at, ${sums(tx)} from system_call
    where tms = ${tms} and operator_id = ${operatorId} and minute >= ${since}
    group by minute order by minute`;
  return [...rows];
}

export interface CallError {
  operation: string;
  at: Temporal.Instant;
  problem: string;
}

/** The latest errors, one of each minute and operation. */
export async function listErrors(
  tx: Tx,
  { tms, operatorId }: Account,
  since: Temporal.Instant,
  limit: number,
): Promise<CallError[]> {
  const rows = await tx<CallError[]>`
    select operation, last_error_at as at, last_error as problem from system_call
    where tms = ${tms} and operator_id = ${operatorId} and minute >= ${since} and last_error is not null
    order by last_error_at desc, operation limit ${limit}`;
  return [...rows];
}
