/** What is offered with a hold, and how a booking is made on it later. */
import { CURRENCY } from '../../../kernel/money.ts';
import { problem } from '../../../kernel/problem.ts';
import { weekdayOf } from '../../../kernel/zone-time.ts';
import type { SystemHold } from '../../../tms/contract.ts';
import { crossedBands } from '../../availability/service.ts';
import { type Facts, judgeKept, type KeptRules, prospectOf, refusalOf } from '../../booking-rules/service.ts';
import { type Bookable, depositFor } from '../../venues/service.ts';
import type { BookableProduct, BookingDraft } from '../create/draft.ts';
import { offeredBy } from '../preorder.ts';
import { type BookingSource, guestsOf, type HeldTerms } from '../record.ts';
import { wantsToBeAsked } from '../refusals.ts';
import { assertFulfilled, factsOfDraft, type Ruled } from '../ruling.ts';
import type { DraftStay } from '../system-request.ts';
import type { HoldRecord, HoldTerms } from './record.ts';

/** What can be decided before the guest has said anything. */
export interface HoldProspect {
  rules: KeptRules;
  depositPence: number;
  ruledPreorder: HoldTerms['ruledPreorder'];
}

interface Asked {
  bookable: Bookable;
  stay: DraftStay;
  partner: { id: number };
  nowMs: number;
}

const NOTHING_ORDERED = { packages: [], menus: [] };

export function factsOfHold({ bookable, stay, partner, nowMs }: Asked): Facts {
  const draft = { ...stay, type: 'book' as const, preorders: NOTHING_ORDERED, depositPence: null };
  return factsOfDraft({ bookable, draft, source: 'api' }, partner, nowMs);
}

/** Throws where rules refuse such a booking, or want it to be an enquiry, whatever its guest says. */
export function assertRuled(asked: Asked, rules: KeptRules): HoldProspect {
  const facts = factsOfHold(asked);
  const startsMs = [asked.stay.start.startMs];
  const { ruling, depositPence, preorder } = prospectOf(rules.create, {
    facts,
    nowMs: asked.nowMs,
    startsMs,
  });
  const [first] = ruling.violations;
  if (first) throw refusalOf(first, ruling.violations, facts.booking.guests);
  if (ruling.type === 'request') throw wantsToBeAsked();
  return { rules, depositPence, ruledPreorder: preorder };
}

/** What the system of the venue says of the place, as far as it has been asked. */
type Said = Partial<SystemHold>;

export function termsOf(asked: Asked, prospect: HoldProspect, held: Said = {}): HoldTerms {
  const { bookable, stay } = asked;
  const { venue, product } = bookable;
  const {
    companyMode = 'none',
    companyNames = [],
    categoryIds = [],
    deposit = 'declared',
  } = venue.channel ?? {};
  const { packages, menus } = offeredBy(bookable);
  const { pricePerGuestPence = null, policy = null, cancellationPolicy = null } = held;
  const kept: HeldTerms = {
    paymentRules: product.paymentRules,
    balanceRules: prospect.rules.payment,
    spends: spendsOf(bookable, stay.spaceId),
    heldAtMs: asked.nowMs,
  };
  const balancePence = balanceFor(asked, kept, held);
  return {
    ...kept,
    policy,
    cancellationPolicy,
    pricePerGuestPence,
    balancePence,
    depositDuePence: Math.max(prospect.depositPence, productDeposit(kept, stay, balancePence)),
    refundTerms: product.refundTerms,
    preOrderRequired: product.preOrderRequiredType,
    ruledPreorder: prospect.ruledPreorder,
    packages,
    menus,
    company: { companyMode, companyNames, categoryIds, deposit },
    rules: prospect.rules.create,
  };
}

function spendsOf({ venue }: Bookable, spaceId: number | null): HeldTerms['spends'] {
  const space = venue.spaces.find(({ id }) => id === spaceId);
  return space
    ? { spaceId: space.id, bands: space.policies.minimumSpend, overrides: space.spendOverrides }
    : null;
}

/** The price of the places, or what rules make of it. */
function balanceFor(asked: Asked, { balanceRules, spends }: HeldTerms, held: Said): number {
  const { stay, nowMs } = asked;
  const { start } = stay;
  const priced = (held.pricePerGuestPence ?? 0) * guestsOf(stay);
  const facts = factsOfHold(asked);
  const on = { date: start.date, weekday: weekdayOf(start.date), startMinute: start.minute };
  const { durationMinutes = 0 } = held;
  facts.payment = {
    finalBalance: priced,
    ...(spends && { bands: crossedBands(spends, { ...on, durationMinutes }) }),
  };
  const { finalBalance } = judgeKept(balanceRules, { facts, nowMs, startsMs: [start.startMs] });
  return finalBalance ?? priced;
}

/** A part of the balance, where there is one. */
function productDeposit(terms: HeldTerms, stay: DraftStay, balancePence: number): number {
  const asked = depositFor(terms, stay, stay.start.date);
  if (asked?.currency !== CURRENCY) return 0;
  return balancePence > 0 ? Math.min(asked.total, balancePence) : asked.total;
}

/** The product with the terms of the hold in place of those that it has by now. */
export function onTermsOf({ terms }: HoldRecord, bookable: BookableProduct): BookableProduct {
  const { venue, product } = bookable;
  return {
    ...bookable,
    venue: {
      ...venue,
      packages: terms.packages,
      menus: terms.menus,
      channel: venue.channel && { ...venue.channel, ...terms.company },
    },
    product: {
      ...product,
      refundTerms: terms.refundTerms,
      paymentRules: terms.paymentRules,
      preOrderRequiredType: terms.preOrderRequired,
      packageIds: terms.packages.map(({ id }) => id),
      menuIds: terms.menus.map(({ id }) => id),
    },
  };
}

/** What the rules of the hold say to the booking, as if it were made at the moment of the hold. */
export function ruleOnHeld(
  hold: HoldRecord,
  { bookable, draft, source }: { bookable: Bookable; draft: BookingDraft; source: BookingSource },
): Ruled {
  const nowMs = hold.createdAt.epochMilliseconds;
  const facts = factsOfDraft({ bookable, draft, source }, { id: hold.partnerId }, nowMs);
  const ruling = judgeKept(hold.terms.rules, { facts, nowMs, startsMs: [draft.start.startMs] });
  const depositDuePence = assertFulfilled(ruling, { bookable, draft, pricedPence: hold.terms.balancePence });
  if (ruling.type === 'request')
    throw problem('HOLD-N-003', {
      detail:
        'A booking with this pre-order has to be requested from the operator; a hold cannot be used for that.',
    });
  const { flags, skipsPreorderEmail } = ruling;
  return { draft, flags, skipsPreorderEmail, rulesVersion: null, depositDuePence };
}

export const heldTermsOf = ({ terms }: HoldRecord): HeldTerms => ({
  paymentRules: terms.paymentRules,
  balanceRules: terms.balanceRules,
  spends: terms.spends,
  heldAtMs: terms.heldAtMs,
});
