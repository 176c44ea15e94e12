/** What a node has in memory after it was asked about one venue after the other, up to more than it keeps. */
import { connect, type Memory, memoryOf } from './growth-measure.ts';
import { FIRST_OPERATOR } from './growth-store.ts';
import type { Callers, World } from './growth-world.ts';

const AT_ONCE = 20;
const CONNECTIONS = 4;
const AT_MOST = 25_000;

export async function touchVenues(world: World, callers: Callers): Promise<Memory> {
  const { operators } = world;
  const venues = Math.min(world.venues, AT_MOST);
  const date = Temporal.Now.plainDateISO().add({ days: 14 }).toString();
  let next = 1;
  const askOn = async () => {
    using connection = connect(callers);
    while (next <= venues) {
      const first = next;
      next += AT_ONCE;
      const numbers = Array.from({ length: Math.min(AT_ONCE, venues + 1 - first) }, (_, k) => first + k);
      const bookableProducts = numbers.map((number) => ({
        compositeId: `${FIRST_OPERATOR + (number % operators)}|house|venue-${number}|dinner`,
        quantity: 2,
      }));
      await connection.ask({ by: 'partner', path: '/v1/availabilities', body: { date, bookableProducts } });
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, askOn));
  return memoryOf(callers);
}
