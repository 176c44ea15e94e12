/** What goes wrong and when, decided beforehand from the seed. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../test/faults/order-random.ts';
import { pick } from '../../test/faults/order-random.ts';
import { answer, hang } from '../../test/support/receiver.ts';
import type { Fault, RemoteOperation } from '../../test/support/remote-tms/faults.ts';
import { generatorOf } from './caller.ts';
import type { Cluster } from './cluster.ts';
import type { StormDatabase } from './database.ts';
import type { World } from './world.ts';

export const KINDS = [
  'a node is killed',
  'the remote system misbehaves',
  'a node is stopped',
  'a receiver hangs',
  'the database is killed',
  'a receiver fails',
  'the database is restarted',
] as const;
export type FaultKind = (typeof KINDS)[number];

export interface PlannedFault {
  atMs: number;
  kind: FaultKind;
  node: number;
  lastsMs: number;
}

/** Every kind comes once before any comes again, a little off an even pace. */
export function planFaults(seed: number, durationMs: number, gapMs: number): PlannedFault[] {
  const random = generatorOf(seed, 'faults');
  const count = Math.floor(durationMs / gapMs);
  const order: FaultKind[] = [];
  while (order.length < count) order.push(...shuffled(random, KINDS));
  return order.slice(0, count).map((kind, index) => ({
    atMs: Math.round((index + 0.2 + 0.6 * random()) * gapMs),
    kind,
    node: Math.floor(random() * 100),
    lastsMs: Math.round(gapMs * (0.3 + random())),
  }));
}

function shuffled<Item>(random: Random, items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((left, right) => left.at - right.at)
    .map(({ item }) => item);
}

export interface FaultDeps {
  seed: number;
  cluster: Cluster;
  database: StormDatabase;
  world: World;
}

/** Carries the plan out, and settles when everything is as it was; the counts say what came to pass. */
export async function unleash(
  plan: readonly PlannedFault[],
  deps: FaultDeps,
): Promise<Record<string, number>> {
  const { seed, cluster, database, world } = deps;
  const random = generatorOf(seed, 'remote');
  const counts: Record<string, number> = {};
  const busy = new Map<string, Promise<unknown>>();
  const beganAt = performance.now();

  /** One thing at a time with each node and with the database; what comes too early waits for its turn. */
  function begin(what: string, kind: FaultKind, work: () => Promise<void>): void {
    counts[kind] = (counts[kind] ?? 0) + 1;
    busy.set(what, (busy.get(what) ?? Promise.resolve()).then(work));
  }

  for (const { atMs, kind, node, lastsMs } of plan) {
    await sleep(Math.max(0, beganAt + atMs - performance.now()));
    const member = `node ${node % cluster.count}`;
    switch (kind) {
      case 'a node is killed':
        begin(member, kind, () => cluster.kill(node, lastsMs / 4));
        break;
      case 'a node is stopped':
        begin(member, kind, () => cluster.restart(node));
        break;
      case 'the database is killed':
        begin('database', kind, () => database.crash());
        break;
      case 'the database is restarted':
        begin('database', kind, () => database.restart());
        break;
      case 'a receiver hangs':
      case 'a receiver fails': {
        const [path, fault] = kind === 'a receiver hangs' ? (['/hanging', hang] as const) : FAILING;
        begin(path, kind, async () => {
          world.receiver.behave(fault, path);
          await sleep(lastsMs);
          world.receiver.behave(answer(204), path);
        });
        break;
      }
      case 'the remote system misbehaves':
        begin('remote', kind, async () => misbehave(world, random));
    }
  }
  await Promise.all(busy.values());
  return counts;
}

const FAILING = ['/failing', answer(500)] as const;

const WRONGS: readonly [RemoteOperation, Fault][] = [
  ['book', { kind: 'cut-before-commit' }],
  ['book', { kind: 'cut-after-commit' }],
  ['book', { kind: 'late' }],
  ['book', { kind: 'hang' }],
  ['book', { kind: 'status', status: 500 }],
  ['book', { kind: 'status', status: 503 }],
  ['book', { kind: 'garbage' }],
  ['amend', { kind: 'cut-after-commit' }],
  ['amend', { kind: 'status', status: 500 }],
  ['cancel', { kind: 'cut-after-commit' }],
  ['cancel', { kind: 'late' }],
  ['find', { kind: 'cut-before-commit' }],
  ['find', { kind: 'status', status: 503 }],
  ['availability', { kind: 'hang' }],
  ['availability', { kind: 'rate-limit', retryAfterSeconds: 1 }],
];
const WRONG_AT_ONCE = 8;

function misbehave({ remote }: World, random: Random): void {
  remote.applyLate();
  for (let count = 0; count < WRONG_AT_ONCE; count += 1) {
    const [operation, fault] = pick(random, WRONGS);
    remote.faults.plan(fault, { operations: [operation] });
  }
}
