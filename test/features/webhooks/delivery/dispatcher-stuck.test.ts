import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { beforeEach, type TestContext, test } from 'node:test';
import { createPartner } from '../../../../src/features/identity/service.ts';
import type { Post, Sender } from '../../../../src/features/webhooks/delivery/attempt.ts';
import { SCOPES } from '../../../../src/http/auth/caller.ts';
import { eventually } from '../../../support/eventually.ts';
import {
  answer,
  type Behaviour,
  hang,
  type Receiver,
  startReceiver,
} from '../../../support/peers/receiver.ts';
import { deliveringApp, happen, impatientSender, openCourier } from '../delivering.ts';

const { maitred, time } = deliveringApp({ delivers: false });
beforeEach(() => maitred().sql`delete from webhook`);

const RECEIVERS = 100;
const EACH = 10;
const EVENTS = 40;

let partners = 0;

async function newPartner() {
  const reference = `crowd-${++partners}`;
  const partner = await createPartner(maitred().sql, { reference, name: reference });
  return { kind: 'partner', clientId: reference, partner, scopes: new Set(SCOPES) } as const;
}

type Partner = Awaited<ReturnType<typeof newPartner>>;

async function subscribeEach(caller: Partner, receivers: readonly Receiver[]): Promise<string[]> {
  const { subscriptions } = maitred().services.webhooks;
  const ids: string[] = [];
  for (const { url } of receivers)
    ids.push((await subscriptions.create(caller, { callbackUrl: url })).webhookId);
  return ids;
}

/** Ten partners with ten subscriptions each, which is the most that one may have. */
async function subscribeAll(receivers: readonly Receiver[]): Promise<number[]> {
  const partnerIds: number[] = [];
  for (let first = 0; first < RECEIVERS; first += EACH) {
    const caller = await newPartner();
    partnerIds.push(caller.partner.id);
    await subscribeEach(caller, receivers.slice(first, first + EACH));
  }
  return partnerIds;
}

/** However slow the machine is, what hangs does not time out. */
const patientPoster = () => impatientSender(600_000);

async function deliver(t: TestContext, sender: Sender): Promise<void> {
  const dispatcher = await openCourier(maitred(), { clock: time.clock, sender });
  t.after(async () => {
    await dispatcher.stop();
    await sender.close();
  });
}

for (const stuck of [1, 24]) {
  test(`with ${stuck} of 100 receivers hanging, the others have everything while those have not answered once`, async (t) => {
    const receivers = await Promise.all(Array.from({ length: RECEIVERS }, () => startReceiver()));
    t.after(() => Promise.all(receivers.map((receiver) => receiver.close())));
    const hanging = receivers
      .filter((_, index) => index % Math.floor(RECEIVERS / stuck) === 0)
      .slice(0, stuck);
    for (const receiver of hanging) receiver.behave(hang);
    const lively = receivers.filter((receiver) => !hanging.includes(receiver));
    const partnerIds = await subscribeAll(receivers);
    await deliver(t, patientPoster());
    const committedAtMs = new Map<string, number>();
    for (let count = 0; count < EVENTS; count += 1)
      await Promise.all(
        partnerIds.map(async (partnerId) => {
          const words = await happen(maitred(), time.clock, `${partnerId}/${count}`, partnerId);
          committedAtMs.set(words, performance.now());
        }),
      );
    for (const { received } of lively) await eventually(() => received.length === EVENTS);
    const waits = lively.flatMap(({ received }) =>
      received.map(({ body, arrivedAtMs }) => arrivedAtMs - (committedAtMs.get(body.toString()) ?? 0)),
    );
    const answered = await maitred().sql`
      select from delivery_attempt a join delivery d on d.id = a.delivery_id join webhook w on w.id = d.webhook_id
      where w.callback_url = any(${hanging.map(({ url }) => url)})`;
    assert.equal(answered.length, 0, 'those that hang still have their first requests');
    for (const { received } of hanging) assert.ok(received.length > 0 && received.length <= 16);
    const sorted = waits.toSorted((a, b) => a - b);
    const atMs = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? Number.NaN);
    t.diagnostic(`from commit to receipt: median ${atMs(0.5)} ms, p99 ${atMs(0.99)} ms of ${waits.length}`);
  });
}

/** As many as one subscription may have under way. */
const AT_ONCE_EACH = 16;

/** Answers sixteen requests once it holds sixteen, and so never one at a time. */
function inSixteens(): Behaviour {
  let held: ServerResponse[] = [];
  return (response) => {
    held.push(response);
    if (held.length < AT_ONCE_EACH) return;
    for (const each of held) each.writeHead(204).end();
    held = [];
  };
}

test('while ten receivers of a partner hang, each with a replay, another partner has as many places as ever', async (t) => {
  const hanging = await Promise.all(Array.from({ length: EACH }, () => startReceiver()));
  const lively = await startReceiver();
  t.after(() => Promise.all([...hanging, lively].map((receiver) => receiver.close())));
  const [stuck, other] = [await newPartner(), await newPartner()];
  const webhookIds = await subscribeEach(stuck, hanging);
  await subscribeEach(other, [lively]);
  await deliver(t, patientPoster());
  const tell = async ({ partner }: Partner, count: number) => {
    for (let mark = 0; mark < count; mark += 1) await happen(maitred(), time.clock, mark, partner.id);
  };
  const since = time.clock().subtract({ minutes: 1 }).toString();
  await tell(stuck, EVENTS);
  await tell(other, AT_ONCE_EACH);
  for (const { received } of hanging) await eventually(() => received.length === EVENTS);
  await eventually(() => lively.received.length === AT_ONCE_EACH);

  for (const receiver of hanging) receiver.behave(hang);
  for (const webhookId of webhookIds) await maitred().services.webhooks.replay(stuck, webhookId, { since });
  await eventually(() => hanging.every(({ received }) => received.length > EVENTS));
  lively.behave(inSixteens());
  await tell(other, 80);
  await eventually(() => lively.received.length === AT_ONCE_EACH + 80);
  const [row] = await maitred().sql`
    select count(*)::int as count from delivery where is_replay and status = 'pending' and attempts = 0`;
  assert.equal(row?.count, EACH * EVENTS, 'no replay has been answered');
});

/** Counts what is under way at a time. */
function countingPoster(timeoutMs: number) {
  const sender = impatientSender(timeoutMs);
  const counted = { underWay: 0, most: 0 };
  return {
    counted,
    sender: {
      ...sender,
      async post(post: Post) {
        counted.underWay += 1;
        counted.most = Math.max(counted.most, counted.underWay);
        const outcome = await sender.post(post);
        counted.underWay -= 1;
        return outcome;
      },
    },
  };
}

test('a subscription that timed out has one delivery under way until it answers', async (t) => {
  const receiver = await startReceiver({ behaviour: hang });
  t.after(() => receiver.close());
  const partner = await newPartner();
  const [webhookId = ''] = await subscribeEach(partner, [receiver]);
  const { sender, counted } = countingPoster(100);
  await deliver(t, sender);
  for (let mark = 0; mark < EVENTS; mark += 1) await happen(maitred(), time.clock, mark, partner.partner.id);
  const timedOut = async () => {
    const [row] = await maitred().sql`
      select count(*)::int as count from delivery_attempt a join delivery d on d.id = a.delivery_id
      where d.webhook_id = ${webhookId} and a.error = 'timeout'`;
    return row?.count;
  };
  await eventually(async () => (await timedOut()) > 0 && counted.underWay <= 1);
  const before = await timedOut();
  assert.ok(counted.most > 1, 'at first it has several');
  counted.most = 0;
  await eventually(async () => (await timedOut()) >= before + 5);
  assert.equal(counted.most, 1);

  receiver.behave(answer(204));
  await eventually(() => counted.most > 1);
});
