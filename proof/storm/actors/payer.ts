/** Guests who pay with cards of every kind, for tickets that their deposit confirms; and those who give money back. */
import type { Spot } from '../world.ts';
import { nextMark } from './booker.ts';
import { type Caller, insist } from './caller.ts';

const CREATE = 'POST /venues/{compositeId}/booking';
const BOOKING = '/venues/bookings/{bookingId}';
const BOOKINGS = '/manage/operators/{operatorId}/bookings';

/** Those that end; refunds of `tok_refund_fails` never do. */
const TOKENS = [
  ...['tok_success', 'tok_success', 'tok_success', 'tok_declined', 'tok_insufficient_funds', 'tok_expired'],
  ...['tok_authenticate', 'tok_authenticate', 'tok_processing', 'tok_slow', 'tok_hang', 'tok_unavailable'],
  ...['tok_doubt_succeeded', 'tok_doubt_failed', 'tok_refund_pending', null],
];

export async function keepPaying(caller: Caller, { productId: compositeId, starts }: Spot): Promise<void> {
  while (!caller.stage.isOver()) {
    const mark = nextMark();
    const key = `${caller.name}-${mark}`;
    const body = {
      ...{ type: 'book', ...caller.pick(starts), partySize: caller.pick([1, 2, 3]), partnerBookingId: key },
      ...{ firstName: 'Penny', lastName: 'Payer', email: 'penny@example.com' },
    };
    const told = await insist(caller, { route: CREATE, params: { compositeId }, key, body });
    if (told.status === 201) await settleUp(caller, told.answer.id);
    await caller.rest(150);
  }
}

async function settleUp(caller: Caller, bookingId: string): Promise<void> {
  const { ask, chance, pick } = caller;
  const about = { params: { bookingId } };
  for (let attempt = 1; attempt <= 3 && !caller.stage.isOver(); attempt += 1) {
    const options = await ask({ route: `GET ${BOOKING}/payment-options`, ...about });
    const offered: { id: string; amount: number }[] = options.answer?.options ?? [];
    if (offered.length === 0) break;
    const { id: option, amount } = pick(offered);
    const token = pick(TOKENS);
    const key = `pay-${bookingId}-${attempt}`;
    const body = { option, amount, ...(token !== null && { token }) };
    const told = await insist(caller, { route: `POST ${BOOKING}/payments`, ...about, key, body });
    if (told.status === 201 && told.answer.nextActionUrl) await visitPage(caller, told.answer.nextActionUrl);
    if (told.status === 201 && chance(0.6)) break;
  }
  if (chance(0.2)) await ask({ route: `GET ${BOOKING}`, ...about });
  if (chance(0.25)) await ask({ route: `DELETE ${BOOKING}`, ...about });
}

/** The page of the sandbox, at whichever node. */
async function visitPage({ ask, chance, pick }: Caller, url: string): Promise<void> {
  const reference = decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
  const page = { params: { reference }, isAnonymous: true };
  await ask({ route: 'GET /payments/sandbox/{reference}', ...page });
  if (chance(0.15)) return;
  const body = { answer: pick(['pay', 'pay', 'decline']) };
  await ask({ route: 'POST /payments/sandbox/{reference}', ...page, body });
  // A button that is pressed twice.
  if (chance(0.2)) await ask({ route: 'POST /payments/sandbox/{reference}', ...page, body });
}

/** Somebody of the venue who gives parts of what was paid back, and reads the books. */
export async function keepRefunding(caller: Caller, { operatorId }: Spot): Promise<void> {
  const { ask, pick } = caller;
  const params = { operatorId };
  const today = Temporal.Now.plainDateISO('UTC').toString();
  while (!caller.stage.isOver()) {
    const query = { status: 'confirmed', pageSize: 100 };
    const list = await ask({ route: `GET ${BOOKINGS}`, params, query });
    const found: { id: string; payments: { status: string; amount: number; refunded: number }[] }[] =
      list.status === 200 ? list.answer.data : [];
    const paid = found.filter(({ payments }) => payments.some(({ status }) => status === 'succeeded'));
    if (paid.length > 0) {
      const key = `refund-${Math.floor(caller.random() * 1e9)}`;
      const about = { params: { operatorId, bookingId: pick(paid).id }, key };
      const body = { amount: pick([100, 250, 100_000]), reason: 'The soup was cold' };
      await insist(caller, { route: `POST ${BOOKINGS}/{bookingId}/refunds`, ...about, body });
    }
    const report = { params, query: { from: today, to: today } };
    await ask({ route: 'GET /manage/operators/{operatorId}/reports/money', ...report });
    await ask({ route: 'GET /manage/operators/{operatorId}/reports/money.csv', ...report });
    await caller.rest(1500);
  }
}
