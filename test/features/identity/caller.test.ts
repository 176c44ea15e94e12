import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inTransaction } from '../../../src/db/database.ts';
import { allowAgent, createIdentity, createPartner } from '../../../src/features/identity/service.ts';
import { eventually } from '../../support/eventually.ts';
import { createFixture, type Fixture, seedClients, tokenOf, whoami } from './support/identity-app.ts';

let fixture: Fixture;
let seeded: Awaited<ReturnType<typeof seedClients>>;
before(async () => {
  fixture = await createFixture();
  seeded = await seedClients(fixture);
});
after(() => fixture.close());

async function refusal(token: string, reference?: string) {
  const response = await whoami(fixture.app, token, reference);
  return [response.statusCode, response.json().code];
}

test('each kind of client becomes its kind of caller', async () => {
  const callerOf = async (id: string, reference?: string) => {
    const { scopes, ...caller } = (
      await whoami(fixture.app, await tokenOf(fixture.app, id), reference)
    ).json();
    return caller;
  };
  const { acme, operator } = seeded;
  assert.deepEqual(await callerOf('acme-client'), {
    clientId: 'acme-client',
    kind: 'partner',
    partner: acme,
  });
  assert.deepEqual(await callerOf('agent-client', 'acme'), {
    kind: 'agent',
    clientId: 'agent-client',
    partner: acme,
  });
  assert.deepEqual(await callerOf('operator-client'), {
    clientId: 'operator-client',
    kind: 'operator',
    operatorId: operator.id,
  });
  assert.deepEqual(await callerOf('platform-client'), { clientId: 'platform-client', kind: 'platform' });
});

test('an agent names a partner it is allowed to act for, each time', async () => {
  const token = await tokenOf(fixture.app, 'agent-client');
  for (const round of ['unknown to the node', 'in memory']) {
    assert.equal((await whoami(fixture.app, token, 'acme')).statusCode, 200, round);
    assert.deepEqual(await refusal(token), [403, 'IDENT-N-002'], round);
    assert.deepEqual(await refusal(token, 'nobody'), [403, 'IDENT-N-003'], round);
    assert.deepEqual(await refusal(token, 'ACME'), [403, 'IDENT-N-003'], round);
    assert.deepEqual(await refusal(token, ''), [403, 'IDENT-N-002'], round);
    assert.deepEqual(await refusal(token, 'a'.repeat(101)), [403, 'IDENT-N-002'], round);
    assert.deepEqual(await refusal(token, 'rival'), [403, 'IDENT-N-003'], round);
  }
});

test('an agent gets the same answer for a partner that is not its own and for none at all', async () => {
  const token = await tokenOf(fixture.app, 'agent-client');
  const ask = async (reference: string) => {
    const { statusCode, headers, body } = await whoami(fixture.app, token, reference);
    return { statusCode, headers: { ...headers, date: '' }, body: body.replaceAll(reference, '…') };
  };
  assert.deepEqual(await ask('rival'), await ask('never'));
});

test('a client that is no agent may name itself and nobody else', async () => {
  const partner = await tokenOf(fixture.app, 'acme-client');
  assert.equal((await whoami(fixture.app, partner, 'acme')).statusCode, 200);
  assert.deepEqual(await refusal(partner, 'rival'), [403, 'IDENT-N-002']);
  assert.deepEqual(await refusal(partner, ''), [403, 'IDENT-N-002']);
  for (const id of ['operator-client', 'platform-client']) {
    assert.deepEqual(await refusal(await tokenOf(fixture.app, id), 'acme'), [403, 'IDENT-N-002']);
  }
});

test('a token without the scope of a route is told which one it lacks', async () => {
  const response = await whoami(
    fixture.app,
    await tokenOf(fixture.app, 'acme-client', { scope: 'listing:read' }),
  );
  assert.equal(response.statusCode, 403);
  assert.equal(response.json().code, 'USER-N-009');
  assert.match(response.json().detail, /venue:read/);
});

test('an agent acts for a partner only with agent:write, whatever else its token carries', async () => {
  const others = 'venue:read listing:read venue-booking:create venue-booking:read partner:create';
  const token = await tokenOf(fixture.app, 'agent-client', { scope: others });
  for (const reference of ['acme', 'rival', 'nobody', undefined]) {
    const response = await whoami(fixture.app, token, reference);
    assert.equal(response.statusCode, 403);
    assert.equal(response.json().code, 'USER-N-009');
    assert.match(response.json().detail, /agent:write/);
    assert.equal(
      response.headers['www-authenticate'],
      'Bearer error="insufficient_scope", scope="agent:write"',
    );
  }
  const both = await tokenOf(fixture.app, 'agent-client', { scope: 'venue:read agent:write' });
  assert.equal((await whoami(fixture.app, both, 'acme')).statusCode, 200);
});

test('what is known is answered without a promise, and refused without one', async () => {
  const header = `Bearer ${await tokenOf(fixture.app, 'agent-client')}`;
  const { resolveCaller } = fixture.identity;
  await resolveCaller(header, 'acme');
  const caller = resolveCaller(header, 'acme');
  assert.ok(!(caller instanceof Promise));
  assert.equal(caller.kind, 'agent');
  assert.throws(() => resolveCaller(header, undefined), { code: 'IDENT-N-002' });
});

test('a client that is switched off or deleted loses its tokens on a node that knows them', async () => {
  const partner = await tokenOf(fixture.app, 'acme-client');
  assert.equal((await whoami(fixture.app, partner)).statusCode, 200);
  await fixture.sql`update client set is_active = false where id = 'acme-client'`;
  await eventually(async () => (await whoami(fixture.app, partner)).statusCode === 401);
  await fixture.sql`update client set is_active = true where id = 'acme-client'`;
  await eventually(async () => (await whoami(fixture.app, partner)).statusCode === 200);
  await fixture.sql`delete from client where id = 'acme-client'`;
  await eventually(async () => (await whoami(fixture.app, partner)).statusCode === 401);
});

test('a scope taken from a client is gone from its tokens', async () => {
  const token = await tokenOf(fixture.app, 'operator-client');
  assert.equal((await whoami(fixture.app, token)).statusCode, 200);
  await fixture.sql`update client set scopes = '{operator:write}' where id = 'operator-client'`;
  await eventually(async () => (await whoami(fixture.app, token)).statusCode === 403);
});

test('an agent that loses agent:write no longer acts with the tokens it has', async () => {
  const token = await tokenOf(fixture.app, 'agent-client');
  assert.equal((await whoami(fixture.app, token, 'acme')).statusCode, 200);
  await fixture.sql`update client set scopes = array_remove(scopes, 'agent:write') where id = 'agent-client'`;
  await eventually(async () => (await whoami(fixture.app, token, 'acme')).statusCode === 403);
  assert.deepEqual(await refusal(token, 'acme'), [403, 'USER-N-009']);
  await fixture.sql`update client set scopes = array_append(scopes, 'agent:write') where id = 'agent-client'`;
  await eventually(async () => (await whoami(fixture.app, token, 'acme')).statusCode === 200);
});

test('an agent that is allowed a further partner can act for it, and no longer when that is taken back', async () => {
  const token = await tokenOf(fixture.app, 'agent-client');
  const late = await inTransaction(fixture.sql, (tx) =>
    createPartner(tx, { reference: 'late', name: 'Late' }),
  );
  assert.deepEqual(await refusal(token, 'late'), [403, 'IDENT-N-003']);
  await inTransaction(fixture.sql, (tx) => allowAgent(tx, 'agent-client', late.id));
  await eventually(async () => (await whoami(fixture.app, token, 'late')).statusCode === 200);
  await fixture.sql`delete from agent_partner where partner_id = ${late.id}`;
  await eventually(async () => (await whoami(fixture.app, token, 'late')).statusCode === 403);
});

test('while nobody listens for changes nothing is kept, so a change counts at once', async () => {
  const deaf = { isConnected: () => false, subscribe: () => () => {}, close: async () => {} };
  const identity = await createIdentity({ ...fixture.deps, notifications: deaf });
  const header = `Bearer ${await tokenOf(fixture.app, 'platform-client')}`;
  for (let round = 0; round < 2; round++) {
    const pending = identity.resolveCaller(header, undefined);
    assert.ok(pending instanceof Promise);
    assert.equal((await pending).kind, 'platform');
  }
  await fixture.sql`update client set is_active = false where id = 'platform-client'`;
  await assert.rejects(async () => identity.resolveCaller(header, undefined), { code: 'IDENT-N-001' });
});
