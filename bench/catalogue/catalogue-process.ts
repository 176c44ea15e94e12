/** Reads a catalogue that a loopback server makes up page by page, and prints what it did to the heap. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readConfig } from '../../src/config.ts';
import { inTransaction, openPool } from '../../src/db/database.ts';
import { openNotifications } from '../../src/db/notifications.ts';
import { importOperator } from '../../src/features/venues/service.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createKeyring } from '../../src/kernel/crypto.ts';
import { createServices } from '../../src/services.ts';
import type { CataloguePage, SystemVenue } from '../../src/tms/remote.ts';
import { createRemote } from '../../test/support/remote-tms/connector.ts';

const [databaseUrl = '', venueCount = '', productCount = ''] = process.argv.slice(2);
const [venues, products] = [Number(venueCount), Number(productCount)];
const ON_PAGE = 20;
const MB = 1024 * 1024;
const OPERATOR = 9000;

const hours = {
  weekly: Array.from({ length: 7 }, (_, index) => ({ weekday: index + 1, opens: 720, closes: 1380 })),
};

const venueAt = (number: number): SystemVenue => ({
  resourceId: `venue-${number}`,
  name: `Venue ${number}`,
  timeZone: 'Europe/London',
  description: 'A house with a garden. '.repeat(50),
  address: { street: '1 High Street', area: 'Soho', city: 'London', postcode: 'W1', countryCode: 'GB' },
  position: { lat: 51.5, lng: -0.13 },
  hours,
  products: Array.from({ length: products }, (_, index) => ({
    key: `product-${index}`,
    name: `Product ${index}`,
    timeIntervalMinutes: 15,
    hours,
    minGuests: 1,
    maxGuests: 8,
    pricePence: 1000 + index,
  })),
});

const server = createServer((request, response) => {
  const from = Number(new URL(request.url ?? '/', 'http://here').searchParams.get('cursor') ?? 0);
  const to = Math.min(from + ON_PAGE, venues);
  const page: CataloguePage = {
    venues: Array.from({ length: to - from }, (_, index) => venueAt(from + index)),
    next: to < venues ? String(to) : null,
    total: venues,
  };
  response.end(JSON.stringify(page));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const sql = openPool(databaseUrl, { max: 4 });
const notifications = await openNotifications(databaseUrl);
let peak = 0;
const heapNow = () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / MB;
};
const services = await createServices({
  config: readConfig({ LOG_LEVEL: 'silent' }),
  sql,
  notifications,
  encryptionKeys: createKeyring([Buffer.alloc(32, 7)]),
  clock: systemClock,
  connectors: [
    {
      ...createRemote(url, 'large'),
      async catalogue({ signal }, cursor) {
        // What is alive between two pages: garbage that waits for its collection is not what grows.
        peak = Math.max(peak, heapNow());
        const response = await fetch(cursor === null ? url : `${url}?cursor=${cursor}`, { signal });
        return { kind: 'ok', value: (await response.json()) as CataloguePage };
      },
    },
  ],
});
await inTransaction(sql, (tx) =>
  importOperator(tx, { id: OPERATOR, name: 'Large', systems: ['large'], venues: [] }),
);
const actor = { kind: 'client', id: 'bench', name: 'bench', isPlatform: true, roles: new Map() } as const;
const path = { operatorId: OPERATOR, tms: 'large' };

/** A dry run: every venue is read, checked and compared, and its differences are stored. */
async function read(): Promise<void> {
  const { id } = await services.systemCatalogue.begin(actor, path, true, {});
  await services.systemCatalogue.workDue();
  const done = await services.systemCatalogue.get(path, id);
  if (done.state !== 'done' || done.added !== venues * (products + 1))
    throw new Error(`The run ended as ${JSON.stringify(done)}.`);
}

const before = heapNow();
const beganAt = performance.now();
await read();
const seconds = (performance.now() - beganAt) / 1000;
const after = heapNow();
const rounded = (value: number) => Number(value.toPrecision(4));
console.log(
  JSON.stringify({
    before: rounded(before),
    after: rounded(after),
    peak: rounded(Math.max(peak, after)),
    seconds: rounded(seconds),
  }),
);
await services.webhooks.close();
await notifications.close();
await sql.end();
server.closeAllConnections();
server.close();
