import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import { systemOf } from '../../tms/systems.ts';
import type { MinutePeriod, SpaceRecord } from '../venues/service.ts';
import type { SpendOverrideInput } from './space-schema.ts';

export type StoredSpace = Omit<SpaceRecord, 'spendOverrides'>;
export type NewSpace = Omit<StoredSpace, 'id'>;

/** All of the venue's, or one of them, in the order in which partners see them. */
export async function listSpaces(tx: Tx, venueId: VenueId, spaceId?: number): Promise<StoredSpace[]> {
  const spaces = await tx<StoredSpace[]>`
    select id, name, description, floor_location as "floorLocation", facilities, capacities, policies
    from space where venue_id = ${venueId} and ${spaceId === undefined ? tx`true` : tx`id = ${spaceId}`}
    order by position, id`;
  return [...spaces];
}

const columnsOf = (tx: Tx, { name, description, floorLocation, facilities, ...space }: NewSpace) => ({
  name,
  description,
  floor_location: floorLocation,
  facilities,
  capacities: tx.json(space.capacities as never),
  policies: tx.json(space.policies as never),
});

/** As the last of the venue's. */
export async function insertSpace(tx: Tx, venueId: VenueId, space: NewSpace): Promise<number> {
  const [position] = await tx<[{ next: number }]>`
    select least(coalesce(max(position) + 1, 0), 32767) as next from space where venue_id = ${venueId}`;
  const row = { ...columnsOf(tx, space), venue_id: venueId, position: position.next };
  const [inserted] = await tx<[{ id: number }]>`insert into space ${tx(row)} returning id`;
  return inserted.id;
}

export async function updateSpace(tx: Tx, spaceId: number, space: NewSpace): Promise<void> {
  await tx`update space set ${tx(columnsOf(tx, space))} where id = ${spaceId}`;
}

export async function deleteSpace(tx: Tx, spaceId: number): Promise<void> {
  await tx`delete from space where id = ${spaceId}`;
}

/** What a space is needed for. */
export interface SpaceUses {
  products: string[];
  /** Of any age and status. */
  bookings: number;
  rules: number;
}

export async function findSpaceUses(tx: Tx, venueId: VenueId, spaceId: number): Promise<SpaceUses> {
  const inSystem = systemOf(venueId)?.layout?.bookingsInSpace(tx, venueId, spaceId);
  const [uses] = await tx<[SpaceUses]>`
    select array(select p.name from product p join product_space s on s.product_id = p.id
        where p.venue_id = ${venueId} and s.space_id = ${spaceId} order by p.position, p.id) as products,
      (select count(*) from (
        select b.id from booking b join product p on p.id = b.product_id
          where p.venue_id = ${venueId} and b.space_id = ${spaceId}
        ${inSystem ? tx`union ${inSystem}` : tx``}) as booked) as bookings,
      (select count(*) from availability_rule
        where venue_id = ${venueId} and space_id = ${spaceId}) as rules`;
  return uses;
}

export interface StoredOverride extends SpendWindow {
  id: number;
  amount: number;
  reason: string | null;
}

/** All of the space's, or one of them, in the order of their beginning. */
export async function listOverrides(tx: Tx, spaceId: number, overrideId?: number): Promise<StoredOverride[]> {
  const overrides = await tx<StoredOverride[]>`
    select id, start_date as "startDate", end_date as "endDate", starts_minute as opens, ends_minute as closes,
      amount_pence as amount, reason
    from minimum_spend_override
    where space_id = ${spaceId} and ${overrideId === undefined ? tx`true` : tx`id = ${overrideId}`}
    order by start_date, starts_minute, id`;
  return [...overrides];
}

export type NewOverride = SpendWindow & Pick<SpendOverrideInput, 'amount' | 'reason'>;

const overrideColumns = ({ startDate, endDate, opens, closes, amount, reason }: NewOverride) => ({
  start_date: startDate,
  end_date: endDate,
  starts_minute: opens,
  ends_minute: closes,
  amount_pence: amount,
  reason: reason ?? null,
});

export async function insertOverride(
  tx: Tx,
  venueId: VenueId,
  spaceId: number,
  override: NewOverride,
): Promise<number> {
  const row = { ...overrideColumns(override), venue_id: venueId, space_id: spaceId };
  const [inserted] = await tx<[{ id: number }]>`insert into minimum_spend_override ${tx(row)} returning id`;
  return inserted.id;
}

export async function updateOverride(tx: Tx, overrideId: number, override: NewOverride): Promise<void> {
  await tx`update minimum_spend_override set ${tx(overrideColumns(override))} where id = ${overrideId}`;
}

export async function deleteOverride(tx: Tx, overrideId: number): Promise<void> {
  await tx`delete from minimum_spend_override where id = ${overrideId}`;
}

/** The trading days from one to another and the same minutes of each. */
export interface SpendWindow extends MinutePeriod {
  startDate: string;
  endDate: string;
}
