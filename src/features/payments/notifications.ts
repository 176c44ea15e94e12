/**
 * Messages of the provider. They only say which payment to ask about, so that their order, their number and what they
 * claim do not matter.
 */
import { nowOf } from '../../kernel/clock.ts';
import { invalid, problem } from '../../kernel/problem.ts';
import { noteNotification, setHandled } from './notification-store.ts';
import { resolve } from './open-payments.ts';
import type { PaymentProvider } from './provider.ts';
import { hurryRefunds } from './refund-store.ts';
import type { PaymentsContext } from './settling.ts';
import * as store from './store.ts';

export interface ReceivedNotification {
  /** The provider that the address names. */
  slug: string;
  body: Buffer;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** `repeated`: it was worked off before; `other`: it concerns no payment of ours. */
export type NotificationOutcome = 'settled' | 'open' | 'repeated' | 'other' | 'forged' | 'unavailable';

/** Throws where the message must not be taken for received; `count` is told of every one. */
export async function receiveNotification(
  context: PaymentsContext,
  { slug, body, headers }: ReceivedNotification,
  count: (outcome: NotificationOutcome) => void,
): Promise<void> {
  const { sql, clock, provider } = context;
  const read = provider?.slug === slug ? provider.readNotification?.(body, headers) : undefined;
  if (!provider || !read)
    throw problem('HTTP-N-404', { detail: 'No provider that sends notifications is connected here.' });
  if (read.kind === 'forged') {
    count('forged');
    throw invalid('signature', read.detail);
  }
  const named = { provider: slug, id: read.id, now: nowOf(clock) };
  if (!(await noteNotification(sql, named))) return count('repeated');
  const outcome = read.kind === 'payment' ? await askAbout(context, provider, read.reference) : 'other';
  count(outcome);
  if (outcome === 'unavailable')
    throw problem('PAYM-R-001', { detail: 'Send it again later.', retryAfterSeconds: 10 });
  await setHandled(sql, named);
}

/** Asks the provider how far the payment is. A reference that is not stored yet belongs to a request at work. */
export async function askAbout(
  context: PaymentsContext,
  provider: PaymentProvider,
  reference: string,
): Promise<Extract<NotificationOutcome, 'settled' | 'open' | 'other' | 'unavailable'>> {
  const { sql, clock } = context;
  const now = nowOf(clock);
  const payment = await store.findByReference(sql, { provider: provider.slug, reference, now });
  if (!payment) return 'other';
  await hurryRefunds(sql, payment.id, now);
  if (payment.status === 'succeeded') return 'settled';
  const resolution = await resolve(context, provider, payment, { isAbandoned: false });
  return resolution === 'over' ? 'settled' : resolution;
}
