/** One booking, what its guest, partner, bank and nodes do about its money at random, and what is left of it. */
import assert from 'node:assert/strict';
import { createLife } from '../../test/faults/order-life.ts';
import { pick, type Random } from '../../test/faults/order-random.ts';
import { SLOW_DEBIT } from '../../test/support/stripe/books.ts';
import type { Announcement, StripeFault, StripeOperation } from '../../test/support/stripe/server.ts';
import { contradictionsOf } from './check.ts';
import type { Answer, MoneyNode, MoneyWorld } from './world.ts';

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
  bookingId: string;
  tickets: number;
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
  ...['pm_card_visa', 'pm_card_visa', 'pm_card_visa', 'pm_card_pendingRefund'],
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

/** One call in three goes wrong. */
function misbehave({ world, random, teller }: Story): void {
  world.stirUp();
  world.stripe.misbehave({
    fault(operation: StripeOperation) {
      if (random() > 1 / 3) return undefined;
      const fault = pick(random, FAULTS);
      teller.count(`${operation}: ${fault.kind}`);
      return fault;
    },
    announcement: () => pick(random, ANNOUNCEMENTS),
  });
}

/** Calls of a payment take some forty steps, so that some nodes survive theirs. */
const MOST_STEPS = 50;

/** Every other time it is done by a node that dies somewhere on the way. */
async function onSomeNode(story: Story, work: (node: MoneyNode) => Promise<unknown>): Promise<void> {
  const { world, random, teller, living } = story;
  if (random() < 0.5) return void (await work(pick(random, living)));
  const life = createLife({ diesAfter: Math.floor(random() * MOST_STEPS) });
  const node = await world.startNode({ life });
  await work(node).catch((error) => assert.ok(life.isDead(), error));
  if (life.isDead()) teller.count('deaths');
  await node.leave();
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

async function pay(story: Story): Promise<void> {
  const { random, sent } = story;
  const isOnPage = random() < 0.3;
  const body = {
    option: pick(random, ['full', 'full', 'deposit_25']),
    ...(!isOnPage && { token: pick(random, CARDS) }),
    ...(random() < 0.5 && { returnUrl: 'https://partner.example/back' }),
    ...(random() < 0.1 && { offSession: true }),
  };
  const request = { key: random() < 0.7 ? `${story.bookingId}-${sent.length}` : undefined, body };
  sent.push(request);
  await send(story, request);
}

const openIntents = ({ world, bookingId }: Story, ...statuses: string[]) =>
  world.stripe
    .intents()
    .filter(({ metadata, status }) => metadata.booking === bookingId && statuses.includes(status));

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
  {
    name: 'cancel the booking',
    weight: 1,
    run: (story) =>
      onSomeNode(story, (node) =>
        node.call({ method: 'DELETE', path: `/venues/bookings/${story.bookingId}` }),
      ),
  },
  {
    name: 'fewer tickets',
    weight: 1,
    run: (story) =>
      onSomeNode(story, (node) => {
        const body = [
          { op: 'replace', path: '/partySize', value: 1 + Math.floor(story.random() * story.tickets) },
        ];
        return node.call({ method: 'PATCH', path: `/venues/bookings/${story.bookingId}`, body });
      }),
  },
  { name: 'jobs', weight: 3, run: (story) => onSomeNode(story, (node) => node.runJobs()) },
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
  { name: 'a minute passes', weight: 3, run: async ({ world }) => world.pass(65) },
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

/** Bookings that money is taken for; one that is only confirmed by its payment would be a further kind. */
async function book(world: MoneyWorld, node: MoneyNode, tickets: number): Promise<string> {
  const body = {
    ...{ type: 'book', date: world.day(), time: '20:00', partySize: tickets },
    ...{ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+44 20 7946 0018' },
  };
  const made = await node.call({ method: 'POST', path: `/venues/${world.productId}/bookings`, body });
  assert.equal(made?.status, 201, JSON.stringify(made));
  return made?.json.id;
}

const FEWEST_ACTIONS = 4;
const MOST_ACTIONS = 14;

export interface Cast {
  world: MoneyWorld;
  living: readonly MoneyNode[];
  teller: Teller;
}

/** Says what does not fit at its end. */
export async function runHistory({ world, living, teller }: Cast, random: Random): Promise<string[]> {
  const tickets = 1 + Math.floor(random() * 4);
  world.calmDown();
  const bookingId = await book(world, living[0] as MoneyNode, tickets);
  const story: Story = {
    ...{ world, random, teller, living, bookingId, tickets },
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
  await comeToRest(story);
  return contradictionsOf(world, story);
}

const MOST_ROUNDS = 12;

/** Everything works again, guests and banks make up their minds, and jobs run until there is nothing left to do. */
async function comeToRest(story: Story): Promise<void> {
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

async function isAtRest({ world: { app }, bookingId }: Story): Promise<boolean> {
  const left = await app.sql`
    select id from payment where booking_id = ${bookingId} and status not in ('succeeded', 'failed')
    union all select id from refund where booking_id = ${bookingId} and status <> 'done'`;
  return left.length === 0;
}
