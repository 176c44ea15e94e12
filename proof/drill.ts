/** What the drills share: nodes on a folder of their own, and callers that book, read and search all the while. */
import { setTimeout as sleep } from 'node:timers/promises';
import { tokenOf } from '../bench/caller.ts';
import { type NodeProcess, startNodeProcess } from '../test/support/node-process.ts';

const PRODUCT = encodeURIComponent('1|house|soho-grill|dinner');
const TIMES = ['18:00', '18:30', '19:00', '20:00', '20:30', '21:00'];
const FIRST_DAY = 14;
const DAYS = 150;

export interface Fleet {
  /** Those that get calls. */
  nodes: NodeProcess[];
  dataDir: string;
}

export async function startOne(
  { nodes, dataDir }: Fleet,
  env: Record<string, string> = {},
): Promise<NodeProcess> {
  const node = await startNodeProcess({ env: { DATA_DIR: dataDir, RATE_LIMIT: '0', ...env } });
  nodes.push(node);
  return node;
}

/** As behind a balancer: it gets no more calls, finishes those it has, and stops. */
export async function stopOne(fleet: Fleet, node: NodeProcess): Promise<void> {
  fleet.nodes = fleet.nodes.filter((each) => each !== node);
  await sleep(500);
  node.child.kill('SIGTERM');
  await node.exit;
}

export interface Tally {
  booked: Map<string, string>;
  full: number;
  reads: number;
  searches: number;
  failed: string[];
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into.
export type Answered = { status: number; json: any };

export async function call(node: NodeProcess, as: string, path: string, body?: object): Promise<Answered> {
  const headers = { authorization: `Bearer ${await tokenOf(node, as)}`, 'content-type': 'application/json' };
  const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  const answer = await fetch(`${node.address}${path}`, init);
  return { status: answer.status, json: await answer.json() };
}

let made = 0;

export async function bookOne(node: NodeProcess, tally: Tally): Promise<void> {
  const number = made++;
  const date = Temporal.Now.plainDateISO('Europe/London').add({ days: FIRST_DAY + (number % DAYS) });
  const time = TIMES[Math.floor(number / DAYS) % TIMES.length];
  // All of one length: a search finds names that begin with what is sought.
  const digits = String(number).padStart(6, '0');
  const lastName = `Drill${[...digits].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;
  const guest = { firstName: 'Ada', lastName, email: `${number}@example.com`, phone: '+442079460001' };
  const body = { type: 'book', date: date.toString(), time, partySize: 2, ...guest };
  const { status, json } = await call(node, 'demo-partner', `/venues/${PRODUCT}/booking`, body);
  if (status === 201) tally.booked.set(json.id, lastName);
  else if (/^(?:AVAIL|BOOK|BKRUL)-N/.test(json.code)) tally.full += 1;
  else tally.failed.push(`booking: ${status} ${json.code}`);
}

/** Until there are so many. A drill that cannot book says so in place of trying for ever. */
export async function bookMany(node: NodeProcess, tally: Tally, count: number): Promise<void> {
  while (tally.booked.size < count) {
    await bookOne(node, tally);
    const [failure] = tally.failed;
    if (failure) throw new Error(`A booking failed: ${failure}`);
    if (tally.full > 10 * count)
      throw new Error(`${tally.full} bookings were refused, as if all times were full.`);
  }
}

export async function readOne(node: NodeProcess, id: string, lastName: string, tally: Tally): Promise<void> {
  const { status, json } = await call(node, 'demo-partner', `/venues/bookings/${id}`);
  tally.reads += 1;
  if (json.lastName !== lastName) tally.failed.push(`reading: ${status} ${json.code ?? json.lastName}`);
}

export async function findOne(node: NodeProcess, id: string, lastName: string, tally: Tally): Promise<void> {
  const path = `/manage/operators/1/bookings?guest=${lastName}`;
  const { status, json } = await call(node, 'demo-operator', path);
  tally.searches += 1;
  if (!json.data?.some((each: { id: string }) => each.id === id))
    tally.failed.push(`search: ${status} ${lastName}`);
}

/** Books, reads one of before and searches for it, on one node after the other. */
export function startCallers(fleet: Fleet, tally: Tally, count: number): { stop(): Promise<void> } {
  let isOver = false;
  let turn = 0;
  async function run(): Promise<void> {
    while (!isOver) {
      const node = fleet.nodes[turn++ % Math.max(1, fleet.nodes.length)];
      if (!node) {
        await sleep(50);
        continue;
      }
      try {
        await bookOne(node, tally);
        const known = [...tally.booked][Math.floor(Math.random() * tally.booked.size)];
        if (known) await readOne(node, ...known, tally);
        if (known) await findOne(node, ...known, tally);
      } catch (error) {
        tally.failed.push(`call: ${error instanceof Error ? error.message : error}`);
      }
    }
  }
  const callers = Array.from({ length: count }, run);
  return {
    async stop() {
      isOver = true;
      await Promise.all(callers);
    },
  };
}

export const newTally = (): Tally => ({ booked: new Map(), full: 0, reads: 0, searches: 0, failed: [] });
