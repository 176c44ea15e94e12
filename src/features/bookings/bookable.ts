/** What a caller can book, and through which system. */
import type { Caller } from '../../http/auth/caller.ts';
import { type ProductId, partsOfVenueId, venueOfProduct } from '../../kernel/ids.ts';
import { Problem, type ProblemCode, problem } from '../../kernel/problem.ts';
import { MINUTES_PER_DAY } from '../../kernel/zone-time.ts';
import type { Connector } from '../../tms/remote.ts';
import { isClosedOn, type OperatorSystems, partialClosures, reachesInto } from '../venues/service.ts';
import type { Context } from './context.ts';
import type { BookableProduct, BookingDraft } from './create/draft.ts';
import { namingAlternatives } from './create/time-first.ts';
import type { BookingRecord } from './record.ts';
import { refusalOf, SystemRefusal } from './refusals.ts';
import type { DraftStay } from './system-request.ts';

export async function getBookableProduct(
  { venues, registry }: Context,
  caller: Caller,
  productId: ProductId,
): Promise<BookableProduct> {
  const { operatorId, tms } = partsOfVenueId(venueOfProduct(productId));
  const isEvent = registry.capabilityOf(tms) === 'event_ticket';
  const codes = {
    notAssociated: 'BOOK-N-005',
    noSuchProduct: isEvent ? 'EVENT-N-002' : 'VENUE-N-002',
  } as const;
  const bookable = await venues.getBookable(caller, productId, codes).catch(async (error) => {
    // No venue can have an id with a system that its operator does not use, so the system is what is wrong with it.
    if (!(error instanceof Problem) || error.code !== 'VENUE-N-001') throw error;
    const operator = await venues.findSystems(caller, operatorId);
    if (operator) assertSystem(operator, tms, isEvent);
    throw error;
  });
  const { venue } = bookable;
  const { channel, operatorName } = venue;
  assertSystem(venue, tms, isEvent);
  const connector = registry.get(tms);
  if (!connector) throw notUsed(venue, tms, isEvent);
  if (channel?.source === null)
    throw problem('BOOK-N-004', {
      detail: `${operatorName} has not said under which name to enter your bookings.`,
    });
  return { ...bookable, connector };
}

function assertSystem(operator: OperatorSystems, tms: string, isEvent: boolean): void {
  if (operator.systems.length === 0)
    throw problem('BOOK-N-001', { detail: `${operator.operatorName} has no system that takes bookings.` });
  if (!operator.systems.includes(tms)) throw notUsed(operator, tms, isEvent);
}

const notUsed = ({ operatorName }: OperatorSystems, tms: string, isEvent: boolean) =>
  problem(isEvent ? 'EVENT-N-001' : 'BOOK-N-003', { detail: `${operatorName} does not use ${tms}.` });

/** The system of a booking is the one that its id names, whatever the operator uses by now. */
export function connectorOf({ registry }: Context, { venueId }: BookingRecord): Connector {
  const { tms } = partsOfVenueId(venueId);
  const connector = registry.get(tms);
  if (!connector) throw problem('BOOK-N-003', { detail: `The system ${tms} is not connected.` });
  return connector;
}

/** What the operator's rules, and what it has arranged with the caller's channel, allow; says which spaces are out. */
export function assertAllowed(
  { availability }: Context,
  caller: Caller,
  bookable: BookableProduct,
  draft: Pick<BookingDraft, 'start' | 'spaceId' | 'adults' | 'children' | 'type'>,
): number[] {
  const { venue, product } = bookable;
  const { capability } = bookable.connector.capabilities;
  const { verdict, blocked: judged } = availability.judge(caller, bookable, draft.start);
  // A rule for the whole venue can also be about spaces that this product does not have.
  const blocked = new Map([...judged].filter(([id]) => product.spaceIds.includes(id)));
  const isSpaceless = product.spaceIds.length > 0 && product.spaceIds.every((id) => blocked.has(id));
  const rule =
    verdict ??
    (draft.spaceId === null ? isSpaceless && blocked.values().next().value : blocked.get(draft.spaceId));
  if (rule) throw problem(rule.code, rule.reason === null ? {} : { detail: rule.reason });
  const { maxPartySize = null, isRequestOnly = false } = venue.channel ?? {};
  if (maxPartySize !== null && draft.adults + draft.children > maxPartySize)
    throw new SystemRefusal(
      'party-never-fits',
      capability,
      `${venue.name} takes parties of up to ${maxPartySize} from you.`,
    );
  if (isRequestOnly && draft.type === 'book')
    throw new SystemRefusal('enquiry-only', capability, `${venue.name} takes only enquiries from you.`);
  return [...blocked.keys()];
}

/**
 * Throws where the operator has closed the venue or the product for this stay, whatever its system says. How long a
 * party would stay is asked only where a closure comes soon after the start.
 */
export async function assertOpen(
  context: Context,
  caller: Caller,
  bookable: BookableProduct,
  stay: DraftStay,
): Promise<void> {
  const { venue, product } = bookable;
  const { start } = stay;
  if (isClosedOn(product, start.date)) throw problem('AVAIL-N-004');
  const reached = (durationMinutes: number) =>
    partialClosures(venue, product).some((each) => reachesInto(each, { ...start, durationMinutes }));
  if (!reached(stay.durationMinutes ?? MINUTES_PER_DAY)) return;
  const minutes = stay.durationMinutes ?? (await findDuration(context, caller, bookable, stay));
  // Without an answer there is no such start, which the system will say.
  if (minutes !== undefined && reached(minutes))
    throw problem('AVAIL-N-004', { detail: `${venue.name} is closed at that time.` });
}

async function findDuration(
  { availability }: Context,
  caller: Caller,
  bookable: BookableProduct,
  { start, ...party }: DraftStay,
): Promise<number | undefined> {
  const outcome = await availability.day(caller, bookable, { ...party, date: start.date });
  if (outcome.kind !== 'ok') return undefined;
  return outcome.value.offers.find(({ slot }) => slot.minute === start.minute)?.slot.durationMinutes;
}

/** How long the party would stay. */
export function assertOffered(
  context: Context,
  caller: Caller,
  bookable: BookableProduct,
  draft: BookingDraft,
): Promise<number> {
  return namingAlternatives(context, caller, { bookable, stay: draft, type: 'request' }, () =>
    lookFor(context, caller, bookable, draft),
  );
}

async function lookFor(
  { availability }: Context,
  caller: Caller,
  bookable: BookableProduct,
  { start, adults, children, durationMinutes, spaceId }: BookingDraft,
): Promise<number> {
  const { capability } = bookable.connector.capabilities;
  const draft = { ...start, adults, children, durationMinutes, spaceId };
  const look = await availability.look(caller, bookable, draft);
  if (look.kind !== 'ok') throw refusalOf(look, capability);
  const { isClosed, offer } = look.value;
  if (isClosed) throw problem('AVAIL-N-004');
  if (!offer) throw new SystemRefusal('not-a-start', capability);
  if (spaceId !== null && !offer.spaces.some(({ space }) => space.id === spaceId))
    throw new SystemRefusal('party-never-fits', capability, 'No party can be seated there at that time.');
  const [reason] = offer.reasons;
  if (reason === 'PARTY_SIZE') throw new SystemRefusal('party-never-fits', capability);
  if (reason !== undefined) throw problem(isCode(reason) ? reason : 'AVAIL-N-005');
  return offer.slot.durationMinutes;
}

/** Reasons are codes of the catalogue, and a few words that only availability uses. */
export const isCode = (reason: string): reason is ProblemCode => /^[A-Z]+-[NR]-\d{3}$/.test(reason);
