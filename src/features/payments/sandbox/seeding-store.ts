import type { Tx } from '../../../db/database.ts';
import { SANDBOX } from './provider.ts';

export interface DemoPayment {
  id: string;
  reference: string;
  booking_id: string;
  operator_id: number;
  client_id: string;
  option: string;
  amount: number;
  /** It has gone back already. */
  refunded: number;
  currency: string;
  method: string | null;
  at: string;
  refunded_at: string;
}

/** In our books and in those of the provider of the sandbox. */
export async function insertDemoPayments(tx: Tx, paid: readonly DemoPayment[]): Promise<void> {
  if (paid.length === 0) return;
  const given = tx`jsonb_to_recordset(${tx.json(paid as never)}) as given (id uuid, reference text, booking_id uuid,
    operator_id integer, client_id text, option text, amount bigint, refunded bigint, currency text, method text,
    at timestamptz, refunded_at timestamptz)`;
  await tx`
    insert into payment (id, booking_id, option, status, amount_pence, currency, method, provider, provider_reference,
      client_id, asked_at, created_at, ends_at)
    select id, booking_id, option, 'succeeded', amount, currency, method, ${SANDBOX}, reference, client_id, at, at, at
    from ${given}`;
  await tx`
    insert into sandbox_payment (reference, payment_id, amount_pence, currency, is_captured_later, status, token,
      settles_at, created_at)
    select reference, id, amount, currency, false, 'succeeded', 'tok_success', at, at from ${given}`;
  await tx`
    insert into ledger_entry (id, kind, payment_id, booking_id, operator_id, amount_pence, currency, provider,
      provider_reference, at)
    select id, 'payment', id, booking_id, operator_id, amount, currency, ${SANDBOX}, reference, at from ${given}`;
  // A payment has one refund at most, so that its id can serve for both.
  await tx`
    insert into refund (id, payment_id, booking_id, reason, status, amount_pence, provider_reference, attempts,
      next_attempt_at, created_at)
    select id, id, booking_id, 'cancelled', 'done', refunded, 'refund-' || id, 1, refunded_at, refunded_at
    from ${given} where refunded > 0`;
  await tx`
    insert into sandbox_refund (id, reference, amount_pence, settles_at)
    select id, reference, refunded, refunded_at from ${given} where refunded > 0`;
  await tx`
    insert into ledger_entry (id, kind, payment_id, refund_id, booking_id, operator_id, amount_pence, currency, provider,
      provider_reference, at)
    select gen_random_uuid(), 'refund', id, id, booking_id, operator_id, -refunded, currency, ${SANDBOX}, 'refund-' || id,
      refunded_at
    from ${given} where refunded > 0`;
}
