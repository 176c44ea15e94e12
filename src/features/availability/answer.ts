import { dateTimeOf } from '../../kernel/zone-time.ts';
import type { ProductAvailability } from '../../tms/contract.ts';
import { depositFor } from '../venues/deposit.ts';
import { clockTime } from '../venues/hours.ts';
import { type ProductRecord, spaceView, type VenueRecord } from '../venues/service.ts';
import type { Offer, Party } from './offer.ts';
import type { Availability, AvailabilityTimeSlot } from './schema.ts';

interface Subject {
  venue: VenueRecord;
  product: ProductRecord;
  party: Party;
  /** The first day that was asked about. */
  date: string;
  includeUnavailable: boolean;
}

export function answerOf(system: ProductAvailability, offers: Offer[], subject: Subject): Availability {
  const { product, includeUnavailable } = subject;
  const shown = offers.filter(({ reasons }) => includeUnavailable || reasons.length === 0);
  const absence = shown.length > 0 ? undefined : absenceOf(system, offers, subject);
  return {
    name: product.name,
    deposit: depositFor(product, subject.party, subject.date),
    policy: system.policy,
    cancellationPolicy: system.cancellationPolicy,
    times: timesOf(shown, system, subject),
    noAvailabilityReason: absence?.sentence ?? null,
    noAvailabilityCode: absence?.code ?? null,
  };
}

function timesOf(offers: Offer[], { bounds }: ProductAvailability, subject: Subject): AvailabilityTimeSlot[] {
  const { venue, product, includeUnavailable } = subject;
  const views = new Map(venue.spaces.map((space) => [space.id, spaceView(space)]));
  return offers.map(({ slot, type, requestReason, spaces, reasons }) => {
    const view: AvailabilityTimeSlot = {
      time: clockTime(slot.minute),
      date: slot.date,
      dateTime: dateTimeOf(venue.timeZone, slot.startMs),
      duration: slot.durationMinutes,
      minDuration: bounds.minMinutes,
      maxDuration: bounds.maxMinutes,
      durationInterval: bounds.stepMinutes,
      type,
      product: {
        id: product.id,
        name: product.name,
        spaces: spaces.map(({ space, minimumSpend }) => ({
          ...(views.get(space.id) ?? spaceView(space)),
          policies: { ...space.policies, minimumSpend },
        })),
      },
      productId: product.id,
    };
    if (type === 'request' && requestReason !== undefined) view.requestReason = requestReason;
    if (includeUnavailable) view.unavailableReasons = reasons;
    return view;
  });
}

/** Why there is nothing: a code for programs and a sentence that can be shown to a guest. */
function absenceOf(system: ProductAvailability, offers: Offer[], { venue, party, date }: Subject) {
  const has = (reason: string) => offers.some(({ reasons }) => reasons.includes(reason));
  const all = (reason: string) =>
    offers.length > 0 && offers.every(({ reasons }) => reasons.includes(reason));
  const guests = party.adults + party.children;
  const people = guests === 1 ? 'one person' : `${guests} people`;
  if (all('PARTY_SIZE')) {
    return { code: 'NO_ELIGIBLE_PRODUCTS', sentence: `This cannot be booked for ${people}.` };
  }
  if (all('SPACE_POLICY')) {
    return {
      code: 'NO_ELIGIBLE_PRODUCTS',
      sentence: `No space at ${venue.name} has what you are looking for.`,
    };
  }
  if (offers.some(({ isTakenByRule }) => isTakenByRule)) {
    return {
      code: 'FILTERED_BY_OPERATOR_RULES',
      sentence: `${venue.name} takes no bookings here at that time.`,
    };
  }
  if (has('AVAIL-N-005')) {
    return { code: 'FILTERED_BY_CAPACITY', sentence: `${venue.name} is fully booked at that time.` };
  }
  return { code: 'NO_AVAILABILITY', sentence: sentenceFor(system, has, venue, date) };
}

function sentenceFor(
  { days }: ProductAvailability,
  has: (reason: string) => boolean,
  venue: VenueRecord,
  date: string,
): string {
  if (days.every(({ isClosed }) => isClosed)) return `${venue.name} is closed on ${inWords(date)}.`;
  if (has('AVAIL-N-007')) return `It is too late to book ${venue.name} for that time.`;
  if (has('AVAIL-N-008')) return `${venue.name} does not take bookings that far ahead yet.`;
  return `${venue.name} has no tables at that time on ${inWords(date)}.`;
}

function inWords(date: string): string {
  return Temporal.PlainDate.from(date).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  });
}
