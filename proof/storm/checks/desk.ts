/** What the desk was told: its bookings are there once and as they were last said to be, and closures are complete. */
import type { BookingRow, Evidence } from '../evidence.ts';
import { type Entry, isCut, isDone } from '../journal.ts';
import type { State } from './histories.ts';

const CREATE = 'POST /manage/venues/{venueId}/bookings';
const TAKE = 'POST /manage/venues/{venueId}/waitlist/{entryId}/book';

export function checkDesk(evidence: Evidence): string[] {
  const { bookings, closures } = evidence;
  const byId = new Map(bookings.map((row) => [row.id, row]));
  return [
    ...checkMade(evidence, byId),
    ...checkStates(evidence, byId),
    ...closures
      .filter(({ state, open }) => state !== 'done' || open > 0)
      .map(({ id, state, open }) => `closure ${id} is ${state} with ${open} bookings to cancel`),
  ];
}

/** Every booking of the house was acknowledged, or somebody was cut off while asking for it. */
function checkMade({ entries, bookings }: Evidence, byId: ReadonlyMap<string, BookingRow>): string[] {
  const asked = entries.filter(({ route }) => route === CREATE || route === TAKE);
  const done = asked.filter(isDone);
  const told = new Set(done.map(({ answer }) => answer.bookingId ?? answer.id));
  const cut = Map.groupBy(asked.filter(isCut), ({ client }) => client);
  const repeats = Map.groupBy(
    done.filter(({ key }) => key !== null),
    ({ client, key }) => `${client} ${key}`,
  );
  const unasked = bookings.filter(({ id, partnerId }) => partnerId === null && !told.has(id));
  return [
    ...done
      .filter(({ route, answer }) => route === CREATE && !byId.has(answer.id))
      .map(({ actor, answer }) => `booking ${answer.id} of ${actor} was acknowledged and is not there`),
    ...[...repeats]
      .filter(([, same]) => new Set(same.map(({ answer }) => answer.id)).size > 1)
      .map(([key]) => `the house has booked twice under ${key}`),
    ...[...Map.groupBy(unasked, ({ clientId }) => clientId)]
      .filter(([client, rows]) => rows.length > (cut.get(client)?.length ?? 0))
      .map(
        ([client, rows]) => `${rows.length} bookings of the house by ${client} were acknowledged to nobody`,
      ),
  ];
}

const isState = (answer: unknown): answer is State =>
  typeof answer === 'object' && answer !== null && 'lastUpdate' in answer && 'partySize' in answer;

/** Nothing that was acknowledged is newer than what is stored, and what is just as new is the same. */
function checkStates({ entries }: Evidence, byId: ReadonlyMap<string, BookingRow>): string[] {
  return entries.filter(isTold).flatMap(({ route, actor, answer }) =>
    [answer, ...(answer.data ?? [])].filter(isState).flatMap((state) => {
      const row = byId.get(state.id);
      const name = `${route} of ${actor} for booking ${state.id}`;
      if (!row) return [`${name} was answered, and the booking is not there`];
      const toldMs = Temporal.Instant.from(state.lastUpdate).epochMilliseconds;
      if (toldMs > row.lastUpdateMs) return [`${name} is not stored: ${state.lastUpdate}`];
      const isSame =
        row.status === state.status &&
        (['date', 'time', 'partySize'] as const).every((field) => row[field] === state[field]);
      return toldMs < row.lastUpdateMs || isSame ? [] : [`${name} was told as ${JSON.stringify(state)}`];
    }),
  );
}

/** Of a change, not of an attempt. */
const isTold = (entry: Entry) =>
  isDone(entry) &&
  !entry.route.startsWith('GET ') &&
  !entry.path.includes('dryRun=true') &&
  typeof entry.answer === 'object' &&
  entry.answer !== null;
