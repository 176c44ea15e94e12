/** A large house on a full day, for the console: sixty tables in five areas, three hundred bookings from noon to night. */
import assert from 'node:assert/strict';
import type { TestApp } from './app.ts';

export interface BigEvening {
  operatorId: number;
  venueId: string;
  productId: string;
  date: string;
  areaIds: number[];
  tableIds: number[];
  /** In the order of their tables, then of their starts. */
  bookingIds: string[];
}

export interface BigEveningOptions {
  /** A day to come; absent: the day after tomorrow. Starts that are over are refused. */
  date?: string;
  resourceId?: string;
  operatorId?: number;
}

const AREAS = ['Window', 'Main room', 'Bar', 'Gallery', 'Terrace'];
/** How many each table of an area seats: four columns, three rows. */
const SEATS = [2, 2, 4, 4, 4, 4, 6, 2, 8, 4, 2, 6];
const COLUMNS = 4;
const CELL = 180;
/** Two sittings at lunch, three at dinner; each table begins a little after its neighbour. */
const SITTINGS = ['12:00', '13:45', '17:30', '19:15', '21:00'];
const STAGGER_MINUTES = 15;
const STAY_MINUTES = 90;
const HOURS = {
  weekly: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], periods: [{ opens: '12:00', closes: '23:45' }] }],
  exceptions: [],
};
const LAST_NAMES = ['Okafor', 'Dubois', 'Rossi', 'Shah', 'Meyer', 'Lind', 'Watanabe', 'Brennan', 'Kowalska'];
const NOTES = ['Nut allergy', 'Birthday', 'High chair', 'Wheelchair'];
const ORIGINS = ['phone', 'website', 'email', 'other'];
const AT_ONCE = 8;

/** Works through the interface, so it needs nothing but a way to call it as the platform. */
export async function makeBigEvening(
  { call }: Pick<TestApp, 'call'>,
  { date = defaultDate(), resourceId = 'big-evening', operatorId = 1 }: BigEveningOptions = {},
): Promise<BigEvening> {
  // biome-ignore lint/suspicious/noExplicitAny: answers of several shapes.
  async function send(method: 'POST' | 'PUT', path: string, body: unknown): Promise<any> {
    const answer = await call(path, { method, as: 'demo-admin', body });
    assert.ok(answer.status === 200 || answer.status === 201, answer.text);
    return answer.json;
  }

  const venue = await send('POST', `/manage/operators/${operatorId}/venues`, {
    tms: 'house',
    resourceId,
    name: 'The Big House',
    timeZone: 'Europe/London',
    types: ['restaurant'],
    content: { summary: 'Sixty tables on one floor.' },
    location: { lat: 51.5, lng: -0.1, area: 'Soho', city: 'London', countryCode: 'GB' },
  });
  const at = (rest: string) => `/manage/venues/${encodeURIComponent(venue.id)}/${rest}`;
  await send('PUT', at('hours'), HOURS);
  const layout = await send('PUT', at('layout'), {
    zones: [{ ref: 'floor', name: 'Floor' }],
    areas: AREAS.map((name, index) => ({ ref: `a${index}`, zoneId: 'floor', name })),
    tables: AREAS.flatMap((name, index) => tablesIn(name, index)),
    combinations: AREAS.map((name) => ({ tableIds: [`${letterOf(name)}3`, `${letterOf(name)}4`] })),
  });
  const product = await send('POST', at('products'), {
    key: 'table',
    name: 'Table',
    slug: 'table',
    timeIntervalMinutes: STAGGER_MINUTES,
    hours: HOURS,
    house: { takesEnquiries: true },
  });
  const bodies = bookingsAt(layout.tables, date);
  const bookingIds: string[] = [];
  for (let first = 0; first < bodies.length; first += AT_ONCE) {
    const some = bodies.slice(first, first + AT_ONCE);
    const made = await Promise.all(some.map((body) => send('POST', at('bookings'), body)));
    bookingIds.push(...made.map(({ id }) => id));
  }
  return {
    operatorId,
    venueId: venue.id,
    productId: product.compositeId,
    date,
    areaIds: layout.areas.map(({ id }: { id: number }) => id),
    tableIds: layout.tables.map(({ id }: { id: number }) => id),
    bookingIds,
  };
}

const defaultDate = () => Temporal.Now.plainDateISO('Europe/London').add({ days: 2 }).toString();
const letterOf = (areaName: string) => areaName.charAt(0);

/** Areas side by side, three in the first row and two in the second. */
function tablesIn(areaName: string, areaIndex: number) {
  const left = (areaIndex % 3) * (COLUMNS * CELL + 120);
  const top = Math.floor(areaIndex / 3) * 700;
  return SEATS.map((maxCovers, index) => {
    const isRound = index % 5 === 2;
    const width = isRound ? 100 : 70 + 10 * maxCovers;
    const name = `${letterOf(areaName)}${index + 1}`;
    return {
      ref: name,
      areaId: `a${areaIndex}`,
      name,
      maxCovers,
      x: left + (index % COLUMNS) * CELL + 10,
      y: top + Math.floor(index / COLUMNS) * CELL + 10,
      width,
      height: isRound ? 100 : 80,
      shape: isRound ? 'round' : 'rectangle',
      rotation: 0,
    };
  });
}

function bookingsAt(tables: readonly { id: number; maxCovers: number }[], date: string) {
  return tables.flatMap(({ id, maxCovers }, index) =>
    SITTINGS.map((sitting, number) => {
      const which = index * SITTINGS.length + number;
      const time = Temporal.PlainTime.from(sitting).add({ minutes: (index % 4) * STAGGER_MINUTES });
      const lastName = LAST_NAMES[which % LAST_NAMES.length] ?? 'Guest';
      return {
        productKey: 'table',
        origin: ORIGINS[which % ORIGINS.length],
        date,
        time: time.toString().slice(0, 5),
        duration: STAY_MINUTES,
        partySize: Math.max(1, maxCovers - (which % 2)),
        tableIds: [id],
        guest: {
          firstName: `Guest ${which + 1}`,
          lastName,
          email: `${lastName.toLowerCase()}.${which}@example.com`,
        },
        ...(which % 6 === 0 && { notes: NOTES[(which / 6) % NOTES.length] }),
        overrides: ['notice', 'pacing', 'covers'],
      };
    }),
  );
}
