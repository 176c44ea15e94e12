import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createPartner } from '../../../src/features/identity/service.ts';
import { SCOPES } from '../../../src/http/caller.ts';
import { eventually } from '../../support/eventually.ts';
import { hang, type Receiver, startReceiver } from '../../support/receiver.ts';
import { deliveringApp, happen, openCourier } from './delivering.ts';

const { maitred, time } = deliveringApp({ delivers: false });
beforeEach(() => maitred().sql`delete from webhook`);

const RECEIVERS = 100;
const EACH = 10;
const EVENTS = 40;

let partners = 0;

/** Ten partners with ten subscriptions each, which is the most that one may have. */
async function subscribeAll(receivers: readonly Receiver[]): Promise<number[]> {
  const { sql, services } = maitred();
  const partnerIds: number[] = [];
  for (let first = 0; first < RECEIVERS; first += EACH) {
    const reference = `crowd-${++partners}`;
    const partner = await createPartner(sql, { reference, name: reference });
    partnerIds.push(partner.id);
    const caller = { kind: 'partner', clientId: reference, partner, scopes: new Set(SCOPES) } as const;
    for (const { url } of receivers.slice(first, first + EACH))
      await services.webhooks.subscriptions.create(caller, { callbackUrl: url });
  }
  return partnerIds;
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
    const courier = await openCourier(maitred(), { clock: time.clock });
    t.after(() => courier.stop());
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
