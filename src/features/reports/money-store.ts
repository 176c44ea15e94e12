import type { Tx } from '../../db/database.ts';
import type { Period } from './store.ts';

export interface MoneyFigures {
  currency: string;
  takenPence: number;
  refundedPence: number;
  correctedPence: number;
  netPence: number;
}

export interface MoneyRow extends MoneyFigures {
  /** What the row is about; `total` has neither key nor name. */
  by: 'total' | 'day' | 'venue' | 'provider';
  key: string;
  name: string;
}

/** Entries of the ledger, with their day at the venue. */
const entries = (tx: Tx, operatorId: number, { from, to }: Period) => tx`
  select l.*, b.venue_id, v.name as venue_name, (l.at at time zone v.time_zone)::date as day
  from ledger_entry l join booking b on b.id = l.booking_id join venue v on v.id = b.venue_id
  where l.operator_id = ${operatorId} and l.at >= ${from}::date - interval '1 day' and l.at < ${to}::date + interval '2 days'
    and (l.at at time zone v.time_zone)::date between ${from} and ${to}`;

/** All sums are of the same entries, so that they balance. */
export async function sumMoney(tx: Tx, operatorId: number, period: Period): Promise<MoneyRow[]> {
  const rows = await tx<MoneyRow[]>`
    select case when grouping(day) = 0 then 'day' when grouping(venue_id) = 0 then 'venue'
        when grouping(provider) = 0 then 'provider' else 'total' end as by,
      coalesce(day::text, venue_id, provider, '') as key,
      case when grouping(venue_id) = 0 then max(venue_name) else coalesce(day::text, provider, '') end as name, currency,
      coalesce(sum(amount_pence) filter (where kind = 'payment'), 0)::bigint as "takenPence",
      coalesce(-sum(amount_pence) filter (where kind = 'refund'), 0)::bigint as "refundedPence",
      coalesce(sum(amount_pence) filter (where kind = 'correction'), 0)::bigint as "correctedPence",
      sum(amount_pence)::bigint as "netPence"
    from (${entries(tx, operatorId, period)}) entry
    group by grouping sets ((currency), (currency, day), (currency, venue_id), (currency, provider))
    order by by, key, currency`;
  return [...rows];
}

export interface OpenMoney {
  refundsOwed: number;
  refundsOwedPence: number;
  paymentsInDoubt: number;
  paymentsInDoubtPence: number;
}

/** As it is now, whatever the period. */
export async function findOpenMoney(tx: Tx, operatorId: number): Promise<OpenMoney> {
  const [found] = await tx<OpenMoney[]>`
    select
      (select count(*) from refund r join booking b on b.id = r.booking_id
        where b.operator_id = ${operatorId} and r.status = 'due') as "refundsOwed",
      (select coalesce(sum(r.amount_pence), 0)::bigint from refund r join booking b on b.id = r.booking_id
        where b.operator_id = ${operatorId} and r.status = 'due') as "refundsOwedPence",
      count(*) as "paymentsInDoubt", coalesce(sum(y.amount_pence), 0)::bigint as "paymentsInDoubtPence"
    from payment y join booking b on b.id = y.booking_id
    where b.operator_id = ${operatorId} and y.status in ('requires_action', 'processing', 'authorised')`;
  if (!found) throw new Error('A sum has no row.');
  return found;
}

export interface DeclaredMoney {
  bookings: number;
  depositPence: number;
}

/** What partners say that they have taken themselves, for visits in the period. */
export async function findDeclared(tx: Tx, operatorId: number, { from, to }: Period): Promise<DeclaredMoney> {
  const [found] = await tx<DeclaredMoney[]>`
    select count(*) as bookings, coalesce(sum(round(deposit_pence)), 0)::bigint as "depositPence" from booking
    where operator_id = ${operatorId} and trading_day between ${from} and ${to} and deposit_pence > 0
      and status not in ('cancelled', 'rejected')`;
  if (!found) throw new Error('A sum has no row.');
  return found;
}

export interface FoundDifference {
  kind: 'not_there' | 'not_here' | 'amount';
  reference: string;
  paymentId: string | null;
  ledgerPence: number | null;
  providerPence: number | null;
  currency: string;
  foundAt: Temporal.Instant;
}

const MOST_DIFFERENCES = 100;

export async function listDifferences(tx: Tx, operatorId: number): Promise<FoundDifference[]> {
  const rows = await tx<FoundDifference[]>`
    select kind, reference, payment_id as "paymentId", ledger_pence as "ledgerPence",
      provider_pence as "providerPence", currency, found_at as "foundAt"
    from payment_difference where operator_id = ${operatorId} order by found_at, reference limit ${MOST_DIFFERENCES}`;
  return [...rows];
}

export interface LedgerRow {
  id: string;
  kind: string;
  at: Temporal.Instant;
  day: string;
  bookingId: string;
  venueId: string;
  venueName: string;
  amountPence: number;
  currency: string;
  provider: string;
  reference: string | null;
  account: string | null;
  paymentId: string;
  refundId: string | null;
}

/** By time, so many at a time. */
export function readLedger(
  tx: Tx,
  operatorId: number,
  period: Period,
  rowsAtATime: number,
): AsyncIterable<LedgerRow[]> {
  return tx<LedgerRow[]>`
    select id, kind, at, day::text as day, booking_id as "bookingId", venue_id as "venueId",
      venue_name as "venueName", amount_pence as "amountPence", currency, provider, provider_reference as reference,
      account, payment_id as "paymentId", refund_id as "refundId"
    from (${entries(tx, operatorId, period)}) entry order by at, id`.cursor(rowsAtATime) as AsyncIterable<
    LedgerRow[]
  >;
}
