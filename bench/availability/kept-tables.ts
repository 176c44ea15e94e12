/** Tables that partners keep at one venue, as many at a time as fifty of them may. */
import { inTransaction, type Sql } from '../../src/db/database.ts';
import { mapVenue } from '../../src/features/venues/service.ts';
import { type ProductId, venueOfProduct } from '../../src/kernel/ids.ts';
import { addDays, clockTime } from '../../src/kernel/zone-time.ts';
import { addPartner, tokenOf } from '../caller.ts';
import type { ServerProcess } from '../servers/server-process.ts';

const PARTNERS = 50;
/** As many as a partner may have at a venue. */
const HOLDS_EACH = 20;
const DAYS = 20;
const FIRST_MINUTE = 12 * 60;
const STEP_MINUTES = 15;
const STARTS = 38;
/** Longer than a measurement takes. */
const TTL_SECONDS = 600;

interface Venue {
  server: ServerProcess;
  sql: Sql;
}

interface Kept {
  open: number;
  /** On the first of the days. */
  here: number;
}

/** Over twenty days from this one on, the same number on each. */
export async function keepTables(
  { server, sql }: Venue,
  { productId, date }: { productId: ProductId; date: string },
): Promise<Kept> {
  const clients = Array.from({ length: PARTNERS }, (_, index) => `bench-keeper-${index}`);
  await inTransaction(sql, async (tx) => {
    for (const client of clients) {
      const partnerId = await addPartner(tx, client);
      await mapVenue(tx, { partnerId, venueId: venueOfProduct(productId), productIds: [productId] });
    }
  });
  let count = 0;
  for (const client of clients) {
    const authorization = `Bearer ${await tokenOf(server, client)}`;
    for (let own = 0; own < HOLDS_EACH; own += 1) {
      await keepOne(server, { authorization, productId, date: addDays(date, count % DAYS), first: count });
      count += 1;
    }
  }
  return { open: count, here: count / DAYS };
}

interface Wanted {
  authorization: string;
  productId: ProductId;
  date: string;
  /** Which start is tried first; if it is full, those after it are. */
  first: number;
}

async function keepOne(
  server: ServerProcess,
  { authorization, productId, date, first }: Wanted,
): Promise<void> {
  const url = new URL(`/venues/${encodeURIComponent(productId)}/holds`, server.address);
  for (let tried = 0; tried < STARTS; tried += 1) {
    const start = Math.floor(first / DAYS) + tried;
    const time = clockTime(FIRST_MINUTE + (start % STARTS) * STEP_MINUTES);
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ date, time, partySize: 2, ttlSeconds: TTL_SECONDS }),
    });
    const text = await response.text();
    if (response.status === 201) return;
    // Taken, or a time at which the house lets none in.
    if (response.status !== 409 && response.status !== 422)
      throw new Error(`availability.holds: ${response.status} ${text}`);
  }
  throw new Error(`availability.holds: no table is left on ${date}.`);
}
