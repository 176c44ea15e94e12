/** The history of every booking, as the log tells it: whole, in order, and nothing in it that nobody asked for. */
import { CLOSURES } from '../actors/closer.ts';
import type { BookingRow, Evidence } from '../evidence.ts';
import { type Entry, isCut, isDone, isWrite } from '../journal.ts';
import { CREATE, markOf, venueIn } from './bookings.ts';

/** What the log and answers both say of a booking. */
export interface State {
  id: string;
  status: string;
  date: string;
  time: string;
  partySize: number;
  lastUpdate: string;
}

const DELETE = 'DELETE /venues/bookings/{bookingId}';
const PAY = 'POST /venues/bookings/{bookingId}/payments';

/** A payment is told of when it begins, when it ends and when money has gone back, and a message in a way of its own. */
const eventsOf = (route: string, isPaid: boolean) => {
  if (route === PAY) return 3;
  if (route.endsWith('/messages')) return 0;
  return isPaid ? 2 : 1;
};

export function checkHistories(evidence: Evidence): string[] {
  const histories = historiesOf(evidence);
  const writes = Map.groupBy(evidence.entries.filter(isWrite), bookingIn);
  const creations = Map.groupBy(
    evidence.entries.filter(({ route }) => route === CREATE),
    ({ mark }) => mark,
  );
  // Bookings of the house are in no partner's log.
  return evidence.bookings.flatMap((row) => {
    if (row.partnerId === null) return [];
    const mark = markOf(row);
    const created = mark === undefined ? [] : (creations.get(mark) ?? []);
    const entries = [...created, ...(writes.get(row.id) ?? [])];
    const history = histories.get(row.id) ?? [];
    const isBounded = mark !== undefined && !evidence.remote.has(row.productId);
    const others = evidence.entries.filter(
      (entry) => isSwapWith(entry, row.id) || (isClosing(entry) && venueIn(entry.path) === row.venueId),
    );
    return [
      ...checkHistory(row, history),
      ...checkTold(row, history, entries),
      ...(isBounded ? checkLength(row, history.length, [...entries, ...others]) : []),
    ];
  });
}

function historiesOf({ logs }: Evidence): Map<string, State[]> {
  const states = [...logs.values()]
    .flat()
    .filter(({ eventType }) => eventType === 'booking.updated')
    .flatMap(({ body }) => (body?.bookings ?? []) as State[]);
  return Map.groupBy(states, ({ id }) => id);
}

/** What changes a booking without having it in its path. */
const isSwapWith = ({ route, body }: Entry, id: string) =>
  route.endsWith('/swap') && (body as { bookingId?: string } | null)?.bookingId === id;
const isClosing = ({ route }: Entry) => route === `POST ${CLOSURES}`;

const bookingIn = ({ path }: Entry) => /\/bookings\/([0-9a-f-]{36})/.exec(path)?.[1] ?? '';
const msOf = (instant: string) => Temporal.Instant.from(instant).epochMilliseconds;

function checkHistory(row: BookingRow, history: readonly State[]): string[] {
  const last = history.at(-1);
  if (!last) return [`booking ${row.id} is not in the log`];
  const times = history.map(({ lastUpdate }) => msOf(lastUpdate));
  const isAscending = times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0));
  return [
    ...(isAscending ? [] : [`lastUpdate of booking ${row.id} does not ascend in the log`]),
    ...(isSame(last, row) && msOf(last.lastUpdate) === row.lastUpdateMs
      ? []
      : [`booking ${row.id} is ${JSON.stringify(row)}, and the log ends with ${JSON.stringify(last)}`]),
  ];
}

type Comparable = Pick<State, 'status' | 'date' | 'time' | 'partySize'>;

/** Notifications know fewer states than bookings have. */
const SAID_OF: Record<string, string> = { in_progress: 'pending', rejected: 'cancelled' };

const isSame = (logged: Comparable, told: Comparable) =>
  logged.status === (SAID_OF[told.status] ?? told.status) &&
  (['date', 'time', 'partySize'] as const).every((field) => logged[field] === told[field]);

/** What was acknowledged has happened, as it was told. */
function checkTold(row: BookingRow, history: readonly State[], entries: readonly Entry[]): string[] {
  return entries.filter(isDone).flatMap(({ route, path, answer, actor }) => {
    const name = `${route} of ${actor} for booking ${row.id}`;
    if (route === DELETE)
      return row.status === 'cancelled' ? [] : [`${name} was acknowledged: ${row.status}`];
    if (!isState(answer) || path.includes('dryRun=true')) return [];
    const state = history.find(({ lastUpdate }) => msOf(lastUpdate) === msOf(answer.lastUpdate));
    return state && isSame(state, answer) ? [] : [`${name} was acknowledged, and the log does not have it`];
  });
}

const isState = (answer: unknown): answer is State =>
  typeof answer === 'object' && answer !== null && 'lastUpdate' in answer && 'partySize' in answer;

/** No more has happened than was asked for, with what was cut off counted in. */
function checkLength({ id }: BookingRow, length: number, entries: readonly Entry[]): string[] {
  const changes = entries.filter(
    (entry) =>
      entry.route !== CREATE && !entry.path.includes('dryRun=true') && (isDone(entry) || isCut(entry)),
  );
  const isPaid = changes.some(({ route }) => route === PAY);
  const most = changes.reduce((sum, { route }) => sum + eventsOf(route, isPaid), 1);
  return length > most ? [`booking ${id} has ${length} events, and only ${most} were asked for`] : [];
}
