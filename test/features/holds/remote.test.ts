/** Holds at systems over the network: those that can hold do, and what goes wrong there leaves nothing behind. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readConfig } from '../../../src/config.ts';
import { openNotifications } from '../../../src/db/notifications.ts';
import type { Caller } from '../../../src/http/auth/caller.ts';
import { createKeyring } from '../../../src/kernel/crypto.ts';
import { createServices } from '../../../src/services.ts';
import { assertProblem } from '../../support/app.ts';
import {
  assertAgreed,
  type Bistro,
  type Bistros,
  countIntents,
  DAY,
  startBistros,
} from '../../support/remote-tms/bistros.ts';
import { createRemote } from '../../support/remote-tms/connector.ts';
import { createLifeline } from '../../support/remote-tms/lifeline.ts';
import { ordered, wordsOf } from '../orders/support.ts';
import { bookHeld, extend, held, hold, readHold, release } from './support.ts';

let bistros: Bistros;
before(async () => {
  bistros = await startBistros({ count: 12, book: { partiesPerStart: 3 } });
});
after(() => bistros.close());

const app = () => bistros.app;
const at = { date: DAY, time: '19:00' };
const keep = ({ productId }: Bistro, body = {}) => held(app(), { ...at, ...body }, { productId });
const heldThere = ({ system }: Bistro) => [...system.book.holds.keys()];

test('the system keeps the place, and the booking takes it over there', async () => {
  const bistro = bistros.next();
  const kept = await keep(bistro);
  assert.deepEqual(heldThere(bistro), [kept.id]);
  assert.equal(kept.slot.duration, 60);
  const booking = await bookHeld(app(), kept);
  assert.equal(booking.status, 201, booking.text);
  assert.deepEqual([bistro.system.calls('book'), bistro.system.calls('confirm')], [0, 1]);
  assert.equal((await assertAgreed(bistros, bistro)).length, 1);
  assert.equal((await readHold(app(), kept.id)).json.status, 'used');
  assert.equal(assertProblem(await bookHeld(app(), kept), 410, 'HOLD-N-002').bookingId, kept.id);
  assert.equal(await countIntents(app()), 0);
});

test('of bookings with one hold at once one is made there', async () => {
  const bistro = bistros.next();
  const kept = await keep(bistro);
  const answers = await Promise.all(Array.from({ length: 4 }, () => bookHeld(app(), kept)));
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  for (const answer of answers) if (answer.status !== 201) assertProblem(answer, 410, 'HOLD-N-002');
  assert.equal((await assertAgreed(bistros, bistro)).length, 1);
});

test('it is extended and released there', async () => {
  const bistro = bistros.next();
  const kept = await keep(bistro, { ttlSeconds: 60 });
  const longer = await extend(app(), kept.id, { ttlSeconds: 600 });
  assert.equal(longer.status, 200, longer.text);
  const expiresMs = bistro.system.book.holds.get(kept.id)?.expiresMs;
  assert.ok(Number(expiresMs) >= Date.parse(longer.json.expiresAt), 'no hold lasts longer than its place');
  assert.equal((await release(app(), kept.id)).status, 204);
  assert.deepEqual(heldThere(bistro), []);
});

test('a place that is taken there is refused, and nothing is left of the attempt', async () => {
  const bistro = bistros.next();
  for (let party = 0; party < 3; party += 1) await keep(bistro);
  const { productId } = bistro;
  assertProblem(await hold(app(), at, { productId }), 409, 'AVAIL-N-005');
  const [{ count }] = await app().sql<[{ count: number }]>`
    select count(*)::int as count from hold where product_id = ${productId}`;
  assert.equal(count, 3);
});

test('a hold whose outcome is not known is given back', async () => {
  const bistro = bistros.next();
  bistro.system.faults.plan({ kind: 'cut-after-commit' }, { operations: ['hold'] });
  const { productId } = bistro;
  assertProblem(await hold(app(), at, { productId }), 503, 'BOOK-R-002');
  assert.deepEqual(heldThere(bistro), []);
});

test('a system that has let go of the place says that the hold has ended', async () => {
  const bistro = bistros.next();
  const kept = await keep(bistro);
  bistro.system.book.holds.delete(kept.id);
  assertProblem(await bookHeld(app(), kept), 410, 'HOLD-N-002');
  assert.deepEqual(await assertAgreed(bistros, bistro), []);
});

test('an atomic order that fails leaves the hold at the system', async () => {
  const [bistro, full] = [bistros.next(), bistros.next()];
  const kept = await keep(bistro);
  full.system.faults.plan({ kind: 'refuse', reason: 'taken' }, { operations: ['hold'] });
  const supper = { compositeId: full.productId, quantity: 2, ...at };
  const item = { ...supper, compositeId: bistro.productId, holdId: kept.id };
  const failed = await ordered(app(), [item, supper], { atomic: true });
  assert.deepEqual(wordsOf(failed), ['failed ORDER-N-010', 'failed AVAIL-N-005']);
  assert.deepEqual(heldThere(bistro), [kept.id]);
  const made = await ordered(app(), [item, supper], { atomic: true });
  assert.deepEqual(wordsOf(made), ['booked', 'booked'], JSON.stringify(made));
  assert.equal((await readHold(app(), kept.id)).json.status, 'used');
});

test('a system that cannot hold is named', async () => {
  const plain = await startBistros({ count: 1, remote: { holds: false } });
  try {
    const { slug, productId } = plain.next();
    const refusal = assertProblem(await hold(plain.app, at, { productId }), 422, 'HOLD-N-005');
    assert.ok(refusal.detail.includes(slug), refusal.detail);
  } finally {
    await plain.close();
  }
});

const partner: Caller = {
  kind: 'partner',
  clientId: 'demo-partner',
  partner: { id: 1, reference: 'demo-partner', name: 'Demo Partner' },
  scopes: new Set(),
};

test('whatever the step at which a node dies, a hold is there or counts for nothing once it has ended', async () => {
  const bistro = bistros.next();
  const { productId, slug, system } = bistro;
  const notifications = await openNotifications(app().url);
  let hasSurvived = false;
  try {
    for (let steps = 0; !hasSurvived; steps += 1) {
      const lifeline = createLifeline();
      const node = await createServices({
        config: readConfig({ LOG_LEVEL: 'silent' }),
        sql: lifeline.sql(app().sql),
        notifications,
        encryptionKeys: createKeyring([Buffer.alloc(32, 7)]),
        clock: bistros.clock,
        connectors: [lifeline.connector(createRemote(system.url, slug))],
      });
      lifeline.cutAfter(steps);
      const body = { partySize: 2, ...at };
      await node.bookings.makeHold(partner, { productId, body, ttlSeconds: 60 }).catch((error) => {
        if (!lifeline.isCut()) throw error;
      });
      hasSurvived = !lifeline.isCut();
      const [{ open }] = await app().sql<[{ open: number }]>`
        select count(*)::int as open from hold where product_id = ${productId} and state = 'open'`;
      assert.ok(open <= system.book.holds.size, 'no hold without its place');
      bistros.wind((steps + 1) * 120);
      await app().services.bookings.sweepHolds();
      const now = bistros.clock();
      const left = await app().sql`
        select from hold where product_id = ${productId} and state in ('placing', 'open') and expires_at > ${now}`;
      assert.equal(left.length, 0);
      system.book.holds.clear();
    }
  } finally {
    bistros.wind(0);
    await notifications.close();
  }
});
