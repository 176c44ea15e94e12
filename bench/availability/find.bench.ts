/** What a search for tables over fifty venues costs, against one call for the availability of one of them. */
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

export const name = 'find';

const CLIENT = 'bench-partner';
const RESERVATIONS = 20_000;
const DAY = Temporal.Now.plainDateISO().add({ days: 21 }).toString();
const PRODUCTS: ProductId[] = Array.from({ length: 50 }, (_, index) => placeOf(index).productId);

interface Node {
  server: ServerProcess;
  headers: Record<string, string>;
}

export async function run(context: Context): Promise<Figure[]> {
  context.progress(`Filling a database with ${RESERVATIONS} reservations …`);
  const { sql, url } = await context.createDatabase({ hasDemo: true });
  await inTransaction(sql, async (tx) => {
    const partnerId = await addPartner(tx, CLIENT);
    await addBookableVenues(tx, partnerId);
  });
  const stretch = { venues: '8100|', productKey: 'dinner', middle: DAY, daysAround: 3, dayStep: 1 };
  await inTransaction(sql, (tx) =>
    withoutOverlapCheck(tx, async () => {
      await fillReservations(tx, { ...stretch, limit: RESERVATIONS });
    }),
  );
  await sql`vacuum analyze`;
  const server = await context.startOurs(url);
  const node = { server, headers: { authorization: `Bearer ${await tokenOf(server, CLIENT)}` } };
  const changing = { venueIds: PRODUCTS.map(venueOfProduct), date: DAY };
  return [
    await measure(context, node, 'find.tables', { atMost: 5 }),
    await whileStaysChange(url, changing, () => measure(context, node, 'find.tables.changing')),
  ];
}

async function measure(
  context: Context,
  { server, headers }: Node,
  figure: string,
  goal?: Goal,
): Promise<Figure> {
  context.progress(`${figure} …`);
  const question = { partySize: 2, date: DAY, time: '20:00', city: 'London', areas: ['Soho'] };
  const find = postRequest('/venues/find-tables', headers, question);
  const path = `/venues/${encodeURIComponent(PRODUCTS[0] ?? '')}/availability?date=${DAY}&partySize=2`;
  const single = getRequest(path, headers);
  const { ours, reference } = await compare(
    { server, nextRequest: () => find },
    { server, nextRequest: () => single },
    ONE_BY_ONE,
  );
  return {
    name: figure,
    ours: 1e6 / ours.requestsPerSecond,
    reference: 1e6 / reference.requestsPerSecond,
    unit: 'µs/request',
    against: `one call for availability, for a search over ${PRODUCTS.length} venues`,
    ...(goal && { goal }),
  };
}
