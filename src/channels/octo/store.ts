import type { Fragment, Tx } from '../../db/database.ts';
import { type Keyring, open, seal } from '../../kernel/crypto.ts';
import type { ProductId } from '../../kernel/ids.ts';
import type { SealedTable } from '../../kernel/sealed-table.ts';
import type { SentContact } from './request-schema.ts';
import type { Refund } from './schema.ts';

/** A unit of a reservation. */
export interface UnitRecord {
  uuid: string;
  unitId: string;
  resellerReference: string | null;
}

/** What guests say, which is sealed. */
export interface Details {
  contact: SentContact;
  notes: string | null;
  /** By the uuid of the unit. */
  unitContacts: Record<string, SentContact>;
  reason: string | null;
}

export interface Reservation {
  id: string;
  partnerId: number;
  /** Who has made it; null: not known any more. */
  clientId: string | null;
  fingerprint: Buffer;
  state: 'holding' | 'held' | 'cancelled';
  productId: ProductId;
  startsAt: Temporal.Instant;
  timeZone: string;
  durationMinutes: number;
  units: UnitRecord[];
  resellerReference: string | null;
  /** Null once the guest is forgotten. */
  details: Details | null;
  expiresAt: Temporal.Instant;
  refund: Refund | null;
  createdAt: Temporal.Instant;
  updatedAt: Temporal.Instant;
  cancelledAt: Temporal.Instant | null;
}

/** The right to work on a reservation. */
export interface Lease {
  id: string;
  lease: string;
}

export interface LeaseTimes {
  now: Temporal.Instant;
  until: Temporal.Instant;
}

export interface ReservationFilter {
  id?: string | undefined;
  resellerReference?: string | undefined;
  supplierReference?: string | undefined;
  /** Local days of the start; both belong to it. */
  firstDay?: string | undefined;
  lastDay?: string | undefined;
  productId?: string | undefined;
}

export type ReservationStore = ReturnType<typeof createReservationStore>;

type Row = Omit<Reservation, 'details'> & { details: Buffer | null };

const contextOf = (id: string) => `octo-booking:${id}`;

export const SEALED_RESERVATIONS: SealedTable = {
  table: 'octo_booking',
  columns: ['details'],
  key: ['id'],
  contextOf,
};

export function createReservationStore(encryptionKeys: Keyring) {
  const sealed = (id: string, details: Details | null) =>
    details && seal(encryptionKeys, JSON.stringify(details), contextOf(id));
  const recordOf = ({ details, ...row }: Row): Reservation => ({
    ...row,
    details: details && JSON.parse(open(encryptionKeys, details, contextOf(row.id)).toString()),
  });

  const columnsOf = (reservation: Reservation) => ({
    state: reservation.state,
    product_id: reservation.productId,
    starts_at: reservation.startsAt,
    time_zone: reservation.timeZone,
    duration_minutes: reservation.durationMinutes,
    reseller_reference: reservation.resellerReference,
    details: sealed(reservation.id, reservation.details),
    expires_at: reservation.expiresAt,
    refund: reservation.refund,
    updated_at: reservation.updatedAt,
    cancelled_at: reservation.cancelledAt,
  });

  return {
    /** False when the id is in use. */
    async insert(
      tx: Tx,
      reservation: Reservation,
      { lease }: Lease,
      until: Temporal.Instant,
    ): Promise<boolean> {
      const { id, partnerId, clientId, fingerprint, units, createdAt } = reservation;
      const row = {
        ...columnsOf(reservation),
        ...{
          id,
          partner_id: partnerId,
          client_id: clientId,
          fingerprint,
          created_at: createdAt,
          lease,
          leased_until: until,
        },
        units: tx.json(units as never),
      };
      return (await tx`insert into octo_booking ${tx(row as never)} on conflict do nothing`).count > 0;
    },

    async find(tx: Tx, id: string): Promise<Reservation | undefined> {
      const [row] = await tx<Row[]>`${selected(tx)} where o.id = ${id}`;
      return row && recordOf(row);
    },

    /** Undefined while another request works on it. */
    async takeLease(
      tx: Tx,
      { id, lease }: Lease,
      { now, until }: LeaseTimes,
    ): Promise<Reservation | undefined> {
      const taken = await tx`
        update octo_booking set lease = ${lease}, leased_until = ${until}
        where id = ${id} and (lease is null or leased_until <= ${now})`;
      if (taken.count === 0) return undefined;
      const [row] = await tx<Row[]>`${selected(tx)} where o.id = ${id}`;
      return row && recordOf(row);
    },

    /** False when the lease has gone to another request. */
    async save(tx: Tx, { id, lease }: Lease, reservation: Reservation): Promise<boolean> {
      const row = { ...columnsOf(reservation), units: tx.json(reservation.units as never) };
      const saved =
        await tx`update octo_booking set ${tx(row as never)} where id = ${id} and lease = ${lease}`;
      return saved.count > 0;
    },

    /** The newest first; those that are still being held are not there yet. */
    async list(tx: Tx, partnerId: number, filter: ReservationFilter, limit: number): Promise<Reservation[]> {
      const rows = await tx<Row[]>`
        ${selected(tx)} left join booking b on b.id = o.id
        where o.partner_id = ${partnerId} and o.state <> 'holding' ${conditionsOf(tx, filter)}
        order by o.created_at desc, o.id limit ${limit}`;
      return rows.map(recordOf);
    },
  };
}

const selected = (tx: Tx): Fragment => tx`
  select o.id, o.partner_id as "partnerId", o.client_id as "clientId", o.fingerprint, o.state, o.product_id as "productId",
    o.starts_at as "startsAt", o.time_zone as "timeZone", o.duration_minutes as "durationMinutes", o.units,
    o.reseller_reference as "resellerReference", o.details, o.expires_at as "expiresAt", o.refund,
    o.created_at as "createdAt", o.updated_at as "updatedAt", o.cancelled_at as "cancelledAt"
  from octo_booking o`;

/** What a booking says of itself, where there is one, counts: it may have been changed elsewhere. */
function conditionsOf(tx: Tx, filter: ReservationFilter): Fragment {
  const { id, resellerReference, supplierReference, firstDay, lastDay, productId } = filter;
  const start = tx`(coalesce(b.starts_at, o.starts_at) at time zone o.time_zone)::date`;
  return tx`
    ${id === undefined ? tx`` : tx`and o.id = ${id}`}
    ${resellerReference === undefined ? tx`` : tx`and case when b.id is null then o.reseller_reference else b.partner_booking_id end = ${resellerReference}`}
    ${supplierReference === undefined ? tx`` : tx`and b.operator_booking_id = ${supplierReference}`}
    ${firstDay === undefined ? tx`` : tx`and ${start} >= ${firstDay}`}
    ${lastDay === undefined ? tx`` : tx`and ${start} <= ${lastDay}`}
    ${productId === undefined ? tx`` : tx`and coalesce(b.product_id, o.product_id) = ${productId}`}`;
}

/** Whether the lease is still held, in the transaction that relies on it: until its end no other request gets it. */
export async function holdsLease(tx: Tx, { id, lease }: Lease): Promise<boolean> {
  return (await tx`select from octo_booking where id = ${id} and lease = ${lease} for update`).length > 0;
}

export async function endLease(tx: Tx, { id, lease }: Lease): Promise<void> {
  await tx`update octo_booking set lease = null, leased_until = null where id = ${id} and lease = ${lease}`;
}

/** A reservation that came to nothing: its id can be used again. */
export async function removeUnheld(tx: Tx, { id, lease }: Lease): Promise<void> {
  await tx`delete from octo_booking where id = ${id} and lease = ${lease} and state = 'holding'`;
}

/** Reservations that expired before that moment and were never booked. */
export async function deleteUnbooked(tx: Tx, before: Temporal.Instant): Promise<number> {
  const deleted = await tx`
    delete from octo_booking o where expires_at < ${before}
      and not exists (select from booking b where b.id = o.id)`;
  return deleted.count;
}
