import type { Sql } from '../../../db/database.ts';
import { inBatches } from '../../../db/in-batches.ts';
import { codeOf } from '../../../kernel/problem.ts';
import type { Taking } from '../../../tms/contract.ts';
import { type AtOnce, insertTaking, type Taken } from './at-once-store.ts';

/** A booking that needs nothing but a place that is free, and the way its system takes one. */
export interface Wanted {
  taking: Taking;
  booking: AtOnce;
}

/** Takes the place and writes the booking, together with what others want at the same moment. */
export type TakeAtOnce = (wanted: Wanted) => Promise<Taken>;

/** More would wait for each other; fewer would leave the database idle while one of them is on its way. */
const BATCHES_UNDER_WAY = 4;
const MOST_IN_A_BATCH = 32;

export function createTaker(sql: Sql): TakeAtOnce {
  const takers = new Map<Taking['take'], (wanted: Wanted) => Promise<Result>>();
  const takerFor = (take: Taking['take']) =>
    inBatches((wanted: readonly Wanted[]) => takeTogether(sql, take, wanted), {
      underWay: BATCHES_UNDER_WAY,
      most: MOST_IN_A_BATCH,
    });
  return async (wanted) => {
    const result = await takers.getOrInsertComputed(wanted.taking.take, takerFor)(wanted);
    if ('error' in result) throw result.error;
    return result;
  };
}

type Result = Taken | { error: unknown };

/** One that cannot be written undoes them all; then each is tried by itself, and none pays for another. */
async function takeTogether(
  sql: Sql,
  take: Taking['take'],
  wanted: readonly Wanted[],
): Promise<readonly Result[]> {
  try {
    return await takeInOrder(sql, take, wanted);
  } catch (error) {
    if (wanted.length === 1 || !isUndone(error)) throw error;
    return Promise.all(
      wanted.map(async ({ booking }) => {
        const [taken] = await insertTaking(sql, take, [booking]).catch((error) => [{ error }]);
        return taken as Result;
      }),
    );
  }
}

/** Whoever takes several takes them in the same order, so that two such do not wait for each other in a circle. */
async function takeInOrder(sql: Sql, take: Taking['take'], wanted: readonly Wanted[]): Promise<Taken[]> {
  const ordered = wanted.toSorted(
    ({ taking: a }, { taking: b }) => Number(a.order > b.order) - Number(a.order < b.order),
  );
  const taken = await insertTaking(
    sql,
    take,
    ordered.map(({ booking }) => booking),
  );
  const byWanted = new Map(ordered.map((each, index) => [each, taken[index]]));
  return wanted.map((each) => byWanted.get(each) as Taken);
}

/** What the server itself has refused is undone for certain; of a connection that broke nobody knows. */
const isUndone = (error: unknown) => /^(?!08|57P)(?=.*\d)[0-9A-Z]{5}$/.test(codeOf(error) ?? '');
