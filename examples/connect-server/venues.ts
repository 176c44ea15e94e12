/** The venues of the reference server: in earnest this is your database. */

/** Starts are minutes of the trading day; 1500 is one in the morning after. */
const product = (id: string, name: string, starts: number[], durationMinutes: number) => ({
  ...{ id, name, starts, durationMinutes },
});
const tables = (...seats: number[]) => seats.map((each, index) => ({ name: `T${index + 1}`, seats: each }));

export const VENUES = [
  {
    ...{ id: 'harbour-kitchen', name: 'Harbour Kitchen', timeZone: 'Europe/London', currency: 'GBP' },
    address: {
      street: '4 Wharf Road',
      area: 'Limehouse',
      city: 'London',
      postcode: 'E14 8AB',
      countryCode: 'GB',
    },
    position: { lat: 51.5099, lng: -0.0365 },
    tables: tables(2, 2, 4, 4, 4, 6),
    products: [
      product('dinner', 'Dinner', [1080, 1110, 1140, 1170, 1200, 1230, 1260, 1290, 1320], 120),
      product('lunch', 'Lunch', [720, 750, 780, 810, 840], 90),
    ],
  },
  {
    ...{ id: 'bar-lumiere', name: 'Bar Lumière', timeZone: 'Europe/Paris', currency: 'EUR' },
    address: {
      street: '18 rue Saint-Sabin',
      area: 'Bastille',
      city: 'Paris',
      postcode: '75011',
      countryCode: 'FR',
    },
    position: { lat: 48.8557, lng: 2.3713 },
    tables: tables(2, 4, 4, 8),
    products: [product('late', 'Late table', [1260, 1320, 1380, 1440, 1500], 60)],
  },
];
export type Venue = (typeof VENUES)[number];
export type Product = Venue['products'][number];

const clockTime = (minute: number) =>
  [Math.floor(minute / 60) % 24, minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
export const dateTime = (timeZone: string, ms: number) =>
  Temporal.Instant.fromEpochMilliseconds(ms).toString({ timeZone, smallestUnit: 'second' });

/** The starts of a day, without those that the clocks skip. */
export function startsOn({ timeZone }: Venue, { starts }: Product, date: string) {
  return starts.flatMap((minute) => {
    const local = Temporal.PlainDate.from(date).toPlainDateTime().add({ minutes: minute });
    const zoned = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
    const isSkipped = !zoned.toPlainDateTime().equals(local);
    return isSkipped ? [] : [{ time: clockTime(minute), startMs: zoned.epochMilliseconds }];
  });
}

/** A venue as `GET /venues` shows it. */
export function catalogueEntry({ tables: _tables, products, ...venue }: Venue) {
  return {
    ...venue,
    products: products.map(({ id, name, starts: [first = 0, second = 0, ...more], durationMinutes }) => {
      const closes = clockTime((more.at(-1) ?? second) + durationMinutes);
      const weekly = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, opens: clockTime(first), closes }));
      return { id, name, intervalMinutes: second - first, minGuests: 1, hours: { weekly } };
    }),
  };
}
