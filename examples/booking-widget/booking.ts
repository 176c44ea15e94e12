/**
 * What a guest does, step by step, on the client. Nothing is stored here: the hold has the place and its terms, and
 * the booking made from it gets the same id, so a reload, a second click and a restart find the same booking.
 */
import { hash, randomUUID } from 'node:crypto';
import { ConnectionError, isProblem, Maitred, ProblemError } from '@maitred/client';

const { env } = process;
const maitred = new Maitred({
  baseUrl: env.MAITRED_URL ?? 'http://127.0.0.1:3000',
  clientId: env.MAITRED_CLIENT_ID ?? 'demo-partner',
  clientSecret: env.MAITRED_CLIENT_SECRET ?? 'demo-partner-secret',
});

/** Cards of the sandbox. With a real provider, its form on the page makes the token. */
const CARDS = new Map([
  ['works', 'tok_success'],
  ['declined', 'tok_declined'],
  ['authenticate', 'tok_authenticate'],
]);

export type Fields = Record<string, string | undefined>;

/** A start that was found. Its key makes a second click on it the same hold. */
export interface Place {
  key: string;
  compositeId: string;
  slot: { date: string; time: string; partySize: number; spaceId?: number };
}

/** A refusal in words for a guest. `isLost`: the place is gone, and the guest chooses again. */
export class Refusal extends Error {
  readonly isLost: boolean;
  constructor(message: string, isLost = false) {
    super(message);
    this.isLost = isLost;
  }
}

/** The best start of each product. Enquiries, which the venue answers later, are not for this widget. */
export async function search({ city = '', date = '', time = '', partySize = '' }: Fields) {
  const party = Number(partySize);
  const question = { date, time, partySize: party, limit: 20, ...(city && { city }) };
  const { tables } = await maitred.availability.findTables(question);
  return tables
    .filter(({ type }) => type === 'book')
    .map(({ compositeId, venue, product, area, date, time, spaceId, deposit = 0, currency }) => {
      const slot = { date, time, partySize: party, ...(spaceId && { spaceId }) };
      const place: Place = { key: randomUUID(), compositeId, slot };
      return { place, shown: { venue, product, area, date, time, deposit, currency } };
    });
}

/** The id of the hold. */
export async function hold({ key, compositeId, slot }: Place): Promise<string> {
  const held = await maitred.holds.create(compositeId, slot, { idempotencyKey: `widget-hold-${key}` });
  if (/menu/i.test(held.offer.preorder.required)) {
    await maitred.holds.release(held.id);
    throw new Refusal(
      'This restaurant wants every dish chosen ahead. Please ring it, or choose another.',
      true,
    );
  }
  return held.id;
}

/** False if it was booked before, by another click or in another window: then there is nothing to give back. */
export async function release(holdId: string): Promise<boolean> {
  try {
    await maitred.holds.release(holdId);
    return true;
  } catch (error) {
    if (isBooked(error)) return false;
    throw error;
  }
}

const isBooked = (error: unknown) => isProblem(error, 'HOLD-N-002') && 'bookingId' in error.problem;

/** Everything that the page shows of a guest who has chosen, also after a reload. */
export async function stateOf(holdId: string) {
  const held = await maitred.holds.get(holdId);
  const { slot, offer, expiresAt } = held;
  if (held.status === 'open') {
    const venueId = slot.compositeId.split('|').slice(0, 3).join('|');
    const fields = 'name,products(compositeId,productName,preorders)';
    const { name, products = [] } = await maitred.venues.get(venueId, { fields });
    const product = products.find(({ compositeId }) => compositeId === slot.compositeId);
    return { holdId, slot, offer, expiresAt, venue: name, product };
  }
  if (held.bookingId === null)
    throw new Refusal('We could not keep the table any longer. Please choose again.', true);
  const booking = await maitred.bookings.get(held.bookingId);
  const isAlive = booking.status === 'confirmed' || booking.status === 'pending';
  return {
    holdId,
    slot,
    offer,
    booking,
    payable: isAlive ? await maitred.bookings.paymentOptions(booking.id) : null,
  };
}

/**
 * A refusal is kept under its key, so a form that was corrected has another one. There is one booking all the same,
 * because a hold can be booked once.
 */
export async function book(holdId: string, { packageId, firstName = '', lastName = '', ...more }: Fields) {
  const held = await maitred.holds.get(holdId);
  if (held.status !== 'open') return;
  const packages = [{ id: Number(packageId), quantity: held.slot.partySize }];
  const given = ['email', 'phone', 'company', 'notes'].filter((name) => more[name]);
  const guest = {
    firstName,
    lastName,
    ...Object.fromEntries(given.map((name) => [name, more[name]])),
    ...(packageId && { preorders: { packages, menus: [] } }),
  };
  const form = hash('sha256', JSON.stringify(guest)).slice(0, 16);
  try {
    await maitred.holds.book(held, guest, { idempotencyKey: `widget-book-${holdId}-${form}` });
  } catch (error) {
    if (!isBooked(error)) throw error;
  }
}

/**
 * Returns where the bank wants to see the guest, if it does. The amount is that of Maitred. Earlier payments and the
 * amount count into the key: a second click is the same payment, another try or another price is not.
 */
export async function pay(bookingId: string, { option, card = '' }: Fields, returnUrl: string) {
  const { payments } = await maitred.bookings.get(bookingId);
  const { options } = await maitred.bookings.paymentOptions(bookingId);
  const [offered, token] = [options.find(({ id }) => id === option), CARDS.get(card)];
  if (!offered || !token) throw new Refusal('Please choose how to pay.');
  const { nextActionUrl } = await maitred.bookings.pay(
    bookingId,
    { option: offered.id, amount: offered.amount, token, returnUrl },
    { idempotencyKey: `widget-pay-${bookingId}-${offered.id}-${offered.amount}-${card}-${payments.length}` },
  );
  return nextActionUrl;
}

export async function cancel(bookingId: string): Promise<void> {
  await maitred.bookings.cancel(bookingId);
}

const TAKEN = 'Somebody has just taken this table. Please choose another.';
const LOST: Record<string, string> = {
  'AVAIL-N-005': TAKEN,
  'HOLD-N-001': 'We could not keep the table any longer. Please choose again.',
  'HOLD-N-002': 'We could not keep the table any longer. Please choose again.',
  // Kept under the key of the place; the next search makes new ones.
  'HOLD-N-004': 'Many guests are choosing at this restaurant just now. Please try again in a minute.',
};
const WORDS: Record<string, string> = {
  'BOOK-N-007': 'Please choose what you would like to have.',
  'BOOK-N-014': 'There is nothing left to pay.',
  'BOOK-N-015': 'The restaurant takes no bookings for this company.',
  'BOOK-N-016': 'Please tell the restaurant your company.',
  'PAYM-N-001': 'Your bank declined the payment. Please try another card.',
  'PAYM-N-004': 'The price has changed. Please look at it again.',
};

/** What a guest is told of an error. What only we understand goes to our log. */
export function inWords(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof ProblemError) {
    const { code, errors, violations } = error;
    if (code in LOST) return new Refusal(LOST[code] ?? TAKEN, true);
    const said = violations.flatMap(({ rejectMessages = [] }) => rejectMessages);
    if (said.length > 0) return new Refusal(said.join(' '));
    if (code === 'VALID-N-001') return new Refusal(`Please check: ${Object.keys(errors).join(', ')}.`);
    if (code in WORDS) return new Refusal(WORDS[code] ?? '');
  }
  console.error(error);
  if (error instanceof ConnectionError || (error instanceof ProblemError && error.isRetryable))
    return new Refusal('The restaurant does not answer just now. Please try again: nothing is done twice.');
  return new Refusal('This did not work, and it is our fault. Please ring the restaurant.');
}
