/** Atomic orders over two remote systems and ours, on a node that dies at any of their steps. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readConfig } from '../../../src/config.ts';
import { type Notifications, openNotifications } from '../../../src/db/notifications.ts';
import type { OrderBody } from '../../../src/features/orders/body.ts';
import type { Caller } from '../../../src/http/auth/caller.ts';
import { createKeyring } from '../../../src/kernel/crypto.ts';
import { createServices } from '../../../src/services.ts';
import { type Body, DINNER, freeDay } from '../../features/bookings/support.ts';
import {
  assertAgreed,
  type Bistro,
  type Bistros,
  DAY,
  startBistros,
} from '../../support/remote-tms/bistros.ts';
import { createRemote } from '../../support/remote-tms/connector.ts';
import { createLifeline } from '../../support/remote-tms/lifeline.ts';

const LEASE_SECONDS = 21;

let bistros: Bistros;
let notifications: Notifications;
before(async () => {
  bistros = await startBistros({ count: 2, book: { partiesPerStart: 1000 } });
  notifications = await openNotifications(bistros.app.url);
});
after(async () => {
  await notifications.close();
  await bistros.close();
});

const partner: Caller = {
  kind: 'partner',
  clientId: 'demo-partner',
  partner: { id: 1, reference: 'demo-partner', name: 'Demo Partner' },
  scopes: new Set(),
};

/** True: it came to the end before it was cut off. */
async function survives(systems: readonly Bistro[], steps: number, body: Body): Promise<boolean> {
  const { app, clock } = bistros;
  const lifeline = createLifeline();
  const node = await createServices({
    config: readConfig({ LOG_LEVEL: 'silent' }),
    sql: lifeline.sql(app.sql),
    notifications,
    encryptionKeys: createKeyring([Buffer.alloc(32, 7)]),
    clock,
    connectors: systems.map(({ slug, system }) => lifeline.connector(createRemote(system.url, slug))),
  });
  lifeline.cutAfter(steps);
  const order = { body: body as OrderBody, source: 'api' as const, idempotencyKey: undefined };
  await node.orders.create(partner, order).catch((error) => {
    if (!lifeline.isCut()) throw error;
  });
  return !lifeline.isCut();
}

async function tablesHeld(): Promise<number> {
  const [{ count }] = await bistros.app.sql<[{ count: number }]>`
    select count(*) as count from booking
    where product_id = ${DINNER} and status = 'confirmed' and partner_id = 1`;
  return count;
}

test('whatever the step at which a node dies, an atomic order is whole or nothing, and can be sent again', async () => {
  const systems = [bistros.next(), bistros.next()];
  const days = Array.from({ length: 40 }, freeDay);
  let hasSurvived = false;
  let halves = 0;
  for (let steps = 0; !hasSurvived; steps += 1) {
    for (const isRepeated of [false, true]) {
      const supper = (bistro: Bistro): Body => ({
        compositeId: bistro.productId,
        quantity: 2,
        date: DAY,
        time: '19:00',
      });
      const dinner = { compositeId: DINNER, quantity: 2, date: days[steps % days.length], time: '19:00' };
      const body = {
        firstName: 'Ada',
        lastName: 'Lovelace',
        atomic: true,
        partnerOrderId: `crash-${steps}-${isRepeated}`,
        items: [...systems.map(supper), dinner],
      };
      const before = await tablesHeld();
      const sizes = systems.map(({ system }) => system.book.bookings.size);
      const grown = () => systems.map(({ system }, index) => system.book.bookings.size - (sizes[index] ?? 0));
      hasSurvived = await survives(systems, steps, body);
      const [one = 0, two = 0] = grown();
      if (one !== two || (one === 1 && (await tablesHeld()) === before)) halves += 1;
      bistros.wind(LEASE_SECONDS);
      if (isRepeated) {
        const answer = await bistros.app.call('/v1/orders', { method: 'POST', body });
        assert.equal(answer.status, 200, answer.text);
        assert.equal(answer.json.status, 'complete', `after ${steps} steps: ${answer.text}`);
      }
      await bistros.settle();
      const booked = grown();
      const isBooked = isRepeated || hasSurvived ? 1 : booked[0];
      assert.deepEqual(
        [...booked, (await tablesHeld()) - before],
        [isBooked, isBooked, isBooked],
        `${steps}`,
      );
      for (const bistro of systems) await assertAgreed(bistros, bistro);
    }
  }
  assert.ok(halves > 0, 'it also died half-way');
});
