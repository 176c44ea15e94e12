/** Every route of `/manage`, everybody who could call it, at an operator of theirs and at another. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Answer, assertProblem } from '../../support/app.ts';
import { DEMO_PASSWORD, PASSWORD, type People, startPeople } from '../../support/people.ts';
import { LEAST, type Least, PERMISSIONS } from './permissions.ts';

let people: People;
let callers: Caller[];

/** Somebody who calls, and what they are at operator or partner 1, at operator or partner 2 and apart from them. */
interface Caller {
  name: string;
  token: string;
  own: Least;
  foreign: Least;
  isUser: boolean;
  /** Besides the token. */
  headers?: Record<string, string>;
}

const ADDRESSES: Partial<Record<Least, string>> = {
  platform: 'admin@platform.example',
  developer: 'developer@partner.example',
};

before(async () => {
  people = await startPeople();
  await people.sql`
    insert into account (id, email, email_key, name, password, is_verified, is_platform, created_at)
    select gen_random_uuid(), 'manager@lamp.example', 'manager@lamp.example', 'Mia Lamp', password, true, false, now()
    from account where email_key = 'owner@lamp.example'`;
  await people.sql`insert into account_role (account_id, operator_id, role)
    select id, 1, 'manager' from account where email_key = 'manager@lamp.example'`;
  await people.sql`
    insert into account (id, email, email_key, name, password, is_verified, is_platform, created_at)
    select gen_random_uuid(), 'two@lamp.example', 'two@lamp.example', 'Tess Lamp', password, true, false, now()
    from account where email_key = 'owner@lamp.example'`;
  await people.sql`insert into account_role (account_id, operator_id, role)
    select id, unnest(array[1, 2]), unnest(array['owner', 'staff'])
    from account where email_key = 'two@lamp.example'`;
  const user = async (name: string, own: Least): Promise<Caller> => {
    const address = ADDRESSES[own] ?? `${own}@lamp.example`;
    const foreign = own === 'platform' ? own : 'user';
    return { name, token: await people.signIn(address, DEMO_PASSWORD), own, foreign, isUser: true };
  };
  const client = async (id: string, own: Least): Promise<Caller> => {
    const foreign = own === 'platform' ? own : 'public';
    return { name: id, token: await people.token(id), own, foreign, isUser: false };
  };
  const twoRoles: Caller = {
    name: 'an owner here and staff there',
    token: await people.signIn('two@lamp.example', DEMO_PASSWORD),
    own: 'owner',
    foreign: 'staff',
    isUser: true,
  };
  const agent = async (id: string, headers = {}): Promise<Caller> => ({
    ...(await client(id, 'public')),
    headers,
  });
  const forPartner = { 'x-partner-reference': 'demo-partner' };
  callers = [
    twoRoles,
    await agent('demo-agent', forPartner),
    await agent('demo-agent'),
    await agent('demo-assistant', forPartner),
    await user('a developer', 'developer'),
    await user('staff', 'staff'),
    await user('a manager', 'manager'),
    await user('an owner', 'owner'),
    await user('somebody of the platform', 'platform'),
    await client('demo-operator', 'owner'),
    await client('demo-admin', 'platform'),
    await client('demo-partner', 'public'),
    await client('other-partner', 'public'),
  ];
});
after(() => people.close());

/** Whether it makes a difference at which operator, or at which partner, somebody has a role. */
const namesOwner = (least: Least, route: string) =>
  least === 'developer' || (/\{operatorId\}|\{venueId\}/.test(route) && least !== 'platform');

const routes = (Object.entries(PERMISSIONS) as [Least, string[]][]).flatMap(([least, named]) =>
  named.map((route) => ({
    least,
    route,
    names: namesOwner(least, route),
  })),
);

test('every route has its row, and every row its route', () => {
  const document = people.app.swagger() as { paths: Record<string, object> };
  const there = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/manage'))
    .flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
  const listed = routes.map(({ route }) => route);
  assert.deepEqual(listed.toSorted(), there.toSorted());
});

const NOBODY = '019a7f3e-0000-7000-8000-000000000000';
/** What paths name besides operator and venue: nothing that is there, so that nothing is ever done. */
const NAMED: Record<string, string> = {
  productKey: 'no-such-product',
  slug: 'no-such-word',
  tms: 'nothing',
  number: '1',
};
const idOf = (name: string) =>
  NAMED[name] ?? (/^(booking|rule|user|invite|upload|secret|client)Id$/.test(name) ? NOBODY : '999999');

const isOfDevelopers = (route: string) => PERMISSIONS.developer.includes(route);

/** The paths of developers name the partner with the same number as the operator. */
function addressOf(path: string, operatorId: number, partnerId = 999_999): string {
  const venueId = encodeURIComponent(operatorId === 1 ? '1|house|soho-grill' : '2|house|night-owl');
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'operatorId') return String(operatorId);
    if (name === 'partnerId') return String(partnerId);
    return name === 'venueId' ? venueId : idOf(name);
  });
}

/** A body that no route takes, and the tag of nothing: whoever is let in changes nothing either. */
function ask(token: string, route: string, operatorId: number, headers = {}): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ');
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(method);
  return people.call(addressOf(path, operatorId, isOfDevelopers(route) ? operatorId : undefined), {
    method: method as 'GET',
    as: null,
    headers: { ...headers, authorization: `Bearer ${token}`, 'if-match': '"nothing"' },
    ...(hasBody && { body: { 'no such member': true } }),
  });
}

/** Refused for who they are, and not for what they sent. */
const REFUSALS = new Set(['USER-N-009', 'OPRTR-N-002', 'IDENT-N-001', 'IDENT-N-002']);
const isRefused = ({ status, json }: Answer) => (status === 401 || status === 403) && REFUSALS.has(json.code);

const rank = (least: Least) => LEAST.indexOf(least);

/** `user` is for people alone; everything else is for whoever is at least that. */
function mayCall({ own, foreign, isUser }: Caller, least: Least, isForeign: boolean): boolean {
  if (least === 'public') return true;
  if (least === 'user') return isUser;
  // Roles at operators are none at partners.
  if (least === 'developer') return ['developer', 'platform'].includes(isForeign ? foreign : own);
  return rank(isForeign ? foreign : own) >= rank(least);
}

const nothingDone = async () => {
  const [row] = await people.sql`
    select (select count(*) from audit_entry where action <> 'session.create') as changes,
      (select count(*) from account_session) as sessions`;
  return row;
};

for (const operatorId of [1, 2]) {
  test(`${operatorId === 1 ? 'at their own' : 'at another'} operator each is let in where the table says, and nowhere else`, async () => {
    const before = await nothingDone();
    for (const { least, route, names } of routes) {
      // Ending one's own session would end the test; its own file is about that.
      if (least === 'public' || route === 'DELETE /manage/sessions/current') continue;
      for (const caller of callers) {
        const answer = await ask(caller.token, route, operatorId, caller.headers);
        const isAllowed = mayCall(caller, least, names && operatorId !== 1);
        assert.equal(
          !isRefused(answer),
          isAllowed,
          `${caller.name}: ${route} ${answer.status} ${answer.text}`,
        );
        assert.ok(answer.status < 500, `${caller.name}: ${route} ${answer.text}`);
        if (
          !isAllowed &&
          names &&
          least !== 'developer' &&
          operatorId !== 1 &&
          caller.own !== 'public' &&
          caller.foreign === (caller.isUser ? 'user' : 'public')
        )
          assert.equal(answer.json.code, 'OPRTR-N-002', `${caller.name}: ${route}`);
      }
    }
    assert.deepEqual(await nothingDone(), before);
  });
}

test('the platform is told of an operator or a partner that is not there, whatever it asks about', async () => {
  const before = await nothingDone();
  const platform = callers.filter(({ own }) => own === 'platform');
  assert.equal(platform.length, 2);
  const below = routes.filter(({ route }) => route.includes('{operatorId}'));
  assert.ok(below.length > 40);
  for (const { token } of platform)
    for (const { route } of below) assertProblem(await ask(token, route, 987_654), 404, 'OPRTR-N-001');
  const developers = routes.filter(({ least }) => least === 'developer');
  for (const { token } of platform)
    for (const { route } of developers) assertProblem(await ask(token, route, 987_654), 404, 'PMAP-N-004');
  for (const path of ['/manage/clients', '/manage/partners/1/mappings'])
    assertProblem(await people.call(`${path}?operatorId=987654`, { as: 'demo-admin' }), 404, 'OPRTR-N-001');
  assert.deepEqual(await nothingDone(), before);
});

/** Real things of other operators, by the name that paths have for them. */
async function foreignIds(): Promise<Record<string, string>> {
  const other = people.sql`select id from operator where id > 1`;
  const [ids] = await people.sql<[Record<string, string>]>`
    with venues as (select id from venue where operator_id in (${other}))
    select (select id from house_zone where venue_id in (table venues) limit 1)::text as "zoneId",
      (select id from house_area where venue_id in (table venues) limit 1)::text as "areaId",
      (select id from house_table where venue_id in (table venues) limit 1)::text as "tableId",
      (select id from house_combination where venue_id in (table venues) limit 1)::text as "combinationId",
      (select id from space where venue_id in (table venues) limit 1)::text as "spaceId",
      (select id from package where venue_id in (table venues) limit 1)::text as "packageId",
      (select id from menu where venue_id <> '1|house|soho-grill' limit 1)::text as "menuId",
      (select id from ticket_occurrence where venue_id in (table venues) limit 1)::text as "occurrenceId",
      (select id from partner_category where operator_id in (${other}) limit 1)::text as "categoryId",
      (select id from partner_source where operator_id in (${other}) limit 1)::text as "sourceId",
      (select id from account where is_platform limit 1)::text as "userId"`;
  const [rules] = await people.sql<[Record<string, string>]>`
    select (select id from availability_rule where venue_id not like '1|%' limit 1)::text as "availability-rules",
      (select id from booking_rule where operator_id <> 1 limit 1)::text as "booking-rules"`;
  const when = { date: inDays(20), time: '20:00' };
  const body = { ...when, type: 'book', partySize: 2, firstName: 'Ada', lastName: 'Lovelace' };
  const booking = await people.call(`/venues/${encodeURIComponent('2|house|night-owl|booth')}/booking`, {
    method: 'POST',
    body,
  });
  assert.equal(booking.status, 201, booking.text);
  return { ...ids, ...rules, bookingId: booking.json.id };
}

const inDays = (days: number) => Temporal.Now.plainDateISO('Europe/London').add({ days }).toString();

interface Operation {
  requestBody?: {
    content: Record<string, { schema?: { $ref?: string; examples?: unknown[] }; example?: unknown }>;
  };
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { examples?: unknown[] }> };
}

/** A body that the route takes, as its reference shows it. */
function exampleOf(route: string): unknown {
  const { paths, components } = people.app.swagger() as unknown as Document;
  const [method = '', path = ''] = route.split(' ');
  const content = paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json'];
  const named = content?.schema?.$ref?.split('/').at(-1);
  return content?.example ?? (named ? components.schemas[named] : content?.schema)?.examples?.[0];
}

test('what belongs to another operator is not there under one’s own, whatever is tried with it', async () => {
  const ids = await foreignIds();
  const [owner] = callers.filter(({ name }) => name === 'an owner');
  const tried = new Set<string>();
  const before = await nothingDone();
  for (const { least, route } of routes) {
    const [method = '', path = ''] = route.split(' ');
    const wanted = /\{(\w+Id)\}/g;
    const named = [...path.matchAll(wanted)]
      .map(([, name = '']) => name)
      .filter((name) => !/^(operator|venue)Id$/.test(name));
    if (named.length === 0 || !['staff', 'manager', 'owner'].includes(least)) continue;
    const of = (name: string) =>
      name === 'ruleId' ? ids[path.includes('booking') ? 'booking-rules' : 'availability-rules'] : ids[name];
    const known = named.filter((name) => of(name));
    if (known.length === 0) continue;
    const address = addressOf(
      path.replace(wanted, (whole, name: string) => (known.includes(name) ? (of(name) ?? whole) : whole)),
      1,
    );
    const body = exampleOf(route);
    const answer = await people.callWith(owner?.token ?? '', address, {
      method: method as 'GET',
      ...(body !== undefined && { body }),
    });
    assert.ok([400, 403, 404, 409].includes(answer.status), `${route}: ${answer.status} ${answer.text}`);
    for (const name of known) tried.add(name);
  }
  assert.deepEqual([...tried].sort(), [
    'areaId',
    'bookingId',
    'categoryId',
    'combinationId',
    'menuId',
    'occurrenceId',
    'packageId',
    'ruleId',
    'sourceId',
    'spaceId',
    'tableId',
    'userId',
    'zoneId',
  ]);
  assert.deepEqual(await nothingDone(), before);
});

test('what was taken away opens nothing: sessions that ended, accounts, roles and clients that are gone', async () => {
  const ended = await people.signIn('owner@lamp.example', DEMO_PASSWORD);
  await people.callWith(ended, '/manage/sessions/current', { method: 'DELETE' });
  const { id: deletedId } = await people.employ('deleted@lamp.example', 'owner');
  const deleted = await people.signIn('deleted@lamp.example', PASSWORD);
  const { id: leftId } = await people.employ('left@lamp.example', 'owner');
  const left = await people.signIn('left@lamp.example', PASSWORD);
  const off = await people.token('other-partner');
  const remove = (path: string) =>
    people.call(path, { method: 'DELETE', as: 'demo-admin', headers: { 'if-match': '*' } });
  assert.equal((await remove(`/manage/users/${deletedId}`)).status, 204);
  assert.equal((await remove(`/manage/operators/1/users/${leftId}`)).status, 204);
  await switchClient(false);
  try {
    const before = await nothingDone();
    for (const { least, route } of routes) {
      if (least === 'public') continue;
      for (const token of [ended, deleted, off]) {
        const { status, json } = await ask(token, route, 1);
        assert.deepEqual([status, json.code], [401, token === off ? 'IDENT-N-001' : 'USER-N-013'], route);
      }
      // Ending one's own session would end this test.
      if (route === 'DELETE /manage/sessions/current') continue;
      const answer = await ask(left, route, 1);
      assert.equal(isRefused(answer), least !== 'user', `${route}: ${answer.text}`);
    }
    assert.deepEqual(await nothingDone(), before);
  } finally {
    await switchClient(true);
  }
});

async function switchClient(isActive: boolean): Promise<void> {
  const path = '/manage/clients/other-partner';
  const { scopes } = (await people.call(path, { as: 'demo-admin' })).json;
  const answer = await people.call(path, {
    method: 'PUT',
    as: 'demo-admin',
    headers: { 'if-match': '*' },
    body: { isActive, scopes },
  });
  assert.equal(answer.status, 200, answer.text);
}

test('without a token nobody is let in, and a session opens nothing but /manage', async () => {
  for (const { least, route } of routes) {
    if (least === 'public') continue;
    const answer = await ask('nobody', route, 1);
    assert.equal(answer.json.code, 'IDENT-N-001', route);
  }
  const [owner] = callers.filter(({ name }) => name === 'an owner');
  for (const path of [
    '/venues',
    '/venues/bookings',
    '/v1/listings',
    '/booking-rules',
    '/webhooks/subscriptions',
  ]) {
    const answer = await people.call(path, {
      as: null,
      headers: { authorization: `Bearer ${owner?.token}` },
    });
    assert.equal(answer.json.code, 'IDENT-N-001', path);
  }
});
