/** How long requests take, one at a time, and what they take of the node's processor and of the database's. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../src/db/database.ts';
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
const WARM_UP = { requests: 40, ms: 400 };
const MEASURED = { requests: 250, ms: 2000 };

export async function measureOperation(world: World, callers: Callers, operation: Operation): Promise<Taken> {
  using connection = connect(callers);
  let n = 0;
  const ask = () => connection.ask(operation.next(world, callers, n++));
  await repeat(ask, WARM_UP);
  const before = await cpuOf(world.sql, callers);
  const durations = await repeat(ask, MEASURED);
  const after = await cpuOf(world.sql, callers);
  const sorted = durations.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  const perRequest = (micros: number) => micros / 1000 / sorted.length;
  return {
    medianMs: at(0.5),
    p99Ms: at(0.99),
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
