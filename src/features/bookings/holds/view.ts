import { timestampOf } from '../../../kernel/clock.ts';
import { CURRENCY } from '../../../kernel/money.ts';
import { clockTime, dateTimeOf } from '../../../kernel/zone-time.ts';
import type { SignedOffer } from '../../identity/service.ts';
import { type HoldRecord, type HoldTerms, statusOf } from './record.ts';
import type { Hold, Offer } from './schema.ts';

export type OfferSigner = (offer: SignedOffer) => Promise<string>;

/** The hold with its offer signed. */
export async function signed(hold: HoldRecord, sign: OfferSigner): Promise<HoldRecord> {
  const { id: holdId, clientId, expiresAt } = hold;
  const offer = { ...offerOf(hold), slot: slotOf(hold) };
  return { ...hold, offerToken: await sign({ holdId, clientId, expiresAt, offer }) };
}

export function holdView(hold: HoldRecord, now: Temporal.Instant): Hold {
  const status = statusOf(hold, now);
  return {
    id: hold.id,
    status,
    expiresAt: timestampOf(hold.expiresAt),
    isExtended: hold.isExtended,
    slot: slotOf(hold),
    offer: offerOf(hold),
    offerToken: status === 'open' ? hold.offerToken : null,
    bookingId: status === 'used' ? hold.id : null,
  };
}

const slotOf = (hold: HoldRecord): Hold['slot'] => ({
  compositeId: hold.productId,
  date: hold.date,
  time: clockTime(hold.minute),
  dateTime: dateTimeOf(hold.timeZone, hold.startsAt.epochMilliseconds),
  duration: hold.durationMinutes ?? 0,
  partySize: hold.adults,
  children: hold.children,
  spaceId: hold.spaceId,
});

function offerOf({ terms, expiresAt }: HoldRecord): Offer {
  const required = requiredBy(terms);
  return {
    currency: CURRENCY,
    pricePerGuest: terms.pricePerGuestPence,
    balance: terms.balancePence,
    deposit: terms.depositDuePence,
    depositTerms: terms.company.deposit,
    refundTerms: terms.refundTerms.map(({ hoursBefore, percent }) => ({ hoursBefore, percent })),
    policy: terms.policy,
    cancellationPolicy: terms.cancellationPolicy,
    // It is ordered with the booking, which has to be made while the hold lasts.
    preorder: { required, until: required === 'none' ? null : timestampOf(expiresAt) },
    companyRequired: terms.company.companyMode !== 'none',
  };
}

/** What the product requires, and rules besides. */
function requiredBy({ preOrderRequired, ruledPreorder }: HoldTerms): Offer['preorder']['required'] {
  if (ruledPreorder === null) return preOrderRequired;
  if (preOrderRequired === 'none') return ruledPreorder;
  const isBoth = ruledPreorder !== 'any' && ruledPreorder !== preOrderRequired;
  return isBoth ? 'packageAndMenu' : preOrderRequired;
}
