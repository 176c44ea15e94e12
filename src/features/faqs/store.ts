import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { SiteFaqs } from './schema.ts';

/**
 * Whoever changes the FAQs of any of these venues waits until this transaction ends, also where there are none yet.
 * Always in the same order, so that no two wait for each other. Answers how many there are.
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
