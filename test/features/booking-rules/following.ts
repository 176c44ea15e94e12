/** Follows the places that the list of facts names, over HTTP, as a partner would. */
import assert from 'node:assert/strict';
import type { Computation, FactEntry } from '../../../src/features/booking-rules/engine/fact-list.ts';
import type { TestApp } from '../../support/app.ts';
import type { Body } from '../bookings/support.ts';

/** What a partner knows of its own booking. */
export interface KnownBooking {
  productId: string;
  /** What it sends, or, for an amendment, what the booking is to be. */
  sent: Body;
  headers: Record<string, string>;
  /** Once it is made and not about to be changed. */
  bookingId?: string;
}

export async function obtain(app: TestApp, entry: FactEntry, known: KnownBooking): Promise<unknown> {
  const found = await follow(app, entry, known);
  return found ?? entry.otherwise;
}

async function follow(app: TestApp, { source }: FactEntry, known: KnownBooking): Promise<unknown> {
  switch (source.from) {
    case 'bookingBody':
      return source.path.startsWith('preorders.')
        ? slugsOf(app, known, source.path.split(/[.[]/)[1] ?? '')
        : read(known.sent, source.path);
    case 'bookingHeader':
      return known.headers[source.path.toLowerCase()];
    case 'productId': {
      const segments = known.productId.split('|').slice(0, source.segments).join('|');
      return source.segments === 1 ? Number(segments) : segments;
    }
    case 'bookingRules': {
      const rules = await ask(app, '/booking-rules');
      return read(rules, source.path.replace('[operatorId]', `.${known.productId.split('|')[0]}`));
    }
    case 'venue':
      return readVenue(app, known, source.path);
    case 'availability':
      return read(await startOf(app, known), source.path.replace('times[].', ''));
    case 'booking':
      return read(await ask(app, `/venues/bookings/${known.bookingId}`), source.path);
    case 'listedBooking': {
      const { data } = await ask(app, '/venues/bookings?pageSize=100');
      return read(
        data.find(({ id }: Body) => id === known.bookingId),
        source.path,
      );
    }
    case 'computed':
      return COMPUTE[source.how](app, known);
  }
}

async function ask(app: TestApp, path: string) {
  const answer = await app.call(path);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** A list in the path gives the list of what its entries have there. */
function read(document: unknown, path: string): unknown {
  const [name = '', ...rest] = path.split('.');
  const value = (document as Body | null | undefined)?.[name.replace('[]', '')];
  if (rest.length === 0) return value;
  return name.endsWith('[]')
    ? value.map((entry: unknown) => read(entry, rest.join('.')))
    : read(value, rest.join('.'));
}

const venueIdOf = ({ productId }: KnownBooking) => productId.split('|').slice(0, 3).join('|');

async function productOf(app: TestApp, known: KnownBooking) {
  const venue = await ask(app, `/venues/${encodeURIComponent(venueIdOf(known))}`);
  const product = venue.products.find(({ compositeId }: Body) => compositeId === known.productId);
  assert.ok(product, 'the venue shows the product that is booked');
  const space = product.spaces.find(({ id }: Body) => id === known.sent.spaceId);
  return { venue, product, space };
}

async function readVenue(app: TestApp, known: KnownBooking, path: string): Promise<unknown> {
  const { venue, product, space } = await productOf(app, known);
  if (path.startsWith('products[].spaces[].')) return read(space, path.replace('products[].spaces[].', ''));
  if (path.startsWith('products[].')) return read(product, path.replace('products[].', ''));
  return read(venue, path);
}

async function slugsOf(app: TestApp, known: KnownBooking, kind: string): Promise<string[]> {
  const { product } = await productOf(app, known);
  const ordered: Body[] = known.sent.preorders?.[kind] ?? [];
  return ordered.map(({ id, slug }) => {
    const offered = product.preorders[kind].find((each: Body) => each.id === id);
    return slug ?? offered.slug ?? String(id);
  });
}

async function startOf(app: TestApp, { productId, sent }: KnownBooking) {
  const { partySize, children = 0, dateTime, duration } = sent;
  const query = new URLSearchParams({
    partySize: String(partySize),
    children: String(children),
    startDateTime: dateTime,
    endDateTime: dateTime,
    includeUnavailable: 'true',
    ...(duration !== undefined && { duration }),
  });
  const { times } = await ask(app, `/venues/${encodeURIComponent(productId)}/availability?${query}`);
  const instant = Temporal.Instant.from(dateTime);
  return times.find((slot: Body) => Temporal.Instant.from(slot.dateTime).equals(instant));
}

/** The trading day, from wherever it is known. */
async function dateOf(app: TestApp, known: KnownBooking): Promise<Temporal.PlainDate> {
  const { date } =
    known.bookingId !== undefined
      ? await ask(app, `/venues/bookings/${known.bookingId}`)
      : await startOf(app, known);
  return Temporal.PlainDate.from(date);
}

const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

const COMPUTE: Record<Computation, (app: TestApp, known: KnownBooking) => Promise<unknown> | unknown> = {
  guests: (_, { sent }) => sent.partySize + (sent.children ?? 0),
  weekday: async (app, known) => (await dateOf(app, known)).dayOfWeek,
  daysAhead: async (app, known) =>
    Temporal.Now.plainDateISO('Europe/London').until(await dateOf(app, known), { largestUnit: 'days' }).days,
  /** Minute by minute, from the start on: a band counts once for each day on which it is met. */
  async crossedBands(app, known) {
    const { space } = await productOf(app, known);
    const { date, time, duration } = await ask(app, `/venues/bookings/${known.bookingId}`);
    if (!space) return undefined;
    const weekday = Temporal.PlainDate.from(date).dayOfWeek;
    const met = new Set<Body>();
    for (let minute = minuteOf(time); minute < minuteOf(time) + duration; minute++) {
      const day = ((weekday - 1 + Math.floor(minute / 1440)) % 7) + 1;
      for (const band of space.policies.minimumSpend) {
        const [opens, closes] = [minuteOf(band.startTime), minuteOf(band.endTime) || 1440];
        const isMet = opens <= minute % 1440 && minute % 1440 < closes;
        if (band.weekdays.includes(day) && isMet) met.add(band);
      }
    }
    return [...met].map(({ startTime, endTime, amount }) => ({ startTime, endTime, amount }));
  },
  async orderedTotal(app, { bookingId }) {
    const { preorders } = await ask(app, `/venues/bookings/${bookingId}`);
    const entries: Body[] = [...preorders.packages, ...preorders.menus];
    return entries.reduce((sum, { total }) => sum + total, 0);
  },
};

/** An expression that holds where the rules are given exactly this value of a fact. */
export function agreesWith(name: string, value: unknown): unknown {
  const fact = { var: name };
  if (value === undefined || value === null) return { in: [name, { missing: [name] }] };
  if (!Array.isArray(value)) return { '===': [fact, value] };
  const count = { reduce: [fact, { '+': [{ var: 'accumulator' }, 1] }, 0] };
  const hasCount = { '===': [count, value.length] };
  return value.length === 0 ? hasCount : { and: [hasCount, { all: [fact, isOneOf(value)] }] };
}

function isOneOf(values: readonly unknown[]): unknown {
  if (typeof values[0] !== 'object') return { in: [{ var: '' }, values] };
  return {
    or: values.map((entry) => ({
      and: Object.entries(entry as object).map(([name, value]) => ({ '===': [{ var: name }, value] })),
    })),
  };
}
