/** How many places a partner may keep at a venue at a time, so that none keeps them from others. */
import type { Tx } from '../../../db/database.ts';
import { nowOf } from '../../../kernel/clock.ts';
import { type Problem, problem } from '../../../kernel/problem.ts';
import type { Context } from '../context.ts';
import { countOpenHolds, type HolderAt, lockCounts } from './store.ts';

const MOST_OPEN_HOLDS = 20;

type Deps = Pick<Context, 'clock' | 'holdCounts'>;

/** Throws where the holder has as many open holds as it may have. */
export async function assertBelowLimit(tx: Tx, deps: Deps, holder: HolderAt): Promise<void> {
  const [refusal] = await refuseBeyondLimit(tx, deps, [holder]);
  if (refusal) throw refusal;
}

/**
 * For each that wants one more hold why it cannot have it, in the order in which they come. Counted under a lock: two
 * requests at once do not pass the limit together.
 */
export async function refuseBeyondLimit(
  tx: Tx,
  { clock, holdCounts }: Deps,
  holders: readonly HolderAt[],
): Promise<(Problem | undefined)[]> {
  const nameOf = ({ partnerId, venueId }: HolderAt) => `${partnerId}/${venueId}`;
  const distinct = new Map(holders.map((holder) => [nameOf(holder), holder]));
  if (distinct.size === 0) return [];
  await lockCounts(tx, [...distinct.keys()].sort());
  const open = new Map<string, number>();
  for (const [name, holder] of distinct) open.set(name, await countOpenHolds(tx, holder, nowOf(clock)));
  return holders.map((holder) => {
    const count = open.get(nameOf(holder)) ?? 0;
    open.set(nameOf(holder), count + 1);
    if (count < MOST_OPEN_HOLDS) return undefined;
    holdCounts.add('refused');
    return problem('HOLD-N-004', {
      detail: `You have ${MOST_OPEN_HOLDS} open holds at this venue, which is as many as a partner may have.`,
    });
  });
}
