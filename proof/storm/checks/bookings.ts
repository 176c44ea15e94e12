/** Every wish for a booking: made once if anybody said so, and not at all if everybody said that it was not. */
import { MARKS_IN_A_PENNY } from '../actors/booker.ts';
import type { BookingRow, Evidence } from '../evidence.ts';
import { type Entry, isCut, isDone } from '../journal.ts';

export const CREATE = 'POST /venues/{compositeId}/booking';
const CHANGE_PRODUCT = 'PUT /manage/venues/{venueId}/products/{productKey}';

/** The wish that a row came from; undefined: an item of an order. */
export const markOf = ({ depositPence }: BookingRow) =>
  depositPence !== null && depositPence > 0 && depositPence < 1
    ? Math.round(depositPence * MARKS_IN_A_PENNY)
    : undefined;

export function checkBookings(evidence: Evidence): string[] {
  const rows = Map.groupBy(evidence.bookings, markOf);
  const creations = evidence.entries.filter(({ route }) => route === CREATE);
  const requested = Map.groupBy(
    creations.filter(({ mark }) => mark !== null),
    ({ mark }) => mark ?? 0,
  );
  return [
    ...checkNamed(evidence, creations),
    ...[...requested].flatMap(([mark, asked]) => checkWish(mark, asked, rows.get(mark) ?? [])),
    ...[...rows]
      .filter(([mark]) => mark !== undefined && !requested.has(mark))
      .map(([mark]) => `nobody has asked for booking ${mark}`),
    ...checkRepeats(evidence.entries),
    ...checkPartnerIds(evidence.bookings),
    ...checkClosedDays(evidence.entries),
  ];
}

/** Those that have no mark, because a deposit must not be declared, are known by the partner's id. */
function checkNamed({ bookings }: Evidence, creations: readonly Entry[]): string[] {
  const rows = Map.groupBy(bookings, ({ partnerBookingId }) => partnerBookingId);
  const named = Map.groupBy(
    creations.filter(({ mark, body }) => mark === null && nameIn(body) !== undefined),
    ({ body }) => nameIn(body) ?? '',
  );
  return [...named].flatMap(([name, asked]) => checkWish(name, asked, rows.get(name) ?? []));
}

const nameIn = (body: unknown) => (body as { partnerBookingId?: string } | null)?.partnerBookingId;

function checkWish(mark: number | string, asked: readonly Entry[], rows: readonly BookingRow[]): string[] {
  const name = `booking ${mark} of ${asked[0]?.actor}`;
  const ids = new Set(asked.filter(isDone).map(({ answer }) => answer.id as string));
  if (rows.length > 1 || ids.size > 1) return [`${name} is there twice`];
  const [row] = rows;
  const [id] = ids;
  if (id !== undefined) return row?.id === id ? [] : [`${name} was acknowledged as ${id} and is not there`];
  const isTold = asked.some(({ code }) => code === 'BOOK-N-002');
  if (isTold && !row) return [`${name} was said to exist already and is not there`];
  return row && !isTold && !mayExist(asked)
    ? [`${name} was refused (${asked.at(-1)?.code}) and is there`]
    : [];
}

/** An attempt that was cut off may have been carried out, unless the key has since been answered for good. */
function mayExist(asked: readonly Entry[]): boolean {
  const isRefusedForGood = asked.some(
    ({ key, status }) => key !== null && status !== null && status >= 400 && status < 500 && status !== 429,
  );
  return asked.some(isCut) && !isRefusedForGood;
}

/** Whoever asks again under the same key is told the same. */
function checkRepeats(entries: readonly Entry[]): string[] {
  const keyed = entries.filter((entry) => entry.key !== null && isDone(entry) && entry.route === CREATE);
  return [...Map.groupBy(keyed, ({ client, key }) => `${client} ${key}`)]
    .filter(([, told]) => new Set(told.map(({ answer }) => JSON.stringify(answer))).size > 1)
    .map(([key]) => `the answers under ${key} differ`);
}

function checkPartnerIds(bookings: readonly BookingRow[]): string[] {
  const named = bookings.filter(({ partnerBookingId }) => partnerBookingId !== null);
  return [...Map.groupBy(named, ({ partnerId, partnerBookingId }) => `${partnerId} ${partnerBookingId}`)]
    .filter(([, rows]) => rows.length > 1)
    .map(([id, rows]) => `partnerBookingId ${id} is there ${rows.length} times`);
}

/** From the moment that a day is known to be closed until somebody sets out to open it, nothing is sold on it. */
function checkClosedDays(entries: readonly Entry[]): string[] {
  const first = firstAttempts(entries);
  const changes = entries.filter(({ route, status }) => route === CHANGE_PRODUCT && (status ?? 0) < 400);
  return changes.filter(isDone).flatMap((closing) => {
    const venue = venueIn(closing.path);
    const until = Math.min(
      ...changes
        .filter((each) => venueIn(each.path) === venue && each.sent > closing.told)
        .map(({ sent }) => sent),
    );
    const days = closedBy(closing.body);
    return entries
      .filter(
        (each) =>
          each.route === CREATE &&
          each.mark !== null &&
          isDone(each) &&
          (each.body as { type: string }).type === 'book' &&
          venueIn(each.path) === venue &&
          days.includes((each.body as { date: string }).date) &&
          (first.get(each.mark ?? 0) ?? 0) > closing.told &&
          each.told < until,
      )
      .map(({ mark, actor }) => `booking ${mark} of ${actor} was taken on a day that was closed`);
  });
}

export function firstAttempts(entries: readonly Entry[]): Map<number, number> {
  const first = new Map<number, number>();
  for (const { route, mark, sent } of entries)
    if (route === CREATE && mark !== null) first.set(mark, Math.min(sent, first.get(mark) ?? sent));
  return first;
}

/** The three segments of a venue, whether or not a product follows. */
export const venueIn = (path: string) =>
  decodeURIComponent(/^\/(?:manage\/)?venues\/([^/]+)/.exec(path)?.[1] ?? '')
    .split('|')
    .slice(0, 3)
    .join('|');

interface ProductBody {
  hours: { exceptions?: { date: string; periods: unknown[] }[] };
}

const closedBy = (body: unknown) =>
  ((body as ProductBody).hours.exceptions ?? [])
    .filter(({ periods }) => periods.length === 0)
    .map(({ date }) => date);
