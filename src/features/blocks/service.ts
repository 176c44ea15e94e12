/** Tables that take no new bookings for a time: a broken leg, a private corner, an area that stays shut tonight. */
import { inSnapshot, type Sql, type Tx } from '../../db/database.ts';
import { type Actor, operatorCaller } from '../../http/auth/actor.ts';
import { type PageOf, pageOf, windowOf } from '../../http/validation/paging.ts';
import { type Clock, nowOf, timestampOf } from '../../kernel/clock.ts';
import { newId } from '../../kernel/crypto.ts';
import { isUuid, partsOfVenueId, type VenueId } from '../../kernel/ids.ts';
import { daysAsInstants, localInstant, localText } from '../../kernel/local-time.ts';
import { invalid, problem } from '../../kernel/problem.ts';
import { dateTimeOf } from '../../kernel/zone-time.ts';
import type { BlockFields, BlockStore, StoredBlock } from '../../tms/blocks.ts';
import type { Layout, LayoutStore } from '../../tms/layout.ts';
import { noSuchZone } from '../../tms/layout-parts.ts';
import { systemOf, systemsWith } from '../../tms/systems.ts';
import { type AuditLog, assertUnchanged } from '../audit/service.ts';
import { type Bookings, guestNameOf, guestsOf } from '../bookings/service.ts';
import {
  aboutVenue,
  assertRoom,
  getVenueRef,
  lockVenueRef,
  notFound,
  type Request,
} from '../venues/service.ts';
import type { Block, BlockBody, BlockQuery, BlockWithBookings } from './schema.ts';

export interface Blocks {
  list(venueId: VenueId, query: BlockQuery): Promise<PageOf<Block>>;
  get(actor: Actor, venueId: VenueId, id: string): Promise<BlockWithBookings>;
  create(by: Request, venueId: VenueId, body: BlockBody): Promise<BlockWithBookings>;
  replace(by: Request, venueId: VenueId, id: string, body: BlockBody): Promise<BlockWithBookings>;
  remove(by: Request, venueId: VenueId, id: string): Promise<void>;
}

export interface BlocksDeps {
  sql: Sql;
  clock: Clock;
  auditLog: AuditLog;
  bookings: Bookings;
}

const MOST_BLOCKS = 1000;
const MOST_DAYS = 366;
const BOOKINGS_SHOWN = 200;

interface Place {
  zone: string;
  blocks: BlockStore;
  layout: LayoutStore;
}

export function createBlocks({ sql, clock, auditLog, bookings }: BlocksDeps): Blocks {
  /** A booking decides under a shared lock of the layout: here no booking is being decided on, and none begins. */
  async function lockPlace(tx: Tx, venueId: VenueId): Promise<Place> {
    const { timeZone } = await lockVenueRef(tx, venueId);
    const stores = storesOf(venueId);
    await stores.layout.lock(tx, venueId);
    return { zone: timeZone, ...stores };
  }

  async function readPlace(tx: Tx, venueId: VenueId): Promise<Place> {
    const { timeZone } = await getVenueRef(tx, venueId);
    return { zone: timeZone, ...storesOf(venueId) };
  }

  async function fieldsOf(
    tx: Tx,
    venueId: VenueId,
    { zone, layout }: Place,
    body: BlockBody,
    before?: Block,
  ): Promise<BlockFields> {
    const { tableIds = null, areaIds = null, zoneIds = null, reason = null } = body;
    const times = timesOf(zone, body);
    // One that is over can still get a better reason, and what was read can be sent back.
    if (body.to !== before?.to && Temporal.Instant.compare(times.to, nowOf(clock)) <= 0)
      throw invalid('to', 'must lie in the future');
    const fields = { ...times, tableIds, areaIds, zoneIds, reason };
    assertParts(fields, await layout.load(tx, venueId));
    return fields;
  }

  async function withBookings(
    tx: Tx,
    actor: Actor,
    venueId: VenueId,
    document: Block,
  ): Promise<BlockWithBookings> {
    const { zone, blocks } = await readPlace(tx, venueId);
    const { stays, total } = await blocks.listStays(tx, document.id, BOOKINGS_SHOWN);
    const caller = operatorCaller(actor, partsOfVenueId(venueId).operatorId);
    const ids = stays.map(({ bookingId }) => bookingId);
    const records = new Map(
      (await bookings.listRecords(tx, caller, ids)).map((record) => [record.id, record]),
    );
    const inside = stays.flatMap(({ bookingId, from, to }) => {
      const record = records.get(bookingId);
      if (!record) return [];
      const { id, tables, guest } = record;
      const start = dateTimeOf(zone, from.epochMilliseconds);
      const end = dateTimeOf(zone, to.epochMilliseconds);
      return { id, start, end, guests: guestsOf(record), tables, guestName: guestNameOf(guest) };
    });
    return { ...document, bookings: inside, bookingCount: total };
  }

  /** The document that is audited has no guests, so the version that the caller has read is compared here. */
  const changeOf = ({ actor, ifMatch }: Request, venueId: VenueId, id: string) => ({
    actor,
    ifMatch: undefined,
    ...aboutVenue(venueId, 'block', id),
    async find(tx: Tx): Promise<Block> {
      const place = await lockPlace(tx, venueId);
      return getBlock(tx, place, venueId, id);
    },
    async assertRead(tx: Tx, before: Block): Promise<void> {
      if (ifMatch !== undefined) assertUnchanged(await withBookings(tx, actor, venueId, before), ifMatch);
    },
  });

  return {
    list: (venueId, query) =>
      inSnapshot(sql, async (tx) => {
        const { zone, blocks } = await readPlace(tx, venueId);
        const window = { ...daysAsInstants(zone, query), ...windowOf(query) };
        const found = await blocks.list(tx, venueId, window);
        return pageOf(
          found.blocks.map((block) => blockView(zone, block)),
          found.total,
          query,
        );
      }),

    get: (actor, venueId, id) =>
      inSnapshot(sql, async (tx) => {
        const place = await readPlace(tx, venueId);
        return withBookings(tx, actor, venueId, await getBlock(tx, place, venueId, id));
      }),

    async create({ actor }, venueId, body) {
      const created = await auditLog.create({
        actor,
        action: 'block.create',
        about: ({ id }: Block) => aboutVenue(venueId, 'block', id),
        async write(tx) {
          const place = await lockPlace(tx, venueId);
          const now = nowOf(clock);
          assertRoom(await place.blocks.count(tx, venueId, now), MOST_BLOCKS, 'blocks to come at a venue');
          const fields = await fieldsOf(tx, venueId, place, body);
          const id = newId(clock);
          await place.blocks.insert(tx, venueId, { ...fields, id, createdAt: now });
          return getBlock(tx, place, venueId, id);
        },
      });
      return withBookings(sql, actor, venueId, created);
    },

    async replace(by, venueId, id, body) {
      const { assertRead, ...change } = changeOf(by, venueId, id);
      const changed = await auditLog.change({
        ...change,
        action: 'block.change',
        async write(tx, before) {
          await assertRead(tx, before);
          const place = await readPlace(tx, venueId);
          await place.blocks.update(tx, venueId, id, await fieldsOf(tx, venueId, place, body, before));
        },
      });
      return withBookings(sql, by.actor, venueId, changed);
    },

    remove(by, venueId, id) {
      const { assertRead, ...change } = changeOf(by, venueId, id);
      return auditLog.remove({
        ...change,
        action: 'block.remove',
        async write(tx, before) {
          await assertRead(tx, before);
          await storesOf(venueId).blocks.remove(tx, id);
        },
      });
    },
  };
}

function storesOf(venueId: VenueId): { blocks: BlockStore; layout: LayoutStore } {
  const { desk, layout } = systemOf(venueId) ?? {};
  if (desk && layout) return { blocks: desk.blocks, layout };
  const { tms } = partsOfVenueId(venueId);
  throw invalid(
    'venueId',
    `must be a venue that runs on ${systemsWith('desk')}; ${tms} keeps its own tables, if it has any`,
  );
}

async function getBlock(
  tx: Tx,
  { zone, blocks }: Pick<Place, 'zone' | 'blocks'>,
  venueId: VenueId,
  id: string,
): Promise<Block> {
  const block = isUuid(id) ? await blocks.find(tx, venueId, id) : undefined;
  if (!block) throw notFound(`The venue has no block ${id}.`);
  return blockView(zone, block);
}

function blockView(zone: string, { from, to, createdAt, ...block }: StoredBlock): Block {
  const { id, tableIds, areaIds, zoneIds, tables, reason } = block;
  return {
    id,
    from: localText(zone, from),
    to: localText(zone, to),
    tableIds,
    areaIds,
    zoneIds,
    tables,
    reason,
    createdAt: timestampOf(createdAt),
  };
}

function timesOf(zone: string, body: BlockBody): Pick<BlockFields, 'from' | 'to'> {
  const from = localInstant('from', zone, body.from);
  const to = localInstant('to', zone, body.to);
  if (Temporal.Instant.compare(to, from) <= 0) throw invalid('to', 'must be after from');
  if (to.since(from).total('hours') > MOST_DAYS * 24)
    throw invalid('to', `must be at most ${MOST_DAYS} days after from`);
  return { from, to };
}

const LISTS = ['tableIds', 'areaIds', 'zoneIds'] as const;

/** Exactly one list, all of it parts of the venue. */
function assertParts(fields: BlockFields, layout: Layout): void {
  const given = LISTS.filter((list) => fields[list] !== null);
  const [list, second] = given;
  if (list === undefined)
    throw problem('VALID-N-001', {
      detail: 'Send tableIds, areaIds or zoneIds.',
      errors: { tableIds: ['is required unless areaIds or zoneIds is given'] },
    });
  if (second !== undefined) throw invalid(second, `must not stand beside ${list}`);
  for (const [index, id] of (fields[list] ?? []).entries()) assertPart(`${list}.${index}`, list, id, layout);
}

function assertPart(field: string, list: (typeof LISTS)[number], id: number, layout: Layout): void {
  const has = (parts: readonly { id: number }[]) => parts.some((part) => part.id === id);
  if (list === 'zoneIds' && !has(layout.zones)) throw noSuchZone(id);
  if (list === 'areaIds' && !has(layout.areas)) throw invalid(field, 'is no area of the venue');
  if (list !== 'tableIds') return;
  const table = layout.tables.find((each) => each.id === id);
  if (!table) throw invalid(field, 'is no table of the venue');
  if (!table.isActive) throw invalid(field, 'is a table that takes no guests; its isActive is false');
}
