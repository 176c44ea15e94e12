import type { Tx } from '../../db/database.ts';
import { timestampOf } from '../../kernel/clock.ts';
import type { ProductId, VenueId } from '../../kernel/ids.ts';
import { type HoursDocument, hoursDocument } from './hours.ts';
import { hoursOf } from './hours-store.ts';
import type { ManagedVenue } from './manage-venue-schema.ts';
import type { VenueRecord } from './record.ts';

/** What changes below a venue need to know of it. */
export interface VenueFrame {
  name: string;
  tms: string;
  timeZone: string;
}

const frame = (tx: Tx, id: VenueId) =>
  tx`select name, tms, time_zone as "timeZone" from venue where id = ${id}`;

export async function findFrame(tx: Tx, id: VenueId): Promise<VenueFrame | undefined> {
  const [found] = await tx<VenueFrame[]>`${frame(tx, id)}`;
  return found;
}

/** Until the transaction ends nobody else changes the venue, or anything below it. */
export async function lockFrame(tx: Tx, id: VenueId): Promise<VenueFrame | undefined> {
  const [found] = await tx<VenueFrame[]>`${frame(tx, id)} for no key update`;
  return found;
}

interface VenueRow extends Omit<ManagedVenue, 'closedAt'> {
  closedAt: Temporal.Instant | null;
}

const selected = (tx: Tx) => tx`
  select id, operator_id as "operatorId", tms, resource_id as "resourceId", name, time_zone as "timeZone",
    phone_number as "phoneNumber", website, types, host_venue_id as "hostVenueId", content,
    json_build_object('lat', lat, 'lng', lng, 'address', address, 'area', area, 'city', city, 'postcode', postcode,
      'countryCode', country_code) as location, closed_at as "closedAt"
  from venue`;

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
  operatorId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ venues: ManagedVenue[]; total: number }> {
  const rows = await tx<VenueRow[]>`
    ${selected(tx)} where operator_id = ${operatorId}
    order by name collate "und-x-icu", id limit ${limit} offset ${offset}`;
  const [counted] = await tx<[{ total: number }]>`
    select count(*) as total from venue where operator_id = ${operatorId}`;
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

/** Until the transaction ends nobody books any of these; whoever was faster is counted. */
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
export type Part = 'product' | 'package' | 'menu' | 'ticket_occurrence';

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
