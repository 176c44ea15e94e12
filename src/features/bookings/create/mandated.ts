/** Bookings as the mandate of the client that makes them sees them. */
import type { Caller } from '../../../http/auth/caller.ts';
import type { Judgement } from '../../mandates/service.ts';
import { type Bookable, depositFor } from '../../venues/service.ts';
import type { Context } from '../context.ts';
import { guestsOf } from '../record.ts';
import type { DraftStay } from '../system-request.ts';
import type { BookingDraft } from './draft.ts';

type Place = Pick<DraftStay, 'adults' | 'children'> & { start: Pick<DraftStay['start'], 'date'> };

/** What is known before rules and prices are: venue, day and party. */
export const assertMandatedStay = (
  { mandates }: Pick<Context, 'mandates'>,
  caller: Caller,
  { venue }: Pick<Bookable, 'venue'>,
  stay: Place,
): Promise<void> => mandates.assertStay(caller, { venue, date: stay.start.date, guests: guestsOf(stay) });

export interface MandatedPlan {
  /** The id that the booking has or will have. */
  bookingId: string;
  bookable: Bookable;
  stay: DraftStay;
  /** What is known with the guest; absent: a place is to be held. */
  draft?: BookingDraft;
  /** Beside what the product asks for and what is declared. */
  depositPence: number | null;
  /** The booking that is amended is part of what is confirmed. */
  isAmendment?: boolean;
  confirmationToken: string | null | undefined;
  isHeld?: boolean;
  needsNoConfirmation?: boolean;
  needsToken?: boolean;
}

/** Throws what the mandate refuses, or asks for a confirmation. */
export function judgeMandated(
  { mandates }: Pick<Context, 'mandates'>,
  caller: Caller,
  plan: MandatedPlan,
): Promise<Judgement | null> {
  const { bookingId, bookable, stay, draft, isHeld = false, needsNoConfirmation = false } = plan;
  const { needsToken = false } = plan;
  const { venue, product } = bookable;
  const { start, adults, children, durationMinutes, spaceId } = stay;
  return mandates.judge(caller, {
    ...{ bookingId, venue, isHeld, needsNoConfirmation, needsToken },
    what: whatOf(plan),
    date: start.date,
    minute: start.minute,
    guests: guestsOf(stay),
    depositPence: Math.max(
      plan.depositPence ?? 0,
      draft?.depositPence ?? 0,
      depositFor(product, stay, start.date)?.total ?? 0,
    ),
    stay: { productId: product.id, startMs: start.startMs, adults, children, durationMinutes, spaceId },
    besides: {
      partner: 'partner' in caller ? caller.partner.id : null,
      ...(draft && { type: draft.type, guest: guestTerms(draft), preorders: draft.preorders }),
      ...(plan.isAmendment && { amends: bookingId }),
    },
    token: plan.confirmationToken,
  });
}

function whatOf({ draft, isAmendment = false }: MandatedPlan): string {
  if (!draft) return 'a held place';
  const isEnquiry = draft.type === 'request';
  if (isAmendment) return isEnquiry ? 'a changed enquiry' : 'a changed booking';
  return isEnquiry ? 'an enquiry' : 'a booking';
}

/** The guest; the notes may still be worded otherwise. */
const guestTerms = ({ guest: { firstName, lastName, email, phone, company } }: BookingDraft) => ({
  firstName,
  lastName,
  email,
  phone,
  company,
});
