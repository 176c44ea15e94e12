/** What must be so once all is quiet: our books are those of Stripe, and nobody has paid more than was due. */
import type { MoneyWorld } from './world.ts';

export interface Told {
  bookingId: string;
  /** Payments of which an answer said that they have succeeded. */
  succeeded: ReadonlySet<string>;
  /** Secrets with which a guest's page can pay. */
  clientSecrets: ReadonlySet<string>;
}

interface PaymentRow {
  id: string;
  status: string;
  amountPence: number;
  reference: string | null;
}
interface RefundRow {
  id: string;
  status: string;
  amountPence: number;
}
interface EntryRow {
  kind: string;
  /** Of the payment or the refund. */
  of: string;
  amountPence: number;
}

/** Sentences about what does not fit; none is as it should be. */
export async function contradictionsOf(world: MoneyWorld, told: Told): Promise<string[]> {
  const { bookingId } = told;
  const ours = await readOurs(world, bookingId);
  const theirs = readTheirs(world, bookingId);
  const found: string[] = [];
  const say = (line: string) => void found.push(`${line} (booking ${bookingId})`);

  comparePayments(ours, theirs, say);
  compareRefunds(ours, theirs, say);
  for (const { id, status } of ours.payments)
    if (!['succeeded', 'failed'].includes(status)) say(`payment ${id} stays ${status}`);
  for (const { id, status } of ours.refunds) if (status !== 'done') say(`refund ${id} stays ${status}`);
  for (const id of told.succeeded)
    if (!theirs.taken.has(id)) say(`payment ${id} was said to have succeeded, and nothing was taken`);
  for (const { client_secret, status, id } of theirs.intents)
    if (told.clientSecrets.has(client_secret) && !['succeeded', 'canceled'].includes(status))
      say(`intent ${id} can still be paid by a guest`);

  const kept = sumOf(theirs.taken.values()) - sumOf(theirs.returned.map(({ amount }) => amount));
  const most = await dueFor(world, bookingId);
  if (kept > most) say(`${kept} was kept where ${most} is due at most`);
  return found;
}

type Say = (line: string) => void;
type Ours = Awaited<ReturnType<typeof readOurs>>;
type Theirs = ReturnType<typeof readTheirs>;

function comparePayments({ payments, entries }: Ours, { intents, taken }: Theirs, say: Say): void {
  const booked = new Map(entries.filter(({ kind }) => kind === 'payment').map((entry) => [entry.of, entry]));
  for (const { id, metadata, amount_received: received } of intents) {
    const payment = payments.find((each) => each.id === metadata.payment);
    if (received === 0) continue;
    if (payment?.status !== 'succeeded') say(`${id} took ${received}, and payment is ${payment?.status}`);
    if (payment?.reference !== id) say(`${id} took ${received}, and payment knows ${payment?.reference}`);
    const entry = booked.get(metadata.payment ?? '');
    if (entry?.amountPence !== received)
      say(`${id} took ${received}, and the ledger has ${entry?.amountPence}`);
  }
  for (const { of, amountPence } of booked.values())
    if (!taken.has(of)) say(`the ledger has ${amountPence} of payment ${of}, and Stripe has nothing`);
  const received = intents.filter(({ amount_received }) => amount_received > 0);
  if (received.length !== taken.size) say('a payment was taken twice');
}

function compareRefunds({ entries }: Ours, { returned }: Theirs, say: Say): void {
  const booked = new Map(entries.filter(({ kind }) => kind === 'refund').map((entry) => [entry.of, entry]));
  const seen = new Set<string | undefined>();
  for (const { id, metadata, amount } of returned) {
    if (seen.has(metadata.refund)) say(`refund ${metadata.refund} was given twice`);
    seen.add(metadata.refund);
    const entry = booked.get(metadata.refund ?? '');
    if (entry?.amountPence !== -amount)
      say(`${id} gave back ${amount}, and the ledger has ${entry?.amountPence}`);
  }
  for (const { of, amountPence } of booked.values())
    if (!seen.has(of)) say(`the ledger has ${amountPence} of refund ${of}, and Stripe has nothing`);
}

function readTheirs({ stripe }: MoneyWorld, bookingId: string) {
  const intents = stripe.intents().filter(({ metadata }) => metadata.booking === bookingId);
  const ids = new Set(intents.map(({ id }) => id));
  const returned = stripe
    .refunds()
    .filter(({ payment_intent, status }) => ids.has(payment_intent) && status === 'succeeded');
  const taken = new Map(
    intents
      .filter(({ amount_received }) => amount_received > 0)
      .map(({ metadata, amount_received }) => [metadata.payment ?? '', amount_received]),
  );
  return { intents, returned, taken };
}

async function readOurs({ app: { sql } }: MoneyWorld, bookingId: string) {
  const payments = await sql<PaymentRow[]>`
    select id, status, amount_pence as "amountPence", provider_reference as reference
    from payment where booking_id = ${bookingId}`;
  const refunds = await sql<RefundRow[]>`
    select id, status, amount_pence as "amountPence" from refund where booking_id = ${bookingId}`;
  const entries = await sql<EntryRow[]>`
    select kind, coalesce(refund_id, payment_id) as of, amount_pence as "amountPence"
    from ledger_entry where booking_id = ${bookingId}`;
  return { payments, refunds, entries };
}

async function dueFor({ app }: MoneyWorld, bookingId: string): Promise<number> {
  const [row] = await app.sql<{ due: number }[]>`
    select case when b.status in ('cancelled', 'rejected') then 0 else b.price_per_guest_pence * b.adults end as due
    from booking b where b.id = ${bookingId}`;
  return Number(row?.due ?? 0);
}

const sumOf = (amounts: Iterable<number>) => [...amounts].reduce((sum, amount) => sum + amount, 0);
