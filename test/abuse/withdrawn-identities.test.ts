import { test } from 'node:test';
import { demo, LIST, refusedWith, succeeds, twoNodes, viaAgent } from './support/two-nodes.ts';

/** Who may no longer call is refused by every node at once, although tokens and clients are kept in memory. */

const { eventually, sql, withdraws } = twoNodes();

test('a client that is switched off is refused with the tokens it has, and nobody else is', async () => {
  await withdraws(
    [
      { ...demo, path: LIST, before: succeeds, after: refusedWith('IDENT-N-001') },
      { ...viaAgent, path: LIST, before: succeeds, after: succeeds },
      { client: 'other-partner', path: LIST, before: succeeds, after: succeeds },
    ],
    () => sql()`update client set is_active = false where id = 'demo-partner'`,
    () => sql()`update client set is_active = true where id = 'demo-partner'`,
  );
});

test('an agent that is taken off the list no longer acts for the partner', async () => {
  await withdraws(
    [
      { ...viaAgent, path: LIST, before: succeeds, after: refusedWith('IDENT-N-003') },
      { ...demo, path: LIST, before: succeeds, after: succeeds },
    ],
    () => sql()`delete from agent_partner where client_id = 'demo-agent' and partner_id = 1`,
    () => sql()`insert into agent_partner (client_id, partner_id) values ('demo-agent', 1)`,
  );
});

test('a scope that a client loses is missing from the tokens it has', async () => {
  await withdraws(
    [{ ...demo, path: LIST, before: succeeds, after: refusedWith('USER-N-009') }],
    () => sql()`update client set scopes = array_remove(scopes, 'venue:read') where id = 'demo-partner'`,
    () => sql()`update client set scopes = array_append(scopes, 'venue:read') where id = 'demo-partner'`,
  );
});

test('a partner whose reference changes is no longer found under the old one', async () => {
  await withdraws(
    [
      { ...viaAgent, path: LIST, before: succeeds, after: refusedWith('IDENT-N-003') },
      { ...demo, headers: viaAgent.headers, path: LIST, before: succeeds, after: refusedWith('IDENT-N-002') },
    ],
    () => sql()`update partner set reference = 'demo-partner-2' where id = 1`,
    () => sql()`update partner set reference = 'demo-partner' where id = 1`,
  );
});

test('tokens of a key that is taken away are refused', async () => {
  await eventually('demo-partner', LIST, succeeds);
  await sql()`delete from signing_key`;
  await eventually('demo-partner', LIST, refusedWith('IDENT-N-001'));
});
