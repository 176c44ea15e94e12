import type { Fragment, Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import { countBookings } from './count-store.ts';
import type { BookingStatus } from './record.ts';

/** Which of an operator's bookings are wanted, and in which order. */
export interface ManagedFilter {
  venueId?: VenueId | undefined;
  /** Trading days; both belong to it. */
  from?: string | undefined;
  to?: string | undefined;
  status?: readonly BookingStatus[] | undefined;
  type?: 'book' | 'request' | undefined;
  partnerId?: number | undefined;
  sortBy: ManagedSort;
}

export const MANAGED_SORTS = ['start', 'created'] as const;
export type ManagedSort = (typeof MANAGED_SORTS)[number];

/** The next visit first, or the latest booking. */
export async function listManagedIds(
  tx: Tx,
  operatorId: number,
  filter: ManagedFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ ids: string[]; total: number }> {
  const wanted = matching(tx, operatorId, filter);
  const order = filter.sortBy === 'created' ? tx`created_at desc, id desc` : tx`starts_at, id`;
  const rows = await tx<{ id: string }[]>`
    select id from booking where ${wanted} order by ${order} limit ${limit} offset ${offset}`;
  return { ids: rows.map(({ id }) => id), total: await countManaged(tx, operatorId, filter) };
}

function countManaged(tx: Tx, operatorId: number, filter: ManagedFilter): Promise<number> {
  const { venueId, from, to, status, type, partnerId } = filter;
  const isNarrowed = [venueId, from, to, status, type].some((value) => value !== undefined);
  return isNarrowed
    ? countMatching(tx, matching(tx, operatorId, filter))
    : countBookings(tx, matching(tx, operatorId, { partnerId }));
}

async function countMatching(tx: Tx, wanted: Fragment): Promise<number> {
  const [counted] = await tx<{ total: number }[]>`select count(*) as total from booking where ${wanted}`;
  return counted?.total ?? 0;
}

function matching(tx: Tx, operatorId: number, filter: Omit<ManagedFilter, 'sortBy'>): Fragment {
  const { venueId, from, to, status, type, partnerId } = filter;
  return tx`
    operator_id = ${operatorId}
    ${from === undefined ? tx`` : tx`and trading_day >= ${from} and starts_at >= ${earliest(tx, from)}`}
    ${to === undefined ? tx`` : tx`and trading_day <= ${to} and starts_at < ${latest(tx, to)}`}
    ${venueId === undefined ? tx`` : tx`and venue_id = ${venueId}`}
    ${status === undefined ? tx`` : tx`and status = any(${[...status]}::text[])`}
    ${type === undefined ? tx`` : tx`and type = ${type}`}
    ${partnerId === undefined ? tx`` : tx`and partner_id = ${partnerId}`}`;
}

/** A trading day begins and ends within these in whichever zone, so that the index by start can be used for it. */
const earliest = (tx: Tx, day: string) => tx`(${day}::date - 1)::timestamptz`;
const latest = (tx: Tx, day: string) => tx`(${day}::date + 3)::timestamptz`;

export async function listPartnerNames(tx: Tx, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await tx<{ id: number; name: string }[]>`
    select id, name from partner where id = any(${[...ids]}::integer[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}
