import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readConfig } from '../../../src/config.ts';
import { type Notifications, openNotifications } from '../../../src/db/notifications.ts';
import type { AmendmentBody, BookingBody } from '../../../src/features/bookings/create/body.ts';
import type { Caller } from '../../../src/http/auth/caller.ts';
import { createKeyring } from '../../../src/kernel/crypto.ts';
import { createServices, type Services } from '../../../src/services.ts';
import {
  amend,
  assertAgreed,
  type Bistro,
  type Bistros,
  bothSides,
  cancel,
  OPERATOR,
  order,
  ordered,
  read,
  startBistros,
  supper,
} from '../../support/remote-tms/bistros.ts';
import { createRemote } from '../../support/remote-tms/connector.ts';
import { createLifeline } from '../../support/remote-tms/lifeline.ts';

const LEASE_SECONDS = 20;

let bistros: Bistros;
let notifications: Notifications;
before(async () => {
  bistros = await startBistros({ count: 4, book: { partiesPerStart: 1000 } });
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
const operator: Caller = { kind: 'operator', operatorId: OPERATOR, clientId: 'elsewhere', scopes: new Set() };

/** Another node on the same database, which dies after so many steps; true: it came to the end before that. */
async function survives(
  { slug, system }: Bistro,
  steps: number,
  work: (node: Services) => Promise<unknown>,
): Promise<boolean> {
  const { app, clock } = bistros;
  const lifeline = createLifeline();
  const node = await createServices({
    config: readConfig({}),
    sql: lifeline.sql(app.sql),
    notifications,
    encryptionKeys: createKeyring([Buffer.alloc(32, 7)]),
    clock,
    connectors: [lifeline.connector(createRemote(system.url, slug))],
  });
  lifeline.cutAfter(steps);
  await work(node).catch((error) => {
    if (!lifeline.isCut()) throw error;
  });
  return !lifeline.isCut();
}

interface Scene {
  /** What is there before; its id is handed to the others. */
  prepare(bistro: Bistro, name: string): Promise<string>;
  work(node: Services, bistro: Bistro, id: string, name: string): Promise<unknown>;
  /** The caller, or another of its kind, tries again on a node that lives; says how the booking must end. */
  again(bistro: Bistro, id: string, name: string): Promise<{ status: string; time: string }>;
}

const amendment = (bistro: Bistro, overrides: object) =>
  ({ ...supper, compositeId: bistro.productId, ...overrides }) as AmendmentBody;

const SCENES: Record<string, Scene> = {
  creation: {
    prepare: async () => '',
    work: (node, { productId }, _, partnerBookingId) =>
      node.bookings.create(partner, {
        productId,
        body: { ...supper, partnerBookingId } as BookingBody,
        source: 'api',
        idempotencyKey: partnerBookingId,
      }),
    async again(bistro, _, partnerBookingId) {
      const answer = await order(bistros, bistro, { partnerBookingId });
      assert.ok([201, 409].includes(answer.status), answer.text);
      return { status: 'confirmed', time: '19:00' };
    },
  },
  amendment: {
    prepare: (bistro, partnerBookingId) => ordered(bistros, bistro, { partnerBookingId }),
    work: (node, bistro, id) =>
      node.bookings.replace(partner, id, amendment(bistro, { time: '20:00', partySize: 3 })),
    async again(bistro, id) {
      const answer = await amend(bistros, bistro, id, { time: '20:00', partySize: 3 });
      assert.equal(answer.status, 200, answer.text);
      return { status: 'confirmed', time: '20:00' };
    },
  },
  cancellation: {
    prepare: (bistro, partnerBookingId) => ordered(bistros, bistro, { partnerBookingId }),
    work: (node, _, id) => node.bookings.cancel(partner, id),
    async again(_, id) {
      assert.equal((await cancel(bistros, id)).status, 204);
      return { status: 'cancelled', time: '19:00' };
    },
  },
  acceptance: {
    prepare: (bistro, partnerBookingId) => ordered(bistros, bistro, { partnerBookingId, type: 'request' }),
    work: (node, _, id) => node.bookings.accept(operator, id),
    async again(_, id) {
      await bistros.app.services.bookings.accept(operator, id).catch(() => {});
      return { status: 'confirmed', time: '19:00' };
    },
  },
};

async function find(partnerBookingId: string) {
  const { json } = await bistros.app.call(`/venues/bookings?partnerBookingId=${partnerBookingId}`);
  assert.ok(json.data.length <= 1);
  return json.data[0];
}

for (const [name, { prepare, work, again }] of Object.entries(SCENES)) {
  test(`whatever the step at which a node dies, all comes right: ${name}`, async () => {
    const bistro = bistros.next();
    let disagreements = 0;
    let hasSurvived = false;
    for (let steps = 0; !hasSurvived; steps += 1) {
      for (const isRepeated of [false, true]) {
        const id = `${name}-${steps}-${isRepeated}`;
        const bookingId = await prepare(bistro, id);
        hasSurvived = await survives(bistro, steps, (node) => work(node, bistro, bookingId, id));
        const { ours, theirs } = await bothSides(bistros, bistro);
        if (ours.join() !== theirs.join()) disagreements += 1;
        bistros.wind(LEASE_SECONDS + 1);
        const expected = isRepeated ? await again(bistro, bookingId, id) : undefined;
        await bistros.settle();
        await assertAgreed(bistros, bistro);
        const booking = bookingId ? await read(bistros, bookingId) : await find(id);
        if (expected) {
          const { status, time } = booking;
          assert.deepEqual({ status, time }, expected, `after ${steps} steps`);
        }
      }
    }
    assert.ok(disagreements > 0, 'it died between the system and the database too');
  });
}
