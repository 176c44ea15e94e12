/** Makes the feeds of as many venues as it is told to, one after the other, and prints how much memory it took. */
import { openPool } from '../../src/db/database.ts';
import { makerOn } from './feed-maker.ts';
import { manyVenueId } from './feed-memory.ts';

const [databaseUrl = '', count] = process.argv.slice(2);
const sql = openPool(databaseUrl, { max: 2 });
// What is on a disk is not in memory, and writing it would take most of the time.
const make = makerOn(sql, { put: async () => {}, remove: async () => {} });
const nowMs = Date.now();
for (let number = 1; number <= Number(count); number += 1) {
  const { files } = await make(manyVenueId(number), { nowMs, isFull: true });
  if (files === 0) throw new Error(`Nothing was made for ${manyVenueId(number)}.`);
}
console.log(process.resourceUsage().maxRSS);
await sql.end();
