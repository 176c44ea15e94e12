import type { Caller } from '../../http/caller.ts';
import type { Slot } from '../../tms/contract.ts';
import {
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

const NOTHING_ORDERED = { packages: [], menus: [] };

/** Undefined: nothing changes. Rules bind only partners. */
export async function slotRulerFor(
  rules: Rules,
  caller: Caller,
  { venue, product }: Bookable,
  { query, nowMs }: { query: AvailabilityQuery; nowMs: number },
): Promise<RuleSlot | undefined> {
  if (!('partner' in caller)) return undefined;
  const aimed = {
    partner: { id: caller.partner.id, categoryIds: venue.channel?.categoryIds ?? [] },
    product: productFacts({ ...product, category: product.category?.slug ?? null }),
    venue: venueFacts(venue),
  };
  const rule = await rules.slotRuler(aimed);
  if (!rule) return undefined;
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
