import type { Tx } from '../../db/database.ts';

export interface TestWindow {
  beganAt: Temporal.Instant;
  /** This one included. */
  calls: number;
}

/**
 * Counts a call in one statement, so that calls at the same moment on other nodes are counted too. A window that
 * begins long after now was begun by a clock that has been put right since, and counts as over.
 */
export async function countTestCall(
  tx: Tx,
  partnerId: number,
  { now, seconds }: { now: Temporal.Instant; seconds: number },
): Promise<TestWindow> {
  const isOver = () => tx`
    (w.began_at <= ${now.subtract({ seconds })} or w.began_at > ${now.add({ seconds })})`;
  const [window] = await tx<[TestWindow]>`
    insert into webhook_test_window as w (partner_id, began_at, calls) values (${partnerId}, ${now}, 1)
    on conflict (partner_id) do update set
      began_at = case when ${isOver()} then excluded.began_at else w.began_at end,
      calls = case when ${isOver()} then 1 else w.calls + 1 end
    returning began_at as "beganAt", calls`;
  return window;
}
