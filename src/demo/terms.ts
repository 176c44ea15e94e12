import type { RefundTerm, SpaceDocument } from '../features/venues/transfer/document.ts';
import { EVERY_DAY } from './hours.ts';

/**
 * The cancellation policy that guests read and the refund terms that are applied: side by side so that they agree.
 */
interface CancellationTerms {
  cancellationPolicy: string;
  refundTerms: RefundTerm[];
}

/** All of it up to so many hours before the start, and nothing after that. */
const allUntil = (hoursBefore: number): RefundTerm[] => [{ hoursBefore, percent: 100 }];
const HOURS_PER_DAY = 24;

export const freeUntilTheDayBefore: CancellationTerms = {
  cancellationPolicy: 'Change or cancel free of charge until 24 hours before.',
  refundTerms: allUntil(24),
};

export const freeUntilTwoHoursBefore: CancellationTerms = {
  cancellationPolicy: 'Change or cancel free of charge until two hours before.',
  refundTerms: allUntil(2),
};

export const roomFreeUntilAFortnightBefore: CancellationTerms = {
  cancellationPolicy: 'Free of charge until 14 days before; afterwards the minimum spend is due.',
  refundTerms: allUntil(14 * HOURS_PER_DAY),
};

export const roomFreeUntilAWeekBefore: CancellationTerms = {
  cancellationPolicy: 'Free of charge until 7 days before; afterwards the minimum spend is due.',
  refundTerms: allUntil(7 * HOURS_PER_DAY),
};

export const returnedUntilTwoDaysBefore: CancellationTerms = {
  cancellationPolicy: 'What you have paid is returned if you cancel 48 hours before.',
  refundTerms: allUntil(48),
};

export const keptWithinTwoDays: CancellationTerms = {
  cancellationPolicy: 'Deposits and payments are kept for cancellations within 48 hours.',
  refundTerms: allUntil(48),
};

export const ticketsUntilTwoDaysBefore: CancellationTerms = {
  cancellationPolicy: 'Tickets can be returned until 48 hours before.',
  refundTerms: allUntil(48),
};

type Described = Pick<
  SpaceDocument,
  'id' | 'name' | 'description' | 'floorLocation' | 'facilities' | 'capacities'
>;

/** A room for hire on the usual terms: one minimum spend by day and one, half as much again, in the evening. */
export function room(
  described: Described,
  daytimeSpendPence: number,
  policies: Partial<SpaceDocument['policies']> = {},
): SpaceDocument {
  return {
    ...described,
    policies: {
      minimumSpend: [
        { weekdays: EVERY_DAY, startTime: '08:00', endTime: '17:00', amount: daytimeSpendPence },
        { weekdays: EVERY_DAY, startTime: '17:00', endTime: '02:00', amount: daytimeSpendPence * 1.5 },
      ],
      occasionTypes: ['birthday', 'anniversary', 'corporate-dinner', 'meeting'],
      under18s: true,
      promotedEvents: false,
      accessibility: true,
      servesFood: true,
      ...policies,
    },
  };
}
