import type { Fragment, Tx } from '../../db/database.ts';
import type { Visibility } from '../../http/auth/caller.ts';
import { visibleProducts } from '../../http/auth/visibility-store.ts';
import type { ProductId, VenueId } from '../../kernel/ids.ts';
import { rows } from './hours/store.ts';

/** More than a venue can have to come; of those that are over some are left out. */
const MOST_READ = 500;

/** Of the venues `v`, as `ClosureRecord`. */
export function closuresOf(tx: Tx): Fragment {
  return rows(
    tx,
    tx`select first_day as "firstDay", last_day as "lastDay", extract(epoch from from_at) * 1000 as "fromMs",
         extract(epoch from to_at) * 1000 as "toMs", product_ids as "productIds"
       from closure where venue_id = v.id order by to_at desc, id limit ${MOST_READ}`,
  );
}

export interface ClosedStay {
  venueId: VenueId;
  productId: ProductId;
  /** Trading day. */
  date: string;
  startsAt: Temporal.Instant;
  durationMinutes: number;
}

/** Whether a closure that is committed takes this stay. */
export async function isInClosure(tx: Tx, stay: ClosedStay): Promise<boolean> {
  const { venueId, productId, date, startsAt, durationMinutes } = stay;
  const found = await tx`
    select from closure
    where venue_id = ${venueId} and (product_ids is null or ${productId} = any(product_ids))
      and case when first_day is null then from_at < ${startsAt.add({ minutes: durationMinutes })} and to_at > ${startsAt}
        else ${date}::date between first_day and last_day end
    limit 1`;
  return found.length > 0;
}

/** Whether all that the caller can see at the venue `v` is closed on a trading day, or at a minute of it. */
export function isClosedAt(
  tx: Tx,
  visibility: Visibility,
  { date, minute }: { date: string; minute?: number | undefined },
): Fragment {
  const instant = tx`((${date}::date + make_interval(mins => ${minute ?? 0})) at time zone v.time_zone)`;
  const isThen =
    minute === undefined
      ? tx`false`
      : tx`(first_day is null and from_at <= ${instant} and to_at > ${instant})`;
  return tx`exists (
    select from closure where venue_id = v.id and (${date}::date between first_day and last_day or ${isThen})
      and (product_ids is null or not exists (select from product p
        where p.venue_id = v.id and p.id <> all(product_ids) and ${visibleProducts(tx, visibility)})))`;
}
