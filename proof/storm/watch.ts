/** Looks at the database while everybody calls: what must hold at each moment, and not only when all is at rest. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../src/db/database.ts';

const LOOK_MS = 400;

export interface Watch {
  /** Sentences about moments at which too much was taken. */
  faults: Set<string>;
  looks: number;
  stop(): Promise<void>;
}

/** Places that are booked or held, counted at one moment; holds count until their clock is over. */
export async function oversoldNow(sql: Sql): Promise<string[]> {
  const rows = await sql<{ fault: string }[]>`
    with taken as (
      select table_id, during, reservation_id as id from house_allocation
      union all
      select unnest(table_ids), during, id from house_hold where expires_at > now()
    )
    select format('table %s was taken for %s and %s at once', a.table_id, a.id, b.id) as fault
      from taken a join taken b on a.table_id = b.table_id and a.id < b.id and a.during && b.during
    union all
    select format('%s of %s tickets of %s were sold and held', sum(quantity), capacity, product_id)
      from (select product_id, occurrence_id, quantity from ticket_reservation
        union all
        select product_id, occurrence_id, quantity from ticket_hold h where expires_at > now()
          and not exists (select from ticket_reservation r where r.id = h.id)) as sold
      join ticket_type using (product_id)
      group by product_id, occurrence_id, capacity having sum(quantity) > capacity
    union all
    select format('hold %s is offered to %s entries', hold_id, count(*)) from waitlist_entry
      where status = 'offered' group by hold_id having count(*) > 1`;
  return rows.map(({ fault }) => fault);
}

export function startWatch(sql: Sql, more: (sql: Sql) => Promise<string[]>): Watch {
  let isOver = false;
  const watch: Watch = { faults: new Set(), looks: 0, stop: async () => {} };
  const running = (async () => {
    while (!isOver) {
      try {
        for (const line of [...(await oversoldNow(sql)), ...(await more(sql))]) watch.faults.add(line);
        watch.looks += 1;
      } catch {
        // The database is down at the moment, as it has been told to be.
      }
      await sleep(LOOK_MS);
    }
  })();
  watch.stop = () => {
    isOver = true;
    return running;
  };
  return watch;
}
