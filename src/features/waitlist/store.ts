import type { Fragment, Tx } from '../../db/database.ts';
import type { PartnerIdentity } from '../../http/auth/caller.ts';
import { type Keyring, open, seal } from '../../kernel/crypto.ts';
import type { ProductId, VenueId } from '../../kernel/ids.ts';
import type { SealedTable } from '../../kernel/sealed-table.ts';
import type { BookingStatus, ORIGINS } from '../bookings/service.ts';
import type { WaitingDay } from './day-store.ts';

export const ENTRY_STATUSES = ['waiting', 'offered', 'booked', 'expired', 'removed'] as const;
export type EntryStatus = (typeof ENTRY_STATUSES)[number];

/** What is sealed. */
export interface WaitingGuest {
  firstName: string | null;
  lastName: string;
  email: string | null;
  phone: string | null;
  /** Of the link in mails; null: there is none. */
  linkSecret: string | null;
}

export interface Offer {
  holdId: string;
  minute: number;
  startsAt: Temporal.Instant;
  durationMinutes: number;
  endsAt: Temporal.Instant;
}

export interface NewEntry {
  id: string;
  /** Null: of the house. */
  partnerId: number | null;
  origin: (typeof ORIGINS)[number] | null;
  clientId: string;
  operatorId: number;
  venueId: VenueId;
  productId: ProductId;
  date: string;
  fromMinute: number;
  toMinute: number;
  endsAt: Temporal.Instant;
  adults: number;
  children: number;
  spaceId: number | null;
  partnerBookingId: string | null;
  /** Null once forgotten. */
  guest: WaitingGuest | null;
  linkHash: Buffer | null;
  createdAt: Temporal.Instant;
}

export interface EntryRecord extends NewEntry {
  /** At the moment that it was read for: waiting and offers end by clock, and a booking of the hold makes it booked. */
  status: EntryStatus;
  /** The last one that was made. */
  offer: Offer | null;
  bookingId: string | null;
  bookingStatus: BookingStatus | null;
  partner: PartnerIdentity | null;
  /** Whether the venue writes to the guest. */
  isWrittenTo: boolean;
  venue: WaitingVenue;
  lastUpdate: Temporal.Instant;
}

export interface WaitingVenue {
  name: string;
  productName: string;
  address: string;
  countryCode: string;
  timeZone: string;
}

type Row = Omit<EntryRecord, 'guest' | 'offer' | 'partner' | 'venue'> & {
  guest: Buffer | null;
  partnerReference: string;
  partnerName: string;
  holdId: string | null;
  offerMinute: number;
  offerStartsAt: Temporal.Instant;
  offerDurationMinutes: number;
  offerEndsAt: Temporal.Instant;
} & WaitingVenueColumns;

interface WaitingVenueColumns {
  venueName: string;
  productName: string;
  address: string | null;
  city: string;
  postcode: string | null;
  countryCode: string;
  timeZone: string;
}

export interface EntryFilter {
  venueId?: VenueId | undefined;
  productId?: ProductId | undefined;
  partnerId?: number | undefined;
  operatorId?: number | undefined;
  date?: string | undefined;
  status?: readonly EntryStatus[] | undefined;
}

export type WaitlistStore = ReturnType<typeof createWaitlistStore>;

const contextOf = (id: string) => `waitlist:${id}`;

export const SEALED_ENTRIES: SealedTable = {
  table: 'waitlist_entry',
  columns: ['guest'],
  key: ['id'],
  contextOf,
};

export function createWaitlistStore(encryptionKeys: Keyring) {
  function recordOf(row: Row): EntryRecord {
    const { guest, partnerReference, partnerName, holdId, ...rest } = row;
    const { offerMinute, offerStartsAt, offerDurationMinutes, offerEndsAt, ...columns } = rest;
    const { venueName, productName, address, city, postcode, countryCode, timeZone, ...entry } = columns;
    return {
      ...entry,
      guest: guest && JSON.parse(open(encryptionKeys, guest, contextOf(row.id)).toString()),
      offer:
        holdId === null
          ? null
          : {
              holdId,
              minute: offerMinute,
              startsAt: offerStartsAt,
              durationMinutes: offerDurationMinutes,
              endsAt: offerEndsAt,
            },
      partner:
        entry.partnerId === null
          ? null
          : { id: entry.partnerId, reference: partnerReference, name: partnerName },
      venue: {
        name: venueName,
        productName,
        address: [address, city, postcode].filter((part) => part).join(', '),
        countryCode,
        timeZone,
      },
    };
  }

  return {
    /** Its day is looked at from now on. */
    async insert(tx: Tx, entry: NewEntry): Promise<void> {
      const { id, guest, createdAt } = entry;
      const row = {
        id,
        partner_id: entry.partnerId,
        origin: entry.origin,
        client_id: entry.clientId,
        operator_id: entry.operatorId,
        venue_id: entry.venueId,
        product_id: entry.productId,
        trading_day: entry.date,
        from_minute: entry.fromMinute,
        to_minute: entry.toMinute,
        ends_at: entry.endsAt,
        adults: entry.adults,
        children: entry.children,
        space_id: entry.spaceId,
        partner_booking_id: entry.partnerBookingId,
        guest: guest && seal(encryptionKeys, JSON.stringify(guest), contextOf(id)),
        link_hash: entry.linkHash,
        status: 'waiting',
        created_at: createdAt,
        last_update: createdAt,
      };
      await tx`
        insert into waitlist_day (venue_id, trading_day) values (${entry.venueId}, ${entry.date})
        on conflict do nothing`;
      await tx`insert into waitlist_entry ${tx(row as never)}`;
    },

    async find(tx: Tx, id: string, now: Temporal.Instant): Promise<EntryRecord | undefined> {
      const [row] = await tx<Row[]>`${selected(tx, now)} where e.id = ${id}`;
      return row && recordOf(row);
    },

    /** The same, locked until the transaction ends. */
    async lock(tx: Tx, id: string, now: Temporal.Instant): Promise<EntryRecord | undefined> {
      await tx`select from waitlist_entry where id = ${id} for update`;
      const [row] = await tx<Row[]>`${selected(tx, now)} where e.id = ${id}`;
      return row && recordOf(row);
    },

    /** Links end a day after the last start. */
    async findByLink(tx: Tx, linkHash: Buffer, now: Temporal.Instant): Promise<EntryRecord | undefined> {
      const [row] = await tx<Row[]>`
        ${selected(tx, now)} where e.link_hash = ${linkHash} and e.ends_at > ${now}::timestamptz - interval '1 day'`;
      return row && recordOf(row);
    },

    /** By day, in the order in which they get offers; those that have ended stand where they stood. */
    async list(
      tx: Tx,
      filter: EntryFilter,
      { limit, offset, now }: { limit: number; offset: number; now: Temporal.Instant },
    ): Promise<{ entries: EntryRecord[]; total: number }> {
      const wanted = conditionsOf(tx, filter, now);
      const [counted] = await tx<[{ total: number }]>`
        select count(*) as total from ${joined(tx)} where ${wanted}`;
      const rows = await tx<Row[]>`
        ${selected(tx, now)} where ${wanted} order by e.trading_day, ${inOrder(tx)} limit ${limit} offset ${offset}`;
      return { entries: rows.map(recordOf), total: counted.total };
    },

    async listWaiting(tx: Tx, { venueId, date }: WaitingDay, now: Temporal.Instant): Promise<EntryRecord[]> {
      const rows = await tx<Row[]>`
        ${selected(tx, now)}
        where e.venue_id = ${venueId} and e.trading_day = ${date} and e.status = 'waiting' and e.ends_at > ${now}
        order by ${inOrder(tx)}`;
      return rows.map(recordOf);
    },
  };
}

/** The operator's order comes first; ids begin with their time. */
const inOrder = (tx: Tx): Fragment => tx`e.rank nulls last, e.id`;

/** What an entry became of. A partner may release the hold of its offer, or extend it. */
const joined = (tx: Tx): Fragment => tx`
  waitlist_entry e left join booking b on b.id = e.hold_id left join hold h on h.id = e.hold_id`;

const offerEnd = (tx: Tx): Fragment =>
  tx`case when h.state = 'released' then h.ended_at else coalesce(h.expires_at, e.offer_ends_at) end`;

const statusAt = (tx: Tx, now: Temporal.Instant): Fragment => tx`
  case when b.id is not null then 'booked'
    when e.status = 'waiting' and e.ends_at <= ${now} then 'expired'
    when e.status = 'offered' and ${offerEnd(tx)} <= ${now} then 'expired'
    else e.status end`;

const selected = (tx: Tx, now: Temporal.Instant): Fragment => tx`
  select e.id, e.partner_id as "partnerId", e.origin, e.client_id as "clientId", e.operator_id as "operatorId",
    e.venue_id as "venueId", e.product_id as "productId", e.trading_day as date, e.from_minute as "fromMinute",
    e.to_minute as "toMinute", e.ends_at as "endsAt", e.adults, e.children, e.space_id as "spaceId",
    e.partner_booking_id as "partnerBookingId", e.guest, e.link_hash as "linkHash", ${statusAt(tx, now)} as status,
    e.hold_id as "holdId", e.offer_minute as "offerMinute", e.offer_starts_at as "offerStartsAt",
    e.offer_duration_minutes as "offerDurationMinutes", ${offerEnd(tx)} as "offerEndsAt", b.id as "bookingId",
    b.status as "bookingStatus",
    e.created_at as "createdAt", e.last_update as "lastUpdate", p.reference as "partnerReference",
    p.name as "partnerName", v.name as "venueName", d.name as "productName", v.address, v.city, v.postcode,
    v.country_code as "countryCode", v.time_zone as "timeZone",
    e.partner_id is null or exists (select from venue_mapping m
      where m.partner_id = e.partner_id and m.venue_id = e.venue_id and m.guest_mails = 'venue') as "isWrittenTo"
  from ${joined(tx)} join venue v on v.id = e.venue_id join product d on d.id = e.product_id
    left join partner p on p.id = e.partner_id`;

function conditionsOf(tx: Tx, filter: EntryFilter, now: Temporal.Instant): Fragment {
  const { venueId, productId, partnerId, operatorId, date, status } = filter;
  return tx`true
    ${venueId === undefined ? tx`` : tx`and e.venue_id = ${venueId}`}
    ${productId === undefined ? tx`` : tx`and e.product_id = ${productId}`}
    ${partnerId === undefined ? tx`` : tx`and e.partner_id = ${partnerId}`}
    ${operatorId === undefined ? tx`` : tx`and e.operator_id = ${operatorId}`}
    ${date === undefined ? tx`` : tx`and e.trading_day = ${date}`}
    ${status === undefined ? tx`` : tx`and ${statusAt(tx, now)} = any(${[...status]}::text[])`}`;
}

/** How many wait before each of these, and it; entries that do not wait are not in the answer. */
export async function findPositions(
  tx: Tx,
  ids: readonly string[],
  now: Temporal.Instant,
): Promise<Map<string, number>> {
  const rows = await tx<{ id: string; position: number }[]>`
    select id, position from (
      select e.id, row_number() over (partition by e.venue_id, e.trading_day order by ${inOrder(tx)})::int as position
      from waitlist_entry e
      where e.status = 'waiting' and e.ends_at > ${now} and (e.venue_id, e.trading_day) in (
        select venue_id, trading_day from waitlist_entry where id = any(${ids as string[]}::uuid[]))) as listed
    where id = any(${ids as string[]}::uuid[])`;
  return new Map(rows.map(({ id, position }) => [id, position]));
}

/** Entries of a partner at a venue that have not ended. */
export async function countOpen(
  tx: Tx,
  partnerId: number,
  venueId: VenueId,
  now: Temporal.Instant,
): Promise<number> {
  const [counted] = await tx<[{ open: number }]>`
    select count(*)::int as open from ${joined(tx)}
    where e.partner_id = ${partnerId} and e.venue_id = ${venueId} and e.status in ('waiting', 'offered')
      and ${statusAt(tx, now)} in ('waiting', 'offered')`;
  return counted.open;
}

/** Whether an open entry of the partner has this id, or a booking does. */
export async function findUse(
  tx: Tx,
  partnerId: number,
  partnerBookingId: string,
  now: Temporal.Instant,
): Promise<{ bookingId: string | null } | undefined> {
  const [row] = await tx<{ bookingId: string | null }[]>`
    select id as "bookingId" from booking
    where partner_id = ${partnerId} and partner_booking_id = ${partnerBookingId}
    union all
    select null from ${joined(tx)}
    where e.partner_id = ${partnerId} and e.partner_booking_id = ${partnerBookingId}
      and e.status in ('waiting', 'offered') and ${statusAt(tx, now)} in ('waiting', 'offered')
    limit 1`;
  return row;
}

/** False: it does not wait any more. */
export async function markOffered(
  tx: Tx,
  id: string,
  { holdId, minute, startsAt, durationMinutes, endsAt }: Offer,
  now: Temporal.Instant,
): Promise<boolean> {
  const marked = await tx`
    update waitlist_entry set status = 'offered', hold_id = ${holdId}, offer_minute = ${minute},
      offer_starts_at = ${startsAt}, offer_duration_minutes = ${durationMinutes}, offer_ends_at = ${endsAt},
      last_update = ${now}
    where id = ${id} and status = 'waiting'`;
  return marked.count > 0;
}

/** In the transaction that makes the booking of the hold. */
export async function markBooked(tx: Tx, id: string, now: Temporal.Instant): Promise<void> {
  await tx`update waitlist_entry set status = 'booked', last_update = ${now} where id = ${id}`;
}

/** What has ended already stays as it is. */
export async function markRemoved(tx: Tx, id: string, now: Temporal.Instant): Promise<void> {
  await tx`
    update waitlist_entry set status = 'removed', last_update = ${now}
    where id = ${id} and status in ('waiting', 'offered')`;
}

/** Puts the waiting entries of a day into this order. */
export async function saveOrder(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx`
    update waitlist_entry e set rank = o.rank
    from unnest(${ids as string[]}::uuid[]) with ordinality as o (id, rank) where e.id = o.id`;
}

/** Writes down what time and bookings have made of entries; says how many there were. */
export async function settleEnded(tx: Tx, now: Temporal.Instant): Promise<number> {
  const settled = await tx`
    update waitlist_entry o set status = ended.status, last_update = greatest(o.last_update, ${now})
    from (
      select e.id, ${statusAt(tx, now)} as status from ${joined(tx)}
      where e.status in ('waiting', 'offered')) as ended
    where o.id = ended.id and o.status <> ended.status and o.status in ('waiting', 'offered')
      and ended.status in ('booked', 'expired')`;
  return settled.count;
}

/** When the next offer ends; null: none is open. */
export async function findNextEnd(tx: Tx): Promise<Temporal.Instant | null> {
  const [next] = await tx<[{ endsAt: Temporal.Instant | null }]>`
    select min(${offerEnd(tx)}) as "endsAt" from ${joined(tx)} where e.status = 'offered'`;
  return next.endsAt;
}

/** Deletes entries whose last start is that long ago, with their guests; says which. */
export async function deleteEnded(tx: Tx, endedBefore: Temporal.Instant, limit: number): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    delete from waitlist_entry where id in (
      select id from waitlist_entry where ends_at < ${endedBefore} limit ${limit}
      for update skip locked)
    returning id`;
  return rows.map(({ id }) => id);
}

export async function countByStatus(
  tx: Tx,
  now: Temporal.Instant,
): Promise<{ waiting: number; offered: number }> {
  const [counts] = await tx<[{ waiting: number; offered: number }]>`
    select count(*) filter (where status = 'waiting' and ends_at > ${now})::int as waiting,
      count(*) filter (where status = 'offered' and offer_ends_at > ${now})::int as offered
    from waitlist_entry where status in ('waiting', 'offered')`;
  return counts;
}
