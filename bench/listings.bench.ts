/** Listings: a page from memory against a bare route, and a page from the database among many venues and among few. */
import { tokenOf } from './caller.ts';
import { ONE_BY_ONE } from './compare.ts';
import type { Context } from './context.ts';
import type { Figure } from './figure.ts';
import { askAnew, FEW, MANY, measureGrowth, startAmong } from './growth.bench.ts';
import { measureRead } from './venues.bench.ts';

export const name = 'listings';

const PAGE = { name: 'listings.page', path: '/v1/listings', goal: { atLeast: 0.4 } };
const FILTERED = {
  name: 'listings.growth.cold.city',
  path: '/v1/listings?city=city%207&sortBy=name',
};

export async function run(context: Context): Promise<Figure[]> {
  return [...(await measurePage(context)), await measureFiltered(context)];
}

async function measurePage(context: Context): Promise<Figure[]> {
  context.progress(`${PAGE.name} …`);
  const database = await context.createDatabase();
  const ours = await context.startOurs(database.url);
  const authorization = `Bearer ${await tokenOf(ours, 'demo-partner')}`;
  const figures = await measureRead(context, ours, PAGE, authorization);
  await ours.stop();
  return figures;
}

async function measureFiltered(context: Context): Promise<Figure> {
  const many = await startAmong(context, MANY);
  const few = await startAmong(context, FEW);
  context.progress(`${FILTERED.name} …`);
  return measureGrowth(many, few, FILTERED, askAnew, ONE_BY_ONE, { atMost: 3 });
}
