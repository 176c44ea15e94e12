import { openPool } from '../../src/db/database.ts';
import type { VenueId } from '../../src/kernel/ids.ts';
import { markDay } from './reservations-store.ts';

const CHANGE_EVERY_MS = 50;

export interface Changing {
  /** Each in its turn. */
  venueIds: readonly VenueId[];
  date: string;
}

/** Twenty changes a second of the very day that is asked for, so that what a node has kept does not last. */
export async function whileStaysChange<T>(
  databaseUrl: string,
  { venueIds, date }: Changing,
  measure: () => Promise<T>,
): Promise<T> {
  const sql = openPool(databaseUrl, { max: 1 });
  let changes = 0;
  const changing = setInterval(() => {
    const venueId = venueIds[changes++ % venueIds.length] ?? '';
    void markDay(sql, venueId, date);
  }, CHANGE_EVERY_MS);
  try {
    return await measure();
  } finally {
    clearInterval(changing);
    await sql.end();
  }
}
