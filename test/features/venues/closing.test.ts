import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import { openBody } from '../../../src/features/events/service.ts';
import { createKeyring } from '../../../src/kernel/crypto.ts';
import { parseVenueId } from '../../../src/kernel/ids.ts';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { emptyEventLog } from '../../support/databases/empty-event-log.ts';
import { book, DINNER } from '../bookings/support.ts';
import { at, SOHO } from './keeping.ts';

const KEYS = createKeyring([Buffer.alloc(32, 7)]);

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp({ config: { webhookAllowLoopback: true } });
});
after(() => maitred.close());
beforeEach(async () => {
  await done('reopen');
  await emptyEventLog(maitred.sql);
});

type Act = 'close' | 'reopen';
const act = (what: Act, as = 'demo-operator', venueId = SOHO) =>
  maitred.call(at(venueId, `/${what}`), { method: 'POST', as });

async function done(what: Act): Promise<void> {
  const answer = await act(what);
  assert.equal(answer.status, 200, answer.text);
}

const closedAt = async () => {
  const [row] = await maitred.sql`select closed_at as at from venue where id = ${SOHO}`;
  return row?.at ?? null;
};

async function events() {
  const rows = await maitred.sql<{ id: string; type: string; partnerId: number; body: Buffer }[]>`
    select id, type, partner_id as "partnerId", body from event order by partner_id`;
  return rows.map(({ id, type, partnerId, body }) => ({
    type,
    partnerId,
    body: JSON.parse(openBody(KEYS, id, body).toString()),
  }));
}

const distributors = async () => {
  const rows = await maitred.sql`
    select partner_id as id from venue_mapping where venue_id = ${SOHO} order by 1`;
  return rows.map(({ id }) => id);
};

test('a venue that closes takes no more bookings, and every partner that distributes it and the operator are told once', async () => {
  await done('close');
  assert.ok(await closedAt());
  const told = await events();
  const partners = await distributors();
  assert.ok(partners.length >= 2);
  assert.deepEqual(
    told.map(({ partnerId }) => partnerId),
    [...partners, null],
  );
  for (const { type, body } of told) {
    assert.equal(type, 'venue.updated');
    const { timestamp, ...rest } = body;
    assert.ok(timestamp);
    assert.deepEqual(rest, {
      eventType: 'venue.updated',
      venues: [{ compositeId: SOHO, active: false }],
    });
  }
  assertProblem(await book(maitred, {}, { productId: DINNER }), 409, 'VENUE-N-009');
});

test('subscriptions that want it get a delivery each', async () => {
  const subscribe = async (path: string, eventTypes: string[] | null) => {
    const body = { callbackUrl: `http://127.0.0.1:9/${path}`, eventTypes };
    return (await maitred.call('/webhooks/subscriptions', { method: 'POST', body })).json.webhookId;
  };
  const wanting = [await subscribe('all', null), await subscribe('venues', ['venue.updated'])];
  await subscribe('bookings', ['booking.updated']);
  await done('close');
  const rows = await maitred.sql`select webhook_id as id from delivery order by 1`;
  assert.deepEqual(
    rows.map(({ id }) => id),
    wanting.sort(),
  );
  await maitred.sql`delete from webhook`;
});

test('closing what is closed does nothing, and opening again tells nobody', async () => {
  await done('close');
  const [at, told] = [await closedAt(), await events()];
  await done('close');
  assert.deepEqual([await closedAt(), await events()], [at, told]);
  await done('reopen');
  await done('reopen');
  assert.equal(await closedAt(), null);
  assert.deepEqual(await events(), told);
  await done('close');
  assert.equal((await events()).length, 2 * told.length);
});

test('only the operator of the venue closes and opens it, or the platform', async () => {
  for (const what of ['close', 'reopen'] as const) {
    assertProblem(await act(what, 'demo-operator', '2|house|night-owl'), 403, 'OPRTR-N-002');
    assertProblem(await act(what, 'demo-partner'), 403, 'USER-N-009');
    assertProblem(await act(what, 'demo-admin', '1|house|nowhere'), 404, 'VENUE-N-001');
    assertProblem(await act(what, 'demo-operator', '1|house|nowhere'), 404, 'VENUE-N-001');
    assert.equal((await act('reopen', 'demo-admin')).status, 200);
  }
  assert.equal(await closedAt(), null);
  assert.deepEqual(await events(), []);
});

/** Looks first and closes then. */
async function closeUnguarded(): Promise<void> {
  if (await closedAt()) return;
  await inTransaction(maitred.sql, async (tx) => {
    await tx`update venue set closed_at = now() where id = ${SOHO}`;
    await maitred.services.events.append(tx, {
      type: 'venue.updated',
      partnerId: 1,
      venueId: parseVenueId(SOHO),
      occurredAt: Temporal.Now.instant(),
      content: {},
    });
  });
}

test('closed ten times at once it closes once; with a look beforehand alone it does so several times', async () => {
  await Promise.all(Array.from({ length: 10 }, () => done('close')));
  assert.equal((await events()).length, (await distributors()).length + 1);
  await done('reopen');
  await emptyEventLog(maitred.sql);
  await Promise.all(Array.from({ length: 10 }, closeUnguarded));
  assert.ok((await events()).length > 1);
});

test('an event that cannot be written keeps the venue open', async () => {
  await maitred.sql`alter table event add constraint broken check (type <> 'venue.updated') not valid`;
  try {
    await assert.rejects(done('close'));
  } finally {
    await maitred.sql`alter table event drop constraint broken`;
  }
  assert.equal(await closedAt(), null);
});
