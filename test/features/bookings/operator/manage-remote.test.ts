import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { assertProblem } from '../../../support/app.ts';
import {
  assertAgreed,
  type Bistro,
  type Bistros,
  countIntents,
  inDoubt,
  OPERATOR,
  order,
  ordered,
  read,
  startBistros,
} from '../../../support/remote-tms/bistros.ts';
import { paid, refundsOf } from '../../payments/support.ts';
import { callNow } from '../amend/amending.ts';
import { act, auditLogOf, done, look } from './manage-support.ts';

/** The daily work at venues whose tables are in somebody else's system. */

const PRICE = 2000;
/** Less than two days before a visit in ten, at whatever time of the day this runs: the terms give a tenth back. */
const LATE_SECONDS = 9 * 86_400;
const PLATFORM = { as: 'demo-admin', operatorId: OPERATOR };

let bistros: Bistros;
before(async () => {
  bistros = await startBistros({ count: 4, book: { pricePence: PRICE } });
  const { sql } = bistros.app;
  const terms = sql.json([{ hoursBefore: 0, percent: 10 }]);
  await sql`update product set refund_terms = ${terms} where id like '9|%'`;
});
afterEach(() => bistros.wind(0));
after(() => bistros.close());

const enquire = (bistro: Bistro) => ordered(bistros, bistro, { type: 'request' });
const auditLog = async (id: string) =>
  (await auditLogOf(bistros.app, id, OPERATOR)).map(({ action, after }) => [action, after.status]);

async function fill(bistro: Bistro): Promise<void> {
  while ((await order(bistros, bistro)).status === 201);
}

test('an enquiry is accepted in the system of the venue, and written down with its confirmation', async () => {
  const bistro = bistros.next();
  const id = await enquire(bistro);
  const { etag } = (await look(bistros.app, `/${id}`, PLATFORM)).headers;
  const headers = { 'if-match': String(etag) };
  const accepted = await done(bistros.app, id, 'accept', { ...PLATFORM, headers });
  assert.equal(accepted.status, 'confirmed');
  await assertAgreed(bistros, bistro);
  assert.deepEqual(await auditLog(id), [['booking.accept', 'confirmed']]);
  const [same] = await bistros.app.sql<[{ same: boolean }]>`
    select a.xmin::text = b.xmin::text as same from audit_entry a, booking b
    where a.subject = ${`booking ${id}`} and b.id = ${id}`;
  assert.ok(same.same, 'written in one transaction');
});

test('what was read too long ago does not trouble the system', async () => {
  const bistro = bistros.next();
  const id = await enquire(bistro);
  const { etag } = (await look(bistros.app, `/${id}`, PLATFORM)).headers;
  await done(bistros.app, id, 'take-up', PLATFORM);
  const headers = { 'if-match': String(etag) };
  assertProblem(await act(bistros.app, id, 'accept', { ...PLATFORM, headers }), 412, 'HTTP-N-412');
  assert.equal(bistro.system.calls('book'), 0);
  assert.deepEqual(await auditLog(id), [['booking.take-up', 'in_progress']]);
  await done(bistros.app, id, 'accept', PLATFORM);
  assertProblem(await act(bistros.app, id, 'cancel', { ...PLATFORM, headers }), 412, 'HTTP-N-412');
  assert.equal(bistro.system.calls('cancel'), 0);
  assert.equal(await countIntents(bistros.app), 0);
});

test('an enquiry that the system refuses stays as it was, and nothing is written down', async () => {
  const bistro = bistros.next();
  const id = await enquire(bistro);
  await fill(bistro);
  assertProblem(await act(bistros.app, id, 'accept', PLATFORM), 409, 'AVAIL-N-005');
  assert.equal((await read(bistros, id)).status, 'pending');
  assert.deepEqual(await auditLog(id), []);
});

test('a cancellation by the venue that turns out to be done gives everything back', async () => {
  const bistro = bistros.next();
  const id = await ordered(bistros, bistro, { partySize: 4 });
  await paid(bistros.app, id);
  await inDoubt(bistro, 'cancel', { kind: 'cut-after-commit' }, () =>
    act(bistros.app, id, 'cancel', PLATFORM),
  );
  await fill(bistro);
  bistros.wind(LATE_SECONDS);
  await bistros.app.services.bookings.resolveIntents();
  assert.equal((await callNow(bistros.app, `/venues/bookings/${id}`)).json.status, 'cancelled');
  const [refund] = await refundsOf(bistros.app, id);
  assert.deepEqual([refund?.reason, refund?.amountPence], ['cancelled', 4 * PRICE]);
});
