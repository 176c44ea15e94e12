/** How long requests take, one at a time, and what they take of the node's processor and of the database's. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../src/db/database.ts';
import type { Asked, Operation } from './growth-operations.ts';
import { databaseCpuMicroseconds } from './growth-store.ts';
import type { Callers, World } from './growth-world.ts';

export interface Taken {
  medianMs: number;
  p99Ms: number;
  nodeMs: number;
  databaseMs: number;
}

const SHED = 503;
const SHED_MS = 200;
const WARM_UP = { requests: 30, ms: 400 };
const MEASURED = { requests: 60, ms: 600 };
/** Worlds take turns, so that what else the machine does meets all of them. */
const ROUNDS = 5;

interface Round {
  durations: number[];
  nodeMs: number;
  databaseMs: number;
}

/** The same operation in each of the worlds; figures are medians of the rounds, durations those of all requests. */
export async function measureOperation(
  worlds: readonly { world: World; callers: Callers }[],
  operation: Operation,
): Promise<Taken[]> {
  await using opened = new AsyncDisposableStack();
  const sides = worlds.map(({ world, callers }) => {
    const connection = opened.use(connect(callers));
    let n = 0;
    const ask = () => connection.ask(operation.next(world, callers, n++));
    return { world, callers, ask, rounds: [] as Round[] };
  });
  for (const { ask } of sides) await repeat(ask, WARM_UP);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const side of sides) side.rounds.push(await measureRound(side.world, side.callers, side.ask));
  return sides.map(({ rounds }) => {
    const durations = rounds.flatMap((round) => round.durations);
    return {
      medianMs: quantile(durations, 0.5),
      p99Ms: quantile(durations, 0.99),
      nodeMs: quantile(
        rounds.map(({ nodeMs }) => nodeMs),
        0.5,
      ),
      databaseMs: quantile(
        rounds.map(({ databaseMs }) => databaseMs),
        0.5,
      ),
    };
  });
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

async function measureRound(world: World, callers: Callers, ask: () => Promise<boolean>): Promise<Round> {
  const before = await cpuOf(world.sql, callers);
  const durations = await repeat(ask, MEASURED);
  const after = await cpuOf(world.sql, callers);
  const perRequest = (micros: number) => micros / 1000 / Math.max(1, durations.length);
  return {
    durations,
    nodeMs: perRequest(after.node - before.node),
    databaseMs: perRequest(after.database - before.database),
  };
}

async function cpuOf(sql: Sql, { server }: Callers) {
  return { node: await server.cpuMicroseconds(), database: await databaseCpuMicroseconds(sql) };
}

async function repeat(
  work: () => Promise<boolean>,
  limit: { requests: number; ms: number },
): Promise<number[]> {
  const durations: number[] = [];
  const until = performance.now() + limit.ms;
  while (durations.length < limit.requests && performance.now() < until) {
    const began = performance.now();
    const isAnswered = await work();
    if (isAnswered) durations.push(performance.now() - began);
    else await sleep(SHED_MS);
  }
  return durations;
}

export function connect({ server, headersOf }: Callers) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    /** False where the node had too much to do: on a shared machine that is the others' doing. */
    ask: ({ by, path, body }: Asked) =>
      new Promise<boolean>((resolve, reject) => {
        const text = body && JSON.stringify(body);
        const sent = request(
          new URL(path, server.address),
          {
            agent,
            method: text ? 'POST' : 'GET',
            headers: { ...headersOf[by], ...(text && { 'content-type': 'application/json' }) },
          },
          (response) => {
            const { statusCode = 0 } = response;
            if (statusCode >= 300 && statusCode !== SHED) reject(new Error(`${statusCode} for ${path}`));
            response.resume();
            response.on('end', () => resolve(statusCode !== SHED));
          },
        );
        sent.on('error', reject);
        sent.end(text);
      }),
    [Symbol.dispose]: () => agent.destroy(),
  };
}

export interface Memory {
  residentMegabytes: number;
  heapMegabytes: number;
}

/** As the node itself says. */
export async function memoryOf({ server }: Callers): Promise<Memory> {
  const text = await (await fetch(new URL('/metrics', server.address))).text();
  const megabytes = (name: string) =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN) / 1024 ** 2;
  return {
    residentMegabytes: megabytes('process_resident_memory_bytes'),
    heapMegabytes: megabytes('nodejs_heap_size_used_bytes'),
  };
}
