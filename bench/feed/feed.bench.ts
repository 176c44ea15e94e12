/** How fast the availability feed is made, in how much memory, and what the API feels of it. */
import type { Context } from '../context.ts';
import type { Figure } from '../figure.ts';
import { measureApi } from './feed-api.ts';
import { measureMaking } from './feed-making.ts';
import { measureMemory } from './feed-memory.ts';

export const name = 'feed';

export async function run(context: Context): Promise<Figure[]> {
  return [...(await measureMaking(context)), await measureMemory(context), ...(await measureApi(context))];
}
