/** What twenty questions in one batch cost, against one of them by itself, one request at a time. */
import { inTransaction, openPool } from '../src/db/database.ts';
import { seedDemo } from '../src/demo/seed.ts';
import { addSecret, createClient, createPartner } from '../src/features/identity/service.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { type ProductId, venueOfProduct } from '../src/kernel/ids.ts';
import { addBookableVenues, placeOf } from './bookings-venues.ts';
import { tokenOf } from './caller.ts';
import { compare, ONE_BY_ONE } from './compare.ts';
import type { Context } from './context.ts';
import type { Figure, Goal } from './figure.ts';
import { getRequest, postRequest } from './load.ts';
import { fillReservations, markDay, withoutOverlapCheck } from './reservations-store.ts';
import type { ServerProcess } from './server-process.ts';

export const name = 'batch';

const CLIENT = 'bench-partner';
const RESERVATIONS = 20_000;
const DAY = Temporal.Now.plainDateISO().add({ days: 21 }).toString();
const PRODUCTS: ProductId[] = Array.from({ length: 10 }, (_, index) => placeOf(index).productId);
const QUANTITIES = [1, 2];
const CHANGE_EVERY_MS = 50;

interface Node {
  server: ServerProcess;
  databaseUrl: string;
  headers: Record<string, string>;
}

export async function run(context: Context): Promise<Figure[]> {
  const node = await start(context);
  return [
    await measure(context, node, 'batch.live', { atMost: 4 }),
    await whileStaysChange(node.databaseUrl, () => measure(context, node, 'batch.live.changing')),
  ];
}

async function start(context: Context): Promise<Node> {
  context.progress(`Filling a database with ${RESERVATIONS} reservations …`);
  const { sql, url } = await context.createDatabase();
  await seedDemo(sql, systemClock);
  await inTransaction(sql, async (tx) => {
    const partner = await createPartner(tx, { reference: CLIENT, name: 'Bench' });
    await createClient(tx, { id: CLIENT, kind: 'partner', partnerId: partner.id });
    await addSecret(tx, CLIENT, { secret: `${CLIENT}-secret` });
    await addBookableVenues(tx, partner.id);
  });
  const stretch = { venues: '8100|', productKey: 'dinner', middle: DAY, daysAround: 10, dayStep: 1 };
  await inTransaction(sql, (tx) =>
    withoutOverlapCheck(tx, async () => {
      await fillReservations(tx, { ...stretch, limit: RESERVATIONS });
    }),
  );
  await sql`vacuum analyze`;
  const server = await context.startOurs(url);
  const headers = { authorization: `Bearer ${await tokenOf(server, CLIENT)}` };
  return { server, databaseUrl: url, headers };
}

/** Twenty changes a second of the day that is asked for, at a venue of the batch each. */
async function whileStaysChange<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  const sql = openPool(databaseUrl, { max: 1 });
  let changes = 0;
  const changing = setInterval(() => {
    const productId = PRODUCTS[changes++ % PRODUCTS.length] as ProductId;
    void markDay(sql, venueOfProduct(productId), DAY);
  }, CHANGE_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(changing);
    await sql.end();
  }
}

async function measure(
  context: Context,
  { server, headers }: Node,
  figure: string,
  goal?: Goal,
): Promise<Figure> {
  context.progress(`${figure} …`);
  const bookableProducts = PRODUCTS.flatMap((compositeId) =>
    QUANTITIES.map((quantity) => ({ compositeId, quantity })),
  );
  const batch = postRequest('/v1/availabilities', headers, { date: DAY, bookableProducts });
  const path = `/venues/${encodeURIComponent(PRODUCTS[0] ?? '')}/availability?date=${DAY}&partySize=2`;
  const single = getRequest(path, headers);
  const { ours, reference } = await compare(
    { server, nextRequest: () => batch },
    { server, nextRequest: () => single },
    ONE_BY_ONE,
  );
  return {
    name: figure,
    ours: 1e6 / ours.requestsPerSecond,
    reference: 1e6 / reference.requestsPerSecond,
    unit: 'µs/request',
    against: `one call for availability, for ${bookableProducts.length} entries over ${PRODUCTS.length} venues`,
    ...(goal && { goal }),
  };
}
