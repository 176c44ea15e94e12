/** Agents of several clients at once on two nodes, and what was done beyond their mandates: nothing, if all is well. */
import { type Agent, emptyMemory, openAgent, type Told } from './agent.ts';
import { type ListedTool, routeCalls, rpc, toolCalls } from './calls.ts';
import { breachesNow, contradictionsOf } from './check.ts';
import { openWorld, type World, type WorldOptions } from './world.ts';

export interface AgentsOptions extends WorldOptions {
  seed: number;
  calls: number;
  say?: (line: string) => void;
}

export interface Outcome {
  told: Told[];
  contradictions: string[];
  /** How many bookings, holds and other rows the checker has gone through, by kind. */
  rows: Record<string, number>;
}

/** Of each client at a time, so that their limits are reached by calls that meet. */
const AGENTS_OF_CLIENT = 4;
const LOOK_MS = 50;
const JOBS_MS = 400;
const SAY_EVERY = 2000;

async function listTools({ addresses, clients }: World): Promise<ListedTool[]> {
  const { path, body, headers } = rpc('tools/list', {});
  const [client] = clients;
  const response = await fetch(`${addresses[0]}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${client?.token}`,
      ...client?.headers,
      ...headers,
    },
    body: JSON.stringify(body),
  });
  const { result } = (await response.json()) as { result?: { tools: ListedTool[] } };
  if (!result) throw new Error('There is no list of tools.');
  return result.tools;
}

/** Does something again and again until it is told to stop, and never twice at a time. */
function keepDoing(everyMs: number, work: () => Promise<void>): () => Promise<void> {
  const stopped = Promise.withResolvers<void>();
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      await work();
      await Promise.race([new Promise((resolve) => setTimeout(resolve, everyMs)), stopped.promise]);
    }
  })();
  // Thrown where it is awaited.
  running.catch(() => {});
  return () => {
    isOver = true;
    stopped.resolve();
    return running;
  };
}

/** What nodes do by themselves and agents can notice: offers from waiting lists, holds that end, calls in doubt. */
async function doBackgroundWork({ services }: World): Promise<void> {
  for (const { waitlist, bookings } of services) {
    await waitlist.workDue();
    await bookings.sweepHolds();
  }
}

export async function runAgents({
  seed,
  calls,
  say = () => {},
  ...options
}: AgentsOptions): Promise<Outcome> {
  const world = await openWorld(options);
  try {
    const told: Told[] = [];
    const found = new Set<string>();
    const shared = emptyMemory();
    const available = [...routeCalls(), ...toolCalls(await listTools(world))];
    const note = (each: Told) => {
      told.push(each);
      if (told.length % SAY_EVERY === 0) say(`${told.length} calls`);
    };
    const agents = world.clients.flatMap((client, index) =>
      Array.from({ length: AGENTS_OF_CLIENT }, (_, place) =>
        openAgent({ world, client, calls: available, seed: seed + 100 * index + place, shared, note }),
      ),
    );
    const stopLooking = keepDoing(LOOK_MS, async () => {
      for (const line of await breachesNow(world)) found.add(line);
    });
    const stopWorking = keepDoing(JOBS_MS, () => doBackgroundWork(world));
    const keepActing = async (agent: Agent) => {
      while (told.length < calls) await agent.act();
    };
    await Promise.all(agents.map(keepActing));
    await stopWorking();
    await stopLooking();
    const { contradictions, rows } = await contradictionsOf(world, told);
    return { told, rows, contradictions: [...found, ...contradictions] };
  } finally {
    await world.close();
  }
}
