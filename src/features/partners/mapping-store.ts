import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { Mapping, MappingPath } from './schema.ts';

const mappings = (tx: Tx) => tx`
  select m.partner_id as "partnerId", m.venue_id as "venueId",
    (select name from venue where id = m.venue_id) as "venueName",
    json_build_object('mode', m.company_mode, 'names', m.company_names) as company,
    m.max_party_size as "maxPartySize", m.is_request_only as "isRequestOnly",
    m.guest_mails as "guestMails", m.deposit,
    array(select substr(p.id, length(p.venue_id) + 2) from product_mapping k join product p on p.id = k.product_id
      where k.partner_id = m.partner_id and k.venue_id = m.venue_id order by p.position, p.id) as "productKeys"
  from venue_mapping m`;

export async function findMapping(tx: Tx, { partnerId, venueId }: MappingPath): Promise<Mapping | undefined> {
  const [mapping] = await tx<Mapping[]>`
    ${mappings(tx)} where m.partner_id = ${partnerId} and m.venue_id = ${venueId}`;
  return mapping;
}

export async function listMappings(
  tx: Tx,
  partnerId: number,
  operatorId: number | undefined,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ found: Mapping[]; total: number }> {
  const condition = tx`m.partner_id = ${partnerId} and ${
    operatorId === undefined
      ? tx`true`
      : tx`exists (select from venue v where v.id = m.venue_id and v.operator_id = ${operatorId})`
  }`;
  const found = await tx<Mapping[]>`
    ${mappings(tx)} where ${condition} order by m.venue_id limit ${limit} offset ${offset}`;
  const [counted] = await tx<{ total: number }[]>`
    select count(*) as total from venue_mapping m where ${condition}`;
  return { found: [...found], total: counted?.total ?? 0 };
}

/** All that a partner distributes of an operator. */
export async function listMappingsAt(
  tx: Tx,
  { partnerId, operatorId }: { partnerId: number; operatorId: number },
): Promise<Mapping[]> {
  return [
    ...(await tx<Mapping[]>`
      ${mappings(tx)} join venue v on v.id = m.venue_id
      where m.partner_id = ${partnerId} and v.operator_id = ${operatorId} order by m.venue_id`),
  ];
}

/** The venue stays until the transaction ends. Says whether it is there. */
export async function holdVenue(tx: Tx, id: VenueId): Promise<boolean> {
  return (await tx`select from venue where id = ${id} for key share`).length === 1;
}

/** The products that the venue has, locked against deletion until the transaction ends. */
export async function holdProducts(tx: Tx, venueId: VenueId, ids: readonly string[]): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from product where venue_id = ${venueId} and id = any(${[...ids]}::text[])
    order by id for key share`;
  return rows.map(({ id }) => id);
}

export async function isAssociated(tx: Tx, partnerId: number, operatorId: number): Promise<boolean> {
  const found = await tx`
    select from partner_operator a join partner_source s using (partner_id, operator_id)
    where a.partner_id = ${partnerId} and a.operator_id = ${operatorId}`;
  return found.length > 0;
}

/** Without a word about mails or deposits they stay as they are. */
type Terms = Pick<Mapping, 'company' | 'maxPartySize' | 'isRequestOnly'> &
  Partial<Pick<Mapping, 'guestMails' | 'deposit'>>;

export async function saveMapping(
  tx: Tx,
  { partnerId, venueId }: MappingPath,
  { company, maxPartySize, isRequestOnly, guestMails, deposit }: Terms,
  productIds: readonly string[],
): Promise<void> {
  await tx`
    insert into venue_mapping as m (partner_id, venue_id, company_mode, company_names, max_party_size,
      is_request_only, guest_mails, deposit)
    values (${partnerId}, ${venueId}, ${company.mode}, ${company.names}, ${maxPartySize}, ${isRequestOnly},
      coalesce(${guestMails ?? null}, 'partner'), coalesce(${deposit ?? null}, 'declared'))
    on conflict (partner_id, venue_id) do update set company_mode = excluded.company_mode,
      company_names = excluded.company_names, max_party_size = excluded.max_party_size,
      is_request_only = excluded.is_request_only, guest_mails = coalesce(${guestMails ?? null}, m.guest_mails),
      deposit = coalesce(${deposit ?? null}, m.deposit)`;
  await tx`
    delete from product_mapping
    where partner_id = ${partnerId} and venue_id = ${venueId} and product_id <> all(${[...productIds]}::text[])`;
  await addProducts(tx, { partnerId, venueId }, productIds);
}

/** Leaves products that are already mapped unchanged. */
export async function addProducts(
  tx: Tx,
  { partnerId, venueId }: MappingPath,
  productIds: readonly string[],
): Promise<void> {
  await tx`
    insert into product_mapping (partner_id, venue_id, product_id)
    select ${partnerId}, ${venueId}, unnest(${[...productIds]}::text[]) on conflict do nothing`;
}

export async function removeProduct(
  tx: Tx,
  { partnerId, venueId }: MappingPath,
  productId: string,
): Promise<void> {
  await tx`
    delete from product_mapping
    where partner_id = ${partnerId} and venue_id = ${venueId} and product_id = ${productId}`;
}

export async function deleteMapping(tx: Tx, { partnerId, venueId }: MappingPath): Promise<void> {
  await tx`delete from venue_mapping where partner_id = ${partnerId} and venue_id = ${venueId}`;
}
