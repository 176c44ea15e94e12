/** Agents with mandates, who book over MCP, HTTP and OCTO; what they send is made up as `npm run agents` does it. */
import { emptyMemory, openAgent, type Told } from '../../agents/agent.ts';
import { routeCalls, rpc, toolCalls } from '../../agents/calls.ts';
import type { World as Agency, AgentClient, Mandate } from '../../agents/world.ts';
import type { Spot } from '../world.ts';
import { type Caller, generatorOf } from './caller.ts';

/** Each limit binds one of them. */
export const mandatesFor = (spots: readonly Spot[]): Record<string, Mandate | undefined> => ({
  'agent-small': { maxPartySize: 2, maxOpenBookings: 4 },
  'agent-bound': { venueIds: spots.slice(0, 2).map(({ venueId }) => venueId), maxBookingsPerDay: 30 },
  'agent-careful': { maxDepositPence: 3000, maxOpenBookings: 8, confirmAbove: { partySize: 1 } },
  'agent-free': undefined,
});

export interface AgencyOptions {
  clients: readonly AgentClient[];
  spots: readonly Spot[];
  told: Told[];
}

/** The days are those that everybody books. */
export async function keepAgents(caller: Caller, { clients, spots, told }: AgencyOptions): Promise<void> {
  const { stage } = caller;
  const products = spots.map(({ productId, venueId, starts }) => ({
    ...{ id: productId, venueId, city: 'London' },
    times: [...new Set(starts.map(({ time }) => time))],
  }));
  const world = {
    get addresses() {
      return [stage.cluster.address(caller.random)];
    },
    ...{ products, clients, today: Temporal.Now.plainDateISO('Europe/London').toString() },
    dates: [...new Set(spots.flatMap(({ starts }) => starts.map(({ date }) => date)))],
  };
  let { answer } = await listTools(caller, clients[0]);
  while (!answer?.result?.tools && !stage.isOver()) {
    await caller.rest(1000);
    ({ answer } = await listTools(caller, clients[0]));
  }
  const calls = [...routeCalls(), ...toolCalls(answer?.result?.tools ?? [])];
  const shared = emptyMemory();
  await Promise.all(
    clients.map(async (client, index) => {
      const note = (each: Told) => {
        told.push(each);
        writeDown(caller, each);
      };
      const seed = Math.floor(generatorOf(stage.seed, client.name)() * 1e9) + index;
      // Each has a memory of its own: what one client makes for another is judged by both mandates, which a cut hides.
      const agent = openAgent({ world: world as unknown as Agency, client, calls, seed, shared, note });
      while (!stage.isOver()) {
        await agent.act();
        await caller.rest(400);
      }
    }),
  );
}

function listTools(caller: Caller, client: AgentClient | undefined) {
  const { body, headers = {} } = rpc('tools/list', {});
  return caller.ask({
    ...{ route: 'POST /mcp', body, isAnonymous: true },
    headers: { ...headers, ...client?.headers, authorization: `Bearer ${client?.token}` },
  });
}

function writeDown({ stage: { journal } }: Caller, { client, door, call, status, code }: Told): void {
  const isTool = door === 'mcp';
  journal.write({
    ...{ actor: client, client, route: isTool ? 'POST /mcp' : call, ...(isTool && { tool: call }), path: '' },
    ...{ sent: journal.tick(), told: journal.tick(), status, code: status === null ? 'cut' : code },
    ...{ key: null, mark: null, body: null, answer: null },
  });
}
