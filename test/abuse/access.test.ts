/**
 * Every operation outside `/manage` and every tool of MCP, and everybody who could call: let in or refused for who they
 * are, as the lists here say. Those under `/manage` are in test/features/management.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readOperations } from '../../proof/abuse/document.ts';
import type { Scope } from '../../src/http/auth/caller.ts';
import type { Answer } from '../support/app.ts';
import { DEMO_PASSWORD, type People, startPeople } from '../support/people.ts';
import { codeIn } from './support/target.ts';

type Access = 'public' | 'identified' | Scope;

/** What each takes. */
const ACCESS: Partial<Record<Access, string[]>> = {
  public: [
    'POST /oauth/token',
    'GET /.well-known/jwks.json',
    'GET /.well-known/oauth-authorization-server',
    'GET /.well-known/oauth-protected-resource',
    'GET /.well-known/oauth-protected-resource/mcp',
    'GET /problems',
    'GET /problems/{code}',
  ],
  identified: ['POST /mcp'],
  'venue:read': [
    'GET /venues',
    'GET /venues/category',
    'GET /venues/{venueId}',
    'POST /venues/find-tables',
    'GET /venues/{compositeId}/availability',
    'GET /booking-rules',
    'POST /booking-rules/explain',
    'POST /octo/availability',
    'POST /octo/availability/calendar',
    'GET /octo/capabilities',
    'GET /octo/products',
    'GET /octo/products/{id}',
    'GET /octo/supplier',
    'GET /venues/{venueCompositeId}/site-faqs',
  ],
  'listing:read': ['POST /v1/availabilities', 'GET /v1/listings'],
  'venue-booking:read': [
    'GET /mandate',
    'GET /venues/bookings',
    'GET /venues/bookings/{bookingId}',
    'GET /venues/waitlist/{entryId}',
    'GET /venues/{compositeId}/waitlist',
    'GET /v1/orders/{orderId}',
    'GET /octo/bookings',
    'GET /octo/bookings/{uuid}',
  ],
  'venue-booking:create': [
    'POST /venues/{compositeId}/booking',
    'GET /venues/holds/{holdId}',
    'DELETE /venues/holds/{holdId}',
    'POST /venues/holds/{holdId}/extend',
    'POST /venues/{compositeId}/holds',
    'DELETE /venues/waitlist/{entryId}',
    'POST /venues/{compositeId}/waitlist',
    'POST /v1/orders',
    'POST /octo/bookings',
    'POST /octo/bookings/{uuid}/confirm',
    'POST /octo/bookings/{uuid}/extend',
  ],
  'venue-booking:update': [
    'PUT /venues/bookings/{bookingId}',
    'PATCH /venues/bookings/{bookingId}',
    'GET /venues/bookings/{bookingId}/payment-options',
    'POST /venues/bookings/{bookingId}/payments',
    'PATCH /v1/orders/{orderId}',
    'PATCH /octo/bookings/{uuid}',
  ],
  'venue-booking:delete': [
    'DELETE /venues/bookings/{bookingId}',
    'DELETE /v1/orders/{orderId}',
    'POST /octo/bookings/{uuid}/cancel',
  ],
  'partner:create': [
    'GET /webhooks/deliveries',
    'GET /webhooks/deliveries/{deliveryId}',
    'GET /webhooks/events',
    'GET /webhooks/subscriptions',
    'POST /webhooks/subscriptions',
    'GET /webhooks/subscriptions/{webhookId}',
    'PUT /webhooks/subscriptions/{webhookId}',
    'DELETE /webhooks/subscriptions/{webhookId}',
    'POST /webhooks/subscriptions/{webhookId}/replay',
    'POST /webhooks/subscriptions/{webhookId}/secret',
    'POST /webhooks/test',
    'GET /request-log',
  ],
  'operator:write': [
    'POST /venues/site-faqs/bulk',
    'PUT /venues/{venueCompositeId}/site-faqs',
    'PATCH /venues/{venueCompositeId}/site-faqs',
    'DELETE /venues/{venueCompositeId}/site-faqs',
  ],
};

const TOOLS: Partial<Record<Scope, string[]>> = {
  'venue:read': [
    ...['find_tables', 'get_venues', 'get_venue_by_id', 'check_venue_availability'],
    ...['get_booking_rules', 'explain_booking'],
  ],
  'venue-booking:read': ['get_venue_bookings', 'get_venue_booking_by_id', 'get_mandate'],
  'venue-booking:create': ['hold_table', 'create_venue_booking'],
  'venue-booking:update': ['update_venue_booking'],
  'venue-booking:delete': ['cancel_venue_booking'],
};

const OF_PARTNERS: Scope[] = [
  ...(['venue:read', 'listing:read', 'partner:create'] as const),
  ...(['create', 'read', 'update', 'delete'] as const).map((deed) => `venue-booking:${deed}` as const),
];
const OF_OPERATORS: Scope[] = ['venue:read', 'venue-booking:read', 'operator:write'];
const ALL: Scope[] = [...OF_PARTNERS, 'operator:write'];

interface Caller {
  name: string;
  headers: Record<string, string>;
  /** What they may do, or the code with which they are refused everywhere. */
  may: readonly Scope[] | 'IDENT-N-001' | 'IDENT-N-002' | 'IDENT-N-003';
}

let people: People;
let callers: Caller[];

before(async () => {
  people = await startPeople();
  await people.sql`insert into account_role (account_id, operator_id, role)
    select id, 2, 'manager' from account where email_key = 'staff@lamp.example'`;
  const client = async (id: string, may: Caller['may'], partner?: string): Promise<Caller> => ({
    name: [id, partner ?? []].flat().join(' for '),
    headers: {
      authorization: `Bearer ${await people.token(id)}`,
      ...(partner !== undefined && { 'x-partner-reference': partner }),
    },
    may,
  });
  const person = async (name: string, email: string): Promise<Caller> => ({
    name,
    headers: { authorization: `Bearer ${await people.signIn(email, DEMO_PASSWORD)}` },
    may: 'IDENT-N-001',
  });
  callers = [
    { name: 'nobody', headers: {}, may: 'IDENT-N-001' },
    { name: 'a forger', headers: { authorization: 'Bearer a.b.c' }, may: 'IDENT-N-001' },
    await client('demo-partner', OF_PARTNERS),
    await client('other-partner', OF_PARTNERS),
    await client('demo-agent', OF_PARTNERS, 'demo-partner'),
    await client('demo-agent', 'IDENT-N-002'),
    await client('demo-agent', 'IDENT-N-003', 'other-partner'),
    // It has a mandate, which limits bookings and not calls.
    await client('demo-assistant', OF_PARTNERS, 'demo-partner'),
    await client('demo-operator', OF_OPERATORS),
    await client('demo-admin', ALL),
    await narrowed('venue:read'),
    await narrowed('venue-booking:create'),
    await switchedOff(),
    await person('a developer', 'developer@partner.example'),
    await person('staff of one operator, and a manager of another', 'staff@lamp.example'),
    await person('an owner', 'owner@lamp.example'),
    await person('somebody of the platform', 'admin@platform.example'),
  ];
});
after(() => people.close());

/** A token that was asked for with less than its client may do. */
async function narrowed(scope: Scope): Promise<Caller> {
  const basic = Buffer.from('demo-partner:demo-partner-secret').toString('base64');
  const { json } = await people.call('/oauth/token', {
    method: 'POST',
    as: null,
    headers: { authorization: `Basic ${basic}` },
    body: { grant_type: 'client_credentials', audience: 'maitred', scope },
  });
  const headers = { authorization: `Bearer ${json.access_token}` };
  return { name: `demo-partner with ${scope} alone`, headers, may: [scope] };
}

/** It has had its token before. */
async function switchedOff(): Promise<Caller> {
  const body = { kind: 'partner', partnerId: 2, id: 'switched-off' };
  const made = await people.call('/manage/clients', { method: 'POST', as: 'demo-admin', body });
  assert.equal(made.status, 201, made.text);
  const basic = Buffer.from(`switched-off:${made.json.secret}`).toString('base64');
  const { json } = await people.call('/oauth/token', {
    method: 'POST',
    as: null,
    headers: { authorization: `Basic ${basic}` },
    body: { grant_type: 'client_credentials', audience: 'maitred' },
  });
  const headers = { authorization: `Bearer ${json.access_token}` };
  assert.equal((await people.call('/venues', { as: null, headers })).status, 200);
  const off = await people.call('/manage/clients/switched-off', {
    method: 'PUT',
    as: 'demo-admin',
    headers: { 'if-match': '*' },
    body: { isActive: false, scopes: OF_PARTNERS },
  });
  assert.equal(off.status, 200, off.text);
  return { name: 'a client that was switched off', headers, may: 'IDENT-N-001' };
}

const rows = (Object.entries(ACCESS) as [Access, string[]][]).flatMap(([access, names]) =>
  names.map((name) => ({ access, name })),
);

test('every operation outside /manage has its row, and every row its operation', () => {
  const there = readOperations().filter(({ path }) => !path.startsWith('/manage'));
  assert.deepEqual(rows.map(({ name }) => name).toSorted(), there.map(({ name }) => name).toSorted());
});

/** About what is not there, with a body that nothing takes. */
function ask({ headers }: Caller, name: string): Promise<Answer> {
  const [method = '', path = ''] = name.split(' ');
  const body = path === '/mcp' ? { jsonrpc: '2.0', id: 1, method: 'tools/list' } : { 'no such member': true };
  return people.call(path.replaceAll(/\{\w+\}/g, '1%7Chouse%7Cnowhere%7Cnothing'), {
    method: method as 'GET',
    as: null,
    headers: { ...headers, ...(path === '/mcp' && { accept: 'application/json, text/event-stream' }) },
    ...(['POST', 'PUT', 'PATCH'].includes(method) && { body }),
  });
}

/** Of a refusal for who somebody is; undefined: they were let in, whatever became of it then. */
function refusalFor(answer: Answer): string | undefined {
  if (answer.status !== 401 && answer.status !== 403) return undefined;
  const code = codeIn(answer.json);
  return code !== undefined && /^(?:IDENT-N-00[123]|USER-N-009)$/.test(code) ? code : undefined;
}

/** Some are for partners alone, and say so to others who have the scope. */
const isForPartners = (answer: Answer) => codeIn(answer.json) === 'IDENT-N-002';

test('each is let in by every operation that its scopes allow, and by no other', async () => {
  const before = await everything();
  for (const { access, name } of rows) {
    for (const caller of callers) {
      const answer = await ask(caller, name);
      const what = `${caller.name}: ${name}: ${answer.status} ${answer.text.slice(0, 300)}`;
      assert.ok(answer.status < 500, what);
      const refusal = refusalFor(answer);
      if (access === 'public') assert.notEqual(refusal, 'USER-N-009', what);
      else if (typeof caller.may === 'string') assert.equal(refusal, caller.may, what);
      else if (access === 'identified' || caller.may.includes(access))
        assert.ok(refusal === undefined || isForPartners(answer), what);
      else assert.equal(refusal, 'USER-N-009', what);
    }
  }
  assert.deepEqual(await everything(), before);
});

test('each calls the tools of MCP that its scopes allow, and no other', async () => {
  const list = await ask(callers.find(({ name }) => name === 'demo-partner') as Caller, 'POST /mcp');
  const listed = JSON.parse(/^data: (.*)$/m.exec(list.text)?.[1] ?? '').result.tools;
  const tools = (Object.entries(TOOLS) as [Scope, string[]][]).flatMap(([scope, names]) =>
    names.map((name) => ({ scope, name })),
  );
  assert.deepEqual(
    tools.map(({ name }) => name).toSorted(),
    listed.map(({ name }: { name: string }) => name).toSorted(),
  );
  const before = await everything();
  for (const { scope, name } of tools) {
    for (const caller of callers) {
      const answer = await people.call('/mcp', {
        method: 'POST',
        as: null,
        headers: { ...caller.headers, accept: 'application/json, text/event-stream' },
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: { 'no such member': true } },
        },
      });
      const what = `${caller.name}: ${name}: ${answer.status} ${answer.text.slice(0, 300)}`;
      const refusal = refusalFor(answer);
      if (typeof caller.may === 'string') assert.equal(refusal, caller.may, what);
      else if (!caller.may.includes(scope)) assert.equal(refusal, 'USER-N-009', what);
      else assert.deepEqual([answer.status, refusal], [200, undefined], what);
    }
  }
  assert.deepEqual(await everything(), before);
});

/** How much there is of what these could make, change or end. */
async function everything() {
  const [row] = await people.sql`
    select (select count(*) from booking) as bookings, (select count(*) from hold) as holds,
      (select count(*) from waitlist_entry) as entries, (select count(*) from webhook) as webhooks,
      (select count(*) from site_faq) as faqs, (select count(*) from event) as events`;
  return row;
}
