import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { openPool } from '../../../../src/db/database.ts';
import {
  createSubscriptions,
  type Subscriptions,
} from '../../../../src/features/webhooks/subscriptions/subscriptions.ts';
import type { Caller } from '../../../../src/http/auth/caller.ts';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { createKeyring } from '../../../../src/kernel/crypto.ts';
import { assertProblem, startTestApp, type TestApp } from '../../../support/app.ts';

const PATH = '/webhooks/subscriptions';
const AT_ONCE = 50;
const UNIQUE_VIOLATION = '23505';
const config = { webhookAllowLoopback: true };
const callbackUrl = (name: unknown) => `http://127.0.0.1:9/${name}`;

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp({ config });
  // Whoever has looked takes its time to write, so that others look in between if they can.
  await maitred.sql`create function dawdle() returns trigger language plpgsql as
    'begin perform pg_sleep(0.05); return new; end'`;
  await maitred.sql`create trigger dawdle before insert or update on webhook
    for each row execute function dawdle()`;
});
after(() => maitred.close());
beforeEach(() => maitred.sql`delete from webhook`);

const subscribe = (name: unknown) =>
  maitred.call(PATH, { method: 'POST', body: { callbackUrl: callbackUrl(name) } });

async function addresses(): Promise<string[]> {
  const rows = await maitred.sql<{ address: string }[]>`select address from webhook order by 1`;
  return rows.map(({ address }) => address);
}

test('of fifty who subscribe at the same moment ten are taken, and the others are told that there is no room', async () => {
  const answers = await Promise.all([...Array(AT_ONCE).keys()].map(subscribe));
  const taken = answers.filter(({ status }) => status === 201);
  assert.equal(taken.length, 10);
  for (const answer of answers) if (!taken.includes(answer)) assertProblem(answer, 409, 'WHK-N-004');
  assert.equal((await addresses()).length, 10);
});

test('of fifty who want the same address at the same moment one has it', async () => {
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => subscribe('same')));
  const taken = answers.filter(({ status }) => status === 201);
  assert.equal(taken.length, 1);
  for (const answer of answers) if (!taken.includes(answer)) assertProblem(answer, 409, 'WHK-N-003');
});

test('of several that move to the same address at the same moment one moves, and the others stay as they were', async () => {
  const made: { webhookId: string }[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e']) made.push((await subscribe(name)).json);
  const answers = await Promise.all(
    made.map(({ webhookId }) =>
      maitred.call(`${PATH}/${webhookId}`, {
        method: 'PUT',
        body: { callbackUrl: callbackUrl('same'), active: false },
      }),
    ),
  );
  const moved = answers.filter(({ status }) => status === 200);
  assert.equal(moved.length, 1);
  for (const answer of answers) if (!moved.includes(answer)) assertProblem(answer, 409, 'WHK-N-003');
  const { data } = (await maitred.call(PATH)).json;
  assert.equal(data.filter(({ active }: { active: boolean }) => active).length, made.length - 1);
});

test('changes of different fields at the same moment are all made', async () => {
  const { webhookId } = (await subscribe('a')).json;
  const changes = [{ label: 'Both' }, { active: false }, { eventTypes: ['booking.updated'] }];
  await Promise.all(changes.map((body) => maitred.call(`${PATH}/${webhookId}`, { method: 'PUT', body })));
  const { label, active, eventTypes } = (await maitred.call(`${PATH}/${webhookId}`)).json;
  assert.deepEqual({ label, active, eventTypes }, Object.assign({}, ...changes));
});

/** The same program on connections that find, before the real lock, a function of its name that does nothing. */
async function withoutLocks<Result>(
  work: (subscriptions: Subscriptions) => Promise<Result>,
): Promise<Result> {
  await maitred.sql`create function public.pg_advisory_xact_lock(bigint) returns void language sql as ''`;
  const url = new URL(maitred.url);
  url.searchParams.set('search_path', 'public,pg_catalog');
  const sql = openPool(url.href);
  try {
    const findCallback = async (url: string) => ({ url, address: url });
    const encryptionKeys = createKeyring([Buffer.alloc(32, 7)]);
    return await work(createSubscriptions({ sql, clock: systemClock, encryptionKeys, findCallback }));
  } finally {
    await sql.end({ timeout: 5 });
    await maitred.sql`drop function public.pg_advisory_xact_lock(bigint)`;
  }
}

async function demoPartner(): Promise<Caller> {
  const [partner] = await maitred.sql<{ id: number; reference: string; name: string }[]>`
    select id, reference, name from partner where reference = 'demo-partner'`;
  assert.ok(partner);
  return { kind: 'partner', clientId: 'demo-partner', scopes: new Set(), partner };
}

test('without the lock the same fifty end with more than ten', async () => {
  const caller = await demoPartner();
  for (let n = 0; n < 5; n++) await subscribe(`before-${n}`);
  await withoutLocks((subscriptions) =>
    Promise.allSettled(
      [...Array(AT_ONCE).keys()].map((name) =>
        subscriptions.create(caller, { callbackUrl: callbackUrl(name) }),
      ),
    ),
  );
  const { length } = await addresses();
  assert.ok(length > 10, `${length} were made`);
});

test('without the lock the same address is still used once, but whoever loses is told that we failed', async () => {
  const caller = await demoPartner();
  const outcomes = await withoutLocks((subscriptions) =>
    Promise.allSettled(
      Array.from({ length: AT_ONCE }, () =>
        subscriptions.create(caller, { callbackUrl: callbackUrl('same') }),
      ),
    ),
  );
  assert.deepEqual(await addresses(), [callbackUrl('same')]);
  const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  assert.equal(refusals.length, AT_ONCE - 1);
  assert.ok(
    refusals.some(({ code }) => code === UNIQUE_VIOLATION),
    String(refusals[0]),
  );
});
