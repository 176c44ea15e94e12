/** How fast webhooks are delivered against a bare loop that signs and posts, and how soon the first attempt is made. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sql } from '../../src/db/database.ts';
import { openNotifications } from '../../src/db/notifications.ts';
import { createEvents } from '../../src/features/events/service.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createKeyring, newId, seal } from '../../src/kernel/crypto.ts';
import { parseVenueId } from '../../src/kernel/ids.ts';
import { startReceiver } from '../../test/support/peers/receiver.ts';
import { tokenOf } from '../caller.ts';
import { median } from '../compare.ts';
import type { Context } from '../context.ts';
import type { Figure } from '../figure.ts';
import type { BareDeliveries } from '../servers/bare-deliveries-server.ts';
import { type ServerProcess, startServer } from '../servers/server-process.ts';
import { bodyOf } from './deliveries-body.ts';
import { insertBacklog, notifyBare } from './deliveries-store.ts';

export const name = 'deliveries';

const CLIENT = 'demo-partner';
const PARTNER_ID = 1;
const VENUE = parseVenueId('1|house|soho-grill');
const ENCRYPTION_KEY = Buffer.alloc(32, 7);
const KEYS = createKeyring([ENCRYPTION_KEY]);
/** As many as a courier posts to one subscription at a time. */
const CONCURRENCY = 16;
const COUNT = 4000;
const ROUNDS = 6;
const FIRST_ATTEMPTS = 100;

interface Node {
  server: ServerProcess;
  sql: Sql;
  databaseUrl: string;
  headers: Record<string, string>;
}

export async function run(context: Context): Promise<Figure[]> {
  await using started = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'maitred-bench-deliveries-'));
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  const start: typeof startServer = async (file, options) => {
    const server = await startServer(file, options);
    started.defer(() => server.stop());
    return server;
  };
  context.progress('Filling a database …');
  const { sql, url } = await context.createDatabase({ hasDemo: true });
  const env = {
    DATABASE_URL: url,
    DATA_DIR: folder,
    PORT: '0',
    ENCRYPTION_KEY: ENCRYPTION_KEY.toString('base64'),
    WEBHOOK_ALLOW_LOOPBACK: 'true',
  };
  const server = await start('our-server.ts', { env, logFile: join(folder, 'node.log') });
  const headers = {
    authorization: `Bearer ${await tokenOf(server, CLIENT)}`,
    'content-type': 'application/json',
  };
  const node: Node = { server, sql, databaseUrl: url, headers };
  const logFile = join(folder, 'bare.log');
  const receiver = await start('deliveries-receiver.ts', { logFile });
  const setup: BareDeliveries = { receiverUrl: receiver.address.href, concurrency: CONCURRENCY };
  const bare = await start('bare-deliveries-server.ts', { logFile, setup });
  context.progress('deliveries …');
  const throughput = await measureThroughput(node, { receiver, bare });
  context.progress('deliveries.first …');
  return [...throughput, await measureFirstAttempt(node)];
}

async function send({ server, headers }: Node, method: string, path: string, body: object) {
  const response = await fetch(new URL(path, server.address), {
    method,
    headers,
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as { webhookId: string };
}

const subscribe = (node: Node, callbackUrl: string) =>
  send(node, 'POST', '/webhooks/subscriptions', { callbackUrl });
const setActive = (node: Node, webhookId: string, active: boolean) =>
  send(node, 'PUT', `/webhooks/subscriptions/${webhookId}`, { active });

interface Round {
  perSecond: number;
  cpuMicroseconds: number;
}

/** Rounds of both in turn. Ours begins with a backlog and a subscription that is paused until the clock runs. */
async function measureThroughput(
  node: Node,
  { receiver, bare }: Record<'receiver' | 'bare', ServerProcess>,
): Promise<Figure[]> {
  const { webhookId } = await subscribe(node, receiver.address.href);
  const timed = async (
    server: ServerProcess,
    count: number,
    work: () => Promise<unknown>,
  ): Promise<Round> => {
    const cpuBefore = await server.cpuMicroseconds();
    const began = performance.now();
    await work();
    const seconds = (performance.now() - began) / 1000;
    const cpu = (await server.cpuMicroseconds()) - cpuBefore;
    return { perSecond: count / seconds, cpuMicroseconds: cpu / count };
  };
  const ours = async (count: number) => {
    await setActive(node, webhookId, false);
    const events = Array.from({ length: count }, (_, index) => {
      const id = newId(systemClock);
      return { id, body: seal(KEYS, bodyOf(index), `event:${id}`) };
    });
    await insertBacklog(node.sql, { webhookId, partnerId: PARTNER_ID, venueId: VENUE, events });
    const counting = await fetch(new URL(`/?count=${count}`, receiver.address));
    return timed(node.server, count, async () => {
      await setActive(node, webhookId, true);
      await counting.text();
    });
  };
  const reference = (count: number) =>
    timed(bare, count, () =>
      fetch(new URL(`/?count=${count}`, bare.address)).then((answer) => answer.json()),
    );
  const results: [Round[], Round[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const [mine, theirs] = [await ours(COUNT), await reference(COUNT)];
    // The first warms up.
    if (round === 0) continue;
    results[0].push(mine);
    results[1].push(theirs);
  }
  await setActive(node, webhookId, false);
  const of = (side: 0 | 1, figure: keyof Round) => median(results[side].map((each) => each[figure]));
  const against = `an undici loop that signs and posts the same bodies, ${CONCURRENCY} at a time`;
  return [
    {
      name: 'deliveries',
      ours: of(0, 'perSecond'),
      reference: of(1, 'perSecond'),
      unit: 'deliveries/s',
      against,
      goal: { atLeast: 0.4 },
    },
    {
      name: 'deliveries.cpu',
      ours: of(0, 'cpuMicroseconds'),
      reference: of(1, 'cpuMicroseconds'),
      unit: 'CPU µs/delivery',
      against,
    },
  ];
}

/** From before the event is sent to the database, so that the commit is in it, to its arrival; one by one. */
async function measureFirstAttempt(node: Node): Promise<Figure> {
  const { sql, databaseUrl } = node;
  await using started = new AsyncDisposableStack();
  let notice = () => {};
  const receiver = await startReceiver({
    behaviour: (response) => {
      notice();
      response.writeHead(204).end();
    },
  });
  started.defer(() => receiver.close());
  const notifications = await openNotifications(databaseUrl);
  started.defer(() => notifications.close());
  notifications.subscribe({ changed: (topic) => topic === 'bare' && notice(), lost: () => {} });
  await subscribe(node, receiver.url);
  const events = createEvents({ encryptionKeys: KEYS, clock: systemClock });
  const tell = () =>
    events.append(sql, {
      type: 'booking.updated',
      partnerId: PARTNER_ID,
      venueId: VENUE,
      occurredAt: Temporal.Now.instant(),
      content: { bookings: [{ notes: 'A quiet table, please.' }] },
    });

  const noticedAfterMs = async (begin: () => Promise<void>) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    notice = resolve;
    const began = performance.now();
    await Promise.all([begin(), promise]);
    return performance.now() - began;
  };
  const ours: number[] = [];
  const reference: number[] = [];
  for (let count = 0; count < FIRST_ATTEMPTS; count += 1) {
    ours.push(await noticedAfterMs(tell));
    reference.push(await noticedAfterMs(() => notifyBare(sql, 'bare')));
  }
  return {
    name: 'deliveries.first',
    ours: median(ours),
    reference: median(reference),
    unit: 'ms',
    against: 'a NOTIFY until it is heard',
    goal: { oursBelow: 100 },
  };
}
