import type { Fragment, Tx } from '../../db/database.ts';
import { inSameTurn } from '../../db/same-turn.ts';
import { type Visibility, visibilityKey } from '../../http/caller.ts';
import type { ProductId, VenueId } from '../../kernel/ids.ts';
import { telling } from '../events/service.ts';
import type { PaymentRecord } from '../payments/record.ts';
import { type Basis, standing } from './basis-store.ts';
import { openGuest, sealGuest } from './guest.ts';
import type { BookedVenue, BookingRecord } from './record.ts';

export interface BookingFilter {
  productId?: ProductId | undefined;
  operatorBookingId?: string | undefined;
  partnerBookingId?: string | undefined;
}

/** Where bookings are kept. What guests say about themselves goes in and comes out sealed. */
export type BookingStore = ReturnType<typeof createBookingStore>;

export function createBookingStore(encryptionKey: Buffer) {
  function recordOf(row: Row, payments: PaymentRecord[]): BookingRecord {
    const { guest, areaId, areaName, hasPayments: _, ...rest } = row;
    return {
      ...rest,
      venue: venueOf(row),
      guest: guest && openGuest(encryptionKey, row.id, guest),
      area: areaId === null ? null : { id: areaId, name: areaName ?? '' },
      payments,
    };
  }

  /** The columns that a change can touch. */
  const changing = (record: BookingRecord) => ({
    product_id: record.productId,
    partner_booking_id: record.partnerBookingId,
    operator_booking_id: record.operatorBookingId,
    source: record.source,
    type: record.type,
    status: record.status,
    trading_day: record.date,
    starts_minute: record.minute,
    starts_at: record.startsAt,
    duration_minutes: record.durationMinutes,
    wished_duration_minutes: record.wishedDurationMinutes,
    adults: record.adults,
    children: record.children,
    space_id: record.spaceId,
    preorders: record.preorders,
    deposit_pence: record.depositPence,
    price_per_guest_pence: record.pricePerGuestPence,
    has_payments: record.payments.length > 0,
    guest: record.guest && sealGuest(encryptionKey, record.id, record.guest),
    area_id: record.area?.id ?? null,
    area_name: record.area?.name ?? null,
    tables: record.tables,
    is_auto_confirmed: record.isAutoConfirmed,
    was_placed: record.wasPlaced,
    flags: record.flags,
    skips_preorder_email: record.skipsPreorderEmail,
    ruled_balance_pence: record.ruledBalancePence,
    actual_guests: record.actualGuests,
    actual_spend_pence: record.actualSpendPence,
    tms_created_at: record.tmsCreatedAt,
    last_update: record.lastUpdate,
  });

  const rowOf = (record: BookingRecord) => {
    const { guest, ...columns } = changing(record);
    return {
      id: record.id,
      partner_id: record.partnerId,
      client_id: record.clientId,
      operator_id: record.operatorId,
      venue_id: record.venueId,
      partner_source: record.partnerSource,
      created_at: record.createdAt,
      guest: guest && `\\x${guest.toString('hex')}`,
      refund_terms: record.refundTerms,
      ...columns,
    };
  };

  /** Most bookings have no payments, and then nobody asks for them. */
  async function withPayments(tx: Tx, rows: readonly Row[]): Promise<BookingRecord[]> {
    const ids = rows.filter(({ hasPayments }) => hasPayments).map(({ id }) => id);
    const payments = ids.length === 0 ? [] : await listPayments(tx, ids);
    return rows.map((row) =>
      recordOf(
        row,
        payments.flatMap(({ bookingId, ...payment }) => (bookingId === row.id ? [payment] : [])),
      ),
    );
  }

  async function listByIds(tx: Tx, visibility: Visibility, ids: readonly string[]): Promise<BookingRecord[]> {
    const rows = await tx<Row[]>`
      ${selected(tx)} where b.id = any(${ids as string[]}::uuid[]) and ${visible(tx, visibility)}`;
    return withPayments(tx, rows);
  }

  const findInTurn = inSameTurn(
    ({ visibility, id }: Wanted) => `${visibilityKey(visibility)} ${id}`,
    async (tx, wanted) => {
      const found = new Map<string, BookingRecord>();
      const groups = Map.groupBy(wanted, ({ visibility }) => visibilityKey(visibility));
      await Promise.all(
        [...groups].map(async ([key, group]) => {
          const [first] = group;
          if (!first) return;
          const ids = group.map(({ id }) => id);
          for (const record of await listByIds(tx, first.visibility, ids))
            found.set(`${key} ${record.id}`, record);
        }),
      );
      return wanted.map(({ visibility, id }) =>
        found.get(`${visibilityKey(visibility)} ${id.toLowerCase()}`),
      );
    },
  );

  return {
    /**
     * False, and nothing written, when the partner has used its id before, or when what the booking was decided on
     * no longer stands. As one document the many columns cost a fraction of what they cost one by one.
     */
    async insert(tx: Tx, record: BookingRecord, basis: Basis): Promise<boolean> {
      const row = rowOf(record);
      // By name: a column that a later version adds gets its default from nodes that do not know it.
      const names = tx(Object.keys(row));
      const inserted = await tx`
        insert into booking (${names})
        select ${names} from jsonb_populate_record(null::booking, ${tx.json(row as never)}) as made
        where ${standing(tx, basis)}
        on conflict (partner_id, partner_booking_id) do nothing`;
      return inserted.count > 0;
    },

    /**
     * The place, the booking and all that goes with it in one statement: done as a whole, or not at all. What the
     * place is, is known only when it is taken, so that goes into the row on its way.
     */
    async insertTaking(
      tx: Tx,
      record: BookingRecord,
      basis: Basis,
      { place, parts }: Taken,
    ): Promise<{ isTaken: boolean; answer: unknown }> {
      const row = rowOf(record);
      // By itself: among the words of a statement the driver takes the list for values.
      const names = tx`${tx(Object.keys(row))}`;
      const isTaken = tx`(select answer ? 'tables' from seat)`;
      const { event, kept } = parts(isTaken);
      const [done] = await tx<{ isTaken: boolean | null; answer: unknown }[]>`
        with seat as materialized (select ${place} as answer),
        made as (
          insert into booking (${names})
          select ${names} from seat, jsonb_populate_record(null::booking, ${tx.json(row as never)}::jsonb
            || jsonb_build_object('area_id', answer -> 'areaId', 'area_name', answer -> 'areaName',
              'tables', answer -> 'tables')) as made
          where answer ? 'tables' and ${standing(tx, basis)}
          on conflict (partner_id, partner_booking_id) do nothing
          returning 1),
        kept as (${kept}),
        ${event}
        select answer, answer ? 'tables' as "isTaken", ${telling(tx)},
          case when answer ? 'tables' and not (exists (select from made) and exists (select from kept))
            then abandon() end
        from seat`;
      return { answer: done?.answer ?? null, isTaken: done?.isTaken ?? false };
    },

    /** Moved to another product, a booking has the terms of that one. */
    async update(tx: Tx, record: BookingRecord): Promise<void> {
      const { preorders, ...columns } = changing(record);
      const row = { ...columns, preorders: tx.json(preorders as never) };
      const { productId } = record;
      await tx`
        update booking set ${tx(row as never)}, refund_terms = case when product_id = ${productId} then refund_terms
          else (select p.refund_terms from product p where p.id = ${productId}) end
        where id = ${record.id}`;
    },

    async find(tx: Tx, visibility: Visibility, id: string): Promise<BookingRecord | undefined> {
      const rows = await tx<Row[]>`${selected(tx)} where b.id = ${id} and ${visible(tx, visibility)}`;
      const [record] = await withPayments(tx, rows);
      return record;
    },

    /** For those who only look: what is asked in one turn is asked together. */
    findShared(tx: Tx, visibility: Visibility, id: string): Promise<BookingRecord | undefined> {
      return findInTurn(tx, { visibility, id });
    },

    listByIds,

    /** Until the transaction ends nobody else changes it. */
    async lock(tx: Tx, visibility: Visibility, id: string): Promise<BookingRecord | undefined> {
      const wanted = () => tx`b.id = ${id} and ${visible(tx, visibility)}`;
      // Two statements: one that waits for the lock sees payments as they were before it waited.
      const [, rows] = await Promise.all([
        tx`select from booking b where ${wanted()} for update`,
        tx<Row[]>`${selected(tx)} where ${wanted()}`,
      ]);
      const [record] = await withPayments(tx, rows);
      return record;
    },

    /** The newest first. */
    async list(
      tx: Tx,
      visibility: Visibility,
      filter: BookingFilter,
      { limit, offset }: { limit: number; offset: number },
    ): Promise<{ bookings: BookingRecord[]; total: number }> {
      const wanted = tx`${visible(tx, visibility)} ${matching(tx, filter)}`;
      const [[counted], rows] = await Promise.all([
        tx<[{ total: number }]>`select count(*) as total from booking b where ${wanted}`,
        tx<Row[]>`
          ${selected(tx)} where b.id in (
            select b.id from booking b where ${wanted} order by b.id desc limit ${limit} offset ${offset})
          order by b.id desc`,
      ]);
      return { bookings: await withPayments(tx, rows), total: counted.total };
    },
  };
}

/** What goes with a booking in one statement. */
interface Taken {
  place: Fragment;
  parts(isTaken: Fragment): { event: Fragment; kept: Fragment };
}

interface Wanted {
  visibility: Visibility;
  id: string;
}

interface Row extends Omit<BookingRecord, 'guest' | 'area' | 'payments' | 'venue'>, VenueColumns {
  guest: Buffer | null;
  areaId: number | null;
  areaName: string | null;
  hasPayments: boolean;
}

type VenueColumns = Omit<BookedVenue, 'name' | 'location'> & BookedVenue['location'] & { venueName: string };

function venueOf(row: VenueColumns): BookedVenue {
  const { lat, lng, address, area, city, postcode, countryCode } = row;
  return {
    name: row.venueName,
    operatorName: row.operatorName,
    productName: row.productName,
    timeZone: row.timeZone,
    isClosed: row.isClosed,
    paymentRules: row.paymentRules,
    location: { lat, lng, address, area, city, postcode, countryCode },
  };
}

function selected(tx: Tx): Fragment {
  return tx`
    select b.id, b.partner_id as "partnerId", b.client_id as "clientId", b.operator_id as "operatorId",
      b.venue_id as "venueId", b.product_id as "productId", b.partner_booking_id as "partnerBookingId",
      b.operator_booking_id as "operatorBookingId", b.source, b.partner_source as "partnerSource", b.type, b.status,
      b.trading_day as date, b.starts_minute as minute, b.starts_at as "startsAt",
      b.duration_minutes as "durationMinutes", b.wished_duration_minutes as "wishedDurationMinutes",
      b.adults, b.children, b.space_id as "spaceId", b.preorders, b.deposit_pence as "depositPence",
      b.price_per_guest_pence as "pricePerGuestPence", b.has_payments as "hasPayments", b.guest,
      b.area_id as "areaId", b.area_name as "areaName", b.tables, b.is_auto_confirmed as "isAutoConfirmed",
      b.flags, b.skips_preorder_email as "skipsPreorderEmail", b.ruled_balance_pence as "ruledBalancePence",
      b.actual_guests as "actualGuests", b.actual_spend_pence as "actualSpendPence", b.created_at as "createdAt",
      b.tms_created_at as "tmsCreatedAt", b.last_update as "lastUpdate",
      v.name as "venueName", o.name as "operatorName", p.name as "productName", v.time_zone as "timeZone",
      v.closed_at is not null as "isClosed", b.was_placed as "wasPlaced", b.refund_terms as "refundTerms", p.payment_rules as "paymentRules",
      v.lat, v.lng, v.address, v.area, v.city, v.postcode, v.country_code as "countryCode"
    from booking b
      join venue v on v.id = b.venue_id
      join operator o on o.id = b.operator_id
      join product p on p.id = b.product_id`;
}

type PaymentRow = PaymentRecord & { bookingId: string };

async function listPayments(tx: Tx, bookingIds: string[]): Promise<PaymentRow[]> {
  const rows = await tx<PaymentRow[]>`
    select booking_id as "bookingId", id, option, status, amount_pence as "amountPence", currency, method,
      checkout_url as "checkoutUrl", created_at as "createdAt",
      (select coalesce(sum(amount_pence), 0)::bigint from refund r where r.payment_id = y.id) as "refundedPence"
    from payment y where booking_id = any(${bookingIds}::uuid[]) order by id`;
  return [...rows];
}

function visible(tx: Tx, visibility: Visibility): Fragment {
  switch (visibility.kind) {
    case 'partner':
      return tx`b.partner_id = ${visibility.partnerId}`;
    case 'operator':
      return tx`b.operator_id = ${visibility.operatorId}`;
    case 'platform':
      return tx`true`;
  }
}

function matching(tx: Tx, { productId, operatorBookingId, partnerBookingId }: BookingFilter): Fragment {
  return tx`
    ${productId === undefined ? tx`` : tx`and b.product_id = ${productId}`}
    ${operatorBookingId === undefined ? tx`` : tx`and b.operator_booking_id = ${operatorBookingId}`}
    ${partnerBookingId === undefined ? tx`` : tx`and b.partner_booking_id = ${partnerBookingId}`}`;
}

export async function exists(tx: Tx, id: string): Promise<boolean> {
  return (await tx`select from booking where id = ${id}`).length > 0;
}

export async function hasUsed(tx: Tx, partnerId: number, partnerBookingId: string): Promise<boolean> {
  const found = await tx`
    select from booking where partner_id = ${partnerId} and partner_booking_id = ${partnerBookingId}`;
  return found.length > 0;
}
