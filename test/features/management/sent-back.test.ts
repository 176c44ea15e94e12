/** What GET shows can be sent back with PUT as it is, and nothing is changed by it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Answer, assertProblem, type TestApp } from '../../support/app.ts';
import { DEMO_PASSWORD, type People, startPeople } from '../../support/people.ts';
import { booked } from '../bookings/support.ts';

// biome-ignore lint/suspicious/noExplicitAny: documents of thirty kinds
type Item = Record<string, any>;

/** What tells one of a list from the others, where it is not its `id`. */
const KEYS: Record<string, string> = { productKey: 'key', slug: 'slug', tms: 'tms', webhookId: 'webhookId' };
/** Secrets are never shown, and a session of its own is needed for an account. */
const OTHERWISE = [
  '/manage/operators/{operatorId}/systems/{tms}/credentials',
  '/manage/account',
  '/manage/account/notifications',
];
/** Times that say when it was last written. */
const WRITTEN = ['updatedAt', 'version'];

/** Between them they have something of everything but what is made in `before`. */
const OPERATORS = [1, 4];
const VENUES = ['1|house|soho-grill', '1|house|garden-room', '4|house|saltmarsh', '2|tickets|jazz-night'];

let people: People;
before(async () => {
  people = await startPeople();
  const grill = encodeURIComponent('1|house|soho-grill');
  await made('POST', `/manage/venues/${grill}/spaces/101/minimum-spend-overrides`, {
    ...{
      startDate: '2030-01-01',
      endDate: '2030-01-02',
      startTime: '12:00',
      endTime: '00:00',
      amount: 50_000,
    },
  });
  await made('PUT', '/manage/systems/example', {
    protocol: 'connect',
    name: 'Example',
    settings: { url: 'http://127.0.0.1:9' },
  });
  await made('PUT', '/manage/clients/demo-partner/mandate', { maxPartySize: 8, cities: ['London'] });
  await made('POST', '/manage/operators/1/webhooks', { callbackUrl: 'https://93.184.216.34/till' });
  await made('POST', '/manage/partners/1/webhooks', { callbackUrl: 'https://93.184.216.34/partner' });
});
after(() => people.close());

async function made(method: 'POST' | 'PUT', path: string, body: object): Promise<void> {
  const answer = await people.call(path, { method, as: 'demo-admin', body });
  assert.ok(answer.status < 300, answer.text);
}

const read = (path: string, as = 'demo-admin'): Promise<Answer> => people.call(path, { as });
const put = (path: string, body: object, as = 'demo-admin'): Promise<Answer> =>
  people.call(path, { method: 'PUT', as, body });

function without(document: Item, names: string[]): Item {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !names.includes(name)));
}

async function sendBack(path: string, as?: string): Promise<void> {
  const before = await read(path, as);
  assert.equal(before.status, 200, `GET ${path}: ${before.text}`);
  const sent = await put(path, before.json, as);
  assert.equal(sent.status, 200, `PUT ${path} with ${before.text}: ${sent.text}`);
  const now = await read(path, as);
  assert.deepEqual(without(now.json, WRITTEN), without(before.json, WRITTEN), path);
}

interface Operations {
  get?: unknown;
  put?: unknown;
}

const replaceable = (app: TestApp): string[] =>
  Object.entries((app.app.swagger() as { paths: Record<string, Operations> }).paths)
    .filter(([path, { get, put }]) => path.startsWith('/manage') && get && put && !OTHERWISE.includes(path))
    .map(([path]) => path);

/** Everything in the demo data that the path stands for. */
async function addressesOf(path: string): Promise<string[]> {
  const starts = path.includes('{operatorId}')
    ? OPERATORS.map((id) => path.replace('{operatorId}', String(id)))
    : VENUES.map((id) => path.replace('{partnerId}/m', '1/m').replace('{venueId}', encodeURIComponent(id)));
  return (await Promise.all([...new Set(starts)].map(addressesIn))).flat();
}

async function addressesIn(path: string): Promise<string[]> {
  const [, list = '', name, rest] = /^(.*?)\/\{(\w+)\}(.*)$/.exec(path) ?? [];
  if (name === undefined) return [path];
  const { json } = await read(list);
  const items: Item[] = json.data ?? [];
  const ids = items.map((item) => item[KEYS[name] ?? name] ?? item.partner?.id ?? item.id);
  return (await Promise.all(ids.map((id) => addressesIn(`${list}/${id}${rest}`)))).flat();
}

test('everything that is managed can be sent back', async (t) => {
  for (const path of replaceable(people)) {
    await t.test(path, async () => {
      const sent = [];
      // A venue of tickets has no layout, for instance.
      for (const address of await addressesOf(path))
        if ((await read(address)).status === 200) sent.push(await sendBack(address));
      assert.ok(sent.length > 0, `nothing in the demo data is at ${path}`);
    });
  }
});

test('a field that is not one’s to set is refused where it differs, and nothing is changed', async () => {
  const path = '/manage/venues/1%7Chouse%7Csoho-grill';
  const { json } = await read(path);
  const refused = await put(path, { ...json, name: 'Another', id: '1|house|other', closedAt: '2030-01-01' });
  assertProblem(refused, 400, 'VALID-N-001');
  assert.deepEqual(Object.keys(refused.json.errors), ['id', 'closedAt']);
  assert.deepEqual((await read(path)).json, json);
  assertProblem(await put(path, { ...json, nonsense: 1 }), 400, 'VALID-N-001');
});

test('what is sent back to an address where nothing is any more is not found', async () => {
  const { json } = await read('/manage/operators/1');
  assertProblem(await put('/manage/operators/987654', json), 404, 'OPRTR-N-001');
});

test('what was read at one address and is sent to another, where it would be made, is refused', async () => {
  const { json } = await read('/manage/venue-types/restaurant');
  const refused = assertProblem(await put('/manage/venue-types/noodle-bar', json), 400, 'VALID-N-001');
  assert.deepEqual(Object.keys(refused.errors), ['slug']);
  assertProblem(await read('/manage/venue-types/noodle-bar'), 404, 'HTTP-N-404');
  const made = await put('/manage/venue-types/noodle-bar', { ...json, slug: 'noodle-bar' });
  assert.deepEqual([made.status, made.json.slug], [200, 'noodle-bar']);
});

test('an account, a booking and a subscription can be sent back', async () => {
  const token = await people.signIn('owner@lamp.example', DEMO_PASSWORD);
  for (const path of ['/manage/account', '/manage/account/notifications']) {
    const { json } = await people.callWith(token, path);
    const again = await people.callWith(token, path, { method: 'PUT', body: json });
    assert.equal(again.status, 200, again.text);
    assert.deepEqual(again.json, json);
  }

  const subscription = await people.call('/webhooks/subscriptions', {
    method: 'POST',
    body: { callbackUrl: 'https://93.184.216.34/hook' },
  });
  assert.equal(subscription.status, 201, subscription.text);
  await sendBack(`/webhooks/subscriptions/${subscription.json.webhookId}`, 'demo-partner');

  const { id } = await booked(people, { notes: 'By the window', admin_notes: 'VIP' });
  await sendBack(`/venues/bookings/${id}`, 'demo-partner');
  await sendBack(`/venues/bookings/${id}`, 'demo-admin');
  const { json: booking } = await read(`/venues/bookings/${id}`, 'demo-operator');
  assert.equal(booking.admin_notes, 'VIP');
  const refused = await put(`/venues/bookings/${id}`, { ...booking, status: 'cancelled' }, 'demo-partner');
  assertProblem(refused, 400, 'VALID-N-001');
  const moved = await put(`/venues/bookings/${id}`, { ...booking, partySize: 3 }, 'demo-admin');
  assert.equal(moved.json.partySize, 3, moved.text);
});
