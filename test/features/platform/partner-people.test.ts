/** What the people of a partner see of its clients, rules and feeds. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem } from '../../support/app.ts';
import { type People, startPeople } from '../../support/people.ts';
import { makerOf } from '../feed/support.ts';

let people: People;
let developer: string;
before(async () => {
  people = await startPeople();
  developer = await people.signIn('developer@partner.example');
});
after(() => people.close());

const OWN = '/manage/partners/1';
const read = async (path: string) => {
  const answer = await people.callWith(developer, path);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};
const add = (clientId: string, body: object, partnerId = 1) =>
  people.post(`/manage/partners/${partnerId}/clients/${clientId}/secrets`, body, developer);
const tokenFor = (client_id: string, client_secret: string) =>
  people.call('/oauth/token', {
    method: 'POST',
    as: null,
    body: { grant_type: 'client_credentials', client_id, client_secret, audience: 'maitred' },
  });

test('developers read their partner and the venues mapped to it', async () => {
  assert.equal((await read(OWN)).reference, 'demo-partner');
  const { data, meta } = await read(`${OWN}/mappings?operatorId=1`);
  assert.ok(meta.totalItems > 1);
  const [first] = data;
  assert.ok(first.venueName.length > 0);
  assert.deepEqual(await read(`${OWN}/mappings/${encodeURIComponent(first.venueId)}`), first);
  const save = await people.callWith(developer, `${OWN}/mappings/${encodeURIComponent(first.venueId)}`, {
    method: 'PUT',
    body: first,
  });
  assertProblem(save, 403, 'USER-N-009');
});

test('a partner has its own clients in the list, and no agent that acts for it', async () => {
  const { data } = await read(`${OWN}/clients`);
  assert.deepEqual(
    data.map(({ id, partnerId }: { id: string; partnerId: number }) => [id, partnerId]),
    [['demo-partner', 1]],
  );
});

test('a secret is rotated: the new one works, the old one until its end', async () => {
  const path = `${OWN}/clients/demo-partner/secrets`;
  const before = (await read(path)).data;
  const added = await add('demo-partner', { othersExpireInSeconds: 3600 });
  assert.equal(added.status, 201, added.text);
  assert.equal(added.headers['cache-control'], 'no-store');
  assert.equal((await tokenFor('demo-partner', added.json.secret)).status, 200);
  assert.equal((await tokenFor('demo-partner', 'demo-partner-secret')).status, 200);
  const now = (await read(path)).data;
  assert.equal(now.length, before.length + 1);
  assert.ok(now[0].expiresAt !== null && now.at(-1).expiresAt === null);
  assert.ok(!JSON.stringify(now).includes(added.json.secret));
  const removed = await people.callWith(developer, `${path}/${added.json.secretId}`, { method: 'DELETE' });
  assert.equal(removed.status, 204, removed.text);
  assert.equal((await tokenFor('demo-partner', added.json.secret)).status, 401);
  const log = await people.call('/manage/audit?subject=client demo-partner', { as: 'demo-admin' });
  const actions = log.json.data.map(({ action, actor }: { action: string; actor: { name: string } }) => [
    action,
    actor.name,
  ]);
  assert.deepEqual(actions.toSorted(), [
    ['secret.change', 'Dev Partner'],
    ['secret.create', 'Dev Partner'],
    ['secret.delete', 'Dev Partner'],
  ]);
  assert.ok(!log.text.includes(added.json.secret));
});

test('clients of others are not there, whatever is tried with them', async () => {
  const [{ count: before } = { count: -1 }] =
    await people.sql`select count(*)::int as count from client_secret`;
  for (const id of ['other-partner', 'demo-agent', 'demo-operator', 'demo-admin', 'no-such-client']) {
    const path = `${OWN}/clients/${id}/secrets`;
    assertProblem(await people.callWith(developer, path), 404, 'HTTP-N-404');
    assertProblem(await add(id, {}), 404, 'HTTP-N-404');
    const [secret] = await people.sql`select id from client_secret where client_id = ${id} limit 1`;
    const one = `${path}/${secret?.id ?? '019a7f3e-0000-7000-8000-000000000000'}`;
    assertProblem(await people.callWith(developer, one, { method: 'DELETE' }), 404, 'HTTP-N-404');
  }
  assertProblem(await add('other-partner', {}, 2), 403, 'USER-N-009');
  const [{ count: now } = { count: -2 }] = await people.sql`select count(*)::int as count from client_secret`;
  assert.equal(now, before);
});

test('the rules are those that the partner reads itself, with the venues they are about', async () => {
  const { rules, operators } = await read(`${OWN}/rules`);
  const own = (await people.call('/booking-rules')).json.rules;
  assert.ok(rules.length > 0);
  assert.deepEqual(rules, own);
  for (const { summary, operatorId, appliesTo } of rules) {
    assert.ok(summary.length > 0);
    const venues = operators.find(({ id }: { id: number }) => id === operatorId).venues;
    const known = new Set(venues.map(({ id }: { id: string }) => id));
    for (const { id } of appliesTo.venues) assert.ok(known.has(id), id);
  }
  const mapped = (await read(`${OWN}/mappings`)).meta.totalItems;
  assert.equal(operators.flatMap(({ venues }: { venues: object[] }) => venues).length, mapped);
  const one = await read(`${OWN}/rules?operatorId=${rules[0].operatorId}&effect=${rules[0].effect}`);
  assert.ok(one.rules.length > 0 && one.rules.length <= rules.length);
  const other = (await people.call('/manage/partners/2/rules', { as: 'demo-admin' })).json;
  assert.deepEqual(other.rules, (await people.call('/booking-rules', { as: 'other-partner' })).json.rules);
});

test('feeds say where they are and whether they are up to date', async () => {
  const venueId = '1|house|soho-grill';
  const path = `${OWN}/feeds?venueId=${encodeURIComponent(venueId)}`;
  const [unmade] = (await read(path)).data;
  assert.deepEqual(
    [unmade.url, unmade.isActive, unmade.isCurrent, unmade.madeAt, unmade.changedAt, unmade.fileCount],
    [null, false, false, null, null, 0],
  );
  await makerOf(people).make(venueId);
  const { data } = await read(path);
  const venue = (await people.call(`/venues/${encodeURIComponent(venueId)}`)).json;
  for (const feed of data) {
    const product = venue.products.find(
      ({ compositeId }: { compositeId: string }) => compositeId === feed.productId,
    );
    assert.deepEqual(
      [feed.url, feed.productName, feed.venueName],
      [product.feedUrl, product.productName, venue.name],
    );
    assert.ok(feed.isActive && feed.isCurrent && feed.madeAt !== null && feed.fileCount > 0);
  }
  await people.sql`update venue set name = name || '!' where id = ${venueId}`;
  assert.equal((await read(path)).data[0].isCurrent, false);
  const whole = await read(`${OWN}/feeds?pageSize=1`);
  assert.ok(whole.meta.totalItems > data.length);
  assert.equal(whole.data.length, 1);
});
