/** One booking, what its guest, partner, bank and nodes do about its money at random, and what is left of it. */
import assert from 'node:assert/strict';
import { pick, type Random } from '../../test/faults/orders/order-random.ts';
import { LEASE_SECONDS } from '../../test/faults/orders/order-story.ts';
import { SLOW_DEBIT } from '../../test/support/stripe/books.ts';
import type { Announcement, StripeFault, StripeOperation } from '../../test/support/stripe/server.ts';
import { contradictionsOf } from './check.ts';
import type { Answer, Kind, MoneyNode, MoneyWorld } from './world.ts';

export interface Teller {
  /** How often something happened, by its name. */
  count(what: string): void;
}

interface Story {
  world: MoneyWorld;
  random: Random;
  teller: Teller;
  /** Nodes that do not die. */
  living: readonly MoneyNode[];
  /** Nodes that do, and are started again; those that are at work are not among them. */
  mortal: MoneyNode[];
  kind: Kind;
  bookingId: string;
  /** What the partner has sent, so that it can send it again. */
  sent: Sent[];
  succeeded: Set<string>;
  clientSecrets: Set<string>;
}

interface Sent {
  key: string | undefined;
  body: object;
}

const CARDS = [
  ...[
    'pm_card_visa',
    'pm_card_visa',
    'pm_card_visa',
    'pm_card_visa',
    'pm_card_visa',
    'pm_card_pendingRefund',
  ],
  ...[
    'pm_card_chargeDeclined',
    'pm_card_chargeDeclinedInsufficientFunds',
    'pm_card_chargeDeclinedExpiredCard',
  ],
  ...['pm_card_authenticationRequired', 'pm_card_authenticationRequired', SLOW_DEBIT, 'pm_nobody'],
];

const FAULTS: readonly StripeFault[] = [
  { kind: 'slow', delayMs: 10 },
  { kind: 'mute' },
  { kind: 'late' },
  { kind: 'cut-before' },
  { kind: 'cut-after' },
  { kind: 'cut-after' },
  { kind: 'garbage' },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 500, isDone: true },
  { kind: 'status', status: 429 },
];

const ANNOUNCEMENTS: readonly Announcement[] = ['after', 'before', 'twice', 'held', 'lost'];

/** One call in three goes wrong, of those that open a payment fewer: otherwise hardly any would get further. */
function misbehave({ world, random, teller }: Story): void {
  world.stirUp();
  world.stripe.misbehave({
    fault(operation: StripeOperation) {
      if (random() > (operation === 'open' ? 0.1 : 1 / 3)) return undefined;
      const fault = pick(random, FAULTS);
      teller.count(`${operation}: ${fault.kind}`);
      return fault;
    },
    announcement: () => pick(random, ANNOUNCEMENTS),
  });
}

/** Calls of a payment take some forty steps, so that some nodes survive theirs. */
const MOST_STEPS = 50;
const MOST_CALLS = 3;

const someDeath = (random: Random) =>
  random() < 0.4
    ? { diesAfter: Math.floor(random() * MOST_STEPS) }
    : { diesAtCall: 1 + Math.floor(random() * 2 * MOST_CALLS) };

/** Often it is done by a node that dies somewhere on the way, before or after a call to Stripe more than elsewhere. */
async function onSomeNode(story: Story, work: (node: MoneyNode) => Promise<unknown>): Promise<void> {
  const { random, teller, living, mortal } = story;
  const node = random() < 0.4 ? mortal.pop() : undefined;
  if (!node) return void (await work(pick(random, living)));
  node.life.beReborn(someDeath(random));
  await work(node).catch((error) => assert.ok(node.life.isDead(), error));
  if (node.life.isDead()) teller.count('deaths');
  mortal.push(node);
}

async function send(story: Story, { key, body }: Sent): Promise<void> {
  const path = `/venues/bookings/${story.bookingId}/payments`;
  await onSomeNode(story, async (node) => {
    listen(story, await node.call({ method: 'POST', path, body, key }));
  });
}

/** What an answer says is held against it at the end. */
function listen({ teller, succeeded, clientSecrets }: Story, answer: Answer | undefined): void {
  teller.count(answer ? `paying: ${answer.json.code ?? answer.json.status}` : 'paying: no answer');
  if (answer?.status !== 201) return;
  const { id, status, clientSecret } = answer.json;
  if (status === 'succeeded' || status === 'refunded') succeeded.add(id);
  if (typeof clientSecret === 'string') clientSecrets.add(clientSecret);
}

const OPTIONS: Record<Kind, readonly string[]> = {
  'paid afterwards': ['full', 'full', 'deposit_25'],
  'paid first': ['deposit', 'deposit', 'full'],
};

async function pay(story: Story): Promise<void> {
  const { random, sent } = story;
  const isOnPage = random() < 0.3;
  const body = {
    option: pick(random, OPTIONS[story.kind]),
    ...(!isOnPage && { token: pick(random, CARDS) }),
    ...(random() < 0.5 && { returnUrl: 'https://partner.example/back' }),
    ...(random() < 0.1 && { offSession: true }),
  };
  const request = { key: random() < 0.7 ? `${story.bookingId}-${sent.length}` : undefined, body };
  sent.push(request);
  await send(story, request);
}

type Resting = Pick<Story, 'world' | 'living' | 'random' | 'bookingId'>;

const openIntents = ({ world, bookingId }: Resting, ...statuses: string[]) =>
  world.stripe
    .intents()
    .filter(({ metadata, status }) => metadata.booking === bookingId && statuses.includes(status));

const cancel = (story: Story) =>
  onSomeNode(story, (node) => node.call({ method: 'DELETE', path: `/venues/bookings/${story.bookingId}` }));

function runJobsLater(story: Story): Promise<void> {
  story.world.pass(65);
  return onSomeNode(story, (node) => node.runJobs());
}

const MOST_TICKETS = 8;
const MOST_GIVEN_BACK = 3000;
const someTickets = (random: Random) => 1 + Math.floor(random() * MOST_TICKETS);

interface Action {
  name: string;
  weight: number;
  run(story: Story): Promise<unknown>;
}

const ACTIONS: readonly Action[] = [
  { name: 'pay', weight: 6, run: pay },
  { name: 'pay twice at once', weight: 2, run: (story) => Promise.all([pay(story), pay(story)]) },
  {
    name: 'send again',
    weight: 3,
    async run(story) {
      const keyed = story.sent.filter(({ key }) => key !== undefined);
      // A node that has died holds the key of its request until then.
      story.world.pass(LEASE_SECONDS);
      if (keyed.length > 0) await send(story, pick(story.random, keyed));
    },
  },
  {
    name: 'pay on the page',
    weight: 3,
    async run({ random, world, clientSecrets }) {
      for (const secret of clientSecrets)
        if (random() < 0.7) await world.stripe.payOnPage(secret, pick(random, CARDS));
    },
  },
  {
    name: 'authenticate',
    weight: 3,
    async run(story) {
      for (const { id } of openIntents(story, 'requires_action'))
        await story.world.stripe.authenticate(id, { passes: story.random() < 0.8 });
    },
  },
  {
    name: 'bank decides',
    weight: 2,
    async run(story) {
      for (const { id } of openIntents(story, 'processing'))
        await story.world.stripe.decide(id, { agrees: story.random() < 0.7 });
    },
  },
  { name: 'cancel the booking', weight: 0.3, run: cancel },
  {
    name: 'another number of tickets',
    weight: 2,
    run: (story) =>
      onSomeNode(story, (node) => {
        const body = [{ op: 'replace', path: '/partySize', value: someTickets(story.random) }];
        return node.call({ method: 'PATCH', path: `/venues/bookings/${story.bookingId}`, body });
      }),
  },
  {
    name: 'the venue gives back',
    weight: 1,
    run: (story) =>
      onSomeNode(story, async (node) => {
        const { world, kind, bookingId, random } = story;
        const operatorId = world.products[kind].split('|')[0];
        const path = `/manage/operators/${operatorId}/bookings/${bookingId}/refunds`;
        const body = { amount: 1 + Math.floor(random() * MOST_GIVEN_BACK) };
        const answer = await node.call({ method: 'POST', path, body, as: 'demo-admin' });
        story.teller.count(`giving back: ${answer?.json.code ?? answer?.status ?? 'no answer'}`);
      }),
  },
  { name: 'jobs', weight: 2, run: (story) => onSomeNode(story, (node) => node.runJobs()) },
  { name: 'jobs of the next minute', weight: 6, run: runJobsLater },
  { name: 'late notifications', weight: 2, run: ({ world }) => world.stripe.deliverHeld() },
  { name: 'late requests', weight: 2, run: ({ world }) => world.stripe.applyLate() },
  {
    name: 'Stripe is away',
    weight: 1,
    async run(story) {
      await story.world.stripe.goAway();
      await pick(story.random, [pay, (each: Story) => onSomeNode(each, (node) => node.runJobs())])(story);
      await story.world.stripe.comeBack();
    },
  },
  { name: 'seconds pass', weight: 2, run: async ({ world }) => world.pass(5) },
  { name: 'a minute passes', weight: 1, run: async ({ world }) => world.pass(65) },
  { name: 'an hour passes', weight: 1, run: async ({ world }) => world.pass(3600) },
  {
    name: 'a day passes',
    weight: 0.1,
    async run({ world }) {
      world.pass(25 * 3600);
      world.stripe.forgetKeys();
    },
  },
];

const WEIGHT = ACTIONS.reduce((sum, { weight }) => sum + weight, 0);

function chooseAction(random: Random): Action {
  let left = random() * WEIGHT;
  const chosen = ACTIONS.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
  return chosen ?? assert.fail('no action');
}

export async function book({
  world,
  random,
  living,
  kind,
}: Pick<Story, 'world' | 'random' | 'living' | 'kind'>): Promise<string> {
  const body = {
    ...{ type: 'book', date: world.day(), time: '20:00', partySize: someTickets(random) },
    ...{ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+44 20 7946 0018' },
  };
  const path = `/venues/${encodeURIComponent(world.products[kind])}/booking`;
  const made = await pick(random, living).call({ method: 'POST', path, body });
  assert.equal(made?.status, 201, JSON.stringify(made));
  assert.equal(made?.json.status, kind === 'paid first' ? 'pending' : 'confirmed');
  return made?.json.id;
}

const FEWEST_ACTIONS = 5;
const MOST_ACTIONS = 20;
/** Refunds go out while calls still fail. */
const STORMY_ROUNDS = 3;

export interface Cast {
  world: MoneyWorld;
  living: readonly MoneyNode[];
  mortal: MoneyNode[];
  teller: Teller;
}

/** Says what does not fit at its end. */
export async function runHistory({ world, living, mortal, teller }: Cast, random: Random): Promise<string[]> {
  world.calmDown();
  const kind = pick(random, ['paid afterwards', 'paid first'] as const);
  const bookingId = await book({ world, random, living, kind });
  teller.count(`bookings ${kind}`);
  const story: Story = {
    ...{ world, random, teller, living, mortal, kind, bookingId },
    ...{ sent: [], succeeded: new Set(), clientSecrets: new Set() },
  };
  world.stripe.notify((body, signature) => pick(random, living).notify(body, signature));
  misbehave(story);
  const actions = FEWEST_ACTIONS + Math.floor(random() * (MOST_ACTIONS - FEWEST_ACTIONS));
  for (let done = 0; done < actions; done += 1) {
    const action = chooseAction(random);
    teller.count(action.name);
    await action.run(story);
  }
  if (random() < 0.4) await cancel(story);
  for (let round = 0; round < STORMY_ROUNDS; round += 1) await runJobsLater(story);
  await comeToRest(story);
  return contradictionsOf(world, story);
}

const MOST_ROUNDS = 12;

/** Everything works again, guests and banks make up their minds, and jobs run until there is nothing left to do. */
export async function comeToRest(story: Resting): Promise<void> {
  const { world, living, random } = story;
  world.calmDown();
  await world.stripe.announced();
  await world.stripe.applyLate();
  await world.stripe.deliverHeld();
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    for (const { id } of openIntents(story, 'processing'))
      await world.stripe.decide(id, { agrees: random() < 0.5 });
    for (const { id, status } of world.stripe.refunds())
      if (status === 'pending') await world.stripe.endRefund(id, 'succeeded');
    world.pass(31 * 60);
    await pick(random, living).runJobs();
    await world.stripe.announced();
    if (round > 0 && (await isAtRest(story))) return;
  }
}

async function isAtRest({ world: { app }, bookingId }: Resting): Promise<boolean> {
  const left = await app.sql`
    select id from payment where booking_id = ${bookingId} and status not in ('succeeded', 'failed')
    union all select id from refund where booking_id = ${bookingId} and status <> 'done'`;
  return left.length === 0;
}
