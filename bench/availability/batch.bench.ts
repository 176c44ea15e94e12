/** What twenty questions in one batch cost, against one of them by itself, one request at a time. */
import { inTransaction } from '../../src/db/database.ts';
import { type ProductId, venueOfProduct } from '../../src/kernel/ids.ts';
import { addBookableVenues, placeOf } from '../bookings/bookings-venues.ts';
import { addPartner, tokenOf } from '../caller.ts';
import { compare, ONE_BY_ONE } from '../compare.ts';
import type { Context } from '../context.ts';
import type { Figure, Goal } from '../figure.ts';
import { getRequest, postRequest } from '../load.ts';
import type { ServerProcess } from '../servers/server-process.ts';
import { fillReservations, withoutOverlapCheck } from './reservations-store.ts';
import { whileStaysChange } from './staying.ts';

export const name = 'batch';

const CLIENT = 'bench-partner';
const RESERVATIONS = 20_000;
const DAY = Temporal.Now.plainDateISO().add({ days: 21 }).toString();
const PRODUCTS: ProductId[] = Array.from({ length: 10 }, (_, index) => placeOf(index).productId);
const QUANTITIES = [1, 2];

interface Node {
  server: ServerProcess;
  databaseUrl: string;
  headers: Record<string, string>;
}

export async function run(context: Context): Promise<Figure[]> {
  const node = await start(context);
  return [
    await measure(context, node, 'batch.live', { atMost: 4 }),
    await whileStaysChange(node.databaseUrl, { venueIds: PRODUCTS.map(venueOfProduct), date: DAY }, () =>
      measure(context, node, 'batch.live.changing'),
    ),
  ];
}

async function start(context: Context): Promise<Node> {
  context.progress(`Filling a database with ${RESERVATIONS} reservations …`);
  const { sql, url } = await context.createDatabase({ hasDemo: true });
  await inTransaction(sql, async (tx) => {
    const partnerId = await addPartner(tx, CLIENT);
    await addBookableVenues(tx, partnerId);
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
