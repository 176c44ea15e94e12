/** What a page costs among many venues, against the same page among few: nobody should pay for what others list. */
import { inTransaction } from '../../src/db/database.ts';
import { respelt } from '../../test/support/respelt.ts';
import { fillVenues } from '../availability/many-venues-store.ts';
import { addPartner, tokenOf } from '../caller.ts';
import { compare, ONE_BY_ONE, type Rounds, type Side, UNDER_LOAD } from '../compare.ts';
import type { Context } from '../context.ts';
import type { Figure, Goal } from '../figure.ts';
import { getRequest } from '../load.ts';
import type { ServerProcess } from '../servers/server-process.ts';

export const name = 'growth';

const MANY = 100_000;
const FEW = 1_000;
const CLIENT = 'bench-partner';

interface Read {
  name: string;
  path: string;
  goal?: Goal;
}

const WARM: Read[] = [
  { name: 'venues.growth', path: '/venues' },
  { name: 'venues.growth.name', path: '/venues?sortBy=name' },
];
const WARM_GOAL: Goal = { atMost: 1.5 };

const COLD: Read[] = [
  { name: 'venues.growth.cold', path: '/venues?' },
  { name: 'venues.growth.cold.name', path: '/venues?sortBy=name' },
  { name: 'venues.growth.cold.city', path: '/venues?city=city%207' },
  { name: 'venues.growth.cold.venueName', path: '/venues?venueName=uda' },
  {
    name: 'venues.growth.cold.relevance',
    path: '/venues?query=seafood%20grill&sortBy=relevance',
    goal: { atMost: 2 },
  },
  {
    name: 'listings.growth.cold.city',
    path: '/v1/listings?city=city%207&sortBy=name',
    goal: { atMost: 3 },
  },
];

interface Node {
  server: ServerProcess;
  authorization: string;
}

export async function run(context: Context): Promise<Figure[]> {
  const many = await startAmong(context, MANY);
  const few = await startAmong(context, FEW);
  const figures: Figure[] = [];
  for (const read of WARM) {
    context.progress(`${read.name} …`);
    figures.push(await measureGrowth(many, few, read, askAgain, UNDER_LOAD, WARM_GOAL));
  }
  for (const read of COLD) {
    context.progress(`${read.name} …`);
    figures.push(await measureGrowth(many, few, read, askAnew, ONE_BY_ONE, read.goal));
  }
  return figures;
}

/** A node on a database where the partner distributes this many venues. */
async function startAmong(context: Context, venues: number): Promise<Node> {
  context.progress(`Filling a database with ${venues} venues …`);
  const { sql, url } = await context.createDatabase({ hasDemo: true });
  await inTransaction(sql, async (tx) => {
    const partnerId = await addPartner(tx, CLIENT);
    await fillVenues(tx, partnerId, venues);
  });
  await sql`vacuum analyze`;
  const server = await context.startOurs(url);
  return { server, authorization: `Bearer ${await tokenOf(server, CLIENT)}` };
}

type Ask = (node: Node, path: string) => Side;

const askAgain: Ask = ({ server, authorization }, path) => {
  const bytes = getRequest(path, { authorization });
  return { server, nextRequest: () => bytes };
};

/** Answers are kept by address, so another spelling makes each of them a new one. */
const askAnew: Ask = ({ server, authorization }, path) => {
  let asked = 0;
  return {
    server,
    nextRequest: () =>
      getRequest(`${path}&${respelt('pageNumber=1&pageSize=20', asked++)}`, { authorization }),
  };
};

async function measureGrowth(
  many: Node,
  few: Node,
  { name, path }: Read,
  ask: Ask,
  plan: Rounds,
  goal?: Goal,
): Promise<Figure> {
  const { ours, reference } = await compare(ask(many, path), ask(few, path), plan);
  return {
    name,
    ours: 1e6 / ours.requestsPerSecond,
    reference: 1e6 / reference.requestsPerSecond,
    unit: 'µs/request',
    against: `among ${FEW} venues instead of ${MANY}`,
    ...(goal && { goal }),
  };
}
