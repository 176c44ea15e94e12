import { randomBytes } from 'node:crypto';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyRequest } from 'fastify';
import { inTransaction } from '../../../../src/db/database.ts';
import { openNotifications } from '../../../../src/db/notifications.ts';
import { identityRoutes } from '../../../../src/features/identity/routes.ts';
import {
  addSecret,
  allowAgent,
  createClient,
  createIdentity,
  createOperator,
  createPartner,
  type Identity,
  type NewClient,
} from '../../../../src/features/identity/service.ts';
import type { App } from '../../../../src/http/route.ts';
import { installJsonBody } from '../../../../src/http/validation/body-parsers.ts';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { createKeyring } from '../../../../src/kernel/crypto.ts';
import { Problem } from '../../../../src/kernel/problem.ts';
import { createTestDatabase } from '../../../support/databases/database.ts';

export const AUDIENCE = 'maitred';
export const ISSUER = 'https://api.example.com';

/** A clock that goes on from wherever it is set. */
function adjustableClock() {
  let offset = new Temporal.Duration();
  return {
    now: () => systemClock().add(offset),
    advance: (by: Temporal.DurationLike) => {
      offset = offset.add(by);
    },
  };
}

/** An application with the identity routes and one that is protected, `GET /whoami`, which needs `venue:read`. */
export function buildTestApp(identity: () => Identity): App {
  const app = Fastify().withTypeProvider<TypeBoxTypeProvider>();
  installJsonBody(app);
  app.decorateRequest('caller', null);
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof Problem))
      return reply.code(500).send({ code: 'unexpected', detail: String(error) });
    return reply
      .code(error.status)
      .headers(error.options.headers ?? {})
      .send({ code: error.code, detail: error.message });
  });
  const identify = async (request: FastifyRequest) => {
    const reference = request.headers['x-partner-reference'];
    const caller = await identity().resolveCaller(
      request.headers.authorization,
      Array.isArray(reference) ? reference.join() : reference,
    );
    identity().requireScope(caller, 'venue:read');
    request.caller = caller;
  };
  app.get('/whoami', { config: { access: 'venue:read' }, onRequest: identify }, async ({ caller }) => {
    return caller && { ...caller, scopes: [...caller.scopes] };
  });
  return app;
}

export type Fixture = Awaited<ReturnType<typeof createFixture>>;

export async function createFixture() {
  const database = await createTestDatabase();
  const notifications = await openNotifications(database.url);
  const clock = adjustableClock();
  const encryptionKeys = createKeyring([randomBytes(32)]);
  const deps = {
    config: { publicUrl: ISSUER, audience: AUDIENCE },
    sql: database.sql,
    encryptionKeys,
    clock: clock.now,
    notifications,
  };
  const identity = await createIdentity(deps);
  const app = buildTestApp(() => identity);
  identityRoutes(app, identity);

  async function close() {
    await app.close();
    await notifications.close();
    await database.drop();
  }

  return { app, identity, deps, sql: database.sql, clock, close };
}

/** A partner, an agent allowed to act for it, an operator and the platform, each with the secret `<id>-secret`. */
export async function seedClients({ sql }: Fixture) {
  return inTransaction(sql, async (tx) => {
    const acme = await createPartner(tx, { reference: 'acme', name: 'Acme Tables' });
    const rival = await createPartner(tx, { reference: 'rival', name: 'Rival Tables' });
    const operator = await createOperator(tx, { name: 'Soho Dining' });
    const clients: (NewClient & { id: string })[] = [
      { id: 'acme-client', kind: 'partner', partnerId: acme.id },
      { id: 'agent-client', kind: 'agent' },
      { id: 'operator-client', kind: 'operator', operatorId: operator.id },
      { id: 'platform-client', kind: 'platform' },
    ];
    for (const client of clients) {
      await createClient(tx, client);
      await addSecret(tx, client.id, { secret: `${client.id}-secret` });
    }
    await allowAgent(tx, 'agent-client', acme.id);
    return { acme, rival, operator };
  });
}

export async function requestToken(app: App, clientId: string, extra: object = {}) {
  return app.inject({
    method: 'POST',
    url: '/oauth/token',
    payload: {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: `${clientId}-secret`,
      audience: AUDIENCE,
      ...extra,
    },
  });
}

export async function tokenOf(app: App, clientId: string, extra: object = {}): Promise<string> {
  const response = await requestToken(app, clientId, extra);
  const { access_token: token } = response.json();
  if (typeof token !== 'string') throw new Error(`No token for ${clientId}: ${response.body}`);
  return token;
}

export async function whoami(app: App, token: string | undefined, reference?: string) {
  const headers: Record<string, string> = {};
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  if (reference !== undefined) headers['x-partner-reference'] = reference;
  return app.inject({ url: '/whoami', headers });
}
