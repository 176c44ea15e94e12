/** What is changed through one node is seen by another that had all of it in memory. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type SecondNode, startSecondNode } from '../../abuse/support/second-node.ts';
import { eventually } from '../../support/eventually.ts';
import { PASSWORD, type People, startPeople } from '../../support/people.ts';
import { type Body, freeDay, guest } from '../bookings/support.ts';

const SOHO = '1|house|soho-grill';
const DINNER = `${SOHO}|dinner`;
const OTHER_PARTNER = 2;

let first: People;
let second: SecondNode;
before(async () => {
  first = await startPeople();
  second = await startSecondNode(first);
});
after(async () => {
  await second.close();
  await first.close();
});

const manage = (rest = '') => `/manage/venues/${encodeURIComponent(SOHO)}${rest}`;
const venue = `/venues/${encodeURIComponent(SOHO)}`;
const slots = (date: string) => `/venues/${encodeURIComponent(DINNER)}/availability?date=${date}&partySize=2`;

/** What the second node answers to the holder of a token. */
async function asked(token: string, url: string, payload?: Body) {
  const method = payload ? 'POST' : 'GET';
  const answer = await second.app.inject({
    ...{ method, url, headers: { authorization: `Bearer ${token}` } },
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, json: answer.json() };
}

const askedAs = async (client: string, url: string, payload?: Body) =>
  asked(await first.token(client), url, payload);

const seenAs = async (client: string, url: string): Promise<Body> => (await askedAs(client, url)).json;
const seen = (url: string) => seenAs('demo-partner', url);

/** The first node does it, as the platform. */
async function done(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: Body): Promise<Body> {
  const answer = await first.call(path, { method, as: 'demo-admin', ...(body && { body }) });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.text === '' ? {} : answer.json;
}

/** Reads something as the platform and puts it back with changes. */
async function revise(path: string, { never = ['id'], ...changes }: Body): Promise<void> {
  const { status, json, text } = await first.call(path, { as: 'demo-admin' });
  assert.equal(status, 200, text);
  const kept = Object.entries(json).filter(([name]) => !never.includes(name));
  await done('PUT', path, { ...Object.fromEntries(kept), ...changes });
}

/** The second node remembers that it is not so, then the first changes it, and the second notices. */
async function comesTrue(holds: () => Promise<boolean>, change: () => Promise<unknown>): Promise<void> {
  for (const time of ['read', 'remembered']) assert.equal(await holds(), false, time);
  await change();
  await eventually(holds);
}

test('the name of a venue', () =>
  comesTrue(
    async () => (await seen(venue)).name === 'Soho Grill & Bar',
    () =>
      revise(manage(), {
        never: ['id', 'operatorId', 'tms', 'resourceId', 'closedAt'],
        name: 'Soho Grill & Bar',
      }),
  ));

test('the hours of a venue', async () => {
  const date = freeDay();
  const hours = async () => JSON.stringify(await seen(venue));
  await comesTrue(
    async () => (await hours()).includes(date),
    () => revise(manage('/hours'), { exceptions: [{ date, periods: [], reason: 'Stocktaking' }] }),
  );
});

const product = manage('/products/dinner');
const productNever = ['compositeId', 'key'];

test('the name of a product', () =>
  comesTrue(
    async () => (await seen(venue)).products.some(({ productName }: Body) => productName === 'Supper'),
    () => revise(product, { never: productNever, name: 'Supper' }),
  ));

test('the hours of a product', async () => {
  const date = freeDay();
  await comesTrue(
    async () => (await seen(slots(date))).times.length === 0,
    () =>
      revise(product, {
        never: productNever,
        hours: { weekly: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], periods: [] }], exceptions: [] },
      }),
  );
  await comesTrue(
    async () => (await seen(slots(date))).times.length > 0,
    () =>
      revise(product, {
        never: productNever,
        hours: {
          weekly: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], periods: [{ opens: '12:00', closes: '23:00' }] }],
          exceptions: [],
        },
      }),
  );
});

test('the price of a package', async () => {
  const { data } = (await first.call(manage('/packages'), { as: 'demo-admin' })).json;
  const price = 12_345;
  await comesTrue(
    async () => /\b(12345|123\.45)\b/.test(JSON.stringify(await seen(venue))),
    () => revise(manage(`/packages/${data[0].id}`), { pricePence: price }),
  );
});

test('a table that is put away', async () => {
  const date = freeDay();
  const { data } = (await first.call(manage('/tables'), { as: 'demo-admin' })).json;
  assert.ok(data.length > 1);
  const take = async (isActive: boolean) => {
    for (const { id } of data) await revise(manage(`/tables/${id}`), { isActive });
  };
  const isFull = async () => (await seen(slots(date))).times.every(({ type }: Body) => type !== 'book');
  await comesTrue(isFull, () => take(false));
  await comesTrue(
    async () => !(await isFull()),
    () => take(true),
  );
});

test('an availability rule, and its end', async () => {
  const date = freeDay();
  const isShut = async () => (await seen(slots(date))).times.length === 0;
  let id = '';
  await comesTrue(isShut, async () => {
    const rule = { type: 'specific_dates', definition: { dates: [date] } };
    ({ id } = (await done('POST', manage('/availability-rules'), rule)) as { id: string });
  });
  await comesTrue(
    async () => !(await isShut()),
    () => done('DELETE', manage(`/availability-rules/${id}`)),
  );
});

test('a category of partners that an availability rule is aimed at', async () => {
  const date = freeDay();
  const path = '/manage/operators/1/partner-categories';
  const group = { slug: 'nodes', name: 'Nodes' };
  const { id } = await done('POST', path, { ...group, partnerIds: [] });
  const rule = { type: 'specific_dates', definition: { dates: [date] }, categoryIds: [id] };
  await done('POST', manage('/availability-rules'), rule);
  await comesTrue(
    async () => (await seen(slots(date))).times.length === 0,
    () => done('PUT', `${path}/${id}`, { ...group, partnerIds: [1] }),
  );
});

test('a booking rule, its change and its end', async () => {
  const path = '/manage/operators/1/booking-rules';
  const draft = { effect: 'party_size_limit', name: 'Never a hundred', params: { max: 99 } };
  const rules = async () => JSON.stringify(await seen('/booking-rules'));
  let id = '';
  await comesTrue(
    async () => (await rules()).includes('Never a hundred'),
    async () => ({ id } = (await done('POST', path, draft)) as { id: string }),
  );
  const date = freeDay();
  const book = () => askedAs('demo-partner', `/venues/${encodeURIComponent(DINNER)}/booking`, asking);
  const asking = { ...guest, date, time: '19:00', partySize: 2 };
  await comesTrue(
    async () => (await book()).status >= 400,
    () => done('PUT', `${path}/${id}`, { ...draft, params: { max: 1 } }),
  );
  await comesTrue(
    async () => !(await rules()).includes('Never a hundred'),
    () => done('DELETE', `${path}/${id}`),
  );
});

test('a mapping that loses a product, and one that ends', async () => {
  const path = `/manage/partners/${OTHER_PARTNER}/mappings/${encodeURIComponent(SOHO)}`;
  const channel = await first.call(path, { as: 'demo-admin' });
  const products = async () => (await seenAs('other-partner', venue)).products ?? [];
  await comesTrue(
    async () => (await products()).length === 1,
    () => done('DELETE', `${path}/products/private-dining`),
  );
  await comesTrue(
    async () => (await askedAs('other-partner', venue)).status !== 200,
    () => done('DELETE', path),
  );
  const { company, maxPartySize, isRequestOnly } = channel.json;
  await comesTrue(
    async () => (await askedAs('other-partner', venue)).status === 200,
    () => done('PUT', path, { company, maxPartySize, isRequestOnly, productKeys: ['dinner'] }),
  );
});

test('a partner that is suspended', async () => {
  const path = `/manage/operators/1/partners/${OTHER_PARTNER}`;
  const { source } = (await first.call(path, { as: 'demo-admin' })).json;
  await comesTrue(
    async () => (await seenAs('other-partner', venue)).reservable === false,
    () => done('PUT', path, { isSuspended: true, source: source?.name ?? source }),
  );
});

test('a secret that is taken back, and a client that is gone', async () => {
  const client = await done('POST', '/manage/clients', { kind: 'partner', partnerId: 1 });
  const path = `/manage/clients/${client.id}`;
  const signIn = (client_secret: string) =>
    second.app.inject({
      method: 'POST',
      url: '/oauth/token',
      payload: {
        ...{ grant_type: 'client_credentials', client_id: client.id, client_secret, audience: 'maitred' },
      },
    });
  const { data } = (await first.call(`${path}/secrets`, { as: 'demo-admin' })).json;
  const { access_token: token } = (await signIn(client.secret)).json();
  await comesTrue(
    async () => (await signIn(client.secret)).statusCode === 401,
    () => done('DELETE', `${path}/secrets/${data[0].id}`),
  );
  await comesTrue(
    async () => (await asked(token, venue)).status === 401,
    () => done('DELETE', path),
  );
});

test('an agent that may no longer act for a partner', async () => {
  const asAgent = async () => {
    const headers = {
      authorization: `Bearer ${await first.token('demo-agent')}`,
      'x-partner-reference': 'demo-partner',
    };
    return (await second.app.inject({ url: venue, headers })).statusCode;
  };
  await comesTrue(
    async () => (await asAgent()) === 403,
    () => done('DELETE', '/manage/clients/demo-agent/partners/1'),
  );
});

test('a role that is lowered and one that is taken away', async () => {
  const { id } = await first.employ('nora@lamp.example', 'manager');
  const token = await first.signIn('nora@lamp.example', PASSWORD);
  const auditLog = '/manage/operators/1/audit';
  await comesTrue(
    async () => (await asked(token, auditLog)).json.code === 'USER-N-009',
    () => done('PUT', `/manage/operators/1/users/${id}`, { role: 'staff' }),
  );
  await comesTrue(
    async () => (await asked(token, manage())).json.code === 'OPRTR-N-002',
    () => done('DELETE', `/manage/operators/1/users/${id}`),
  );
});

test('questions and answers', () =>
  comesTrue(
    async () => JSON.stringify(await seen(`${venue}/site-faqs`)).includes('Any dogs?'),
    () => done('PUT', manage('/site-faqs'), [{ question: 'Any dogs?', answer: 'Two.' }] as unknown as Body),
  ));

test('a venue that is new, and one that is gone', async () => {
  const { json } = await first.call(manage(), { as: 'demo-admin' });
  const { id: _, operatorId: _operator, closedAt: _closed, ...body } = json;
  const id = '1|house|pop-up';
  const path = `/venues/${encodeURIComponent(id)}`;
  const status = async () => (await askedAs('demo-operator', path)).status;
  await comesTrue(
    async () => (await status()) === 200,
    () => done('POST', '/manage/operators/1/venues', { ...body, resourceId: 'pop-up', name: 'Pop-up' }),
  );
  await comesTrue(
    async () => (await status()) === 404,
    () => done('DELETE', `/manage/venues/${encodeURIComponent(id)}`),
  );
});

test('a venue that closes, and opens again', async () => {
  const isReservable = async () => (await seen(venue)).reservable === true;
  await comesTrue(
    async () => !(await isReservable()),
    () => done('POST', manage('/close')),
  );
  await comesTrue(isReservable, () => done('POST', manage('/reopen')));
});
