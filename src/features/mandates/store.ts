import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { Mandate } from './schema.ts';

/** A mandate as it was read; version 0: the client has none. */
export interface StoredMandate {
  version: number;
  mandate: Mandate | undefined;
}

interface Row {
  version: number;
  maxPartySize: number | null;
  maxDepositPence: number | null;
  maxOpenBookings: number | null;
  maxBookingsPerDay: number | null;
  maxDaysAhead: number | null;
  venueIds: VenueId[] | null;
  cities: string[] | null;
  confirmPartySize: number | null;
  confirmDepositPence: number | null;
}

export async function findMandate(tx: Tx, clientId: string): Promise<StoredMandate> {
  const [row] = await tx<Row[]>`
    select version, max_party_size as "maxPartySize", max_deposit_pence as "maxDepositPence",
      max_open_bookings as "maxOpenBookings", max_bookings_per_day as "maxBookingsPerDay",
      max_days_ahead as "maxDaysAhead", venue_ids as "venueIds", cities,
      confirm_party_size as "confirmPartySize", confirm_deposit_pence as "confirmDepositPence"
    from mandate where client_id = ${clientId}`;
  return row ? { version: row.version, mandate: mandateOf(row) } : { version: 0, mandate: undefined };
}

/** Without the limits that it does not have. */
function mandateOf({ version: _, confirmPartySize, confirmDepositPence, ...limits }: Row): Mandate {
  const confirmAbove = present({ partySize: confirmPartySize, depositPence: confirmDepositPence });
  return {
    ...present(limits),
    ...(Object.keys(confirmAbove).length > 0 && { confirmAbove }),
  };
}

function present<Members extends object>(members: Members) {
  const kept = Object.entries(members).filter(([, value]) => value !== null);
  return Object.fromEntries(kept) as { [Name in keyof Members]?: NonNullable<Members[Name]> };
}

export async function saveMandate(tx: Tx, clientId: string, mandate: Mandate): Promise<void> {
  const row = {
    client_id: clientId,
    max_party_size: mandate.maxPartySize ?? null,
    max_deposit_pence: mandate.maxDepositPence ?? null,
    max_open_bookings: mandate.maxOpenBookings ?? null,
    max_bookings_per_day: mandate.maxBookingsPerDay ?? null,
    max_days_ahead: mandate.maxDaysAhead ?? null,
    venue_ids: mandate.venueIds ?? null,
    cities: mandate.cities ?? null,
    confirm_party_size: mandate.confirmAbove?.partySize ?? null,
    confirm_deposit_pence: mandate.confirmAbove?.depositPence ?? null,
  };
  await tx`
    insert into mandate ${tx(row)}
    on conflict (client_id) do update set ${tx(row)}, version = nextval('mandate_version')`;
}

export async function deleteMandate(tx: Tx, clientId: string): Promise<void> {
  await tx`delete from mandate where client_id = ${clientId}`;
}

/** Those of the venues that do not exist. */
export async function listUnknownVenues(tx: Tx, venueIds: readonly string[]): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select given.id from unnest(${venueIds as string[]}::text[]) as given(id)
    where not exists (select from venue v where v.id = given.id)`;
  return rows.map(({ id }) => id);
}

/** Until the transaction ends no other one counts what these clients have. Sorted, so that two do not block each other. */
export async function lockClients(tx: Tx, clientIds: readonly string[]): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('mandate/' || id, 0))
    from unnest(${clientIds as string[]}::text[]) as id`;
}

/** What a client has at this moment. */
export interface Usage {
  /** Bookings and enquiries whose visit is still to come, and places that are kept for some. */
  openBookings: number;
  /** Made in the last 24 hours, also those that were cancelled since. */
  bookingsInLastDay: number;
}

/**
 * Not counting those with the ids given. A booking is under way while its system is being asked; then there is only the
 * record of the call. A booking that has used a hold has the id of the hold.
 */
export async function countUsage(
  tx: Tx,
  clientId: string,
  { now, without = [] }: { now: Temporal.Instant; without?: readonly string[] },
): Promise<Usage> {
  const dayAgo = now.subtract({ hours: 24 });
  const [counted] = await tx<[Usage]>`
    with under_way as (
      select booking_id as id from booking_intent where client_id = ${clientId} and standing is null
        and wanted is not null and not exists (select from booking b where b.id = booking_id)),
    open as (
      select id from booking where client_id = ${clientId} and starts_at > ${now}
        and status in ('pending', 'in_progress', 'confirmed')
      union
      select id from hold where client_id = ${clientId} and state in ('placing', 'open') and expires_at > ${now}
      union
      select id from octo_booking o where client_id = ${clientId} and state <> 'cancelled' and expires_at > ${now}
        and not exists (select from booking b where b.id = o.id)
      union
      select id from under_way),
    made as (
      select id from booking where client_id = ${clientId} and created_at > ${dayAgo}
      union
      select id from under_way)
    select (select count(*) from open where id <> all(${without as string[]}::uuid[]))::int as "openBookings",
      (select count(*) from made where id <> all(${without as string[]}::uuid[]))::int as "bookingsInLastDay"`;
  return counted;
}

/** A confirmation, and what it was given for. */
export interface UsedConfirmation {
  id: Buffer;
  clientId: string;
  bookingId: string;
  stay: Buffer;
  depositPence: number;
}

/** Before several are used: in one order, so that two transactions do not wait for each other. */
export async function lockConfirmations(tx: Tx, ids: readonly Buffer[]): Promise<void> {
  const names = ids.map((id) => `confirmation/${id.toString('hex')}`).sort();
  await tx`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${names}::text[]) as name`;
}

/**
 * Marks it as used for the booking. False: it has been used for another one that is there, or is being made. The row of
 * a booking that came to nothing is taken over.
 */
export async function useConfirmation(
  tx: Tx,
  used: UsedConfirmation,
  now: Temporal.Instant,
): Promise<boolean> {
  const { id, clientId, bookingId, stay, depositPence } = used;
  // A statement of its own: the next one sees what the transaction that it has waited for has written.
  await tx`select pg_advisory_xact_lock(hashtextextended('confirmation/' || encode(${id}::bytea, 'hex'), 0))`;
  const taken = await tx`
    insert into mandate_confirmation as c (id, client_id, booking_id, stay, deposit_pence, used_at)
    values (${id}, ${clientId}, ${bookingId}, ${stay}, ${depositPence}, ${now})
    on conflict (id) do update set booking_id = excluded.booking_id, used_at = excluded.used_at
    where not exists (select from booking b where b.id = c.booking_id)
      and (c.booking_id = excluded.booking_id or not (
        exists (select from hold h where h.id = c.booking_id)
        or exists (select from octo_booking o where o.id = c.booking_id)
        or exists (select from booking_intent i where i.booking_id = c.booking_id)))`;
  return taken.count > 0;
}

/** For changes, whose booking exists: no other request takes the row over. */
export async function isUsed(tx: Tx, id: Buffer): Promise<boolean> {
  const found = await tx`select from mandate_confirmation where id = ${id}`;
  return found.length > 0;
}

/** Whether the stay of the booking that will have this id was confirmed, with a deposit at least as large. */
export async function isConfirmed(
  tx: Tx,
  { clientId, bookingId, stay, depositPence }: Omit<UsedConfirmation, 'id'>,
): Promise<boolean> {
  const found = await tx`
    select from mandate_confirmation where booking_id = ${bookingId} and client_id = ${clientId}
      and stay = ${stay} and deposit_pence >= ${depositPence}`;
  return found.length > 0;
}

/** Some of those that can no longer be used again. */
export async function forgetConfirmations(tx: Tx, before: Temporal.Instant): Promise<void> {
  await tx`
    delete from mandate_confirmation where id in (
      select id from mandate_confirmation where used_at < ${before} limit 1000 for update skip locked)`;
}
