/** Who takes part in a storm, and where partners are told of what happens. */
import { join } from 'node:path';
import type { SentOrder } from '../../../test/faults/orders/order-random.ts';
import { answer, type Behaviour } from '../../../test/support/peers/receiver.ts';
import type { Told } from '../../agents/agent.ts';
import type { AgentClient } from '../../agents/world.ts';
import type { Subscription } from '../evidence.ts';
import type { Kind, World } from '../world.ts';
import { keepAgents } from './agency.ts';
import { keepBooking } from './booker.ts';
import { type Caller, openCaller, type Stage } from './caller.ts';
import { keepClosing } from './closer.ts';
import { keepCurating } from './curator.ts';
import { keepDesk, keepDoor } from './desk.ts';
import { keepMapping } from './mapper.ts';
import { keepReselling } from './octo-caller.ts';
import { keepManaging } from './operator.ts';
import { keepOrdering } from './orderer.ts';
import { keepPaying, keepRefunding } from './payer.ts';
import { keepEmploying } from './people.ts';
import { keepHouse } from './platform.ts';
import { keepFollowing, keepReading, type LogReader, openLogReader } from './readers.ts';
import { openScreen, type Screen } from './screens.ts';
import { agencySpots, type Employed, employStaff, type Staff } from './staff.ts';
import { keepSystems, type SystemDeeds } from './venue-systems.ts';
import { keepHolding, keepWaiting } from './waiter.ts';
import { keepSubscribing } from './webhook-keeper.ts';

export interface Cast {
  subscriptions: Subscription[];
  logs: ReadonlyMap<number, LogReader>;
  orders: SentOrder[];
  /** What those who took part have seen and should not have. */
  faults: string[];
  screens: Screen[];
  agency: { id: number; clients: AgentClient[]; told: Told[] };
  systemDeeds: SystemDeeds;
  /** A partner and somebody of the platform who take part no more, for looking around afterwards. */
  witness: Caller;
  auditor: Caller;
  /** Settles when everybody has stopped, each after what they were at. */
  play(): Promise<void>;
}

type Part = () => Promise<void>;

const SLOW_MS = 300;
const slow: Behaviour = (response) => setTimeout(() => response.writeHead(204).end(), SLOW_MS);

export async function assemble(
  stage: Stage,
  world: World,
  { bookers, dataDir }: { bookers: number; dataDir: string },
): Promise<Cast> {
  const staff = await employStaff(stage, world);
  const { partner, other, platform, agency, mapped } = staff;
  const patient = { ...stage, patience: new AbortController().signal };
  const log = (id: number, client: Employed) =>
    [id, openLogReader(openCaller(patient, `log-${id}`, client))] as const;
  const logs = new Map([
    log(1, partner),
    log(2, other),
    log(agency.id, agency.reader),
    log(mapped.id, mapped.client),
  ]);
  const seen = {
    ...{ orders: [] as SentOrder[], faults: [] as string[], screens: [] as Screen[] },
    agency: { id: agency.id, clients: agency.clients, told: [] as Told[] },
    systemDeeds: { moved: 0, cancelled: 0, notified: 0 },
  };
  const mails = join(dataDir, 'mail');
  const parts: Part[] = [
    ...partnersOf(stage, world, { staff, bookers, seen }),
    ...(await housesOf(stage, world, { staff, seen, mails, patient })),
    ...[...logs.values()].map((reader) => reader.keepReading),
  ];
  return {
    ...seen,
    subscriptions: await subscribe(world, staff),
    logs,
    witness: openCaller(patient, 'witness', partner),
    auditor: openCaller(patient, 'auditor', platform),
    play: async () => void (await Promise.all(parts.map((part) => part()))),
  };
}

type Seen = Pick<Cast, 'orders' | 'faults' | 'screens' | 'agency' | 'systemDeeds'>;

function partnersOf(
  stage: Stage,
  world: World,
  { staff, bookers, seen }: { staff: Staff; bookers: number; seen: Seen },
): Part[] {
  const { partner, other, agent, agency, mapped } = staff;
  const { spots, shared, receiver } = world;
  const of = (...kinds: Kind[]) => spots.filter(({ kind }) => kinds.includes(kind));
  const [near, far, rooms] = [of('room', 'gig'), of('bistro', 'towers'), of('room')];
  const open = (name: string, client: Employed) => openCaller(stage, name, client);
  return [
    ...Array.from(
      { length: bookers },
      (_, index) => () => keepBooking(open(`booker-${index + 1}`, partner), near),
    ),
    () => keepBooking(open('booker-far', partner), far),
    () => keepBooking(open('booker-other', other), shared),
    () => keepBooking(open('booker-agent', agent), of('room', 'gig', 'bistro')),
    () => keepBooking(open('booker-mapped', mapped.client), rooms.slice(0, 1)),
    () => keepOrdering(open('orderer', partner), of('room', 'gig', 'bistro'), seen.orders),
    () => keepHolding(open('holder', other), shared),
    () => keepHolding(open('holder-far', partner), of('room', 'bistro', 'towers')),
    () => keepWaiting(open('waiter', partner), rooms),
    ...of('till').flatMap((spot) =>
      [1, 2].map((index) => () => keepPaying(open(`payer-${index}`, partner), spot)),
    ),
    () => keepReselling(open('reseller', other), shared),
    () => keepAgents(open('agency', agency.reader), { ...seen.agency, spots: agencySpots(world) }),
    () => keepReading(open('reader', partner), of('room', 'gig', 'bistro')),
    () => keepFollowing(open('follower', partner), rooms, seen.faults),
    () => keepSubscribing(open('subscriber', partner), receiver.url),
  ];
}

interface Houses {
  staff: Staff;
  seen: Seen;
  mails: string;
  patient: Stage;
}

/** Those who work for operators and for the platform, and the systems of venues elsewhere. */
async function housesOf(
  stage: Stage,
  world: World,
  { staff, seen, mails, patient }: Houses,
): Promise<Part[]> {
  const { employ, mapped, partner, platform } = staff;
  const { spots, front, receiver } = world;
  const parts: Part[] = [];
  for (const spot of spots) {
    const { operatorId, kind } = spot;
    const employed = async (what: string) => {
      const name = `storm-${what}-${kind}-${operatorId}`;
      return openCaller(stage, name, await employ(name, { kind: 'operator', operatorId }));
    };
    const manager = await employed('operator');
    parts.push(() => keepManaging(manager, spot));
    if (kind === 'till') {
      const treasurer = await employed('treasurer');
      parts.push(() => keepRefunding(treasurer, spot));
    }
    if (kind !== 'room') continue;
    const host = await employed('desk');
    parts.push(() => keepDesk(host, spot));
    const [, second] = spots.filter((each) => each.kind === 'room');
    if (spot === second) {
      const closer = await employed('closer');
      parts.push(() => keepClosing(closer, spot, seen.faults));
    }
  }
  const door = await employ('storm-door', { kind: 'operator', operatorId: front.operatorId });
  parts.push(() => keepDoor(openCaller(stage, 'storm-door', door), front));
  const today = Temporal.Now.plainDateISO('Europe/London').toString();
  const rooms = spots.filter(({ kind }) => kind === 'room');
  const days = [...new Set(rooms.flatMap(({ starts }) => starts.map(({ date }) => date)))].slice(0, 2);
  const followed = [
    ...rooms.flatMap((spot) => days.map((date) => ({ spot, date }))),
    { spot: front, date: today },
  ];
  for (const [index, { spot, date }] of followed.entries())
    seen.screens.push(openScreen(openCaller(patient, `screen-${index + 1}`, platform), spot, date));
  parts.push(...seen.screens.map((screen) => screen.keepFollowing));

  const [room] = rooms;
  const ofPlatform = async (name: string) =>
    openCaller(stage, name, await employ(name, { kind: 'platform' }));
  const [house, curator, personnel, mapper] = [
    await ofPlatform('storm-platform'),
    await ofPlatform('storm-curator'),
    await ofPlatform('storm-personnel'),
    await ofPlatform('storm-mapper'),
  ];
  parts.push(
    () => keepHouse(house, rooms),
    () => keepCurating(curator, { receiverUrl: receiver.url, systemUrl: world.remote.url }),
    () => keepSystems(openCaller(stage, 'venue-systems', partner), world, seen.systemDeeds),
  );
  if (room) {
    const employer = { mails, operatorId: room.operatorId, partnerId: mapped.id, faults: seen.faults };
    parts.push(() => keepEmploying(personnel, employer));
    parts.push(() => keepMapping(mapper, mapped.id, room));
  }
  return parts;
}

async function subscribe({ receiver }: World, { partner, other, send }: Staff): Promise<Subscription[]> {
  receiver.behave(slow, '/slow');
  const subscriptions: Subscription[] = [];
  for (const path of ['/good', '/slow', '/hanging', '/failing', '/other']) {
    if (path !== '/slow') receiver.behave(answer(204), path);
    const isOther = path === '/other';
    const hook = { callbackUrl: receiver.url + path };
    const made = await send('POST', '/webhooks/subscriptions', (isOther ? other : partner).token, hook);
    const { webhookId, secretKey: secret, eventTypes } = made;
    subscriptions.push({ path, partnerId: isOther ? 2 : 1, webhookId, secret, eventTypes });
  }
  return subscriptions;
}
