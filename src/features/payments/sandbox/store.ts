/** The books of the sandbox provider. Its states come about by clock, so that every node sees the same. */
import type { Tx } from '../../../db/database.ts';
import type { Movement, MovementsQuery, NewIntent } from '../provider.ts';

export type SandboxStatus = 'open' | 'authenticating' | 'authorised' | 'succeeded' | 'cancelled';

export interface SandboxPayment {
  reference: string;
  paymentId: string;
  amountPence: number;
  currency: string;
  status: SandboxStatus;
  isCapturedLater: boolean;
  token: string | null;
  returnUrl: string | null;
  /** Until then a status that was decided is not known yet. */
  settlesAt: Temporal.Instant;
}

const columns = (tx: Tx) => tx`
  reference, payment_id as "paymentId", amount_pence as "amountPence", currency, status,
  is_captured_later as "isCapturedLater", token, return_url as "returnUrl", settles_at as "settlesAt"`;

/** The payment as it was opened first. */
export async function openPayment(
  tx: Tx,
  intent: NewIntent & { reference: string; now: Temporal.Instant },
): Promise<SandboxPayment | undefined> {
  const { reference, paymentId, amountPence, currency, capture, account, returnUrl, now } = intent;
  await tx`
    insert into sandbox_payment (reference, payment_id, amount_pence, currency, is_captured_later, account, return_url,
      status, settles_at, created_at)
    values (${reference}, ${paymentId}, ${amountPence}, ${currency}, ${capture === 'later'}, ${account}, ${returnUrl},
      'open', ${now}, ${now})
    on conflict do nothing`;
  return findPayment(tx, reference);
}

export async function findPayment(tx: Tx, reference: string): Promise<SandboxPayment | undefined> {
  const [found] = await tx<SandboxPayment[]>`
    select ${columns(tx)} from sandbox_payment where reference = ${reference}`;
  return found;
}

export interface Move {
  reference: string;
  from: readonly SandboxStatus[];
  to: SandboxStatus;
  settlesAt: Temporal.Instant;
  token?: string;
  returnUrl?: string | null;
}

/** The payment after it, whether or not it was in one of the states it can be moved from. */
export async function movePayment(tx: Tx, move: Move): Promise<SandboxPayment | undefined> {
  const { reference, from, to, settlesAt, token = null, returnUrl = null } = move;
  await tx`
    update sandbox_payment set status = ${to}, settles_at = ${settlesAt}, token = coalesce(${token}, token),
      return_url = coalesce(${returnUrl}, return_url)
    where reference = ${reference} and status = any(${[...from]})`;
  return findPayment(tx, reference);
}

export interface SandboxRefund {
  id: string;
  reference: string;
  amountPence: number;
  settlesAt: Temporal.Instant;
}

/** The refund as it was asked for first; undefined: more than was taken would go back. */
export async function addRefund(tx: Tx, refund: SandboxRefund): Promise<SandboxRefund | undefined> {
  const { id, reference, amountPence, settlesAt } = refund;
  await tx`
    insert into sandbox_refund (id, reference, amount_pence, settles_at)
    select ${id}, reference, ${amountPence}, ${settlesAt} from sandbox_payment p
    where reference = ${reference} and status = 'succeeded' and amount_pence >= ${amountPence} + (
      select coalesce(sum(amount_pence), 0) from sandbox_refund r where r.reference = p.reference)
    on conflict do nothing`;
  const [found] = await tx<SandboxRefund[]>`
    select id, reference, amount_pence as "amountPence", settles_at as "settlesAt" from sandbox_refund
    where id = ${id}`;
  return found;
}

/** What has happened, by reference, so that a page goes on after the last of the one before. */
export async function listMovements(
  tx: Tx,
  { account, from, to, after, now }: MovementsQuery & { now: Temporal.Instant },
  limit: number,
): Promise<Movement[]> {
  const rows = await tx<Movement[]>`
    select * from (
      select reference, 'payment' as kind, reference as "intentReference", payment_id as "ourId",
        amount_pence as "amountPence", currency, settles_at as at, account
      from sandbox_payment where status = 'succeeded'
      union all
      select 'refund-' || r.id, 'refund', r.reference, r.id, r.amount_pence, p.currency, r.settles_at, p.account
      from sandbox_refund r join sandbox_payment p on p.reference = r.reference) moved
    where at >= ${from} and at < ${to} and at <= ${now} and account is not distinct from ${account}
      and reference > ${after ?? ''}
    order by reference limit ${limit}`;
  return rows.map(({ reference, kind, intentReference, ourId, amountPence, currency, at }) => ({
    reference,
    kind,
    intentReference,
    ourId,
    amountPence,
    currency,
    at,
  }));
}
