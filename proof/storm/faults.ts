/** What goes wrong and when, decided beforehand from the seed. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../test/faults/orders/order-random.ts';
import { pick } from '../../test/faults/orders/order-random.ts';
import type { OctoFault, OctoOperation } from '../../test/support/octo-supplier/faults.ts';
import { answer, hang } from '../../test/support/peers/receiver.ts';
import type { Fault, RemoteOperation } from '../../test/support/remote-tms/faults.ts';
import { generatorOf } from './actors/caller.ts';
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
  isOver(): boolean;
}

const LOOK_MS = 100;
/** So long everybody is answered again before the next node or the database goes. */
const SERVING_MS = 2500;
const ENDS_SERVICE = /^a node|^the database/;

/** Carries the plan out, and settles when everything is as it was; the counts say what came to pass. */
export async function unleash(
  plan: readonly PlannedFault[],
  deps: FaultDeps,
): Promise<Record<string, number>> {
  const { seed, cluster, database, world, isOver } = deps;
  const random = generatorOf(seed, 'remote');
  const counts: Record<string, number> = {};
  const busy = new Map<string, Promise<unknown>>();
  const beganAt = performance.now();

  /** One thing at a time with each node and with the database; what comes too early waits for its turn. */
  function begin(what: string, kind: FaultKind, work: () => Promise<void>): void {
    counts[kind] = (counts[kind] ?? 0) + 1;
    busy.set(what, (busy.get(what) ?? Promise.resolve()).then(work));
  }

  let isDown = false;
  const away = async (work: () => Promise<void>) => {
    isDown = true;
    await work();
    isDown = false;
  };
  /** On a busy machine nodes take long to come back, and a storm in which nobody is answered shows nothing. */
  async function served(without: number | undefined): Promise<void> {
    for (let servingMs = 0; servingMs < SERVING_MS && !isOver(); servingMs += LOOK_MS) {
      if (isDown || !cluster.isServing(without)) servingMs = 0;
      await sleep(LOOK_MS);
    }
  }

  for (const { atMs, kind, node, lastsMs } of plan) {
    await sleep(Math.max(0, beganAt + atMs - performance.now()));
    if (ENDS_SERVICE.test(kind))
      await served(kind.startsWith('a node') && cluster.count > 1 ? node : undefined);
    if (isOver()) break;
    const member = `node ${node % cluster.count}`;
    switch (kind) {
      case 'a node is killed':
        begin(member, kind, () => cluster.kill(node, lastsMs / 4));
        break;
      case 'a node is stopped':
        begin(member, kind, () => cluster.restart(node));
        break;
      case 'the database is killed':
        begin('database', kind, () => away(database.crash));
        break;
      case 'the database is restarted':
        begin('database', kind, () => away(database.restart));
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
  ['hold', { kind: 'cut-after-commit' }],
  ['hold', { kind: 'hang' }],
  ['confirm', { kind: 'cut-after-commit' }],
  ['confirm', { kind: 'status', status: 500 }],
  ['release', { kind: 'status', status: 503 }],
  ['changes', { kind: 'status', status: 500 }],
  ['changes', { kind: 'garbage' }],
  ['cancel', { kind: 'cut-after-commit' }],
  ['cancel', { kind: 'late' }],
  ['find', { kind: 'cut-before-commit' }],
  ['find', { kind: 'status', status: 503 }],
  ['availability', { kind: 'hang' }],
  ['availability', { kind: 'rate-limit', retryAfterSeconds: 1 }],
];
/** Of the supplier of tickets. */
const OCTO_WRONGS: readonly [OctoOperation, OctoFault][] = [
  ['hold', { kind: 'cut-after-commit' }],
  ['hold', { kind: 'status', status: 500, body: {} }],
  ['confirm', { kind: 'cut-after-commit' }],
  ['confirm', { kind: 'cut-before-commit' }],
  ['confirm', { kind: 'late' }],
  ['update', { kind: 'cut-after-commit' }],
  ['cancel', { kind: 'cut-after-commit' }],
  ['cancel', { kind: 'status', status: 503, body: {} }],
  ['get', { kind: 'garbage', body: '<html>' }],
  ['get', { kind: 'rate-limit', retryAfterSeconds: 1 }],
  ['availability', { kind: 'hang' }],
];
const WRONG_AT_ONCE = 8;

function misbehave({ remote, towers }: World, random: Random): void {
  remote.applyLate();
  towers.applyLate();
  for (let count = 0; count < WRONG_AT_ONCE; count += 1) {
    const [operation, fault] = pick(random, OCTO_WRONGS);
    towers.faults.plan(fault, [operation]);
  }
  for (let count = 0; count < WRONG_AT_ONCE; count += 1) {
    const [operation, fault] = pick(random, WRONGS);
    remote.faults.plan(fault, { operations: [operation] });
  }
}
