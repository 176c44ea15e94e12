import type { Caller } from '../../http/caller.ts';
import type { Slot } from '../../tms/contract.ts';
import {
  type Aimed,
  bookingFacts,
  daysAheadOf,
  productFacts,
  type Rules,
  type SlotRuler,
  venueFacts,
} from '../rules/service.ts';
import type { Bookable } from '../venues/service.ts';
import type { AvailabilityQuery } from './query.ts';

/** What booking rules make of one start. */
export type RuleSlot = (slot: Slot) => ReturnType<SlotRuler>;

export const aimedAt = (partner: Aimed['partner'], { venue, product }: Bookable): Aimed => ({
  partner,
  product: productFacts({ ...product, category: product.category?.slug ?? null }),
  venue: venueFacts(venue),
});

const NOTHING_ORDERED = { packages: [], menus: [] };

/** Undefined: nothing changes. Rules bind only partners. */
export async function slotRulerFor(
  rules: Rules,
  caller: Caller,
  { venue, product }: Bookable,
  { query, nowMs }: { query: AvailabilityQuery; nowMs: number },
): Promise<RuleSlot | undefined> {
  if (!('partner' in caller)) return undefined;
  const partner = { id: caller.partner.id, categoryIds: venue.channel?.categoryIds ?? [] };
  const aimed = aimedAt(partner, { venue, product });
  const rule = await rules.slotRuler(aimed);
  return rule && ruleSlotBy(rule, aimed, { query, nowMs });
}

/** What rules make of starts for one party at one moment. */
export function ruleSlotBy(
  rule: SlotRuler,
  aimed: Aimed,
  { query, nowMs }: { query: Pick<AvailabilityQuery, 'partySize' | 'children' | 'duration'>; nowMs: number },
): RuleSlot {
  const { partySize: adults, children, duration: durationMinutes = null } = query;
  const guest = {
    adults,
    children,
    durationMinutes,
    source: 'api',
    depositPence: null,
    preorders: NOTHING_ORDERED,
  };
  return (slot) =>
    rule({
      facts: {
        ...aimed,
        booking: bookingFacts({ ...guest, ...slot, durationMinutes }),
        daysAhead: daysAheadOf(slot.date, nowMs),
      },
      nowMs,
      startsMs: [slot.startMs],
    });
}
