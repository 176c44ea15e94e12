/**
 * Which refusal a booking request gets. The time is checked before anything else, although only the venue's system
 * knows whether it is possible; and a refused start or party comes with possible ones. The system is asked only after
 * a refusal, so a successful booking costs nothing more.
 */
import type { Caller } from '../../../http/auth/caller.ts';
import { Problem, type ProblemCode, problem } from '../../../kernel/problem.ts';
import { clockTime, MS_PER_MINUTE } from '../../../kernel/zone-time.ts';
import { type RefusalReason, refused } from '../../../tms/contract.ts';
import type { OfferedDay } from '../../availability/service.ts';
import type { Context } from '../context.ts';
import { guestsOf } from '../record.ts';
import { refusalOf, SystemRefusal } from '../refusals.ts';
import type { BookingStart, DraftStay } from '../system-request.ts';
import type { BookableProduct } from './draft.ts';

export interface AskedStay {
  bookable: BookableProduct;
  stay: DraftStay;
  type: 'book' | 'request';
}

/** What is about the time already, by a rule of the operator for instance, stays as it is. */
const ABOUT_TIME: readonly ProblemCode[] = ['AVAIL-N-004', 'AVAIL-N-006', 'AVAIL-N-007', 'AVAIL-N-008'];
const ABOUT_PARTY: readonly RefusalReason[] = ['party-never-fits', 'over-instant-limit'];

/** Does work that may refuse the request; a refusal for the time takes the place of any other. */
export function timeFirst<Result>(
  context: Context,
  caller: Caller,
  asked: AskedStay,
  work: () => Promise<Result>,
): Promise<Result> {
  return explaining(work, (error) =>
    error.status >= 500 || ABOUT_TIME.includes(error.code)
      ? error
      : refusalFor(context, caller, asked, error),
  );
}

/** Does work in which the system may refuse a start or a party, and names what can be had instead. */
export function namingAlternatives<Result>(
  context: Context,
  caller: Caller,
  asked: AskedStay,
  work: () => Promise<Result>,
): Promise<Result> {
  return explaining(work, (error) => withAlternative(context, caller, asked, error));
}

async function explaining<Result>(
  work: () => Promise<Result>,
  explain: (error: Problem) => Problem | Promise<Problem>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Problem ? await explain(error) : error;
  }
}

/**
 * A slot that is merely taken gets no alternative: many are refused at once when the last table goes, and each
 * alternative costs a day's availability.
 */
export async function withAlternative(
  context: Context,
  caller: Caller,
  asked: AskedStay,
  error: Problem,
): Promise<Problem> {
  if (!(error instanceof SystemRefusal)) return error;
  const isHelped = error.reason === 'not-a-start' || ABOUT_PARTY.includes(error.reason);
  return isHelped ? refusalFor(context, caller, asked, error) : error;
}

/** A system that does not answer has no say in it. */
async function refusalFor(
  { availability }: Context,
  caller: Caller,
  asked: AskedStay,
  error: Problem,
): Promise<Problem> {
  const { bookable, stay } = asked;
  const { capability } = bookable.connector.capabilities;
  const outcome = await availability.day(caller, bookable, { ...stay, date: stay.start.date });
  if (outcome.kind !== 'ok')
    return outcome.kind === 'refused' && outcome.reason === 'duration'
      ? refusalOf(outcome, capability)
      : error;
  const day = outcome.value;
  const fault = faultOf(day, stay.start);
  if (fault === 'not-a-start') return noStart(asked, day);
  if (fault) return refusalOf(refused(fault), capability);
  return error instanceof SystemRefusal && ABOUT_PARTY.includes(error.reason)
    ? wrongParty(asked, day, error)
    : error;
}

const isWholeMinute = ({ startMs }: BookingStart) => startMs % MS_PER_MINUTE === 0;

function faultOf({ isClosed, offers }: OfferedDay, start: BookingStart): RefusalReason | undefined {
  if (isClosed) return 'closed';
  const same = offers.find(({ slot }) => slot.minute === start.minute && isWholeMinute(start));
  // The second of two that clocks show alike: only the first is listed, and it says nothing of this one.
  if (same && same.slot.startMs !== start.startMs) return undefined;
  // What is no start is as much too soon, or too far, as the start after it. After the last one it is not too soon
  // because that one is over.
  const following = same ?? offers.find(({ slot }) => slot.minute > start.minute);
  const { untimely, obstacle } = (following ?? offers.at(-1))?.slot ?? {};
  for (const fault of [untimely, obstacle]) {
    if (fault === 'too-far' || (fault === 'too-soon' && following)) return fault;
  }
  return same ? undefined : 'not-a-start';
}

const TIMES_NAMED = 2;

function noStart({ bookable, stay, type }: AskedStay, { offers }: OfferedDay): Problem {
  const { product, connector } = bookable;
  const { start, spaceId, durationMinutes } = stay;
  const distance = ({ startMs }: BookingStart) => Math.abs(startMs - start.startMs);
  const nearestTimes = offers
    .filter((offer) => offer.reasons.length === 0 && (type === 'request' || offer.type === 'book'))
    .filter(({ spaces }) => spaceId === null || spaces.some(({ space }) => space.id === spaceId))
    .map(({ slot }) => slot)
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, TIMES_NAMED)
    .sort((a, b) => a.minute - b.minute)
    .map(({ minute }) => clockTime(minute));
  const isTable = connector.capabilities.capability === 'table_reservation';
  const length = durationMinutes === null ? '' : ` for ${durationMinutes} minutes`;
  const every = isTable ? `, but every ${product.timeIntervalMinutes} minutes of its hours` : '';
  return problem('AVAIL-N-005', {
    detail: `${product.name} does not start at ${shownTime(start)}${length}${every}; ${nearestWords(nearestTimes)}.`,
    extensions: { nearestTimes },
  });
}

function shownTime(start: BookingStart): string {
  const seconds = Math.floor((start.startMs % MS_PER_MINUTE) / 1000);
  return isWholeMinute(start)
    ? clockTime(start.minute)
    : `${clockTime(start.minute)}:${String(seconds).padStart(2, '0')}`;
}

function nearestWords(times: readonly string[]): string {
  if (times.length === 0) return 'nothing can be had on that day';
  return `the nearest that can be had ${times.length === 1 ? 'is' : 'are'} ${times.join(' and ')}`;
}

function wrongParty(
  { bookable, stay, type }: AskedStay,
  { partySizes }: OfferedDay,
  { reason, options }: SystemRefusal,
): Problem {
  const { product, venue } = bookable;
  const { maxPartySize = null, isRequestOnly = false } = venue.channel ?? {};
  const sizes = partySizes?.(stay.spaceId, maxPartySize ?? Number.POSITIVE_INFINITY);
  const enquiryPossible = reason === 'over-instant-limit';
  if (!sizes) return problem('AVAIL-N-005', { ...options, extensions: { enquiryPossible } });
  const { smallest, byEnquiry } = sizes;
  const atOnce = isRequestOnly ? 0 : sizes.atOnce;
  const guests = guestsOf(stay);
  const largestPartySize = type === 'book' ? atOnce : byEnquiry;
  const isTooLarge = guests > largestPartySize;
  // In between there may be sizes that no table is for.
  const isBeyond = guests > byEnquiry || (isTooLarge && enquiryPossible);
  const detail =
    guests < smallest
      ? `${product.name} is for parties of ${smallest} or more.`
      : isBeyond
        ? largestSentence(product.name, atOnce, byEnquiry)
        : options.detail;
  return problem('AVAIL-N-005', {
    ...(detail !== undefined && { detail }),
    extensions: { ...(isTooLarge && { largestPartySize }), enquiryPossible },
  });
}

function largestSentence(name: string, atOnce: number, byEnquiry: number): string {
  if (atOnce === byEnquiry) return `${name} takes parties of up to ${byEnquiry}.`;
  const enquiries = `parties of up to ${byEnquiry} by enquiry, with type "request"`;
  return atOnce === 0
    ? `${name} takes ${enquiries}.`
    : `${name} takes parties of up to ${atOnce} at once, and ${enquiries}.`;
}
