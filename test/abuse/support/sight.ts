import type { Sql } from '../../../src/db/database.ts';
import type { TestApp } from '../../support/app.ts';

/** A caller of the demo data as the tests tell it apart: which client, acting for whom. */
export interface Watcher {
  name: string;
  client: string;
  headers: Record<string, string>;
  /** Whose mappings or venues decide, worked out here and not by the application. */
  sight: { partner: string } | { operatorId: number } | 'everything';
}

export const demoPartner: Watcher = {
  name: 'demo-partner',
  client: 'demo-partner',
  headers: {},
  sight: { partner: 'demo-partner' },
};
export const otherPartner: Watcher = {
  name: 'other-partner',
  client: 'other-partner',
  headers: {},
  sight: { partner: 'other-partner' },
};
export const agent: Watcher = {
  name: 'demo-agent for demo-partner',
  client: 'demo-agent',
  headers: { 'x-partner-reference': 'demo-partner' },
  sight: { partner: 'demo-partner' },
};
export const operator: Watcher = {
  name: 'demo-operator',
  client: 'demo-operator',
  headers: {},
  sight: { operatorId: 1 },
};
export const admin: Watcher = { name: 'demo-admin', client: 'demo-admin', headers: {}, sight: 'everything' };

export const watchers = [demoPartner, otherPartner, agent, operator, admin];

/** What a watcher may see, and every text of the catalogue that must not be in an answer to it. */
export interface Sight {
  venueIds: Set<string>;
  productIds: Set<string>;
  secrets: string[];
}

/** Shorter texts (`Bar`, `vip`) stand in answers for other reasons. */
const SHORTEST_SECRET = 6;

export async function sightOf(sql: Sql, { sight }: Watcher): Promise<Sight> {
  const [venueIds, productIds] = await Promise.all([venuesIn(sql, sight), productsIn(sql, sight)]);
  const partner = typeof sight === 'object' && 'partner' in sight ? sight.partner : null;
  const texts = await sql<{ text: string; isVisible: boolean }[]>`
    with seen_venue as (select unnest(${venueIds}::text[]) as id),
      seen_product as (select unnest(${productIds}::text[]) as id),
      part as (
        select k.id, 'package' as kind, venue_id, array[k.name, k.description] as texts from package k
        union all select n.id, 'menu', venue_id, array[n.name, n.description] from menu n
        union all select s.id, 'space', venue_id, array[s.name, s.description] from space s
        union all select i.menu_id, 'menu', venue_id, array[i.name, i.description] from menu_item i),
      part_of as (
        select package_id as id, 'package' as kind, product_id from product_package
        union all select menu_id, 'menu', product_id from product_menu
        union all select space_id, 'space', product_id from product_space)
    select unnest(array[v.id, v.name, v.address, v.website, v.phone_number, v.content->>'summary',
      v.content->>'description', v.content->>'highlights']) as text,
      v.id in (select id from seen_venue) as "isVisible" from venue v
    union all select unnest(array[slug, name]), true from (table venue_type union all select slug, name from category) _
    union all select unnest(array[url, caption]), venue_id in (select id from seen_venue) from venue_photo
    union all select unnest(array[id, name]), id in (select id from seen_product) from product
    union all select unnest(texts), ${partner}::text is null and venue_id in (select id from seen_venue)
        or exists (select from part_of o join seen_product s on s.id = o.product_id
          where o.id = part.id and o.kind = part.kind) from part
    union all select unnest(array[r.id::text, r.definition->>'reason']), r.is_active
        and r.venue_id in (select id from seen_venue)
        and (r.product_id is null or r.product_id in (select id from seen_product))
        and (${partner}::text is null or r.partner_ids is null or exists (
          select from partner p where p.id = any(r.partner_ids) and p.reference = ${partner}))
      from availability_rule r
    union all select unnest(company_names), p.reference = ${partner}::text
      from venue_mapping m join partner p on p.id = m.partner_id`;
  const visible = texts.filter(({ isVisible }) => isVisible).map(({ text }) => text);
  const everythingVisible = visible.join('\n');
  const secrets = texts
    .filter(({ text, isVisible }) => !isVisible && text !== null && text.length >= SHORTEST_SECRET)
    .map(({ text }) => text)
    .filter((text) => !everythingVisible.includes(text));
  return { venueIds: new Set(venueIds), productIds: new Set(productIds), secrets: [...new Set(secrets)] };
}

async function venuesIn(sql: Sql, sight: Watcher['sight']): Promise<string[]> {
  const rows =
    sight === 'everything'
      ? await sql<{ id: string }[]>`select id from venue`
      : 'partner' in sight
        ? await sql<{ id: string }[]>`select m.venue_id as id from venue_mapping m
            join partner p on p.id = m.partner_id where p.reference = ${sight.partner}`
        : await sql<{ id: string }[]>`select id from venue where operator_id = ${sight.operatorId}`;
  return rows.map(({ id }) => id);
}

async function productsIn(sql: Sql, sight: Watcher['sight']): Promise<string[]> {
  const rows =
    sight === 'everything'
      ? await sql<{ id: string }[]>`select id from product`
      : 'partner' in sight
        ? await sql<{ id: string }[]>`select m.product_id as id from product_mapping m
            join partner p on p.id = m.partner_id where p.reference = ${sight.partner}`
        : await sql<{ id: string }[]>`select p.id from product p join venue v on v.id = p.venue_id
            where v.operator_id = ${sight.operatorId}`;
  return rows.map(({ id }) => id);
}

/** The secrets that stand in an answer. What the request itself said may be repeated to it. */
export function leaksIn(text: string, secrets: readonly string[], said = ''): string[] {
  return secrets.filter((secret) => {
    if (said.includes(secret)) return false;
    return text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1));
  });
}

/**
 * Makes the other partner's view of one venue narrower than the demo data has it: a product it does not
 * distribute, with a package, a menu and a rule of its own, a rule that is aimed at somebody else, and a company
 * that only somebody else may book for.
 */
export async function hideParts({ sql }: TestApp): Promise<void> {
  const venue = '1|house|soho-grill';
  const hidden = `${venue}|private-dining`;
  await sql`delete from product_mapping where product_id = ${hidden}
    and partner_id = (select id from partner where reference = 'other-partner')`;
  await sql`update venue_mapping set company_mode = 'list', company_names = '{Clandestine Holdings}'
    where venue_id = ${venue} and partner_id = (select id from partner where reference = 'demo-partner')`;
  await sql`with made as (insert into package (venue_id, name, description, price_pence, price_per)
      values (${venue}, 'Clandestine package', 'Known to few', 100, 'guest') returning id)
    insert into product_package (product_id, package_id, venue_id) select ${hidden}, id, ${venue} from made`;
  await sql`with made as (insert into menu (venue_id, name) values (${venue}, 'Clandestine menu') returning id),
      filled as (insert into menu_item (venue_id, menu_id, name, price_pence, type)
        select ${venue}, id, 'Clandestine turbot', 100, 'food' from made)
    insert into product_menu (product_id, menu_id, venue_id) select ${hidden}, id, ${venue} from made`;
  await sql`insert into availability_rule (venue_id, product_id, partner_ids, type, definition) values
    (${venue}, ${hidden}, null, 'specific_dates', ${sql.json({ dates: ['2026-12-24'], reason: 'Clandestine rehearsal' })}),
    (${venue}, null, array(select id from partner where reference = 'demo-partner'), 'specific_dates',
      ${sql.json({ dates: ['2026-12-25'], reason: 'Only for the demo partner' })})`;
}
