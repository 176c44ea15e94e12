import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';

/** False when it was closed already; of several who close it at once one closes it. */
export async function markClosed(tx: Tx, id: VenueId, now: Temporal.Instant): Promise<boolean> {
  const { count } = await tx`update venue set closed_at = ${now} where id = ${id} and closed_at is null`;
  return count > 0;
}

export async function markOpen(tx: Tx, id: VenueId): Promise<void> {
  await tx`update venue set closed_at = null where id = ${id} and closed_at is not null`;
}

/** The partners that distribute a venue. */
export async function listDistributors(tx: Tx, id: VenueId): Promise<number[]> {
  const rows = await tx<{ partnerId: number }[]>`
    select partner_id as "partnerId" from venue_mapping where venue_id = ${id} order by partner_id`;
  return rows.map(({ partnerId }) => partnerId);
}
