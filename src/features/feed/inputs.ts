/** What the feeds of a venue are made from, apart from stays: read once for each state of its configuration. */
import type { Tx } from '../../db/database.ts';
import { ReadCache } from '../../db/read-cache.ts';
import type { Reads } from '../../db/reads.ts';
import { estimateBytes } from '../../kernel/estimate-bytes.ts';
import { partsOfVenueId, type VenueId } from '../../kernel/ids.ts';
import type { Forecast } from '../../tms/contract.ts';
import type { Registry } from '../../tms/registry.ts';
import { readRules } from '../booking-rules/service.ts';
import { loadVenues, type VenueRecord } from '../venues/service.ts';
import { type Channel, channelsOf } from './channels.ts';
import { findClosing, type Situation } from './store.ts';

export interface FeedInputs {
  timeZone: string;
  closedAt: Temporal.Instant | null;
  products: { forecast: Forecast; channels: Channel[] }[];
}

/** Undefined: there is no such venue. */
export function createFeedInputs({ reads, registry }: { reads: Reads; registry: Registry }) {
  const kept = new ReadCache<FeedInputs>('feed_inputs', () => true);

  async function seenBy(
    tx: Tx,
    venueId: VenueId,
    partnerIds: readonly number[],
  ): Promise<Map<number, VenueRecord>> {
    const seen = new Map<number, VenueRecord>();
    for (const partnerId of partnerIds) {
      const [venue] = await loadVenues(tx, { kind: 'partner', partnerId }, [venueId]);
      if (venue) seen.set(partnerId, venue);
    }
    return seen;
  }

  async function read(tx: Tx, venueId: VenueId, { partnerIds }: Situation): Promise<FeedInputs | undefined> {
    const { operatorId, tms } = partsOfVenueId(venueId);
    const connector = registry.get(tms);
    const [venue] = await loadVenues(tx, { kind: 'platform' }, [venueId]);
    if (!venue) return undefined;
    const closedAt = await findClosing(tx, venueId);
    const feedInputs: FeedInputs = { timeZone: venue.timeZone, closedAt, products: [] };
    if (connector?.flavour !== 'local' || !connector.forecast) return feedInputs;
    const distribution = {
      venue,
      partners: await seenBy(tx, venueId, partnerIds),
      rules: await readRules(tx, operatorId),
      closedAt,
    };
    for (const product of venue.products) {
      const query = { venueId, productId: product.id, zone: venue.timeZone };
      const forecast = await connector.forecast(tx, query);
      if (forecast)
        feedInputs.products.push({ forecast, channels: channelsOf(product, forecast, distribution) });
    }
    return feedInputs;
  }

  return async (venueId: VenueId, situation: Situation): Promise<FeedInputs | undefined> => {
    const key = `${venueId} ${situation.mark}`;
    const known = kept.get(key);
    if (known) return known;
    const ticket = kept.beginRead();
    const feedInputs = await reads.read((on) => read(on, venueId, situation));
    if (feedInputs) kept.keep(ticket, key, feedInputs, estimateBytes(feedInputs), []);
    return feedInputs;
  };
}
