import type { Tx } from '../../../db/database.ts';
import { timestampOf } from '../../../kernel/clock.ts';
import type { ProductId, VenueId } from '../../../kernel/ids.ts';
import type { VenueFields } from '../fields.ts';
import { locationObject, plainFields, rowOf } from '../fields-store.ts';
import { type HoursDocument, hoursDocument } from '../hours/hours.ts';
import { hoursOf } from '../hours/store.ts';
import type { VenueRecord } from '../record.ts';
import type { ManagedVenue } from './venue-schema.ts';

/** What changes below a venue need to know of it. */
export interface VenueRef {
  name: string;
  tms: string;
  timeZone: string;
}

const venueRef = (tx: Tx, id: VenueId) =>
  tx`select name, tms, time_zone as "timeZone" from venue where id = ${id}`;

export async function findVenueRef(tx: Tx, id: VenueId): Promise<VenueRef | undefined> {
  const [found] = await tx<VenueRef[]>`${venueRef(tx, id)}`;
  return found;
}

/** Locks the venue and everything below it against changes until the transaction ends. */
export async function lockRef(tx: Tx, id: VenueId): Promise<VenueRef | undefined> {
  const [found] = await tx<VenueRef[]>`${venueRef(tx, id)} for no key update`;
  return found;
}

interface VenueRow extends Omit<ManagedVenue, 'closedAt'> {
  closedAt: Temporal.Instant | null;
}

const selected = (tx: Tx) => tx`
  select v.id, v.operator_id as "operatorId", v.tms, v.resource_id as "resourceId", ${plainFields(tx)}, v.types,
    v.host_venue_id as "hostVenueId", ${locationObject(tx)} as location, v.closed_at as "closedAt"
  from venue v`;

const venueOf = ({ closedAt, ...venue }: VenueRow): ManagedVenue => ({
  ...venue,
  closedAt: closedAt && timestampOf(closedAt),
});

export async function findManagedVenue(tx: Tx, id: VenueId): Promise<ManagedVenue | undefined> {
  const [row] = await tx<VenueRow[]>`${selected(tx)} where id = ${id}`;
  return row && venueOf(row);
}

export async function listManagedVenues(
  tx: Tx,
  { operatorId, name }: { operatorId?: number; name: string | undefined },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ venues: ManagedVenue[]; total: number }> {
  const wanted = tx`
    ${operatorId === undefined ? tx`true` : tx`operator_id = ${operatorId}`}
    and ${name === undefined ? tx`true` : tx`strpos(lower(name collate "und-x-icu"), lower(${name}::text collate "und-x-icu")) > 0`}`;
  const rows = await tx<VenueRow[]>`
    ${selected(tx)} where ${wanted}
    order by name collate "und-x-icu", id limit ${limit} offset ${offset}`;
  const [counted] = await tx<[{ total: number }]>`
    select count(*) as total from venue where ${wanted}`;
  return { venues: rows.map(venueOf), total: counted.total };
}

export async function findHours(tx: Tx, id: VenueId): Promise<HoursDocument> {
  const [row] = await tx<[Pick<VenueRecord, 'hours' | 'exceptions'>]>`
    select ${hoursOf(tx, 'venue', tx`venue_id = ${id}`)}`;
  return hoursDocument(row);
}

/** Undefined: there is no such operator. */
export async function findSystems(tx: Tx, operatorId: number): Promise<string[] | undefined> {
  const [operator] = await tx<{ systems: string[] }[]>`
    select array(select tms from operator_system s where s.operator_id = o.id) as systems
    from operator o where id = ${operatorId}`;
  return operator?.systems;
}

/** An operator that is there stays until the transaction ends. */
export async function keepOperator(tx: Tx, operatorId: number): Promise<void> {
  await tx`select from operator where id = ${operatorId} for key share`;
}

/** Of these kinds of places those that are known; they stay until the transaction ends. */
export async function lockVenueTypes(tx: Tx, slugs: readonly string[]): Promise<string[]> {
  const rows = await tx<{ slug: string }[]>`
    select slug from venue_type where slug = any(${[...slugs]}::text[]) for key share`;
  return rows.map(({ slug }) => slug);
}

export interface Host {
  name: string;
  tms: string;
  isHosted: boolean;
}

/** A venue of the operator, which stays until the transaction ends. */
export async function lockHost(tx: Tx, operatorId: number, id: VenueId): Promise<Host | undefined> {
  const [host] = await tx<Host[]>`
    select name, tms, host_venue_id is not null as "isHosted" from venue
    where id = ${id} and operator_id = ${operatorId} for key share`;
  return host;
}

/** The events that take place in a venue. */
export async function lockHosted(tx: Tx, hostId: VenueId): Promise<ManagedVenue[]> {
  const rows = await tx<VenueRow[]>`
    ${selected(tx)} where host_venue_id = ${hostId} order by id for no key update`;
  return rows.map(venueOf);
}

/** Blocks new bookings of these until the transaction ends; a booking that was faster counts. */
export async function hasBookings(
  tx: Tx,
  of: { venueId: VenueId } | { productId: ProductId },
): Promise<boolean> {
  const isMeant = 'venueId' in of ? tx`p.venue_id = ${of.venueId}` : tx`p.id = ${of.productId}`;
  await tx`select from product p where ${isMeant} order by p.id for update`;
  const found =
    await tx`select from booking b join product p on p.id = b.product_id where ${isMeant} limit 1`;
  return found.length > 0;
}

export async function deleteVenue(tx: Tx, id: VenueId): Promise<void> {
  await tx`delete from venue where id = ${id}`;
}

/** What a venue is read with as a whole. */
export type Part = 'product' | 'package' | 'menu';

export async function countParts(tx: Tx, table: Part, venueId: VenueId): Promise<number> {
  const [found] = await tx<[{ count: number }]>`
    select count(*) from ${tx(table)} where venue_id = ${venueId}`;
  return found.count;
}

/** Where something new of the venue stands: behind what is there. */
export async function nextPosition(
  tx: Tx,
  table: 'product' | 'package' | 'menu',
  venueId: VenueId,
): Promise<number> {
  const [next] = await tx<[{ position: number }]>`
    select least(32767, coalesce(max(position) + 1, 0)) as position from ${tx(table)} where venue_id = ${venueId}`;
  return next.position;
}

/** False when it is closed already; of several concurrent calls one closes it. */
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

interface NewVenue extends VenueFields {
  id: VenueId;
  operatorId: number;
  tms: string;
  resourceId: string;
  closedAt: string | null;
}

/** False when it is there already. */
export async function insertVenue(tx: Tx, venue: NewVenue): Promise<boolean> {
  const { id, operatorId, tms, resourceId, closedAt, ...fields } = venue;
  const row = { id, operator_id: operatorId, tms, resource_id: resourceId, closed_at: closedAt };
  const { count } = await tx`
    insert into venue ${tx({ ...row, ...rowOf(tx, fields) } as never)} on conflict (id) do nothing`;
  return count > 0;
}

export async function updateVenue(tx: Tx, id: VenueId, venue: VenueFields): Promise<void> {
  await tx`update venue set ${tx(rowOf(tx, venue) as never)} where id = ${id}`;
}

export async function updateHost(tx: Tx, id: VenueId, hostVenueId: VenueId | null): Promise<void> {
  await tx`update venue set host_venue_id = ${hostVenueId}
    where id = ${id} and host_venue_id is distinct from ${hostVenueId}`;
}
