/**
 * Tells the screens of this node what changes in the diaries they show. Each venue is read once per change, however
 * many screens watch it. Reads of one venue follow each other, so that no screen is told of an older state after a
 * newer one.
 */

import type { Sql } from '../../db/database.ts';
import type { Notifications } from '../../db/notifications.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { Log } from '../../kernel/log.ts';
import { outsideRequest } from '../../kernel/request-scope.ts';
import type { Bookings } from '../bookings/service.ts';
import { bookingIdsIn, eventsOf, hasBlockOrClosure, RESET, textOf } from './messages.ts';
import { type Position, parsePosition, positionText } from './position.ts';
import { type Frame, readFrame, readThings, type Things } from './read.ts';
import { type ChangesRead, compareWithNow, readChanges, type Since, watchVenues } from './store.ts';

/** A screen that shows the diary of one day. */
export interface Screen {
  date: string;
  /** Where it goes on; undefined: from now on. */
  lastEventId: string | undefined;
  /** Must not throw. */
  send(text: string): void;
}

export interface HubDeps {
  sql: Sql;
  notifications: Notifications;
  bookings: Pick<Bookings, 'listRecords'>;
  log: Pick<Log, 'warn'>;
  /** Hears that the changes of a venue were read. */
  onRead: () => void;
  /** Hears how many events were sent to a screen. */
  onDelivered: (events: number) => void;
}

export interface Hub {
  join(venueId: VenueId, screen: Screen): void;
  leave(venueId: VenueId, screen: Screen): void;
  /** Sends a comment to every screen, with the position up to which it has been told everything. */
  beat(): void;
  close(): void;
}

const TOPIC = 'diary:';
const WATCHED_SECONDS = 180;
const RENEW_MS = 60_000;
/** Finds what no notification told of, such as a change that was under way when the first screen joined. */
const COMPARE_MS = 2000;
const RETRY_MS = 1000;

interface Venue {
  id: VenueId;
  /** Undefined until the first read. */
  position: Position | undefined;
  screens: Set<Screen>;
  joining: Set<Screen>;
  /** As of the position. */
  frame: Frame | undefined;
  isWatched: boolean;
  isReading: boolean;
  /** Something has happened since the current read began. */
  isStale: boolean;
}

export function createHub(deps: HubDeps): Hub {
  const { sql, notifications } = deps;
  const venues = new Map<VenueId, Venue>();
  let isClosed = false;

  function wake(venue: Venue): void {
    venue.isStale = true;
    if (!venue.isReading) void outsideRequest(() => readWhileStale(venue));
  }

  async function readWhileStale(venue: Venue): Promise<void> {
    venue.isReading = true;
    try {
      while (venue.isStale && !isClosed && venues.get(venue.id) === venue) {
        venue.isStale = false;
        await readRound(deps, venue);
      }
    } catch (error) {
      deps.log.warn({ err: error, venueId: venue.id }, 'The changes of a diary cannot be read.');
      setTimeout(() => wake(venue), RETRY_MS).unref();
    } finally {
      venue.isReading = false;
    }
  }

  async function renew(): Promise<void> {
    const ids = [...venues.keys()];
    if (ids.length > 0) await watchVenues(sql, ids, WATCHED_SECONDS);
  }

  async function compare(): Promise<void> {
    const read = [...venues.values()].flatMap((venue) =>
      venue.position ? [{ venue, venueId: venue.id, position: venue.position }] : [],
    );
    if (read.length === 0) return;
    const answers = await compareWithNow(sql, read);
    for (const [index, { venue, position }] of read.entries())
      if (!answers[index]?.isCurrent && venue.position === position) wake(venue);
  }

  /** A database that is away makes itself known elsewhere. */
  const every = (ms: number, work: () => Promise<void>) =>
    setInterval(() => void outsideRequest(work).catch(() => {}), ms).unref();
  const timers = [every(RENEW_MS, renew), every(COMPARE_MS, compare)];
  const wakeAll = () => {
    for (const venue of venues.values()) wake(venue);
  };
  const unsubscribe = notifications.subscribe({
    changed(topic) {
      if (!topic.startsWith(TOPIC)) return;
      const venue = venues.get(topic.slice(TOPIC.length) as VenueId);
      if (venue) wake(venue);
    },
    lost: wakeAll,
  });

  return {
    join(venueId, screen) {
      const venue = venues.getOrInsertComputed(venueId, newVenue);
      venue.joining.add(screen);
      wake(venue);
    },

    leave(venueId, screen) {
      const venue = venues.get(venueId);
      venue?.joining.delete(screen);
      venue?.screens.delete(screen);
      if (venue && venue.screens.size + venue.joining.size === 0) venues.delete(venueId);
    },

    beat() {
      for (const { screens, position } of venues.values()) {
        const text = `: heartbeat\n${position ? `id: ${positionText(position)}\n` : ''}\n`;
        for (const screen of screens) screen.send(text);
      }
    },

    close() {
      isClosed = true;
      unsubscribe();
      for (const timer of timers) clearInterval(timer);
      venues.clear();
    },
  };
}

const newVenue = (id: VenueId): Venue => ({
  id,
  position: undefined,
  frame: undefined,
  screens: new Set(),
  joining: new Set(),
  isWatched: false,
  isReading: false,
  isStale: false,
});

/** One read for the screens that are there and for those that join, whichever position they come from. */
async function readRound(deps: HubDeps, venue: Venue): Promise<void> {
  const { sql } = deps;
  if (!venue.isWatched) {
    // Before the first read: what commits after it must be notified.
    await watchVenues(sql, [venue.id], WATCHED_SECONDS);
    venue.isWatched = true;
  }
  const joining = [...venue.joining];
  const own = venue.position && positionText(venue.position);
  const given = joining.flatMap(({ lastEventId }) => lastEventId ?? []);
  const positions = new Map(
    [...new Set([...(own === undefined ? [] : [own]), ...given])].flatMap((text) => {
      const position = parsePosition(text);
      return position ? [[text, position] as const] : [];
    }),
  );
  const read = await readChanges(sql, venue.id, [...positions.values()]);
  deps.onRead();
  const since = new Map([...positions.keys()].map((text, index) => [text, read.since[index] ?? UNKNOWN]));
  const ownSince = own === undefined ? undefined : (since.get(own) ?? UNKNOWN);
  if (ownSince && isAboutVenue(ownSince)) venue.frame = undefined;
  const things = await findThings(deps, venue, read, joining);
  // From here on nothing is waited for: no screen comes or goes in between.
  const after = positionText(read.now);
  const tell = senderOf(deps, things, after);
  if (own !== undefined && ownSince) tell(venue.screens, ownSince, own);
  for (const screen of joining) {
    if (!venue.joining.delete(screen)) continue;
    venue.screens.add(screen);
    const { lastEventId } = screen;
    screen.send(`id: ${lastEventId !== undefined && since.has(lastEventId) ? lastEventId : after}\n\n`);
    if (lastEventId !== undefined) tell([screen], since.get(lastEventId) ?? UNKNOWN, lastEventId);
  }
  venue.position = read.now;
}

const UNKNOWN: Since = { isKnown: false, changes: [] };

const isAboutVenue = ({ isKnown, changes }: Since) =>
  !isKnown || changes.some(({ kind }) => kind === 'venue');

/** What the changes are about, where a screen of this node may show it. */
async function findThings(
  { sql, bookings }: HubDeps,
  venue: Venue,
  { since }: ChangesRead,
  joining: readonly Screen[],
): Promise<Things | undefined> {
  const bookingIds = bookingIdsIn(since);
  const hasOthers = hasBlockOrClosure(since);
  if (bookingIds.length === 0 && !hasOthers) return undefined;
  const dates = hasOthers ? new Set([...venue.screens, ...joining].map(({ date }) => date)) : [];
  venue.frame ??= await readFrame(sql, venue.id);
  return venue.frame && readThings(sql, bookings, venue.frame, { bookingIds, dates: [...dates] });
}

/** Writes the text for each day once. */
function senderOf({ onDelivered }: HubDeps, things: Things | undefined, after: string) {
  return (screens: Iterable<Screen>, since: Since, before: string) => {
    if (since.isKnown && since.changes.length === 0) return;
    const texts = new Map<string, { text: string; count: number }>();
    for (const screen of screens) {
      const { text, count } = texts.getOrInsertComputed(screen.date, (date) => {
        const events = since.isKnown ? eventsOf(since, things, date) : [RESET];
        return { text: textOf(events, before, after), count: events.length };
      });
      if (count === 0) continue;
      screen.send(text);
      onDelivered(count);
    }
  };
}
