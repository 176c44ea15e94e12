import { addBookableVenues, guest, placeOf } from '../../bench/bookings/bookings-venues.ts';
import { addPartner, tokenOf } from '../../bench/caller.ts';
import type { Context } from '../../bench/context.ts';
import type { ServerProcess } from '../../bench/servers/server-process.ts';
import { inTransaction } from '../../src/db/database.ts';
import type { Partner } from './mix.ts';

const REFERENCES = Array.from({ length: 5 }, (_, index) => `partner-${index}`);
const BOOKINGS_EACH = 20;
/** Places that the mix does not come to. */
const BEYOND = 1_000_000;

/** One node with five partners that sell the same fifty venues, each with some bookings to read. */
export async function startWorld(context: Context): Promise<{ node: ServerProcess; partners: Partner[] }> {
  const { sql, url } = await context.createDatabase({ hasDemo: true });
  await inTransaction(sql, async (tx) => {
    const ids: number[] = [];
    for (const reference of REFERENCES) ids.push(await addPartner(tx, reference));
    await addBookableVenues(tx, ...ids);
  });
  await sql`vacuum analyze`;
  const node = await context.startOurs(url);
  const partners: Partner[] = [];
  for (const [index, reference] of REFERENCES.entries()) {
    const headers = { authorization: `Bearer ${await tokenOf(node, reference)}` };
    partners.push({
      reference,
      headers,
      bookingIds: await book(node, headers, BEYOND + index * BOOKINGS_EACH),
    });
  }
  return { node, partners };
}

async function book(node: ServerProcess, headers: Record<string, string>, from: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = from; n < from + BOOKINGS_EACH; n += 1) {
    const { productId, ...when } = placeOf(n);
    const response = await fetch(new URL(`/venues/${encodeURIComponent(productId)}/booking`, node.address), {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ ...guest, ...when }),
    });
    const { id } = (await response.json()) as { id?: string };
    if (!id) throw new Error(`No booking: ${response.status}.`);
    ids.push(id);
  }
  return ids;
}
