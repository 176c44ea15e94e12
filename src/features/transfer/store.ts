import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { NumberedPart } from '../../tms/local-system.ts';
import { LOCAL_SYSTEMS } from '../../tms/systems.ts';
import type { VenueDocument } from '../venues/service.ts';

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

const numberedInSystems = Object.assign(
  {},
  ...LOCAL_SYSTEMS.map(({ catalogue }) => catalogue.numbered),
) as Record<NumberedPart, string>;

/** What has a number of its own in documents, with the table that gives these numbers out. */
export const NUMBERED = {
  spaces: 'space',
  packages: 'package',
  menus: 'menu',
  menuItems: 'menu_item',
  ...numberedInSystems,
  partnerCategories: 'partner_category',
} as const;

/**
 * Runs `work` while no other transaction assigns a number; transactions that already do finish first. The rollback to
 * the savepoint releases the locks, so that no transaction waits for the rest of this one; sequences keep their
 * values.
 */
export async function whileNumbering<Result>(tx: Tx, work: () => Promise<Result>): Promise<Result> {
  await tx`savepoint numbering`;
  await tx`lock table ${tx(Object.values(NUMBERED))} in share row exclusive mode`;
  const result = await work();
  await tx`rollback to savepoint numbering`;
  return result;
}

export async function findTaken<Id extends number | string>(
  tx: Tx,
  table: string,
  ids: readonly Id[],
): Promise<Set<Id>> {
  if (ids.length === 0) return new Set();
  // As one array: a statement cannot name each of as many as a large operator has.
  const named = typeof ids[0] === 'number' ? tx`${[...ids]}::integer[]` : tx`${[...ids]}::uuid[]`;
  const found = await tx<{ id: Id }[]>`select id from ${tx(table)} where id = any(${named})`;
  return new Set(found.map(({ id }) => id));
}

/** From now on only numbers above this one are given out. */
export async function skipNumbers(tx: Tx, table: string, last: number): Promise<void> {
  await tx`
    select setval(name, greatest(${last}, pg_sequence_last_value(name)))
    from (select pg_get_serial_sequence(${table}, 'id')::regclass as name) as sequence`;
}

/** Draws this many unused numbers. */
export async function drawNumbers(tx: Tx, table: string, count: number): Promise<number[]> {
  const drawn = await tx<{ id: number }[]>`
    select nextval(pg_get_serial_sequence(${table}, 'id')) as id from generate_series(1, ${count})`;
  return drawn.map(({ id }) => id);
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
