/** Asks the provider about payments that are open, and ends those whose time is up. */

import { nowOf } from '../../kernel/clock.ts';
import { OURSELVES } from '../bookings/service.ts';
import { confirmAtOnce, takeSetAside } from './deposit-first.ts';
import type { PaymentProvider, ProviderState } from './provider.ts';
import { newCall, type PaymentsContext, type Said, settle } from './settling.ts';
import * as store from './store.ts';

/** After this no call that could still charge is in progress. */
const PENDING_MINUTES = 1;
const BATCH = 10;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Goes through all payments that were left open; says how many are over now. */
export async function settlePending(context: PaymentsContext, signal?: AbortSignal): Promise<number> {
  const { sql, clock, provider } = context;
  if (!provider) return 0;
  const now = nowOf(clock);
  const askedBefore = now.subtract({ minutes: PENDING_MINUTES });
  const failures: unknown[] = [];
  let settled = 0;
  for (let afterId = FIRST_ID; !signal?.aborted; ) {
    const open = await store.listOpen(sql, {
      provider: provider.slug,
      askedBefore,
      now,
      afterId,
      limit: BATCH,
    });
    const outcomes = await Promise.allSettled(
      open.map((each) => resolve(context, provider, each, { isAbandoned: true, signal })),
    );
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') failures.push(outcome.reason);
      else if (outcome.value === 'over') settled += 1;
    }
    const last = open.at(-1);
    if (!last) break;
    afterId = last.id;
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some payments could not be settled.');
  return settled;
}

/** `unavailable`: the provider did not say. */
export type Resolution = 'over' | 'open' | 'unavailable';

interface Asking {
  /** No request is about to charge it: what was not authorised never will be. */
  isAbandoned: boolean;
  signal?: AbortSignal | undefined;
}

export async function resolve(
  context: PaymentsContext,
  provider: PaymentProvider,
  payment: store.OpenPayment,
  { isAbandoned, signal }: Asking,
): Promise<Resolution> {
  const { id, reference, account, amountPence } = payment;
  if (reference === null) return isAbandoned ? giveUpUnopened(context, payment) : 'open';
  const intent = { paymentId: id, reference, account, amountPence };
  const found = await provider.find(newCall(signal), intent);
  // It was opened there once: a provider that does not show it says nothing about the money.
  if (found.kind === 'unavailable' || found.kind === 'absent') return 'unavailable';
  switch (nextStep(payment, found, isAbandoned)) {
    case 'take': {
      const setAside = { ...intent, bookingId: payment.bookingId };
      const { outcome } = await takeSetAside(context, provider, setAside, signal);
      return recordUnlessAway(context, payment, outcome);
    }
    case 'cancel': {
      const ended = await provider.cancel(newCall(signal), intent);
      const reason = found.kind === 'requires_action' ? (found.failure ?? null) : null;
      return recordUnlessAway(
        context,
        payment,
        ended.kind === 'cancelled' ? { kind: 'failed', reason } : ended,
      );
    }
    case 'record':
      return record(context, payment, found);
    case 'leave':
      return 'open';
  }
}

function nextStep(
  { status, isOver, isCalledOff, isSentAway }: store.OpenPayment,
  found: ProviderState,
  isAbandoned: boolean,
): 'take' | 'cancel' | 'record' | 'leave' {
  const isOpenThere = found.kind === 'authorised' || found.kind === 'requires_action';
  // It was given up here, so it must not succeed there.
  if (status === 'failed') return isOpenThere ? 'cancel' : 'record';
  switch (found.kind) {
    case 'authorised':
      return isCalledOff ? 'cancel' : 'take';
    case 'requires_action': {
      if (isOver || isCalledOff) return 'cancel';
      // A guest who returns from a page of the bank has no form in which to try another card.
      if (isSentAway && found.failure !== undefined) return 'cancel';
      // Nothing was authorised yet, and the request that should do it may have ended.
      const isUntouched = status === 'processing' && found.nextActionUrl === null;
      if (isUntouched) return isAbandoned ? 'cancel' : 'leave';
      return 'record';
    }
    default:
      return 'record';
  }
}

function recordUnlessAway(
  context: PaymentsContext,
  payment: store.OpenPayment,
  outcome: Said | { kind: 'unavailable' },
): Promise<Resolution> {
  return outcome.kind === 'unavailable' ? Promise.resolve('unavailable') : record(context, payment, outcome);
}

async function record(
  context: PaymentsContext,
  { id, bookingId }: store.OpenPayment,
  said: Said,
): Promise<Resolution> {
  const settled = await context.bookings.inBooking(OURSELVES, bookingId, (tx, booking) =>
    settle(tx, context, booking, id, said),
  );
  if (settled?.status === 'succeeded') await confirmAtOnce(context, bookingId);
  return settled?.status === 'succeeded' || settled?.status === 'failed' ? 'over' : 'open';
}

/** Nothing is authorised before the reference is stored, so the guest was not charged. */
function giveUpUnopened(context: PaymentsContext, payment: store.OpenPayment): Promise<Resolution> {
  return context.bookings.inBooking(OURSELVES, payment.bookingId, async (tx, booking) => {
    if (!(await store.lockUnopened(tx, payment))) return 'open';
    await settle(tx, context, booking, payment.id, { kind: 'failed', reason: null });
    return 'over';
  });
}
