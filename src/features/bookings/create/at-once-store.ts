import type { Tx } from '../../../db/database.ts';
import type { Taking } from '../../../tms/contract.ts';
import { happening, telling } from '../../events/service.ts';
import { saving } from '../../idempotency/service.ts';
import { standingIn } from './version-store.ts';

/** Everything that one booking writes, as documents. */
export interface AtOnce {
  place: object;
  row: object;
  basis: object;
  event: object;
  /** The answer that is kept with it, if one is. */
  kept: object | null;
}

export interface Taken {
  isTaken: boolean;
  /** What was said of the place. */
  answer: unknown;
}

/** More than the clocks of a node and of its database may differ. */
const BEGINS_WITHIN = { seconds: 6 };

/**
 * Places, bookings and all that goes with them in one statement: done as a whole, or not at all. Those whose place is
 * gone are left out; one that has got its place and cannot be written undoes all the others too. What the place is, is
 * known only when it is taken, so that goes into the row on its way.
 *
 * A server that stood still carries out what it was sent before, also when the connection is gone. So a statement that
 * it begins too late is abandoned; a request that still waits then books in a transaction of its own.
 */
export async function insertTaking(
  tx: Tx,
  take: Taking['take'],
  bookings: readonly AtOnce[],
): Promise<Taken[]> {
  // By itself: among the words of a statement the driver takes the list for values.
  const names = tx`${tx(Object.keys(bookings[0]?.row ?? {}))}`;
  const places = tx.json(bookings.map(({ place }) => place) as never);
  const items = tx.json(bookings.map(({ place, ...item }) => item) as never);
  const beginsBefore = Temporal.Now.instant().add(BEGINS_WITHIN);
  return tx<Taken[]>`
    with asked as materialized (
      select item, number, answer
      from jsonb_array_elements(${items}::jsonb) with ordinality as items (item, number)
        left join ${take(tx, tx`${places}::jsonb`)} as taken using (number)),
    taken as materialized (
      select item, answer, item -> 'basis' as basis, item -> 'row' ->> 'id' as id, item -> 'kept' ->> 'lease' as lease
      from asked where answer ? 'tables'),
    made as (
      insert into booking (${names})
      select ${names} from (
        select made.*, basis from taken, jsonb_populate_record(null::booking, item -> 'row' || jsonb_build_object(
          'area_id', answer -> 'areaId', 'area_name', answer -> 'areaName', 'tables', answer -> 'tables')) as made) as made
      where ${standingIn(tx, tx`basis`)}
      on conflict (partner_id, partner_booking_id) do nothing
      returning id),
    kept as (${saving(tx, tx`select item -> 'kept' as kept from taken where lease is not null`)}),
    ${happening(tx, tx`select item -> 'event' as event from taken`)}
    select answer, coalesce(answer ? 'tables', false) as "isTaken", ${telling(tx)},
      case when statement_timestamp() > ${beginsBefore} or exists (
        select from taken where id::uuid not in (select id from made)
          or lease is not null and lease not in (select lease from kept))
      then abandon() end
    from asked order by number`;
}
