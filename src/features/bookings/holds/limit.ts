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
  const [room] = await roomBelowLimit(tx, deps, [holder]);
  if (room === 'none') throw beyondLimit(deps);
}

/** `unsure`: there is room only if one that comes before it in the list gets no hold. */
export type Room = 'some' | 'none' | 'unsure';

/**
 * For each that wants one more hold whether it may have it, in the order in which they come. Counted under a lock: two
 * requests at once do not pass the limit together.
 */
export async function roomBelowLimit(tx: Tx, { clock }: Deps, holders: readonly HolderAt[]): Promise<Room[]> {
  const nameOf = ({ partnerId, venueId }: HolderAt) => `${partnerId}/${venueId}`;
  const distinct = new Map(holders.map((holder) => [nameOf(holder), holder]));
  if (distinct.size === 0) return [];
  const now = nowOf(clock);
  // Sent together and carried out in this order: what is counted is what the locks have waited for.
  const [, ...counts] = await Promise.all([
    lockCounts(tx, [...distinct.keys()].sort()),
    ...[...distinct.values()].map((holder) => countOpenHolds(tx, holder, now)),
  ]);
  const open = new Map([...distinct.keys()].map((name, index) => [name, counts[index] ?? 0]));
  const wanted = new Map(open);
  return holders.map((holder) => {
    const name = nameOf(holder);
    if ((open.get(name) ?? 0) >= MOST_OPEN_HOLDS) return 'none';
    const before = wanted.get(name) ?? 0;
    wanted.set(name, before + 1);
    return before < MOST_OPEN_HOLDS ? 'some' : 'unsure';
  });
}

export function beyondLimit({ holdCounts }: Pick<Deps, 'holdCounts'>): Problem {
  holdCounts.add('refused');
  return problem('HOLD-N-004', {
    detail: `You have ${MOST_OPEN_HOLDS} open holds at this venue, which is as many as a partner may have.`,
  });
}
