/** Reads a diary, or the things in it that have changed. */
import type { Sql, Tx } from '../../db/database.ts';
import type { Caller } from '../../http/auth/caller.ts';
import { partsOfVenueId, type VenueId } from '../../kernel/ids.ts';
import { problem } from '../../kernel/problem.ts';
import { addDays } from '../../kernel/zone-time.ts';
import type { ListedBlock } from '../../tms/desk.ts';
import { systemOf } from '../../tms/systems.ts';
import { type BookingRecord, type Bookings, listPartnerNames, partnerView } from '../bookings/service.ts';
import { dayRange, quartersOf, type Range, shownRange, startLimits, touches } from './day.ts';
import type { Position } from './position.ts';
import type { Diary } from './schema.ts';
import { type Closure, type DiaryVenue, findVenue, getPosition, listClosures } from './store.ts';
import {
  areasOf,
  blockView,
  bookingEntry,
  closureView,
  isClosedOn,
  isEnquiry,
  isShown,
  type Surroundings,
  sittingOf,
} from './view.ts';

export type DiaryContent = Omit<Diary, 'position'>;

export interface DiaryRead {
  position: Position;
  content: DiaryContent;
}

/** The diary is read as the operator, on behalf of all its readers. */
const operatorOf = (venueId: VenueId): Caller => ({
  kind: 'operator',
  clientId: 'diary',
  operatorId: partsOfVenueId(venueId).operatorId,
  scopes: new Set(),
});

/** Wide enough for the day in every zone, so that the zone of the venue can be read in the same moment. */
function wideRange(date: string): Range {
  const midnight = (day: string) => Temporal.Instant.from(`${day}T00:00Z`);
  return { from: midnight(addDays(date, -1)), to: midnight(addDays(date, 3)) };
}

const listBlocks = async (tx: Tx, venueId: VenueId, range: Range): Promise<ListedBlock[]> =>
  systemOf(venueId)?.desk?.listBlocks(tx, venueId, range) ?? [];

const listSeats = async (tx: Tx, venueId: VenueId, ids: readonly string[]): Promise<Surroundings['seats']> =>
  (ids.length > 0 ? systemOf(venueId)?.desk?.listSeats(tx, ids) : undefined) ?? new Map();

const partnerIdsOf = (bookings: readonly BookingRecord[]): number[] => [
  ...new Set(bookings.flatMap(({ partnerId }) => partnerId ?? [])),
];

/** In a transaction with one snapshot; statements that do not depend on each other are sent together. */
export async function readDiary(
  tx: Tx,
  bookings: Pick<Bookings, 'listDay'>,
  venueId: VenueId,
  date: string,
): Promise<DiaryRead> {
  const range = wideRange(date);
  const [position, venue, layout, records, blocks, closures, paces] = await Promise.all([
    getPosition(tx),
    findVenue(tx, venueId),
    systemOf(venueId)?.layout?.load(tx, venueId),
    bookings.listDay(tx, operatorOf(venueId), venueId, date),
    listBlocks(tx, venueId, range),
    listClosures(tx, venueId, range),
    systemOf(venueId)?.desk?.listPaces(tx, venueId, date),
  ]);
  if (!venue) throw problem('VENUE-N-001', { detail: `There is no venue ${venueId}.` });
  const shown = records.filter(isShown);
  const [seats, partnerNames] = await Promise.all([
    listSeats(
      tx,
      venueId,
      shown.map(({ id }) => id),
    ),
    listPartnerNames(tx, partnerIdsOf(shown)),
  ]);
  const surroundings = { venue, layout, seats, partnerNames };
  const entryOf = (booking: BookingRecord) => bookingEntry(booking, surroundings);
  const zone = venue.timeZone;
  const sittings = shown.flatMap((booking) => sittingOf(booking, seats) ?? []);
  const content = {
    venueId,
    date,
    timeZone: zone,
    range: shownRange(zone, date, sittings),
    areas: areasOf(layout),
    bookings: shown.filter((booking) => !isEnquiry(booking)).map(entryOf),
    enquiries: shown.filter(isEnquiry).map(entryOf),
    blocks: blocksOn(blocks, zone, date),
    closures: closuresOn(closures, zone, date),
    quarters: quartersOf(zone, sittings, startLimits(zone, date, paces ?? [])),
  };
  return { position, content };
}

function blocksOn(blocks: readonly ListedBlock[], zone: string, date: string): Diary['blocks'] {
  const range = dayRange(zone, date);
  return blocks.filter((block) => touches(block, range)).map((block) => blockView(block, zone));
}

const closuresOn = (closures: readonly Closure[], zone: string, date: string): Diary['closures'] =>
  closures.filter((closure) => isClosedOn(closure, zone, date)).map(closureView);

/** What is the same for all things of a venue, until the venue itself changes. */
export interface Frame {
  venue: DiaryVenue;
  layout: Surroundings['layout'];
  partnerNames: Map<number, string>;
}

/** Undefined: the venue is gone. */
export async function readFrame(tx: Tx, venueId: VenueId): Promise<Frame | undefined> {
  const [venue, layout] = await Promise.all([
    findVenue(tx, venueId),
    systemOf(venueId)?.layout?.load(tx, venueId),
  ]);
  return venue && { venue, layout, partnerNames: new Map() };
}

/** Whose booking it is, and what has become of it. */
export interface Owner {
  /** Null: the house took it itself. */
  partnerName: string | null;
  status: BookingRecord['status'];
}

/** What stands in the diaries of a venue now, of the things that were asked for. */
export interface Things {
  timeZone: string;
  /** Bookings that a diary shows, by id. */
  bookings: ReadonlyMap<string, ReturnType<typeof bookingEntry>>;
  /** Of all that were asked for, also of those that no diary shows. */
  owners: ReadonlyMap<string, Owner>;
  /** By date. */
  blocks: ReadonlyMap<string, Diary['blocks']>;
  closures: ReadonlyMap<string, Diary['closures']>;
}

export interface Wanted {
  bookingIds: readonly string[];
  /** Days whose blocks and closures are wanted. */
  dates: readonly string[];
}

/**
 * Statements on their own, sent together: a change that falls between two of them is in the log, and read with the next
 * round.
 */
export async function readThings(
  sql: Sql,
  bookings: Pick<Bookings, 'listRecords'>,
  { venue, layout, partnerNames }: Frame,
  { bookingIds, dates }: Wanted,
): Promise<Things> {
  const { id: venueId, timeZone: zone } = venue;
  const [records, seats, blocks, closures] = await Promise.all([
    bookingIds.length > 0 ? bookings.listRecords(sql, operatorOf(venueId), bookingIds) : [],
    listSeats(sql, venueId, bookingIds),
    Promise.all(dates.map((date) => listBlocks(sql, venueId, wideRange(date)))),
    Promise.all(dates.map((date) => listClosures(sql, venueId, wideRange(date)))),
  ]);
  const shown = records.filter(isShown);
  const unnamed = partnerIdsOf(records).filter((id) => !partnerNames.has(id));
  if (unnamed.length > 0)
    for (const [id, name] of await listPartnerNames(sql, unnamed)) partnerNames.set(id, name);
  const surroundings = { venue, layout, seats, partnerNames };
  return {
    timeZone: zone,
    bookings: new Map(shown.map((booking) => [booking.id, bookingEntry(booking, surroundings)])),
    owners: new Map(records.map((booking) => [booking.id, ownerOf(booking, partnerNames)])),
    blocks: new Map(dates.map((date, index) => [date, blocksOn(blocks[index] ?? [], zone, date)])),
    closures: new Map(dates.map((date, index) => [date, closuresOn(closures[index] ?? [], zone, date)])),
  };
}

const ownerOf = (booking: BookingRecord, partnerNames: ReadonlyMap<number, string>): Owner => ({
  partnerName: partnerView(booking, partnerNames)?.name ?? null,
  status: booking.status,
});
