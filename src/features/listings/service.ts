import type { Config } from '../../config.ts';
import type { Sql, Tx } from '../../db/database.ts';
import type { Notifications } from '../../db/notifications.ts';
import { primaryReads, type Reads, readTogether } from '../../db/reads.ts';
import { type Caller, visibilityOf } from '../../http/auth/caller.ts';
import { type Clock, epochMilliseconds } from '../../kernel/clock.ts';
import { partsOfVenueId, type VenueId } from '../../kernel/ids.ts';
import type { Registry } from '../../tms/registry.ts';
import { describeProducts, type SaidOfProduct } from '../system-catalogue/service.ts';
import {
  createListCache,
  type Item,
  loadVenues,
  searchItems,
  type VenueRecord,
  type Venues,
} from '../venues/service.ts';
import { type ListingQuery, searchOf } from './query.ts';
import type { ListingGroup } from './schema.ts';
import { groupsOf, type ItemRecord } from './view.ts';

/** The catalogue by operator and venue, tables and events together. */
export interface Listings {
  list(caller: Caller, query: ListingQuery): Promise<{ groups: ListingGroup[]; total: number }>;
}

export interface ListingsDeps {
  sql: Sql;
  reads?: Reads;
  clock: Clock;
  registry: Registry;
  config: Pick<Config, 'publicUrl'>;
  notifications: Notifications;
  venues: Venues;
}

export function createListings({
  sql,
  reads = primaryReads(sql),
  clock,
  registry,
  config,
  notifications,
  venues,
}: ListingsDeps): Listings {
  const lists = createListCache(notifications);
  const systemOf = (id: VenueId) => partsOfVenueId(id).tms;
  const capabilityOf = (id: VenueId) => registry.capabilityOf(systemOf(id));

  /** One statement for each system that has something to say. */
  async function describe(tx: Tx, ids: readonly VenueId[]): Promise<Map<string, SaidOfProduct>> {
    const described = await Promise.all(
      [...Map.groupBy(ids, systemOf)].map(([slug, ofSystem]) => {
        const connector = registry.get(slug);
        if (connector?.flavour === 'local') return connector.describe?.(tx, ofSystem) ?? [];
        return describeProducts(tx, ofSystem);
      }),
    );
    return new Map(described.flat().map((facts) => [facts.productId, facts]));
  }

  return {
    async list(caller, query) {
      const visibility = visibilityOf(caller);
      const search = searchOf(query, registry.slugsOf('event_ticket'));
      const cached = lists.find(visibility, search);
      const rank = await venues.rankFor(search);
      return readTogether(reads, async (tx) => {
        const { items, total } = await searchItems(tx, visibility, search, cached, rank);
        const ids = items.flatMap(({ id, eventIds }) => [id, ...eventIds]);
        const [records, facts] = await Promise.all([loadVenues(tx, visibility, ids), describe(tx, ids)]);
        const { publicUrl } = config;
        const context = { capabilityOf, facts, publicUrl, nowMs: epochMilliseconds(clock) };
        cached.keep(
          items.map(({ id }) => id),
          total,
        );
        return { groups: groupsOf(withRecords(items, records), context, query.capability), total };
      });
    },
  };
}

function withRecords(items: readonly Item[], venues: readonly VenueRecord[]): ItemRecord[] {
  const byId = new Map(venues.map((venue) => [venue.id, venue]));
  return items.flatMap(({ id, eventIds }) => {
    const venue = byId.get(id);
    return venue ? { venue, events: eventIds.flatMap((eventId) => byId.get(eventId) ?? []) } : [];
  });
}
