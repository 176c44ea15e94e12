import { press } from './load.ts';
import type { ServerProcess } from './servers/server-process.ts';

/** One side of a comparison: a server and what it is asked. */
export interface Side {
  server: ServerProcess;
  nextRequest: () => Buffer;
}

export interface Rounds {
  rounds: number;
  roundMs: number;
  warmUpMs: number;
  connections: number;
}

/** Many connections keep the server's processor busy, so that throughput is what its work allows. */
export const UNDER_LOAD: Rounds = { rounds: 6, roundMs: 1500, warmUpMs: 3000, connections: 32 };
/** One request at a time shows how long one takes. */
export const ONE_BY_ONE: Rounds = { rounds: 6, roundMs: 500, warmUpMs: 700, connections: 1 };

export interface Measured {
  requestsPerSecond: number;
  cpuMicrosecondsPerRequest: number;
  /** Processors that the server kept busy. */
  busyProcessors: number;
}

/**
 * Short rounds of the two sides in turn, and the median of each: what else the machine does meanwhile falls on both.
 */
export async function compare(
  ours: Side,
  reference: Side,
  plan: Rounds,
): Promise<{ ours: Measured; reference: Measured }> {
  const sides = [ours, reference] as const;
  for (const side of sides) await measure(side, plan.connections, plan.warmUpMs);
  const results = [[], []] as [Measured[], Measured[]];
  for (let round = 0; round < plan.rounds; round += 1) {
    // Whoever goes first meets the machine as the other left it, so they take turns at that too.
    for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      results[index].push(await measure(sides[index], plan.connections, plan.roundMs));
    }
  }
  return { ours: medians(results[0]), reference: medians(results[1]) };
}

async function measure(side: Side, connections: number, durationMs: number): Promise<Measured> {
  const { server, nextRequest } = side;
  const cpuBefore = await server.cpuMicroseconds();
  const { hostname: host, port } = server.address;
  const { answers, seconds } = await press({
    host,
    port: Number(port),
    connections,
    durationMs,
    nextRequest,
  });
  const cpu = (await server.cpuMicroseconds()) - cpuBefore;
  return {
    requestsPerSecond: answers / seconds,
    cpuMicrosecondsPerRequest: cpu / answers,
    busyProcessors: cpu / 1e6 / seconds,
  };
}

function medians(measured: readonly Measured[]): Measured {
  const of = (figure: keyof Measured) => median(measured.map((round) => round[figure]));
  return {
    requestsPerSecond: of('requestsPerSecond'),
    cpuMicrosecondsPerRequest: of('cpuMicrosecondsPerRequest'),
    busyProcessors: of('busyProcessors'),
  };
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
