/** Bookings to come whose tables a new layout takes away, switches off or makes too small. */
import type { Tx } from '../../db/database.ts';
import { type Actor, operatorCaller } from '../../http/auth/actor.ts';
import { type Clock, nowOf } from '../../kernel/clock.ts';
import { partsOfVenueId, type VenueId } from '../../kernel/ids.ts';
import { clockTime } from '../../kernel/zone-time.ts';
import type { ComingStay, LayoutStore } from '../../tms/layout.ts';
import { type Bookings, guestNameOf } from '../bookings/service.ts';
import type { Layout, LayoutPreview, Table, UnseatedBooking } from './schema.ts';

const MOST_SHOWN = 200;

interface UnseatedDeps {
  clock: Clock;
  bookings: Pick<Bookings, 'listRecords'>;
  store: LayoutStore;
  actor: Actor;
}

type Loss = UnseatedBooking['loses'][number];

export async function listUnseated(
  tx: Tx,
  { clock, bookings, store, actor }: UnseatedDeps,
  venueId: VenueId,
  layouts: { before: Layout; after: Layout },
): Promise<Pick<LayoutPreview, 'bookings' | 'bookingCount'>> {
  const seatings = { before: seatingOf(layouts.before), after: seatingOf(layouts.after) };
  const stays = await store.listComing(tx, worsened(seatings), nowOf(clock));
  const unseated = stays
    .map((stay) => ({ stay, loses: lossesOf(stay, seatings) }))
    .filter(({ loses }) => loses.length > 0);
  const shown = unseated.slice(0, MOST_SHOWN);
  const caller = operatorCaller(actor, partsOfVenueId(venueId).operatorId);
  const ids = shown.map(({ stay }) => stay.bookingId);
  const records = new Map((await bookings.listRecords(tx, caller, ids)).map((record) => [record.id, record]));
  return {
    bookingCount: unseated.length,
    bookings: shown.flatMap(({ stay: { bookingId: id, guests, tableIds }, loses }) => {
      const record = records.get(id);
      if (!record) return [];
      const { date, minute, guest } = record;
      const tables = tableIds.map((tableId) => seatings.before.tables.get(tableId)?.name ?? '');
      return [{ id, date, time: clockTime(minute), guestName: guestNameOf(guest), guests, tables, loses }];
    }),
  };
}

/** Tables that are gone, switched off, or seat fewer than before, alone or joined. */
function worsened({ before, after }: Seatings): number[] {
  const alone = [...before.tables.values()].filter((table) => {
    const left = after.tables.get(table.id);
    return !left || (table.isActive && !left.isActive) || left.maxCovers < table.maxCovers;
  });
  const joined = before.joined.filter((tableIds) => after.seatsAt(tableIds) < before.seatsAt(tableIds));
  return [...new Set([...alone.map(({ id }) => id), ...joined.flat()])];
}

function lossesOf({ tableIds, guests }: ComingStay, { before, after }: Seatings): Loss[] {
  const isTooSmall = before.seatsAt(tableIds) >= guests && after.seatsAt(tableIds) < guests;
  return tableIds.flatMap((tableId) => {
    const table = before.tables.get(tableId);
    const reason = table && reasonFor(table, after.tables.get(tableId), isTooSmall);
    return table && reason ? [{ tableId, name: table.name, reason }] : [];
  });
}

function reasonFor(was: Table, is: Table | undefined, isTooSmall: boolean): Loss['reason'] | undefined {
  if (!is) return 'removed';
  if (was.isActive && !is.isActive) return 'inactive';
  return isTooSmall ? 'too_small' : undefined;
}

interface Seating {
  tables: ReadonlyMap<number, Table>;
  /** The tables of each combination. */
  joined: number[][];
  /** What tables seat together: as their combination says, or one by one. */
  seatsAt(tableIds: readonly number[]): number;
}

interface Seatings {
  before: Seating;
  after: Seating;
}

function seatingOf(layout: Layout): Seating {
  const keyOf = (tableIds: readonly number[]) => tableIds.toSorted((a, b) => a - b).join();
  const tables = new Map(layout.tables.map((table) => [table.id, table]));
  const combined = new Map(
    layout.combinations.map(({ tableIds, maxCovers }) => [keyOf(tableIds), maxCovers]),
  );
  return {
    tables,
    joined: layout.combinations.map(({ tableIds }) => tableIds),
    seatsAt(tableIds) {
      const oneByOne = tableIds.reduce((sum, id) => sum + (tables.get(id)?.maxCovers ?? 0), 0);
      return Math.max(oneByOne, combined.get(keyOf(tableIds)) ?? 0);
    },
  };
}
