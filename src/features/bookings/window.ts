/** The starts of a product that a party on the waiting list would take: whether there are any, and which are free. */
import type { Caller } from '../../http/auth/caller.ts';
import type { ProductId } from '../../kernel/ids.ts';
import { invalid, type Problem, problem } from '../../kernel/problem.ts';
import { clockTime } from '../../kernel/zone-time.ts';
import type { Offer } from '../availability/service.ts';
import { getBookableProduct, isCode } from './bookable.ts';
import { assertReadable, assertSpace, type BookableProduct, startOf } from './create/draft.ts';
import { assertMandatedStay } from './create/mandated.ts';
import { namingAlternatives } from './create/time-first.ts';
import { assertCanHold } from './holds/make.ts';
import { listStarts } from './operator/starts.ts';
import { refusalOf, SystemRefusal } from './refusals.ts';
import type { RemoteContext } from './remote/remote.ts';
import type { BookingStart } from './system-request.ts';

export interface WindowQuestion {
  productId: ProductId;
  date: string;
  /** The first and the last start that would do, local time. */
  from: string;
  to: string;
  partySize: number;
  children: number;
  spaceId: number | null;
}

/** A start that can be booked at this moment. */
export interface FreeStart {
  time: string;
  minute: number;
  startMs: number;
}

export interface BookingWindow {
  from: BookingStart;
  to: BookingStart;
}

/** Throws what makes it impossible that any start of the window is ever had. */
export async function readWindow(
  context: RemoteContext,
  caller: Caller,
  question: WindowQuestion,
): Promise<BookingWindow> {
  const bounded = await boundsOf(context, caller, question);
  const { bookable, from, to } = bounded;
  assertCanHold(bookable);
  const { partySize: adults, children, spaceId } = question;
  if (spaceId !== null) assertSpace(spaceId, bookable);
  const stay = { start: from, adults, children, durationMinutes: null, spaceId };
  await assertMandatedStay(context, caller, bookable, stay);
  await namingAlternatives(context, caller, { bookable, stay, type: 'book' }, async () => {
    const offers = await listOffers(context, caller, bounded);
    const fault = faultOf(offers, bookable, caller);
    if (fault) throw fault;
  });
  return { from, to };
}

/** The free starts of the window, the earliest first; whether one is got, the hold says. */
export async function listFreeStarts(
  context: RemoteContext,
  caller: Caller,
  question: WindowQuestion,
): Promise<FreeStart[]> {
  const bounded = await boundsOf(context, caller, question);
  if (caller.kind === 'operator') return listFreeForHouse(context, caller, bounded);
  const { spaceId } = question;
  const offers = await listOffers(context, caller, bounded);
  return offers
    .filter(({ reasons, type }) => reasons.length === 0 && type === 'book')
    .filter(({ spaces }) => spaceId === null || spaces.some(({ space }) => space.id === spaceId))
    .map(({ slot: { minute, startMs } }) => ({ time: clockTime(minute), minute, startMs }));
}

interface Bounded extends BookingWindow {
  bookable: BookableProduct;
  question: WindowQuestion;
}

/** Limits for what is confirmed at once bind partners alone, so that the house is asked what it can book. */
async function listFreeForHouse(
  context: RemoteContext,
  caller: Caller,
  { bookable, question, from, to }: Bounded,
): Promise<FreeStart[]> {
  const { productId, date, partySize, children, spaceId } = question;
  const { venue, product } = bookable;
  const productKey = productId.slice(venue.id.length + 1);
  const products = await listStarts(context, caller, {
    ...{ venueId: venue.id, productKey, date, partySize, children },
    ...(spaceId !== null && { spaceId }),
    origin: 'phone',
  });
  return products
    .flatMap(({ starts }) => starts)
    .filter(({ isFree }) => isFree)
    .map(({ time }) => ({ time, ...startOf({ date, time }, venue.timeZone, product) }))
    .filter(({ minute }) => isBetween(minute, [from.minute, to.minute]));
}

const isBetween = (value: number, [first, last]: readonly [number, number]) =>
  first <= value && value <= last;

async function boundsOf(context: RemoteContext, caller: Caller, question: WindowQuestion): Promise<Bounded> {
  const { productId, date, from, to } = question;
  assertReadable({ date, time: from });
  assertReadable({ date, time: to });
  const bookable = await getBookableProduct(context, caller, productId);
  const startAt = (time: string) => startOf({ date, time }, bookable.venue.timeZone, bookable.product);
  const bounds = { from: startAt(from), to: startAt(to) };
  if (bounds.to.startMs < bounds.from.startMs)
    throw invalid('to', 'must not be before from on the trading day');
  return { bookable, question, ...bounds };
}

async function listOffers(
  { availability }: RemoteContext,
  caller: Caller,
  { bookable, question, from, to }: Bounded,
): Promise<Offer[]> {
  const { date, partySize: adults, children } = question;
  const outcome = await availability.day(caller, bookable, {
    ...{ date, adults, children },
    durationMinutes: null,
  });
  if (outcome.kind !== 'ok') throw refusalOf(outcome, bookable.connector.capabilities.capability);
  if (outcome.value.isClosed) throw problem('AVAIL-N-004');
  const bounds = [from.minute, to.minute] as const;
  return outcome.value.offers.filter(({ slot }) => isBetween(slot.minute, bounds));
}

/** What stands against every start of the window and does not pass while one waits. */
function faultOf(
  offers: readonly Offer[],
  { venue, product, connector }: BookableProduct,
  { kind }: Caller,
): Problem | undefined {
  const { capability } = connector.capabilities;
  if (venue.channel?.isRequestOnly) return new SystemRefusal('enquiry-only', capability);
  if (offers.length === 0)
    return problem('AVAIL-N-005', { detail: `${product.name} does not start in that time.` });
  const lasting = offers.map((offer) => lastingReason(offer, kind === 'operator'));
  const [reason] = lasting;
  if (reason === undefined || lasting.includes(undefined)) return undefined;
  if (reason === 'PARTY_SIZE') return new SystemRefusal('party-never-fits', capability);
  if (reason === 'request') return new SystemRefusal('over-instant-limit', capability);
  return problem(isCode(reason) ? reason : 'AVAIL-N-005');
}

/** What is full can be had again, and the house is not bound by what partners have to ask for. */
function lastingReason({ reasons, type, requestReason }: Offer, isHouse: boolean): string | undefined {
  const lasting = reasons.find((reason) => reason !== 'AVAIL-N-005');
  if (lasting !== undefined) return lasting;
  return type === 'request' && requestReason !== 'fully_booked' && !isHouse ? 'request' : undefined;
}
