import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { OperatorSettings, VenueDocument } from '../venues/document.ts';

export interface PartnerName {
  id: number;
  reference: string;
}

/** Those with one of these ids or references. */
export async function listPartners(
  tx: Tx,
  { ids = [], references = [] }: { ids?: readonly number[]; references?: readonly string[] },
): Promise<PartnerName[]> {
  const found = await tx<PartnerName[]>`
    select id, reference from partner
    where id = any(${[...ids]}::integer[]) or reference = any(${[...references]}::text[])`;
  return [...found];
}

/** Which of these slugs the platform knows. */
export async function findVocabulary(
  tx: Tx,
  slugs: { categories: readonly string[]; venueTypes: readonly string[] },
): Promise<{ categories: string[]; venueTypes: string[] }> {
  const [known] = await tx<{ categories: string[]; venueTypes: string[] }[]>`
    select array(select slug from category where slug = any(${[...slugs.categories]}::text[])) as categories,
      array(select slug from venue_type where slug = any(${[...slugs.venueTypes]}::text[])) as "venueTypes"`;
  return known ?? { categories: [], venueTypes: [] };
}

/** One with this id, or with a name that people cannot tell from this one. */
export async function findOperatorLike(
  tx: Tx,
  { id, name }: { id: number | undefined; name: string },
): Promise<{ id: number; name: string } | undefined> {
  const [found] = await tx<{ id: number; name: string }[]>`
    select id, name from operator
    where id = ${id ?? null}
      or lower(btrim(name) collate "und-x-icu") = lower(btrim(${name}::text) collate "und-x-icu") limit 1`;
  return found;
}

/** What has a number of its own in documents, with the table that gives these numbers out. */
export const NUMBERED = {
  spaces: 'space',
  packages: 'package',
  menus: 'menu',
  menuItems: 'menu_item',
  zones: 'house_zone',
  areas: 'house_area',
  tables: 'house_table',
  partnerCategories: 'partner_category',
} as const;

/**
 * Until the transaction ends nobody else gives out a number of an operator or of anything that is numbered; who is
 * about to has done so first.
 */
export async function lockNumbering(tx: Tx): Promise<void> {
  await tx`lock table ${tx(['operator', ...Object.values(NUMBERED)])} in share row exclusive mode`;
}

export async function findTaken<Id extends number | string>(
  tx: Tx,
  table: string,
  ids: readonly Id[],
): Promise<Set<Id>> {
  if (ids.length === 0) return new Set();
  const found = await tx<{ id: Id }[]>`select id from ${tx(table)} where id in ${tx([...ids] as string[])}`;
  return new Set(found.map(({ id }) => id));
}

/** So many numbers that nobody has, all of them above `least`. */
export async function drawNumbers(
  tx: Tx,
  table: string,
  { count, least }: { count: number; least: number },
): Promise<number[]> {
  const drawn = await tx<{ id: number }[]>`
    with sequence as (
      select name, setval(name, greatest(${least}, 1, pg_sequence_last_value(name))) as reached
      from (select pg_get_serial_sequence(${table}, 'id')::regclass as name) as it)
    select nextval(name) as id from sequence, generate_series(1, ${count}) where reached is not null`;
  return drawn.map(({ id }) => id);
}

export async function saveSettings(tx: Tx, operatorId: number, settings: OperatorSettings): Promise<void> {
  const { contactEmail, bookingReplyTo, defaultTimeZone } = settings;
  await tx`update operator set contact_email = ${contactEmail}, booking_reply_to = ${bookingReplyTo},
    default_time_zone = ${defaultTimeZone} where id = ${operatorId}`;
}

/** As text, to the last escape. */
export async function insertFaqs(
  tx: Tx,
  rows: { venueId: VenueId; faqs: NonNullable<VenueDocument['siteFaqs']> }[],
): Promise<void> {
  for (const { venueId, faqs } of rows) {
    await tx`insert into site_faq (venue_id, faqs) values (${venueId}, ${JSON.stringify(faqs)}::text::json)`;
  }
}
