/**
 * What was done beyond a mandate, found without the code that enforces mandates: in the rows as they are while agents
 * call, and afterwards in every state that a row has had.
 */
import type { Sql } from '../../src/db/database.ts';
import type { Told } from './agent.ts';
import type { AgentClient, Mandate } from './world.ts';

interface Venue {
  id: string;
  city: string;
  timeZone: string;
}

/** A booking, a hold, a reservation or a party that waits, at one moment. */
interface Stay {
  id: string;
  client: string;
  venueId: string;
  guests: number;
  date: string;
  depositPence: number;
  isOpen: boolean;
  /** A system over the network is still being asked, and may refuse. */
  isPlacing?: boolean;
  /** By the clock it is over then. */
  openUntilMs: number;
  /** Tells it from another stay of the same booking. */
  mark: string;
}

interface Change {
  kind: string;
  // biome-ignore lint/suspicious/noExplicitAny: rows of several tables.
  row: any;
  isGone: boolean;
  atMs: number;
}

/** The clients, with the mandates that were given to them, and the database that has what they did. */
export interface Judged {
  app: { sql: Sql };
  clients: readonly AgentClient[];
}

const OPEN_STATUSES = ['pending', 'in_progress', 'confirmed'];
const FOREVER = Number.POSITIVE_INFINITY;
const at = (text: string) => Temporal.Instant.from(text).epochMilliseconds;

/** By table. */
const READERS: Record<string, (row: Change['row']) => Stay> = {
  booking: (row) => ({
    ...placed(row),
    depositPence: Math.max(Number(row.deposit_pence ?? 0), Number(row.deposit_due_pence ?? 0)),
    isOpen: OPEN_STATUSES.includes(row.status),
    openUntilMs: at(row.starts_at),
  }),
  hold: (row) => ({
    ...placed(row),
    depositPence: 0,
    isOpen: row.state === 'placing' || row.state === 'open',
    isPlacing: row.state === 'placing',
    openUntilMs: at(row.expires_at),
  }),
  waitlist_entry: (row) => ({
    ...{ id: row.id, client: row.client_id, venueId: row.venue_id, guests: row.adults + row.children },
    ...{ date: row.trading_day, depositPence: 0, openUntilMs: at(row.ends_at) },
    isOpen: row.status === 'waiting' || row.status === 'offered',
    mark: `${row.trading_day} for ${row.adults + row.children} at ${row.product_id}`,
  }),
  octo_booking(row) {
    const start = Temporal.Instant.from(row.starts_at).toZonedDateTimeISO(row.time_zone);
    const [date, guests] = [start.toPlainDate().toString(), row.units.length];
    return {
      ...{ id: row.id, client: row.client_id, venueId: venueOf(row.product_id), guests, date },
      ...{ depositPence: 0, isOpen: row.state === 'held', openUntilMs: at(row.expires_at) },
      mark: `${date} ${start.hour * 60 + start.minute} for ${guests} at ${row.product_id}`,
    };
  },
};

/** What counts as an open booking. A party on a waiting list has no place yet, and needs no confirmation. */
const COUNTED = ['booking', 'hold', 'octo_booking'];

const placed = (row: Change['row']) => ({
  ...{ id: row.id, client: row.client_id, venueId: row.venue_id, guests: row.adults + row.children },
  date: row.trading_day,
  mark: `${row.trading_day} ${row.starts_minute} for ${row.adults + row.children} at ${row.product_id}`,
});

const venueOf = (productId: string) => productId.split('|').slice(0, 3).join('|');

/** The limits that a stay is beyond, as they are named in the mandate. */
function limitsBeyond(mandate: Mandate, stay: Stay, venue: Venue | undefined, atMs: number): string[] {
  const { maxPartySize, maxDaysAhead, maxDepositPence, venueIds, cities } = mandate;
  const today = Temporal.Instant.fromEpochMilliseconds(atMs)
    .toZonedDateTimeISO(venue?.timeZone ?? 'UTC')
    .toPlainDate();
  const daysAhead = today.until(stay.date).days;
  const beyond: [string, boolean][] = [
    ['maxPartySize', maxPartySize !== undefined && stay.guests > maxPartySize],
    ['maxDaysAhead', maxDaysAhead !== undefined && daysAhead > maxDaysAhead],
    ['maxDepositPence', maxDepositPence !== undefined && stay.depositPence > maxDepositPence],
    ['venueIds', venueIds !== undefined && !venueIds.includes(stay.venueId)],
    ['cities', cities !== undefined && !cities.includes(venue?.city ?? '')],
  ];
  return beyond.filter(([, isBeyond]) => isBeyond).map(([limit]) => limit);
}

function hasToBeConfirmed({ confirmAbove }: Mandate, { guests, depositPence }: Stay): boolean {
  const { partySize = FOREVER, depositPence: most = FOREVER } = confirmAbove ?? {};
  return guests > partySize || depositPence > most;
}

/** What is wrong at this moment, for all to see. */
export async function breachesNow({ app: { sql }, clients }: Judged): Promise<string[]> {
  const rows = await sql<{ client: string; open: number }[]>`
    select client_id as client, count(*)::integer as open from (
      select client_id, id from booking where status = any(${OPEN_STATUSES}) and starts_at > now()
      union
      select client_id, id from hold where state in ('placing', 'open') and expires_at > now()
    ) as taken group by client_id`;
  return rows.flatMap(({ client, open }) => {
    const most = clients.find(({ name }) => name === client)?.mandate?.maxOpenBookings ?? FOREVER;
    return open > most ? [`${client} is seen with more than ${most} open bookings at once`] : [];
  });
}

interface Findings {
  contradictions: string[];
  rows: Record<string, number>;
}

export async function contradictionsOf(world: Judged, told: readonly Told[]): Promise<Findings> {
  const { contradictions, rows } = await breachesOf(world, told);
  return { contradictions: [...failuresIn(told), ...contradictions], rows };
}

/** What was done beyond a mandate, in all that rows have been. */
export async function breachesOf(world: Judged, told: readonly Told[]): Promise<Findings> {
  const changes = await readChanges(world);
  const stays = await readStays(world, changes);
  const contradictions = [
    ...beyondLimits(world.clients, stays, changedBy(told)),
    ...tooManyOpen(world.clients, changes),
    ...tooManyMade(world.clients, changes),
    ...tooMuchPaid(world.clients, changes),
    ...(await unconfirmed(world, { told, stays, changes })),
  ];
  const rows: Record<string, number> = {};
  for (const { kind } of changes) rows[kind] = (rows[kind] ?? 0) + 1;
  return { contradictions: [...new Set(contradictions)], rows };
}

function failuresIn(told: readonly Told[]): string[] {
  const isFailure = ({ status, code }: Told) =>
    status === null || status >= 500 || code === 'HTTP-R-500' || String(code) === '-32603';
  return told
    .filter(isFailure)
    .map(
      ({ client, call, status, code, text, sent }) =>
        `${client}: ${call} was answered ${status} ${code}: ${text} (${sent})`,
    );
}

async function readChanges({ app: { sql } }: Judged): Promise<Change[]> {
  return sql<Change[]>`
    select kind, row, is_gone as "isGone", trunc(extract(epoch from at) * 1000)::float8 as "atMs"
    from kept_change order by number`;
}

interface KeptStay {
  kind: string;
  stay: Stay;
  venue: Venue | undefined;
  atMs: number;
}

/** Every state in which a place was taken. */
async function readStays({ app: { sql } }: Judged, changes: readonly Change[]): Promise<KeptStay[]> {
  const rows = await sql<Venue[]>`select id, city, time_zone as "timeZone" from venue`;
  const venues = new Map(rows.map((venue) => [venue.id, venue]));
  return changes.flatMap(({ kind, row, isGone, atMs }) => {
    const stay = isGone ? undefined : READERS[kind]?.(row);
    return stay?.isOpen ? [{ kind, stay, venue: venues.get(stay.venueId), atMs }] : [];
  });
}

/** Who has made or changed each booking: another client of the same partner may change it too. */
function changedBy(told: readonly Told[]): Map<string, Set<string>> {
  const known = new Map<string, Set<string>>();
  for (const { isMaking, ids, client } of told)
    if (isMaking) for (const id of ids) known.getOrInsertComputed(id, () => new Set<string>()).add(client);
  return known;
}

type Clients = readonly AgentClient[];
const mandateOf = (clients: Clients, name: string) => clients.find((each) => each.name === name)?.mandate;

/** A stay is within the mandate of its client, or of another one that has changed it. */
function beyondLimits(
  clients: Clients,
  stays: readonly KeptStay[],
  changed: Map<string, Set<string>>,
): string[] {
  return stays.flatMap(({ kind, stay, venue, atMs }) => {
    const found = [stay.client, ...(changed.get(stay.id) ?? [])].map((name) => {
      const mandate = mandateOf(clients, name);
      return mandate ? limitsBeyond(mandate, stay, venue, atMs) : [];
    });
    const [beyond = []] = found;
    if (found.some((limits) => limits.length === 0)) return [];
    return beyond.map((limit) => `${kind} ${stay.id} of ${stay.client} is beyond ${limit}: ${stay.mark}`);
  });
}

/** What a change leaves open under an id, until when; undefined: nothing. */
function openedBy(change: Change): { id: string; client: string; untilMs: number } | undefined {
  const { kind, row, isGone } = change;
  if (isGone) return undefined;
  const stay = READERS[kind]?.(row);
  return stay?.isOpen ? { id: stay.id, client: stay.client, untilMs: stay.openUntilMs } : undefined;
}

/** Goes through all changes in their order, and counts after each what its client has open. */
function tooManyOpen(clients: Clients, changes: readonly Change[]): string[] {
  const open = new Map<string, { id: string; client: string; untilMs: number }>();
  const booked = new Set<string>();
  /** The first time of each client. */
  const found = new Map<string, string>();
  for (const change of changes) {
    if (change.kind === 'booking') booked.add(change.row.id);
    if (!COUNTED.includes(change.kind)) continue;
    const key = `${change.kind} ${change.row.id}`;
    const opened = openedBy(change);
    // A reservation that was confirmed is a booking, and ends with it.
    if (change.kind === 'booking') open.delete(`octo_booking ${change.row.id}`);
    if (change.kind === 'octo_booking' && booked.has(change.row.id)) continue;
    if (!opened) {
      open.delete(key);
      continue;
    }
    open.set(key, opened);
    const most = mandateOf(clients, opened.client)?.maxOpenBookings;
    if (most === undefined) continue;
    const own = [...open].filter(([, each]) => each.client === opened.client && each.untilMs > change.atMs);
    const count = new Set(own.map(([, { id }]) => id)).size;
    if (count > most && !found.has(opened.client))
      found.set(
        opened.client,
        `${opened.client} had more than ${most} open bookings with ${key}: ${own.map(([name]) => name).join(', ')}`,
      );
  }
  return [...found.values()];
}

/** The whole run is within one day. */
function tooManyMade(clients: Clients, changes: readonly Change[]): string[] {
  return clients.flatMap(({ name, mandate }) => {
    const most = mandate?.maxBookingsPerDay ?? FOREVER;
    const own = changes.filter(({ kind, row }) => kind === 'booking' && row.client_id === name);
    const made = new Set(own.map(({ row }) => row.id)).size;
    return made > most ? [`${name} has made ${made} bookings in a day, and may make ${most}`] : [];
  });
}

function tooMuchPaid(clients: Clients, changes: readonly Change[]): string[] {
  return changes
    .filter(({ kind }) => kind === 'payment')
    .flatMap(({ row }) => {
      const most = mandateOf(clients, row.client_id)?.maxDepositPence ?? FOREVER;
      const amount = Number(row.amount_pence);
      return amount > most ? [`${row.client_id} has paid ${amount}, and may pay ${most}`] : [];
    });
}

interface Evidence {
  told: readonly Told[];
  stays: readonly KeptStay[];
  changes: readonly Change[];
}

/**
 * Each stay above the limit has a confirmation of its own, and each confirmation was given to that client for that stay.
 * A place that is kept for a party of a waiting list is not booked yet.
 */
async function unconfirmed({ app: { sql }, clients }: Judged, evidence: Evidence): Promise<string[]> {
  const { told, stays, changes } = evidence;
  const used = await sql<{ id: string; client: string; bookingId: string }[]>`
    select encode(id, 'hex') as id, client_id as client, booking_id as "bookingId" from mandate_confirmation`;
  const offered = new Set(
    changes.filter(({ kind }) => kind === 'waitlist_entry').map(({ row }) => row.hold_id),
  );
  const changed = changedBy(told);
  const needed = new Map<string, { client: string; marks: Set<string> }>();
  for (const { kind, stay } of stays) {
    const { id, client, mark } = stay;
    if (!COUNTED.includes(kind) || stay.isPlacing || (kind === 'hold' && offered.has(id))) continue;
    const judges = [client, ...(changed.get(id) ?? [])];
    if (!judges.every((name) => hasToBeConfirmed(mandateOf(clients, name) ?? {}, stay))) continue;
    needed.getOrInsertComputed(id, () => ({ client, marks: new Set<string>() })).marks.add(mark);
  }
  const found: string[] = [];
  for (const [id, { client, marks }] of needed) {
    const confirmations = used.filter(({ bookingId }) => bookingId === id).length;
    if (marks.size > confirmations)
      found.push(
        `${client} had ${confirmations} confirmations for ${marks.size} stays of ${id}: ${[...marks].join('; ')}`,
      );
  }
  return [...found, ...misused(used, told, stays)];
}

const HEAD_BYTES = 12;
const headOf = (token: string) => Buffer.from(token, 'base64url').subarray(0, HEAD_BYTES).toString('hex');

function misused(
  used: readonly { id: string; client: string; bookingId: string }[],
  told: readonly Told[],
  stays: readonly KeptStay[],
): string[] {
  const given = new Map(
    told.flatMap(({ asked, client }) => (asked ? [[headOf(asked.token), { ...asked, client }]] : [])),
  );
  return used.flatMap(({ id, client, bookingId }) => {
    const asked = given.get(id);
    if (asked?.client !== client) return [`${client} has used a confirmation that it was not given`];
    // What came to nothing has used nothing up.
    const own = stays.filter(({ stay }) => stay.id === bookingId);
    const isThere =
      own.length === 0 ||
      own.some(({ stay }) => stay.mark.startsWith(`${asked.date} ${asked.minute} for ${asked.guests} `));
    const about = `${asked.date} at minute ${asked.minute} for ${asked.guests}`;
    return isThere ? [] : [`a confirmation of ${client} for ${about} was used for ${bookingId}`];
  });
}
