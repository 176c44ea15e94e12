/**
 * `npm run memory`: what a node holds in memory while its callers read at random, so that hardly any answer is asked for
 * twice. Prints a line every ten seconds; a number of seconds as an argument replaces the three minutes.
 */
import { addBusyHouse, BY_FLOOR, DINNER } from '../bench/availability/busy-house.ts';
import { fillVenues } from '../bench/availability/many-venues-store.ts';
import { fillTables } from '../bench/availability/reservations-store.ts';
import { addPartner, tokenOf } from '../bench/caller.ts';
import { withContext } from '../bench/context.ts';
import type { ServerProcess } from '../bench/servers/server-process.ts';
import { inTransaction } from '../src/db/database.ts';
import { startTestServer } from '../test/support/databases/database.ts';

const SECONDS = Number(process.argv[2] ?? 180);
const EVERY_MS = 10_000;
const READERS = 12;
const CLIENT = 'reading-partner';
const VENUES = 2000;
const FIELDS = [
  'id',
  'name',
  'timeZone',
  'content',
  'location',
  'photos',
  'opening_times',
  'products',
  'types',
];
const PRODUCT_FIELDS = ['compositeId', 'productName', 'timeInterval', 'paymentRules', 'spaces', 'category'];
const WORDS = ['the', 'grill', 'room', 'bar', 'house', 'garden', 'kitchen', 'club', 'owl', 'cafe'];
const ENCODINGS = ['identity', 'gzip', 'br', 'zstd'];

const below = (limit: number) => Math.floor(Math.random() * limit);
const oneOf = <T>(values: readonly T[]): T => values[below(values.length)] as T;
const some = <T>(values: readonly T[]): T[] => values.filter(() => Math.random() < 0.5);
const maybe = (chance: number, params: Record<string, string | number>) =>
  Math.random() < chance ? params : {};
const dayAhead = (days: number) => Temporal.Now.plainDateISO('UTC').add({ days }).toString();
const clockTime = () => `${String(below(24)).padStart(2, '0')}:${oneOf(['00', '15', '30', '45'])}`;

function fields(): string {
  const products = some(PRODUCT_FIELDS);
  const chosen = some(FIELDS).map((name) =>
    name === 'products' && products.length > 0 ? `products(${products.join()})` : name,
  );
  return chosen.length > 0 ? chosen.sort(() => Math.random() - 0.5).join() : 'id';
}

function venuesPath(): string {
  return `/venues?${query({
    pageNumber: 1 + below(20),
    pageSize: 1 + below(100),
    ...maybe(0.6, { fields: fields() }),
    ...maybe(0.3, { city: `City ${below(50)}` }),
    ...maybe(0.2, { venueName: oneOf(WORDS) }),
    ...maybe(0.2, { productName: oneOf(['dinner', 'lunch', 'booth', 'ticket']) }),
    ...maybe(0.2, { query: `${oneOf(WORDS)} ${oneOf(WORDS)}` }),
    ...maybe(0.2, { date: dayAhead(below(90)), time: clockTime() }),
    ...maybe(0.2, { lat: 51.5 + Math.random() / 10, lng: -Math.random() / 10, radius: 100 + below(100_000) }),
    ...maybe(0.5, {
      sortBy: oneOf(['default', 'name', 'city', 'area']),
      sortDirection: oneOf(['ASC', 'DESC']),
    }),
  })}`;
}

function availabilityPath(products: readonly string[]): string {
  const product = Math.random() < 0.5 ? oneOf([DINNER, BY_FLOOR]) : oneOf(products);
  const path = `/venues/${encodeURIComponent(product)}/availability`;
  return `${path}?${query({
    date: dayAhead(below(90)),
    partySize: 1 + below(12),
    ...maybe(0.3, { children: below(4) }),
    ...maybe(0.3, { time: clockTime() }),
    ...maybe(0.3, { startTime: clockTime(), endTime: clockTime() }),
    ...maybe(0.3, { minimumSpend: below(100_000) }),
    ...maybe(0.3, { includeUnavailable: 'true' }),
  })}`;
}

function query(params: Record<string, string | number>): string {
  return new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)])).toString();
}

interface Tally {
  answers: number;
  refused: number;
}

async function keepReading(node: ServerProcess, untilMs: number, tally: Tally): Promise<void> {
  const authorization = `Bearer ${await tokenOf(node, CLIENT)}`;
  const products = Array.from({ length: VENUES }, (_, n) => `9000|house|venue-${n + 1}|dinner`);
  while (performance.now() < untilMs) {
    const path = Math.random() < 0.5 ? venuesPath() : availabilityPath(products);
    const accept = Math.random() < 0.2 ? 'text/toon' : 'application/json';
    const headers = { authorization, accept, 'accept-encoding': oneOf(ENCODINGS) };
    const response = await fetch(new URL(path, node.address), { headers });
    await response.arrayBuffer();
    tally.answers += 1;
    if (!response.ok) tally.refused += 1;
  }
}

/** Figures of the node itself, in megabytes. */
async function memoryOf(node: ServerProcess): Promise<string> {
  const text = await (await fetch(new URL('/metrics', node.address))).text();
  const megabytes = (pattern: RegExp) =>
    [...text.matchAll(pattern)].reduce((sum, [, bytes]) => sum + Number(bytes), 0) / 1024 ** 2;
  const columns = [
    /^process_resident_memory_bytes (\S+)$/gm,
    /^nodejs_heap_size_used_bytes (\S+)$/gm,
    /^nodejs_external_memory_bytes (\S+)$/gm,
    /^cache_bytes\{[^}]*\} (\S+)$/gm,
  ];
  return columns.map((pattern) => megabytes(pattern).toFixed(0).padStart(9)).join('');
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const progress = (line: string) => console.error(line);
progress('Starting a database server …');
const server = await startTestServer();
process.env.MAITRED_TEST_SERVER = server.url;
try {
  await withContext({ progress }, async (context) => {
    const { sql, url } = await context.createDatabase({ hasDemo: true });
    await inTransaction(sql, async (tx) => {
      const partnerId = await addPartner(tx, CLIENT);
      await addBusyHouse(tx, partnerId);
      await fillVenues(tx, partnerId, VENUES);
      await fillTables(tx, '9000|');
    });
    const node = await context.startOurs(url);
    const tally: Tally = { answers: 0, refused: 0 };
    const beganMs = performance.now();
    const untilMs = beganMs + SECONDS * 1000;
    console.log('  seconds  resident     heap external   caches  answers  refused');
    const print = async () => {
      const seconds = String(Math.round((performance.now() - beganMs) / 1000)).padStart(9);
      const counts = [tally.answers, tally.refused].map((count) => String(count).padStart(9)).join('');
      console.log(`${seconds}${await memoryOf(node)}${counts}`);
    };
    await print();
    const printing = setInterval(print, EVERY_MS);
    const readers = Array.from({ length: READERS }, () => keepReading(node, untilMs, tally));
    await Promise.all(readers).finally(() => clearInterval(printing));
    await print();
  });
} finally {
  await server.stop();
}
