import type { Tx } from '../../db/database.ts';

/** A comparison of one account at a provider, with all that was begun since `from`. */
export interface Comparison {
  provider: string;
  account: string | null;
  from: Temporal.Instant;
}

/** The accounts in which money may have moved since; the platform's own is null. Until the visit it may go back. */
export async function listAccounts(
  tx: Tx,
  { provider, from }: Pick<Comparison, 'provider' | 'from'>,
): Promise<(string | null)[]> {
  const rows = await tx<{ account: string | null }[]>`
    select account from payment where provider = ${provider} and created_at >= ${from}
    union
    select y.account from booking b join payment y on y.booking_id = b.id
    where b.starts_at >= ${from} and y.provider = ${provider} and y.status = 'succeeded'`;
  return rows.map(({ account }) => account);
}

export interface BookedEntry {
  id: string;
  kind: 'payment' | 'refund' | 'correction';
  paymentId: string;
  operatorId: number;
  amountPence: number;
  currency: string;
  /** Of the movement; for payments that of the payment. */
  reference: string | null;
  at: Temporal.Instant;
  /** When the payment or refund was, as far as is known here. */
  begunAt: Temporal.Instant;
}

/** Movements are younger than the payment or refund; only those that were made without us are booked after them. */
export async function listBooked(tx: Tx, comparison: Comparison): Promise<BookedEntry[]> {
  const { provider, account, from } = comparison;
  const rows = await tx<BookedEntry[]>`
    select * from (
      select coalesce(l.refund_id, l.payment_id) as id, l.kind, l.payment_id as "paymentId",
        l.operator_id as "operatorId", l.amount_pence as "amountPence", l.currency, l.provider_reference as reference,
        l.at, case l.kind when 'payment' then y.created_at when 'refund' then r.created_at else l.at end as "begunAt"
      from ledger_entry l join payment y on y.id = l.payment_id left join refund r on r.id = l.refund_id
      where l.provider = ${provider} and l.account is not distinct from ${account}) booked
    where "begunAt" >= ${from}`;
  return [...rows];
}

export interface KnownRefund {
  refundId: string;
  paymentId: string;
  bookingId: string;
  amountPence: number;
  status: 'due' | 'done';
}

/** By our id, or by the provider's name for it. */
export async function findRefund(
  tx: Tx,
  { ourId, paymentId, reference }: { ourId: string | null; paymentId: string; reference: string },
): Promise<KnownRefund | undefined> {
  const [found] = await tx<KnownRefund[]>`
    select id as "refundId", payment_id as "paymentId", booking_id as "bookingId", amount_pence as "amountPence", status
    from refund where payment_id = ${paymentId} and (id::text = ${ourId} or provider_reference = ${reference})`;
  return found;
}

export interface ForeignRefund {
  id: string;
  paymentId: string;
  bookingId: string;
  amountPence: number;
  reference: string;
  at: Temporal.Instant;
}

/** A refund that was made at the provider, without us. */
export async function insertForeignRefund(tx: Tx, refund: ForeignRefund): Promise<void> {
  const { id, paymentId, bookingId, amountPence, reference, at } = refund;
  await tx`
    insert into refund (id, payment_id, booking_id, reason, status, amount_pence, provider_reference, next_attempt_at,
      created_at)
    values (${id}, ${paymentId}, ${bookingId}, 'provider', 'done', ${amountPence}, ${reference}, ${at}, ${at})`;
}

/** What went back beyond what is left of the payment here; the ledger follows the provider. */
export async function insertCorrection(tx: Tx, correction: ForeignRefund): Promise<void> {
  const { id, paymentId, amountPence, reference, at } = correction;
  await tx`
    insert into ledger_entry (id, kind, payment_id, booking_id, operator_id, amount_pence, currency, provider,
      provider_reference, account, at)
    select ${id}, 'correction', y.id, y.booking_id, b.operator_id, ${-amountPence}, y.currency, y.provider, ${reference},
      y.account, ${at}
    from payment y join booking b on b.id = y.booking_id where y.id = ${paymentId}
    on conflict do nothing`;
}

export interface Difference {
  /** `not_there`: the provider has no such movement; `not_here`: we could not book it; `amount`: the sums differ. */
  kind: 'not_there' | 'not_here' | 'amount';
  reference: string;
  operatorId: number | null;
  paymentId: string | null;
  ledgerPence: number | null;
  providerPence: number | null;
  currency: string;
}

export interface Compared {
  kind: Difference['kind'];
  reference: string;
}

/** Those that are found again keep their date; what was compared and does not differ is resolved. */
export async function saveDifferences(
  tx: Tx,
  differences: readonly Difference[],
  { provider, now, compared }: { provider: string; now: Temporal.Instant; compared: readonly Compared[] },
): Promise<void> {
  for (const each of differences)
    await tx`
      insert into payment_difference (provider, kind, reference, operator_id, payment_id, ledger_pence, provider_pence,
        currency, found_at)
      values (${provider}, ${each.kind}, ${each.reference}, ${each.operatorId}, ${each.paymentId}, ${each.ledgerPence},
        ${each.providerPence}, ${each.currency}, ${now})
      on conflict (provider, kind, reference) do update
      set operator_id = excluded.operator_id, payment_id = excluded.payment_id, ledger_pence = excluded.ledger_pence,
        provider_pence = excluded.provider_pence`;
  const nameOf = ({ kind, reference }: Compared) => `${kind} ${reference}`;
  const resolved = new Set(compared.map(nameOf)).difference(new Set(differences.map(nameOf)));
  await tx`
    delete from payment_difference
    where provider = ${provider} and kind || ' ' || reference = any(${[...resolved]}::text[])`;
}
