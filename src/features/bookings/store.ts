import { batchLoader } from '../../db/batch-loader.ts';
import type { Fragment, Tx } from '../../db/database.ts';
import { type Visibility, visibilityKey } from '../../http/auth/caller.ts';
import { type Keyring, open, seal } from '../../kernel/crypto.ts';
import type { ProductId, VenueId } from '../../kernel/ids.ts';
import type { SealedTable } from '../../kernel/sealed-table.ts';
import { type VenueVersion, versionCheck } from './create/venue-version-store.ts';
import { createGuestHasher } from './guest-search/hashes.ts';
import { deleteHashes, hashList, replaceHashes, type Unhashed } from './guest-search/store.ts';
import { countBookings } from './operator/store.ts';
import type { BookingRecord, BookingStatus, Guest, PaymentRecord } from './record.ts';
import { listPayments, type Row, selected, venueOf } from './row-store.ts';

export interface BookingFilter {
  id?: readonly string[] | undefined;
  status?: readonly BookingStatus[] | undefined;
  /** Trading days; both belong to it. */
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
  venueId?: VenueId | undefined;
  updatedSince?: Temporal.Instant | undefined;
  productId?: ProductId | undefined;
  operatorBookingId?: string | undefined;
  partnerBookingId?: string | undefined;
}

/** Those that wait for a payment: first those whose time is up. */
export async function listUnpaid(tx: Tx): Promise<UnpaidBooking[]> {
  const rows = await tx<UnpaidBooking[]>`
    select id, payment_until as "paymentUntil" from booking where payment_until is not null and status = 'pending'
    order by payment_until, id`;
  return [...rows];
}

export interface UnpaidBooking {
  id: string;
  paymentUntil: Temporal.Instant;
}

/** Where bookings are kept. What guests say about themselves goes in and comes out sealed. */
export type BookingStore = ReturnType<typeof createBookingStore>;

export function createBookingStore(encryptionKeys: Keyring) {
  const hasher = createGuestHasher(encryptionKeys.first);

  function recordOf(row: Row, payments: PaymentRecord[]): BookingRecord {
    const { guest, areaId, areaName, hasPayments: _, visitState: state, ...columns } = row;
    const { arrivedAt, seatedAt, leftAt, ...rest } = columns;
    return {
      ...rest,
      visit: { state, arrivedAt, seatedAt, leftAt },
      venue: venueOf(row),
      guest: guest && openGuest(encryptionKeys, row.id, guest),
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
    requested_duration_minutes: record.requestedDurationMinutes,
    adults: record.adults,
    children: record.children,
    space_id: record.spaceId,
    preorders: record.preorders,
    deposit_pence: record.depositPence,
    deposit_due_pence: record.depositDuePence,
    payment_until: record.paymentUntil,
    price_per_guest_pence: record.pricePerGuestPence,
    has_payments: record.payments.length > 0,
    guest: record.guest && sealGuest(encryptionKeys, record.id, record.guest),
    area_id: record.area?.id ?? null,
    area_name: record.area?.name ?? null,
    tables: record.tables,
    is_auto_confirmed: record.isAutoConfirmed,
    was_placed: record.wasPlaced,
    flags: record.flags,
    skips_preorder_email: record.skipsPreorderEmail,
    ruled_balance_pence: record.ruledBalancePence,
    visit_state: record.visit.state,
    arrived_at: record.visit.arrivedAt,
    seated_at: record.visit.seatedAt,
    left_at: record.visit.leftAt,
    actual_guests: record.actualGuests,
    actual_spend_pence: record.actualSpendPence,
    tms_created_at: record.tmsCreatedAt,
    last_update: record.lastUpdate,
  });

  /** Columns that never change. */
  const fixed = (record: BookingRecord) => ({
    id: record.id,
    partner_id: record.partnerId,
    origin: record.origin,
    client_id: record.clientId,
    operator_id: record.operatorId,
    venue_id: record.venueId,
    partner_source: record.partnerSource,
    created_at: record.createdAt,
    refund_terms: record.refundTerms,
    held_terms: record.heldTerms,
  });

  const rowOf = (record: BookingRecord) => {
    const { guest, ...columns } = changing(record);
    return { ...fixed(record), ...columns, guest: guest && `\\x${guest.toString('hex')}` };
  };

  /** Writes the rows for which the condition holds, with the hashes of their guests. */
  async function insertWhere(
    tx: Tx,
    bookings: readonly { record: BookingRecord; version: VenueVersion | null }[],
    condition: Fragment,
  ): Promise<ReadonlySet<string>> {
    const rows = bookings.map(({ record, version }) => ({
      row: rowOf(record),
      version,
      hashes: record.guest && hashList(hasher.hashesOf(record.operatorId, record.guest)),
    }));
    // By name: a column that a later version adds gets its default from nodes that do not know it. As a fragment of
    // its own: inside the statement the driver would take the list for values.
    const names = tx`${tx(Object.keys(rows[0]?.row ?? {}))}`;
    const inserted = await tx<{ id: string }[]>`
      with given as materialized (select item from jsonb_array_elements(${tx.json(rows as never)}) as item),
      inserted as (
        insert into booking (${names})
        select ${names} from (
          select made.*, item -> 'version' as venue_version
          from given, jsonb_populate_record(null::booking, item -> 'row') as made) as made
        where ${condition}
        on conflict (partner_id, partner_booking_id) do nothing
        returning id, operator_id),
      hashed as (
        insert into booking_guest_hash (booking_id, operator_id, key_id, hashes)
        select id, operator_id, ${hasher.keyId}, (item ->> 'hashes')::bigint[]
        from inserted join given on (item -> 'row' ->> 'id')::uuid = id
        where item ->> 'hashes' is not null)
      select id from inserted`;
    return new Set(inserted.map(({ id }) => id));
  }

  /** Most bookings have no payments, and then none are read. */
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

  const findInTurn = batchLoader(
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
    openGuest: (bookingId: string, sealed: Buffer | null) =>
      sealed && openGuest(encryptionKeys, bookingId, sealed),

    guestHashing: {
      keyId: hasher.keyId,
      /** What is written for a booking without hashes: nothing where the guest is gone or cannot be opened. */
      itemOf({ id, operatorId, guest: sealed }: Unhashed) {
        const guest = sealed && tryToOpen(encryptionKeys, id, sealed);
        if (!guest) return [];
        return [{ bookingId: id, operatorId, sealed, hashes: hasher.hashesOf(operatorId, guest) }];
      },
    },

    /**
     * Returns the ids of the inserted bookings: without bookings whose partner has used its id before, and without
     * bookings decided on a version of the venue that is no longer current. Sent as JSON, the many columns cost a
     * fraction of what they cost one by one.
     */
    async insert(tx: Tx, bookings: readonly NewBookingRow[]): Promise<ReadonlySet<string>> {
      // Bookings of the house are written one by one, so all rows are of one kind.
      const isOfHouse = bookings.every(({ version }) => version.partnerId === null);
      return insertWhere(tx, bookings, versionCheck(tx, tx`venue_version`, { isOfHouse }));
    },

    /** Without comparing versions: for bookings of the demo, which no request has decided on. */
    insertAsTheyAre: (tx: Tx, records: readonly BookingRecord[]): Promise<ReadonlySet<string>> =>
      insertWhere(
        tx,
        records.map((record) => ({ record, version: null })),
        tx`true`,
      ),

    /** Moved to another product, a booking has the terms of that one. */
    async update(tx: Tx, record: BookingRecord): Promise<void> {
      const { preorders, ...columns } = changing(record);
      const row = { ...columns, preorders: tx.json(preorders as never) };
      const { id: bookingId, operatorId, productId, guest } = record;
      await Promise.all([
        tx`
          update booking set ${tx(row as never)}, refund_terms = case when product_id = ${productId} then refund_terms
            else (select p.refund_terms from product p where p.id = ${productId}) end,
            held_terms = case when product_id = ${productId} then held_terms end
          where id = ${record.id}`,
        guest
          ? replaceHashes(tx, hasher.keyId, {
              bookingId,
              operatorId,
              hashes: hasher.hashesOf(operatorId, guest),
            })
          : deleteHashes(tx, [bookingId]),
      ]);
    },

    async find(tx: Tx, visibility: Visibility, id: string): Promise<BookingRecord | undefined> {
      const rows = await tx<Row[]>`${selected(tx)} where b.id = ${id} and ${visible(tx, visibility)}`;
      const [record] = await withPayments(tx, rows);
      return record;
    },

    /** For reads: calls of one event-loop tick share a query. */
    findShared(tx: Tx, visibility: Visibility, id: string): Promise<BookingRecord | undefined> {
      return findInTurn(tx, { visibility, id });
    },

    listByIds,

    /** All bookings of a venue on a trading day, the earliest first. */
    async listDay(tx: Tx, visibility: Visibility, venueId: VenueId, date: string): Promise<BookingRecord[]> {
      const rows = await tx<Row[]>`
        ${selected(tx)} where b.venue_id = ${venueId} and b.trading_day = ${date} and ${visible(tx, visibility)}
        order by b.starts_at, b.id`;
      return withPayments(tx, rows);
    },

    /** Locks the booking until the transaction ends. */
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
      const conditions = conditionsOf(tx, filter);
      const own = visible(tx, visibility);
      const wanted = conditions.length > 0 ? tx`${own} ${conditions}` : own;
      const [total, rows] = await Promise.all([
        conditions.length > 0 ? countMatching(tx, wanted) : countBookings(tx, own),
        tx<Row[]>`
          ${selected(tx)} where b.id in (
            select b.id from booking b where ${wanted} order by b.id desc limit ${limit} offset ${offset})
          order by b.id desc`,
      ]);
      return { bookings: await withPayments(tx, rows), total };
    },
  };
}

/** A booking with the version of its venue that it was decided on. */
export interface NewBookingRow {
  record: BookingRecord;
  version: VenueVersion;
}

interface Wanted {
  visibility: Visibility;
  id: string;
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

async function countMatching(tx: Tx, wanted: Fragment): Promise<number> {
  const [counted] = await tx<[{ total: number }]>`select count(*) as total from booking b where ${wanted}`;
  return counted.total;
}

type Condition<Value> = (tx: Tx, value: Value) => Fragment;

const CONDITIONS: { [Name in keyof Required<BookingFilter>]: Condition<NonNullable<BookingFilter[Name]>> } = {
  id: (tx, ids) => tx`b.id = any(${[...ids]}::uuid[])`,
  status: (tx, statuses) => tx`b.status = any(${[...statuses]}::text[])`,
  dateFrom: (tx, day) => tx`b.trading_day >= ${day}`,
  dateTo: (tx, day) => tx`b.trading_day <= ${day}`,
  // By the beginning of the product's id, which has an index.
  venueId: (tx, id) => tx`b.product_id > ${`${id}|`} and b.product_id < ${`${id}}`}`,
  updatedSince: (tx, instant) => tx`b.last_update >= ${instant}`,
  productId: (tx, id) => tx`b.product_id = ${id}`,
  operatorBookingId: (tx, id) => tx`b.operator_booking_id = ${id}`,
  partnerBookingId: (tx, id) => tx`b.partner_booking_id = ${id}`,
};

function conditionsOf(tx: Tx, filter: BookingFilter): Fragment[] {
  return Object.entries(CONDITIONS).flatMap(([name, condition]) => {
    const value = filter[name as keyof BookingFilter];
    return value === undefined ? [] : [tx`and ${(condition as Condition<unknown>)(tx, value)}`];
  });
}

/** Whether there is one that the caller may know of: to partners, bookings of the house do not exist. */
export async function exists(tx: Tx, id: string, { kind }: Visibility): Promise<boolean> {
  const known = kind === 'partner' ? tx`and partner_id is not null` : tx``;
  return (await tx`select from booking where id = ${id} ${known}`).length > 0;
}

export async function findIdOf(
  tx: Tx,
  partnerId: number,
  partnerBookingId: string,
): Promise<string | undefined> {
  const [found] = await tx<{ id: string }[]>`
    select id from booking where partner_id = ${partnerId} and partner_booking_id = ${partnerBookingId}`;
  return found?.id;
}

/** A guest's data belongs to one booking: copied to another row it does not open. */
const contextOf = (bookingId: string) => `booking:${bookingId}`;

export const SEALED_GUESTS: SealedTable = {
  table: 'booking',
  columns: ['guest'],
  key: ['id'],
  contextOf,
};

export function sealGuest(keys: Keyring, bookingId: string, guest: Guest): Buffer {
  return seal(keys, JSON.stringify(guest), contextOf(bookingId));
}

function openGuest(keys: Keyring, bookingId: string, sealed: Uint8Array): Guest {
  return JSON.parse(open(keys, sealed, contextOf(bookingId)).toString());
}

function tryToOpen(keys: Keyring, bookingId: string, sealed: Buffer): Guest | undefined {
  try {
    return openGuest(keys, bookingId, sealed);
  } catch {
    return undefined;
  }
}
