/** Real nodes that are killed while guests pay through a Stripe of our own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { contradictionsOf } from '../../proof/money/check.ts';
import { book, comeToRest } from '../../proof/money/history.ts';
import { type Kind, openMoneyWorld } from '../../proof/money/world.ts';
import type { NodeProcess } from '../support/node-process.ts';
import { repeats } from '../support/repeats.ts';
import { SECRET_KEY, WEBHOOK_SECRET } from '../support/stripe/server.ts';
import { startMortalNode, tokenFrom } from './booking-clients.ts';
import { pick, randomFrom } from './orders/order-random.ts';

const KILLS = repeats(20, 1);
/** A few kills can miss what they are to hit; then others follow. */
const MOST_KILLS = 20;
const GUESTS = 6;
const PAID_BETWEEN_KILLS = 10;
/** So that kills find calls that are under way. */
const ANSWER_MS = 15;

interface Paying {
  kind: Kind;
  bookingId: string;
  /** How often it was sent and not answered. */
  unanswered: number;
  status: string;
  paymentId: string | undefined;
}

test(`after kills every payment is taken once, and known`, async (t) => {
  const world = await openMoneyWorld();
  t.after(() => world.close());
  const { stripe, app } = world;
  const living = [await world.startNode()];
  const random = randomFrom(Date.now() % 1_000_000);
  const startNode = () =>
    startMortalNode(app.url, {
      ...{ ROLE: 'api', STRIPE_SECRET_KEY: SECRET_KEY },
      ...{ STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET, STRIPE_API_URL: stripe.url },
    });
  let node: Promise<NodeProcess> = startNode();
  t.after(async () => (await node).child.kill('SIGKILL'));
  const authorization = `Bearer ${await tokenFrom((await node).address)}`;
  stripe.misbehave({ fault: () => ({ kind: 'slow', delayMs: ANSWER_MS }), announcement: () => 'lost' });
  const log: Paying[] = [];
  let isOver = false;

  /** Until it is answered, as a partner does who wants to know. */
  async function pay(paying: Paying): Promise<void> {
    const { kind, bookingId } = paying;
    const body = JSON.stringify({
      option: kind === 'paid first' ? 'deposit' : 'full',
      token: 'pm_card_visa',
    });
    const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': bookingId };
    for (;;) {
      const { address } = await node;
      const path = `/venues/bookings/${bookingId}/payments`;
      const answer = await fetch(`${address}${path}`, { method: 'POST', headers, body }).catch(
        () => undefined,
      );
      // The key of a request whose node was killed stays in use for a while.
      if (answer && answer.status !== 503) {
        const { id, status } = (await answer.json()) as { id: string; status: string };
        assert.equal(answer.status, 201, status);
        return void Object.assign(paying, { status, paymentId: id });
      }
      paying.unanswered += 1;
      await sleep(20);
    }
  }

  async function keepPaying(): Promise<void> {
    while (!isOver) {
      const kind = pick(random, ['paid afterwards', 'paid first'] as const);
      const bookingId = await book({ world, random, living, kind });
      const paying: Paying = { kind, bookingId, unanswered: 0, status: '', paymentId: undefined };
      log.push(paying);
      await pay(paying);
    }
  }

  const working = Promise.all(Array.from({ length: GUESTS }, keepPaying));
  working.catch(() => {});
  const isMissed = () => log.every(({ unanswered }) => unanswered === 0);
  for (let kill = 0; kill < KILLS || (isMissed() && kill < MOST_KILLS); kill += 1) {
    const { child, exit } = await node;
    const before = log.length;
    while (log.length < before + PAID_BETWEEN_KILLS) await sleep(2);
    await sleep(random() * 40);
    child.kill('SIGKILL');
    node = startNode();
    await exit;
  }
  isOver = true;
  await working;
  const last = await node;
  last.child.kill('SIGTERM');
  assert.equal(await last.exit, 0);

  for (const { kind, bookingId, paymentId, status } of log) {
    await comeToRest({ world, living, random, bookingId });
    const succeeded = new Set(status === 'succeeded' && paymentId !== undefined ? [paymentId] : []);
    const told = { kind, bookingId, succeeded, clientSecrets: new Set<string>() };
    assert.deepEqual(await contradictionsOf(world, told), []);
  }
  const cutOff = log.filter(({ unanswered }) => unanswered > 0).length;
  t.diagnostic(`${log.length} payments, ${cutOff} of them cut off by kills`);
  assert.ok(cutOff > 0, 'kills hit payments under way');
  assert.equal(stripe.charges().length, log.length);
  for (const node of living) await node.leave();
});
