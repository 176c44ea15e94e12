/** The plan of an amendment: everything that can be decided before the booking is locked. */
import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../../http/auth/caller.ts';
import { checkerOf } from '../../../http/validation/validation.ts';
import { nowOf } from '../../../kernel/clock.ts';
import { parseProductId, venueOfProduct } from '../../../kernel/ids.ts';
import { applyPatch, type Json, operationsOf, tokensOf } from '../../../kernel/patch.ts';
import { invalid, problem } from '../../../kernel/problem.ts';
import type { PlaceRequest } from '../../../tms/contract.ts';
import type { Judgement } from '../../mandates/service.ts';
import { depositFor } from '../../venues/service.ts';
import { assertAllowed, assertOffered, assertOpen, getBookableProduct } from '../bookable.ts';
import type { Context } from '../context.ts';
import { AmendmentBody, assertPhone, assertSameNotes } from '../create/body.ts';
import {
  type BookableProduct,
  type BookingDraft,
  guestOf,
  isShownAs,
  isStart,
  readBookingDraft,
  readStay,
} from '../create/draft.ts';
import { assertMandatedStay, judgeMandated } from '../create/mandated.ts';
import { timeFirst } from '../create/time-first.ts';
import { isSameChoice } from '../preorder.ts';
import { type BookingRecord, guestsOf, isPlaced } from '../record.ts';
import { type Asked, ruleOn } from '../ruling.ts';
import { type DraftStay, isSameStay, requestOf, stayOf } from '../system-request.ts';
import { type BookingDocument, documentOf } from '../view.ts';

/** What becomes of the place that the system behind the venue holds. */
export type Step = 'nothing' | 'place' | 'move' | 'release';

export interface Amendment {
  caller: Caller;
  current: BookingRecord;
  bookable: BookableProduct;
  rulesVersion: number | null;
  /** What the mandate of the caller says to the booking as it is to be. */
  mandate: Judgement | null;
  step: Step;
  request: PlaceRequest;
  /** What changes apart from what the system says. */
  changes: Partial<BookingRecord>;
}

const checkBody = checkerOf(AmendmentBody);

/**
 * The patched document has date and time; an operation on `/dateTime` sets both, so each gives way to it unless the
 * patch names it too.
 */
export function patched(current: BookingRecord, patch: unknown): AmendmentBody {
  const operations = operationsOf(patch);
  for (const [index, { path }] of operations.entries()) {
    const [field] = tokensOf(path);
    if (field !== undefined && !Object.hasOwn(AmendmentBody.properties, field))
      throw invalid(`${index}.path`, 'leads to nothing');
  }
  const standing = documentOf(current);
  const body = checkBody(applyPatch({ ...standing, comments: standing.notes } as unknown as Json, patch));
  const names = (wanted: string) => operations.some(({ path }) => path === wanted);
  const isWhole = names('');
  // Both names are there to be patched; the one that the patch does not name says what it said before.
  if (!isWhole && names('/notes') !== names('/comments')) delete body[names('/notes') ? 'comments' : 'notes'];
  assertSameNotes(body);
  if (!isWhole && !('dateTime' in body))
    throw problem('BOOK-N-019', { detail: 'A booking cannot be without its start.' });
  const givesWay = (path: string) => body.dateTime != null && !isWhole && !names(path);
  return {
    ...body,
    partnerBookingId: body.partnerBookingId ?? null,
    ...(givesWay('/date') && { date: null }),
    ...(givesWay('/time') && { time: null }),
  };
}

/** Makes a document of the one that stands. */
export type Rewriting = (standing: BookingDocument, current: BookingRecord) => BookingDocument;

export function changed(current: BookingRecord, change: Rewriting): AmendmentBody {
  return checkBody(change(documentOf(current), current));
}

/** Whether a body asks for the booking as it is. Anything placed stays placed, whatever `type` says. */
export function isAsItIs(current: BookingRecord, body: AmendmentBody): boolean {
  return (
    repeatsStay(current, body) &&
    (isPlaced(current) || body.type === current.type) &&
    (body.partnerBookingId ?? null) === current.partnerBookingId &&
    (body.depositAmount ?? null) === current.depositPence &&
    isDeepStrictEqual(guestOf(body), current.guest) &&
    isSameChoice(body.preorders, current.preorders)
  );
}

/** A duration that was left to the venue is repeated by the one that reads show. */
function repeatsStay(current: BookingRecord, body: AmendmentBody): boolean {
  const { productId, adults, children, spaceId, durationMinutes, requestedDurationMinutes } = current;
  const duration = body.duration ?? null;
  return (
    body.compositeId === productId &&
    body.partySize === adults &&
    (body.children ?? 0) === children &&
    (body.spaceId ?? null) === spaceId &&
    (duration === requestedDurationMinutes || duration === durationMinutes) &&
    isStart(current, body)
  );
}

export async function planAmendment(
  context: Context,
  caller: Caller,
  current: BookingRecord,
  body: AmendmentBody,
): Promise<Amendment> {
  const { clock } = context;
  const now = nowOf(clock);
  assertPhone(body.phone, current.guest?.phone);
  const productId = parseProductId(body.compositeId);
  if (venueOfProduct(productId) !== current.venueId)
    throw invalid('compositeId', `must be a product of ${current.venueId}, where the booking is`);
  const bookable = await getBookableProduct(context, caller, productId);
  const stay = draftStay(body, bookable, current);
  await assertMandatedStay(context, caller, bookable, stay);
  const isStaying =
    isSameStay(current, { productId, ...stayOf(stay) }) && (isPlaced(current) || body.type === 'request');
  const plan = () => planChange(context, caller, { current, body, bookable, stay, now });
  return isStaying ? plan() : timeFirst(context, caller, { bookable, stay, type: body.type }, plan);
}

interface AskedChange {
  current: BookingRecord;
  body: AmendmentBody;
  bookable: BookableProduct;
  stay: DraftStay;
  now: Temporal.Instant;
}

async function planChange(
  context: Context,
  caller: Caller,
  { current, body, bookable, stay: requested, now }: AskedChange,
): Promise<Amendment> {
  const asked = {
    bookable,
    draft: readBookingDraft(body, bookable, requested, current),
    source: current.source,
    before: current,
  };
  const { draft, flags, rulesVersion } = await ruleOn(context, caller, asked);
  const stay = { productId: bookable.product.id, ...stayOf(draft) };
  const isMoving = !isSameStay(current, stay);
  const isSameProduct = current.productId === bookable.product.id;
  const step = stepFor(current, draft, { bookable, isMoving });
  if (step === 'place') await assertNotPaidFirst(context, caller, asked);
  const isElsewhere = isMoving || step !== 'nothing';
  if (isElsewhere && step !== 'release') await assertOpen(context, caller, bookable, draft);
  const blockedSpaceIds = isElsewhere ? assertAllowed(context, caller, bookable, draft) : [];
  const needsOffer = isElsewhere && draft.type === 'request';
  const depositDuePence = grownDeposit(current, bookable, draft);
  const mandate = await judgeMandated(context, caller, {
    ...{ bookingId: current.id, bookable, draft, stay: draft, depositPence: depositDuePence },
    isAmendment: true,
    confirmationToken: body.confirmationToken,
    // The confirmation of the booking covers what stays of it.
    needsNoConfirmation: !isMoving && step !== 'place' && draft.depositPence === current.depositPence,
  });
  const request = requestOf(current.id, bookable, draft, { blockedSpaceIds, nowMs: now.epochMilliseconds });
  return {
    caller,
    current,
    bookable,
    rulesVersion,
    mandate,
    step,
    request,
    changes: {
      ...(isElsewhere && { type: draft.type }),
      ...(needsOffer && { durationMinutes: await assertOffered(context, caller, bookable, draft) }),
      ...stay,
      preorders: draft.preorders,
      guest: draft.guest,
      depositPence: draft.depositPence,
      depositDuePence,
      partnerBookingId: draft.partnerBookingId,
      flags: [...new Set([...current.flags, ...flags])],
      ...(!isSameProduct && { heldTerms: null }),
      venue: {
        ...current.venue,
        productName: bookable.product.name,
        paymentRules: (isSameProduct && current.heldTerms ? current.venue : bookable.product).paymentRules,
      },
    },
  };
}

/** An enquiry does not become a booking without the deposit that comes before the confirmation. */
async function assertNotPaidFirst(context: Context, caller: Caller, asked: Asked): Promise<void> {
  const { before: _, ...anew } = asked;
  const { depositDuePence } = await ruleOn(context, caller, anew);
  if (depositDuePence !== null)
    throw problem('BOOK-N-014', {
      detail: 'A deposit comes before the confirmation here; make a new booking, which the guest then pays.',
    });
}

/** What was agreed stays, unless the product asks a larger party for more. */
function grownDeposit(
  { depositDuePence }: BookingRecord,
  { product }: BookableProduct,
  draft: BookingDraft,
): number | null {
  if (depositDuePence === null) return null;
  return Math.max(depositDuePence, depositFor(product, draft, draft.start.date)?.total ?? 0);
}

/**
 * A start that is not to change is taken from the booking. Of a time that clocks show twice it may mean the second,
 * which date and time alone do not say; and hours may have changed since by which an instant belongs to a trading day.
 */
function draftStay(body: AmendmentBody, bookable: BookableProduct, current: BookingRecord): DraftStay {
  const { productId, date, minute, startsAt } = current;
  const start = { date, minute, startMs: startsAt.epochMilliseconds };
  const isSameTime = body.dateTime == null && isShownAs(current, body);
  const asked = {
    ...body,
    ...(isSameTime && { dateTime: startsAt.toString(), date: null, time: null }),
    ...(repeatsStay(current, body) && { duration: current.requestedDurationMinutes }),
  };
  const stay = readStay(asked, bookable);
  const isSameInstant = stay.start.startMs === start.startMs && bookable.product.id === productId;
  return isSameTime || isSameInstant ? { ...stay, start } : stay;
}

/** What is placed and stays where it is is left alone, whatever `type` says: it has been confirmed already. */
function stepFor(
  current: BookingRecord,
  draft: BookingDraft,
  { bookable, isMoving }: { bookable: BookableProduct; isMoving: boolean },
): Step {
  if (!isPlaced(current)) return draft.type === 'book' ? 'place' : 'nothing';
  if (!isMoving) return 'nothing';
  const isTicket = bookable.connector.capabilities.capability === 'event_ticket';
  if (isTicket && guestsOf(draft) > guestsOf(current)) {
    throw problem('BOOK-N-013', {
      detail: `The booking has ${guestsOf(current)} tickets; book further ones separately.`,
    });
  }
  return draft.type === 'request' ? 'release' : 'move';
}
