/**
 * What the house can book on a day. Each start is planned as the booking of it would be and then put to the function
 * of the system that decides on bookings, so that what is shown as free can be booked at that moment.
 */
import type { Caller } from '../../../http/auth/caller.ts';
import { nowOf } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/crypto.ts';
import { type ProductId, parseProductId, type VenueId, venueOfProduct } from '../../../kernel/ids.ts';
import { invalid, Problem, problem } from '../../../kernel/problem.ts';
import { clockTime, dateTimeOf } from '../../../kernel/zone-time.ts';
import {
  type LocalConnector,
  type Outcome,
  type PlaceRequest,
  type ProposedPlace,
  type RefusalReason,
  refused,
} from '../../../tms/contract.ts';
import type { Offer } from '../../availability/service.ts';
import { startMinutes } from '../../venues/service.ts';
import { assertOperator, getBooking } from '../access.ts';
import { getBookableProduct } from '../bookable.ts';
import { type BookableProduct, startOf } from '../create/draft.ts';
import { plannedRequest } from '../create/new-booking.ts';
import type { Origin } from '../record.ts';
import { refusalOf, SystemRefusal } from '../refusals.ts';
import type { RemoteContext } from '../remote/remote.ts';
import type { BookingStart } from '../system-request.ts';
import type { DeskOverride } from './desk-schema.ts';
import { assertEditable, planEdit } from './edit.ts';
import { planHouseBooking } from './house-booking.ts';
import type { HouseStart, ProductStarts, StartReason, StartRefusal } from './starts-schema.ts';

export interface StartsQuestion {
  venueId: VenueId;
  date: string;
  partySize: number;
  children?: number | undefined;
  duration?: number | undefined;
  spaceId?: number | undefined;
  origin: Origin;
  productKey?: string | undefined;
  /** The booking that is to be moved. */
  bookingId?: string | undefined;
}

/** The last part of the id of a product. */
const keyOf = (id: ProductId) => id.slice(venueOfProduct(id).length + 1);

/** What would be asked of the system for a start; throws why it is not asked. */
type PlanStart = (bookable: BookableProduct, time: string) => Promise<PlaceRequest>;

export async function listStarts(
  context: RemoteContext,
  caller: Caller,
  question: StartsQuestion,
): Promise<ProductStarts[]> {
  assertOperator(caller);
  const shared = askingOnce(context);
  const { productIds, planStart } =
    question.bookingId === undefined
      ? await forNewBooking(shared, caller, question)
      : await forMove(shared, caller, question, question.bookingId);
  return Promise.all(
    productIds.map(async (productId) => {
      const bookable = await getBookableProduct(shared, caller, productId);
      return startsOf(shared, caller, { bookable, question, planStart });
    }),
  );
}

/** Every start of a product asks the system the same about its day, where a closure is near. */
function askingOnce(context: RemoteContext): RemoteContext {
  const days = new Map<ProductId, ReturnType<typeof context.availability.day>>();
  const day: typeof context.availability.day = (caller, bookable, question) =>
    days.getOrInsertComputed(bookable.product.id, () => context.availability.day(caller, bookable, question));
  return { ...context, availability: { ...context.availability, day } };
}

interface Asked {
  productIds: ProductId[];
  planStart: PlanStart;
}

async function forNewBooking(
  context: RemoteContext,
  caller: Caller,
  { venueId, productKey, date, partySize, children, duration, spaceId, origin }: StartsQuestion,
): Promise<Asked> {
  const all = await context.venues.listProducts(caller, venueId);
  const id = newId(context.clock);
  return {
    productIds: productKey === undefined ? all : [parseProductId(`${venueId}|${productKey}`)],
    async planStart({ product }, time) {
      const stay = { date, time, partySize, children: children ?? 0, duration: duration ?? null };
      const place = spaceId === undefined ? {} : { spaceId };
      const body = { ...stay, ...place, productKey: keyOf(product.id), origin };
      const plan = await planHouseBooking(context, caller, id, { venueId, body });
      return plannedRequest(context, plan);
    },
  };
}

async function forMove(
  context: RemoteContext,
  caller: Caller,
  { venueId, productKey, date, partySize, children, duration }: StartsQuestion,
  bookingId: string,
): Promise<Asked> {
  const current = await getBooking(context, caller, bookingId);
  if (current.venueId !== venueId)
    throw problem('BOOK-N-006', { detail: 'The booking is at another venue.' });
  if (productKey !== undefined && productKey !== keyOf(current.productId))
    throw invalid('productKey', 'must be left out, or that of the booking');
  assertEditable(context, current, { date, partySize });
  return {
    productIds: [current.productId],
    async planStart(_, time) {
      const { request } = await planEdit(context, caller, current, {
        date,
        time,
        partySize,
        ...(children !== undefined && { children }),
        ...(duration !== undefined && { duration }),
      });
      return request;
    },
  };
}

interface AskedProduct {
  bookable: BookableProduct;
  question: StartsQuestion;
  planStart: PlanStart;
}

async function startsOf(
  context: RemoteContext,
  caller: Caller,
  { bookable, question, planStart }: AskedProduct,
): Promise<ProductStarts> {
  const { product, connector } = bookable;
  const { date } = question;
  const shown = {
    productId: product.id,
    productKey: keyOf(product.id),
    name: product.name,
    date,
  };
  const nowMs = nowOf(context.clock).epochMilliseconds;
  const listed = await startsOn(context, caller, bookable, question);
  if (listed instanceof Problem) return { ...shown, refusal: refusalView(listed), starts: [] };
  if (listed.length === 0)
    return { ...shown, refusal: refusalView(refusalOf(refused('closed'), 'table_reservation')), starts: [] };
  const judged =
    connector.flavour === 'local'
      ? await tryAll(context, { bookable, connector, listed, planStart })
      : listed.map(({ offer }) => offeredPlace(offer, bookable));
  return {
    ...shown,
    refusal: null,
    starts: listed.map(({ start }, index) => startView(bookable, start, judged[index] as Judged, nowMs)),
  };
}

interface ListedStart {
  start: BookingStart;
  /** Absent where the grid is known without the system. */
  offer?: Offer;
}

/** A grid lists also those after which too little time is left; a system that has none says when it has places. */
async function startsOn(
  context: RemoteContext,
  caller: Caller,
  bookable: BookableProduct,
  { date, partySize: adults, children = 0, duration, spaceId }: StartsQuestion,
): Promise<ListedStart[] | Problem> {
  const { venue, product, connector } = bookable;
  const { flavour, capabilities } = connector;
  if (flavour === 'local' && capabilities.capability === 'table_reservation')
    return startMinutes(product, date, product.timeIntervalMinutes).flatMap((minute) => {
      const start = findStart(clockTime(minute), { date, zone: venue.timeZone, product });
      return start?.minute === minute ? [{ start }] : [];
    });
  const question = { date, adults, children, durationMinutes: duration ?? null };
  const outcome = await context.availability.day(caller, bookable, question);
  if (outcome.kind !== 'ok') return refusalOf(outcome, capabilities.capability);
  return outcome.value.offers
    .filter(({ spaces }) => spaceId === undefined || spaces.some(({ space }) => space.id === spaceId))
    .map((offer) => ({ start: offer.slot, offer }));
}

/** Undefined where clocks skip the time. */
function findStart(
  time: string,
  { date, zone, product }: { date: string; zone: string; product: BookableProduct['product'] },
): BookingStart | undefined {
  try {
    return startOf({ date, time }, zone, product);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

type Judged = ProposedPlace | Problem;

/** The system is asked once, for all starts that nothing else stands in the way of. */
async function tryAll(
  { sql }: RemoteContext,
  {
    bookable,
    connector,
    listed,
    planStart,
  }: Pick<AskedProduct, 'bookable' | 'planStart'> & { connector: LocalConnector; listed: ListedStart[] },
): Promise<Judged[]> {
  const plans = await Promise.all(
    listed.map(({ start }) =>
      planStart(bookable, clockTime(start.minute)).catch((error: unknown) => {
        if (error instanceof Problem && error.status < 500) return error;
        throw error;
      }),
    ),
  );
  const requests = plans.filter((plan): plan is PlaceRequest => !(plan instanceof Problem));
  const outcomes = await connector.wouldBook(sql, requests);
  const byRequest = new Map(requests.map((request, index) => [request, outcomes[index]]));
  return plans.map((plan) => {
    if (plan instanceof Problem) return plan;
    const outcome = byRequest.get(plan) as Outcome<ProposedPlace>;
    return outcome.kind === 'ok' ? outcome.value : refusalOf(outcome, connector.capabilities.capability);
  });
}

/** A system elsewhere is not tried: what it offers is what it says. */
function offeredPlace(offer: Offer | undefined, { connector }: BookableProduct): Judged {
  const { capability } = connector.capabilities;
  const [reason] = offer?.reasons ?? ['AVAIL-N-005'];
  if (reason === 'PARTY_SIZE') return new SystemRefusal('party-never-fits', capability);
  if (reason !== undefined) return new SystemRefusal('taken', capability);
  if (offer?.type === 'request') return new SystemRefusal('enquiry-only', capability);
  return { durationMinutes: offer?.slot.durationMinutes ?? 0, tableIds: [] };
}

function startView(
  { venue }: BookableProduct,
  { minute, startMs }: BookingStart,
  judged: Judged,
  nowMs: number,
): HouseStart {
  const isRefused = judged instanceof Problem;
  const refusal = isRefused ? refusalView(judged) : null;
  return {
    time: clockTime(minute),
    dateTime: dateTimeOf(venue.timeZone, startMs),
    type: refusal?.reason === 'enquiry_only' ? 'request' : 'book',
    isFree: !isRefused,
    duration: isRefused ? null : judged.durationMinutes,
    tableIds: isRefused ? [] : [...judged.tableIds],
    // No override brings a time back that is over.
    refusal: refusal && startMs < nowMs ? { ...refusal, override: null } : refusal,
  };
}

const REASONS: Partial<Record<RefusalReason, StartReason>> = {
  taken: 'full',
  paced: 'pacing',
  'too-soon': 'notice',
  'too-far': 'horizon',
  closed: 'closed',
  'not-a-start': 'hours',
  'party-never-fits': 'party_size',
  'over-instant-limit': 'enquiry_only',
  'enquiry-only': 'enquiry_only',
};

const OVERRIDE_FOR: Partial<Record<StartReason, DeskOverride>> = {
  pacing: 'pacing',
  notice: 'notice',
  horizon: 'notice',
  closed: 'hours',
  hours: 'hours',
  party_size: 'covers',
  rule: 'rules',
};

function refusalView(refusal: Problem): StartRefusal {
  const reason = reasonFor(refusal);
  return { reason, code: refusal.code, detail: refusal.message, override: OVERRIDE_FOR[reason] ?? null };
}

function reasonFor(refusal: Problem): StartReason {
  if (refusal instanceof SystemRefusal) return REASONS[refusal.reason] ?? 'other';
  if (refusal.code === 'AVAIL-N-004') return 'closed';
  return /^(OPRUL|BKRUL)-/.test(refusal.code) ? 'rule' : 'other';
}
