import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { SiteFaqs } from './schema.ts';

/**
 * Serialises changes of the FAQs of these venues until the transaction ends, also where there are none yet. Locks in
 * one order, so that two transactions cannot deadlock. Returns how many venues exist.
 */
export async function lockVenues(tx: Tx, ids: readonly VenueId[]): Promise<number> {
  const locked = await tx`
    select from venue where id = any(${[...ids]}::text[]) order by id for no key update`;
  return locked.length;
}

export async function findFaqs(tx: Tx, id: VenueId): Promise<SiteFaqs | undefined> {
  const [row] = await tx<{ faqs: SiteFaqs }[]>`select faqs from site_faq where venue_id = ${id}`;
  return row?.faqs;
}

export async function saveFaqs(tx: Tx, id: VenueId, faqs: SiteFaqs): Promise<void> {
  await tx`insert into site_faq (venue_id, faqs) values (${id}, ${JSON.stringify(faqs)}::text::json)
    on conflict (venue_id) do update set faqs = excluded.faqs`;
}

export async function deleteFaqs(tx: Tx, id: VenueId): Promise<void> {
  await tx`delete from site_faq where venue_id = ${id}`;
}
