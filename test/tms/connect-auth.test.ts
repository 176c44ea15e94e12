import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createConnectServer } from '../../examples/connect-server/server.ts';
import type { RemoteConnector } from '../../src/tms/remote.ts';
import { calling, connectTo, requestAt } from '../support/connect.ts';
import { assertRefused } from './conformance-harness.ts';

describe('client credentials', () => {
  let issued = 0;
  let life = 3600;
  const issuer = createServer(async (request, response) => {
    const form = Buffer.concat(await request.toArray()).toString();
    const basic = Buffer.from('us:s%3Acret').toString('base64');
    const isOurs =
      request.headers.authorization === `Basic ${basic}` && form === 'grant_type=client_credentials';
    if (!isOurs) return response.writeHead(401).end('{"error":"invalid_client"}');
    issued += 1;
    return response.end(JSON.stringify({ access_token: `token-${issued}`, expires_in: life }));
  });
  let accepted = '';
  let guarded: ReturnType<typeof createConnectServer>;
  let settings: { tokenUrl: string };
  let address: string;
  before(async () => {
    await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
    settings = { tokenUrl: `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/token` };
    guarded = createConnectServer({
      wrap: (handle) => (call) =>
        call.headers.authorization === `Bearer ${accepted}` ? handle(call) : { status: 401 },
    });
    address = await guarded.listen();
  });
  after(async () => {
    await guarded.close();
    issuer.closeAllConnections();
    issuer.close();
  });
  beforeEach(() => {
    issued = 0;
    life = 3600;
  });
  const client = (clientSecret = 's:cret') =>
    connectTo(address, { settings, credentials: { clientId: 'us', clientSecret } });
  const look = async (system: RemoteConnector) => (await system.find(calling(), randomUUID())).kind;

  test('one token serves many calls, also those of the same moment', async () => {
    accepted = 'token-1';
    const system = client();
    assert.deepEqual(await Promise.all([look(system), look(system), look(system)]), ['ok', 'ok', 'ok']);
    assert.equal(await look(system), 'ok');
    assert.equal(issued, 1);
  });

  test('a token that is not taken any more is renewed once, and the call is made again', async () => {
    accepted = 'token-1';
    const system = client();
    assert.equal(await look(system), 'ok');
    accepted = 'token-2';
    assert.equal(await look(system), 'ok');
    accepted = 'none of them';
    assert.equal(await look(system), 'refused');
    assert.equal(issued, 3);
  });

  test('a token that is about to expire is not used again', async () => {
    life = 1;
    const system = client();
    accepted = 'token-1';
    assert.equal(await look(system), 'ok');
    accepted = 'token-2';
    assert.equal(await look(system), 'ok');
    assert.equal(issued, 2);
  });

  test('a client that is refused has booked nothing, and its account is refused', async () => {
    const system = client('wrong');
    assert.equal((await system.book(calling(), requestAt(1080))).kind, 'refused');
    const account = { settings: {}, credentials: { clientId: 'us', clientSecret: 'wrong' } };
    assertRefused((await system.checkAccount?.(calling(), account)) ?? assert.fail(), 'rejected');
  });
});
