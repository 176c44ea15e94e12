/** How fast the availability feed is made, in how much memory, and what the API feels of it. */
import type { Context } from './context.ts';
import { measureApi } from './feed/feed-api.ts';
import { measureMaking } from './feed/feed-making.ts';
import { measureMemory } from './feed/feed-memory.ts';
import type { Figure } from './figure.ts';

export const name = 'feed';

export async function run(context: Context): Promise<Figure[]> {
  return [...(await measureMaking(context)), await measureMemory(context), ...(await measureApi(context))];
}
