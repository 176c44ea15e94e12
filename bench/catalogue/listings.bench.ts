/** A page of listings from memory, against a route that sends the same bytes and knows nothing. */
import { tokenOf } from '../caller.ts';
import type { Context } from '../context.ts';
import type { Figure } from '../figure.ts';
import { measureRead } from './venues.bench.ts';

export const name = 'listings';

const PAGE = { name: 'listings.page', path: '/v1/listings', goal: { atLeast: 0.6 } };

export async function run(context: Context): Promise<Figure[]> {
  context.progress(`${PAGE.name} …`);
  const database = await context.createDatabase();
  const ours = await context.startOurs(database.url);
  const authorization = `Bearer ${await tokenOf(ours, 'demo-partner')}`;
  return measureRead(context, ours, PAGE, authorization);
}
