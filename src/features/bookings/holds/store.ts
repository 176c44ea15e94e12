import { batchLoader } from '../../../db/batch-loader.ts';
import type { Fragment, Tx } from '../../../db/database.ts';
import { type VenueVersion, versionCheck } from '../create/venue-version-store.ts';
import type { HoldRecord, HoldState, HoldStatus } from './record.ts';

const rowOf = (hold: HoldRecord) => ({
  id: hold.id,
  partner_id: hold.partnerId,
  client_id: hold.clientId,
  operator_id: hold.operatorId,
  venue_id: hold.venueId,
  product_id: hold.productId,
  state: hold.state,
  trading_day: hold.date,
  starts_minute: hold.minute,
  starts_at: hold.startsAt,
  duration_minutes: hold.durationMinutes,
  requested_duration_minutes: hold.requestedDurationMinutes,
  adults: hold.adults,
  children: hold.children,
  space_id: hold.spaceId,
  terms: hold.terms,
  offer_token: hold.offerToken,
  is_extended: hold.isExtended,
  created_at: hold.createdAt,
  expires_at: hold.expiresAt,
});

export interface NewHoldRow {
  hold: HoldRecord;
  version: VenueVersion;
}

/** Returns the ids of those that were written: not of those decided on a version of the venue that is no longer current. */
export async function insertHolds(tx: Tx, holds: readonly NewHoldRow[]): Promise<ReadonlySet<string>> {
  const rows = holds.map(({ hold, version }) => ({ row: rowOf(hold), version }));
  const names = tx`${tx(Object.keys(rows[0]?.row ?? {}))}`;
  const inserted = await tx<{ id: string }[]>`
    insert into hold (${names})
    select ${names} from (
      select made.*, item -> 'version' as venue_version
      from jsonb_array_elements(${tx.json(rows as never)}) as item,
        jsonb_populate_record(null::hold, item -> 'row') as made) as made
    where ${versionCheck(tx, tx`venue_version`)}
    returning id`;
  return new Set(inserted.map(({ id }) => id));
}

const selected = (tx: Tx): Fragment => tx`
  select h.id, h.partner_id as "partnerId", h.client_id as "clientId", h.operator_id as "operatorId",
    h.venue_id as "venueId", h.product_id as "productId", h.state, h.trading_day as date, h.starts_minute as minute,
    h.starts_at as "startsAt", h.duration_minutes as "durationMinutes",
    h.requested_duration_minutes as "requestedDurationMinutes", h.adults, h.children, h.space_id as "spaceId",
    h.terms, h.offer_token as "offerToken", h.is_extended as "isExtended", h.created_at as "createdAt",
    h.expires_at as "expiresAt", v.time_zone as "timeZone"
  from hold h join venue v on v.id = h.venue_id`;

/** Those that are asked for at the same moment are read together, as the bookings that use them are written together. */
export const findHold = batchLoader(
  (id: string) => id,
  async (tx, ids): Promise<(HoldRecord | undefined)[]> => {
    const rows = await tx<HoldRecord[]>`${selected(tx)} where h.id = any(${ids as string[]}::uuid[])`;
    const byId = new Map(rows.map((hold) => [hold.id, hold]));
    return ids.map((id) => byId.get(id.toLowerCase()));
  },
);

/** Locked until the transaction ends, in one order; before anything that their systems lock. */
export async function lockHolds(tx: Tx, ids: readonly string[]): Promise<Map<string, HoldRecord>> {
  const rows = await tx<HoldRecord[]>`
    ${selected(tx)} where h.id = any(${ids as string[]}::uuid[]) order by h.id for update of h`;
  return new Map(rows.map((hold) => [hold.id, hold]));
}

export type HoldMoment = Pick<HoldRecord, 'state' | 'createdAt' | 'expiresAt'>;

/** The same, but only what says whether a hold can be used: its terms are long, and known to the caller. */
export async function lockMoments(tx: Tx, ids: readonly string[]): Promise<Map<string, HoldMoment>> {
  const rows = await tx<(HoldMoment & Pick<HoldRecord, 'id'>)[]>`
    select id, state, created_at as "createdAt", expires_at as "expiresAt" from hold
    where id = any(${ids as string[]}::uuid[]) order by id for update`;
  return new Map(rows.map(({ id, ...moment }) => [id, moment]));
}

/** Of holds that are locked. */
export async function endHolds(
  tx: Tx,
  ids: readonly string[],
  state: Extract<HoldState, 'used' | 'released'>,
  now: Temporal.Instant,
): Promise<void> {
  if (ids.length === 0) return;
  await tx`update hold set state = ${state}, ended_at = ${now} where id = any(${ids as string[]}::uuid[])`;
}

/** What the system of the venue has said of a hold that is being placed; false: it has gone meanwhile. */
export async function openHold(
  tx: Tx,
  { id, durationMinutes, expiresAt, terms, offerToken }: HoldRecord,
): Promise<boolean> {
  const opened = await tx`
    update hold set state = 'open', duration_minutes = ${durationMinutes}, expires_at = ${expiresAt},
      terms = ${tx.json(terms as never)}, offer_token = ${offerToken}
    where id = ${id} and state = 'placing'`;
  return opened.count > 0;
}

/** A hold that came to nothing, also where the answer of its commit was lost. */
export async function removeHold(tx: Tx, id: string): Promise<void> {
  await tx`delete from hold where id = ${id} and state in ('placing', 'open')`;
}

/** False: it was extended before, or has ended. */
export async function extendHoldRow(
  tx: Tx,
  { id, expiresAt, offerToken }: HoldRecord,
  now: Temporal.Instant,
): Promise<boolean> {
  const extended = await tx`
    update hold set expires_at = ${expiresAt}, offer_token = ${offerToken}, is_extended = true
    where id = ${id} and state = 'open' and not is_extended and expires_at > ${now}`;
  return extended.count > 0;
}

export interface HolderAt {
  partnerId: number;
  venueId: string;
}

/** Until the transaction ends no other one counts under these names, which are sorted. */
export async function lockCounts(tx: Tx, names: readonly string[]): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('holds/' || name, 0))
    from unnest(${names as string[]}::text[]) as name`;
}

/**
 * Places at a venue that a partner keeps and has not booked yet. Reservations of the OCTO channel keep places too, and so
 * do bookings that wait for their payment.
 */
export async function countOpenHolds(
  tx: Tx,
  { partnerId, venueId }: HolderAt,
  now: Temporal.Instant,
): Promise<number> {
  const [counted] = await tx<[{ open: number }]>`
    select (select count(*) from hold where partner_id = ${partnerId} and venue_id = ${venueId}
        and state in ('placing', 'open') and expires_at > ${now})::int
      + (select count(*) from octo_booking o where partner_id = ${partnerId}
        and product_id > ${`${venueId}|`} and product_id < ${`${venueId}}`} and state <> 'cancelled'
        and expires_at > ${now} and not exists (select from booking b where b.id = o.id))::int
      + (select count(*) from booking where partner_id = ${partnerId} and venue_id = ${venueId}
        and payment_until is not null and status = 'pending')::int as open`;
  return counted.open;
}

export async function countAllOpen(tx: Tx, now: Temporal.Instant): Promise<number> {
  const [counted] = await tx<[{ open: number }]>`
    select count(*)::int as open from hold where state in ('placing', 'open') and expires_at > ${now}`;
  return counted.open;
}

/** Some of the holds that ended unused before that moment; each is returned to one transaction. */
export async function takeExpired(tx: Tx, before: Temporal.Instant, limit: number): Promise<HoldRecord[]> {
  const taken = await tx<{ id: string }[]>`
    update hold set state = 'expired', ended_at = expires_at where id in (
      select id from hold where state = 'open' and expires_at <= ${before}
      order by expires_at limit ${limit} for update skip locked)
    returning id`;
  const ids = taken.map(({ id }) => id);
  return ids.length === 0 ? [] : [...(await lockHolds(tx, ids)).values()];
}

/** Deletes some that ended before that moment, and some that were never placed; says how many. */
export async function deleteEnded(tx: Tx, before: Temporal.Instant, limit: number): Promise<number> {
  const deleted = await tx`
    delete from hold where id in (
      select id from hold where ended_at < ${before} or (state = 'placing' and expires_at < ${before})
      limit ${limit} for update skip locked)`;
  return deleted.count;
}

export interface HoldFilter {
  venueId?: string | undefined;
  status: HoldStatus;
}

/** Of the venues of an operator, those first that end first. */
export async function listHolds(
  tx: Tx,
  operatorId: number,
  filter: HoldFilter,
  { limit, offset, now }: { limit: number; offset: number; now: Temporal.Instant },
): Promise<{ holds: HoldRecord[]; total: number }> {
  const { venueId } = filter;
  const wanted = () => tx`h.operator_id = ${operatorId} and ${hasStatus(tx, filter.status, now)}
    ${venueId === undefined ? tx`` : tx`and h.venue_id = ${venueId}`}`;
  const [rows, [counted]] = await Promise.all([
    tx<
      HoldRecord[]
    >`${selected(tx)} where ${wanted()} order by h.expires_at, h.id limit ${limit} offset ${offset}`,
    tx<[{ total: number }]>`select count(*)::int as total from hold h where ${wanted()}`,
  ]);
  return { holds: [...rows], total: counted.total };
}

/** By clock, as `statusOf` says. */
function hasStatus(tx: Tx, status: HoldStatus, now: Temporal.Instant): Fragment {
  if (status === 'open') return tx`h.state = 'open' and h.expires_at > ${now}`;
  if (status === 'expired') return tx`(h.state = 'expired' or (h.state = 'open' and h.expires_at <= ${now}))`;
  return tx`h.state = ${status}`;
}
