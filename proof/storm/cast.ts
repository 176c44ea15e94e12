/** Who takes part in a storm, with their tokens, and where partners are told of what happens. */
import type { SentOrder } from '../../test/faults/order-random.ts';
import { answer, type Behaviour } from '../../test/support/receiver.ts';
import { keepBooking } from './booker.ts';
import { type Caller, openCaller, type Stage, tokenOf } from './caller.ts';
import type { Subscription } from './evidence.ts';
import { keepHolding } from './holder.ts';
import { keepManaging } from './operator.ts';
import { keepOrdering } from './orderer.ts';
import { keepHouse } from './platform.ts';
import { keepFollowing, keepReading, type LogReader, openLogReader } from './readers.ts';
import { keepSubscribing } from './webhook-keeper.ts';
import type { World } from './world.ts';

export interface Cast {
  subscriptions: Subscription[];
  logs: ReadonlyMap<number, LogReader>;
  orders: SentOrder[];
  feedFaults: string[];
  /** A partner who takes part no more, for looking around afterwards. */
  witness: Caller;
  /** Settles when everybody has stopped, each after what they were at. */
  play(): Promise<void>;
}

const SLOW_MS = 300;
const slow: Behaviour = (response) => setTimeout(() => response.writeHead(204).end(), SLOW_MS);

async function post(stage: Stage, path: string, token: string, body: object) {
  const response = await fetch(new URL(path, stage.cluster.sound()), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`${path} was answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

export async function assemble(stage: Stage, world: World, bookers: number): Promise<Cast> {
  const address = stage.cluster.sound();
  const admin = await tokenOf(address, 'demo-admin');
  const partner = { client: 'demo-partner', token: await tokenOf(address, 'demo-partner') };
  const other = { client: 'other-partner', token: await tokenOf(address, 'other-partner') };
  const agent = {
    client: 'demo-agent',
    token: await tokenOf(address, 'demo-agent'),
    headers: { 'x-partner-reference': 'demo-partner' },
  };
  /** A client of its own for each, so that the trail can be told apart. */
  const employ = async (id: string, kind: object) => {
    const { secret } = await post(stage, '/manage/clients', admin, { id, ...kind });
    return { client: id, token: await tokenOf(address, id, secret) };
  };

  const { spots, shared, receiver } = world;
  const near = spots.filter(({ kind }) => kind !== 'bistro');
  // Only what has tables has a feed.
  const rooms = spots.filter(({ kind }) => kind === 'room');
  const far = spots.filter(({ kind }) => kind === 'bistro');
  const patient = { ...stage, patience: new AbortController().signal };
  const logs = new Map([
    [1, openLogReader(openCaller(patient, 'log-1', partner))],
    [2, openLogReader(openCaller(patient, 'log-2', other))],
  ]);
  const orders: SentOrder[] = [];
  const feedFaults: string[] = [];
  const parts: (() => Promise<void>)[] = [
    ...Array.from({ length: bookers }, (_, index) => () => {
      return keepBooking(openCaller(stage, `booker-${index + 1}`, partner), near);
    }),
    () => keepBooking(openCaller(stage, 'booker-far', partner), far),
    () => keepBooking(openCaller(stage, 'booker-other', other), shared),
    () => keepBooking(openCaller(stage, 'booker-agent', agent), spots),
    () => keepOrdering(openCaller(stage, 'orderer', partner), spots, orders),
    () => keepHolding(openCaller(stage, 'holder', other), shared),
    () => keepReading(openCaller(stage, 'reader', partner), spots),
    () => keepFollowing(openCaller(stage, 'follower', partner), rooms, feedFaults),
    () => keepSubscribing(openCaller(stage, 'subscriber', partner), receiver.url),
    ...[...logs.values()].map((log) => log.keepReading),
  ];
  for (const spot of spots) {
    const { operatorId } = spot;
    const name = `storm-operator-${operatorId}`;
    const employed = await employ(name, { kind: 'operator', operatorId });
    parts.push(() => keepManaging(openCaller(stage, name, employed), spot));
  }
  const platform = await employ('storm-platform', { kind: 'platform' });
  parts.push(() => keepHouse(openCaller(stage, 'storm-platform', platform), near));

  receiver.behave(slow, '/slow');
  const subscriptions: Subscription[] = [];
  for (const path of ['/good', '/slow', '/hanging', '/failing', '/other']) {
    if (path !== '/slow') receiver.behave(answer(204), path);
    const isOther = path === '/other';
    const hook = { callbackUrl: receiver.url + path };
    const made = await post(stage, '/webhooks/subscriptions', (isOther ? other : partner).token, hook);
    const { webhookId, secretKey: secret } = made;
    subscriptions.push({ path, partnerId: isOther ? 2 : 1, webhookId, secret });
  }
  return {
    subscriptions,
    logs,
    orders,
    feedFaults,
    witness: openCaller(patient, 'witness', partner),
    play: async () => void (await Promise.all(parts.map((part) => part()))),
  };
}
