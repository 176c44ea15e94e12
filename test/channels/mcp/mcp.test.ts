import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { bookingsApp, freeDay } from '../../features/bookings/support.ts';
import { AGENT, callTool, connect, VERSIONS } from './support.ts';

const app = bookingsApp();
const tokens = new Tiktoken(o200k);
const count = (value: unknown) => tokens.encode(JSON.stringify(value)).length;

const TOOLS = [
  ...['find_tables', 'get_venues', 'get_venue_by_id', 'check_venue_availability'],
  ...['hold_table', 'create_venue_booking', 'update_venue_booking', 'cancel_venue_booking'],
  ...['get_venue_bookings', 'get_venue_booking_by_id', 'get_booking_rules', 'explain_booking', 'get_mandate'],
];

for (const version of VERSIONS) {
  describe(`a client of ${version}`, () => {
    it('reads all tools for at most 3,000 tokens', async () => {
      const client = await connect(app(), { version });
      assert.equal(client.getNegotiatedProtocolVersion(), version);
      const list = await client.listTools();
      assert.deepEqual(
        list.tools.map(({ name }) => name),
        TOOLS,
      );
      assert.ok(count(list) <= 3000, `${count(list)} tokens`);
    });

    it('finds, books, moves and cancels a table for at most 2,500 tokens of answers', async () => {
      const client = await connect(app(), { version, ...AGENT });
      let spent = 0;
      const call = async (name: string, args: Record<string, unknown>) => {
        const { _meta, ...result } = await client.callTool({ name, arguments: args });
        spent += count(result);
        assert.ok(!result.isError, JSON.stringify(result.content));
        // biome-ignore lint/suspicious/noExplicitAny: the next call reads what this one has answered.
        return result.structuredContent as any;
      };
      const { tables } = await call('find_tables', {
        partySize: 4,
        date: freeDay(6),
        time: '20:00',
        city: 'London',
      });
      const table = tables.find(
        (each: { type: string; needs?: unknown }) => each.type === 'book' && !each.needs,
      );
      const { compositeId, date, time, type } = table;
      const { bookingId } = await call('create_venue_booking', {
        ...{ compositeId, date, time, type, partySize: 4, firstName: 'Ada', lastName: 'Lovelace' },
        partnerBookingId: `conversation ${version}`,
      });
      const later = String(Temporal.PlainTime.from(time).subtract({ minutes: 30 })).slice(0, 5);
      const moved = await call('update_venue_booking', { bookingId, time: later });
      assert.equal(moved.time, later);
      const { status } = await call('cancel_venue_booking', { bookingId });
      assert.equal(status, 'cancelled');
      assert.ok(spent <= 2500, `${spent} tokens`);
    });

    it('goes on where a list was cut', async () => {
      const client = await connect(app(), { version });
      const first = await callTool(client, 'get_venues', { city: 'London' });
      assert.match(first.text, /Next page: 2\.$/);
      const second = await callTool(client, 'get_venues', { city: 'London', page: first.data.nextPage });
      const ids = [...first.data.venues, ...second.data.venues].map(({ venueId }) => venueId);
      assert.equal(new Set(ids).size, ids.length);
      const venue = await callTool(client, 'get_venue_by_id', { venueId: ids[0] });
      assert.equal(venue.data.venueId, ids[0]);
      for (const field of venue.data.requiredFields) assert.ok(venue.text.includes(field), venue.text);
      const found = await callTool(client, 'find_tables', { partySize: 2, date: freeDay(), limit: 2 });
      assert.ok(found.text.endsWith(`More with cursor ${found.data.nextCursor}`), found.text);
      const none = await callTool(client, 'find_tables', { partySize: 2, date: freeDay(), city: 'Londn' });
      assert.equal(none.text, 'No venue fits; see get_venues for cities.');
      const mandate = await callTool(client, 'get_mandate');
      assert.equal(mandate.data.mandate, null);
    });

    it('is told by the protocol that there is no such tool', async () => {
      const client = await connect(app(), { version });
      await assert.rejects(client.callTool({ name: 'drop_tables', arguments: {} }), /Unknown tool/);
    });
  });
}

const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
const ACCEPT = { accept: 'application/json, text/event-stream' };
const post = (options: Parameters<ReturnType<typeof app>['call']>[1] = {}) =>
  app().call('/mcp', {
    method: 'POST',
    body: rpc('tools/list'),
    ...options,
    headers: { ...ACCEPT, ...options.headers },
  });

describe('a request to /mcp', () => {
  it('without a token is told where tokens come from', async () => {
    const { status, headers, json } = await post({ as: null });
    assert.equal(status, 401);
    const challenge = String(headers['www-authenticate']);
    assert.equal(
      challenge,
      'Bearer resource_metadata="http://127.0.0.1:3000/.well-known/oauth-protected-resource/mcp"',
    );
    assert.equal(json.error.data.code, 'IDENT-N-001');
    const metadata = await app().call('/.well-known/oauth-protected-resource/mcp', { as: null });
    assert.equal(metadata.json.resource, 'http://127.0.0.1:3000/mcp');
    const whole = await app().call('/.well-known/oauth-protected-resource', { as: null });
    assert.equal(whole.json.resource, 'http://127.0.0.1:3000');
    const [issuer] = metadata.json.authorization_servers;
    const server = await app().call('/.well-known/oauth-authorization-server', { as: null });
    assert.equal(server.json.issuer, issuer);
    const ask = (resource: string | string[]) =>
      app().call(new URL(server.json.token_endpoint).pathname, {
        method: 'POST',
        as: null,
        headers: { authorization: `Basic ${btoa('demo-partner:demo-partner-secret')}` },
        body: { grant_type: 'client_credentials', resource },
      });
    for (const resource of [metadata.json.resource, whole.json.resource, `${whole.json.resource}/`]) {
      const { access_token } = (await ask(resource)).json;
      const answer = await post({ as: null, headers: { authorization: `Bearer ${access_token}` } });
      assert.equal(answer.status, 200, resource);
    }
    const other = await ask('https://elsewhere.example/mcp');
    assert.deepEqual([other.status, other.json.error], [400, 'invalid_target']);
    assert.equal((await ask([metadata.json.resource])).json.error, 'invalid_request');
    assert.equal((await ask('')).json.error, 'invalid_request');
  });

  it('of an agent needs the partner it acts for', async () => {
    const { status, json } = await post({ as: 'demo-agent' });
    assert.equal(status, 403, JSON.stringify(json));
    assert.equal((await post({ as: 'demo-agent', headers: AGENT.headers })).status, 200);
  });

  it('takes the scope of the tool', async () => {
    const body = { grant_type: 'client_credentials', audience: 'maitred', scope: 'venue:read' };
    const basic = Buffer.from('demo-partner:demo-partner-secret').toString('base64');
    const narrow = await app().call('/oauth/token', {
      method: 'POST',
      as: null,
      headers: { authorization: `Basic ${basic}` },
      body,
    });
    const headers = { authorization: `Bearer ${narrow.json.access_token}` };
    const call = (name: string) =>
      post({ as: null, headers, body: rpc('tools/call', { name, arguments: {} }) });
    assert.equal((await call('get_venues')).status, 200);
    const refused = await call('cancel_venue_booking');
    assert.equal(refused.status, 403);
    assert.match(
      String(refused.headers['www-authenticate']),
      /error="insufficient_scope", scope="venue-booking:delete", resource_metadata="/,
    );
    assert.equal(refused.json.error.data.code, 'USER-N-009');
    assert.equal(refused.json.id, 1);
  });

  it('from another site is refused', async () => {
    for (const headers of [
      { host: 'evil.example' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ]) {
      const { status, json } = await post({ headers });
      assert.equal(status, 403);
      assert.equal(json.error.data.code, 'HTTP-N-403');
    }
    assert.equal((await post({ headers: { origin: 'http://localhost:5173' } })).status, 200);
  });

  it('other than POST is not taken: there are no sessions', async () => {
    for (const method of ['GET', 'DELETE'] as const) {
      const { status, headers } = await app().call('/mcp', { method, headers: ACCEPT });
      assert.equal(status, 405);
      assert.equal(headers.allow, 'POST');
    }
  });

  it('that is no message of the protocol is refused as JSON-RPC says', async () => {
    const text = await post({ headers: { 'content-type': 'application/json' }, body: '{' });
    assert.equal(text.status, 400);
    assert.equal(text.json.error.code, -32_700);
    for (const body of [[], [rpc('tools/list')]]) {
      const { status, json } = await post({ body });
      assert.equal(status, 400);
      assert.equal(json.error.code, -32_600, 'batches are no messages');
    }
    for (const body of [{}, { jsonrpc: '2.0' }, rpc('tools/call', { name: 7 }), { ...rpc('x'), id: {} }]) {
      const { status } = await post({ body });
      assert.ok(status < 500, `${status} for ${JSON.stringify(body)}`);
    }
    const large = await post({ body: rpc('tools/call', { name: 'x'.repeat(70_000) }) });
    assert.equal(large.status, 413);
  });

  it('is counted by tool and outcome, and carries its correlation id', async () => {
    const client = await connect(app());
    await callTool(client, 'get_mandate');
    await callTool(client, 'get_venue_by_id', { venueId: 'nonsense' });
    const metrics = await app().call('/metrics', { as: null });
    assert.match(metrics.text, /mcp_tool_calls_total\{tool="get_mandate",outcome="answered"\} [1-9]/);
    assert.match(metrics.text, /mcp_tool_calls_total\{tool="get_venue_by_id",outcome="refused"\} [1-9]/);
    const { headers } = await post({ headers: { 'x-correlation-id': 'conversation-7' } });
    assert.equal(headers['x-correlation-id'], 'conversation-7');
  });
});
