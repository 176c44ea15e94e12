import formbody from '@fastify/formbody';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refusalOf } from '../../http/problems/framework-errors.ts';
import type { App } from '../../http/route.ts';
import { validatorCompiler } from '../../http/validation/validation.ts';
import { Problem } from '../../kernel/problem.ts';
import {
  AuthorizationServer,
  authorizationServerExample,
  KeySet,
  keySetExample,
  TokenRequestBody,
  TokenResponse,
  tokenExample,
  tokenRefusals,
} from './schema.ts';
import type { Identity } from './service.ts';
import { OAuthError } from './token-request.ts';

const TAGS = ['Authentication'];
const MAX_BODY_BYTES = 16_384;
/** Far less than the day for which a key is published before it signs. */
const KEY_SET_MAX_AGE_SECONDS = 300;

/** What a description cannot hold (RFC 6749, 5.2); the name of an unknown parameter may. */
const NOT_SAYABLE = /[^\x20\x21\x23-\x5b\x5d-\x7e]/g;

/** What goes wrong besides (media type, size, load, a database that is away) in the form of RFC 6749. */
function asOAuthError(error: Error, request: FastifyRequest): { status: number; oauth: OAuthError } {
  if (error instanceof OAuthError) return { status: error.status, oauth: error };
  const { status } = refusalOf(error, request);
  if (status === 429 || status === 503) {
    return {
      status,
      oauth: new OAuthError('temporarily_unavailable', 'The service is busy; try again soon.'),
    };
  }
  if (status >= 500)
    return { status: 500, oauth: new OAuthError('server_error', 'Something went wrong here.') };
  if (error instanceof Problem && error.code === 'VALID-N-001')
    return {
      status: 400,
      oauth: new OAuthError('invalid_request', error.message.replaceAll(NOT_SAYABLE, '?')),
    };
  return {
    status: 400,
    oauth: new OAuthError('invalid_request', 'The body must be a small JSON object or a form, sent as such.'),
  };
}

function sendOAuthError(error: Error, request: FastifyRequest, reply: FastifyReply) {
  const { status, oauth } = asOAuthError(error, request);
  // A problem is a refusal on purpose, such as of a node that has too much to do.
  if (status >= 500 && !(error instanceof Problem)) request.log.error(error);
  if (status === 503) reply.header('Retry-After', '5');
  return reply
    .code(status)
    .headers(oauth.headers)
    .send({ error: oauth.code, error_description: oauth.message });
}

function tokenRoute(app: App, identity: Identity): void {
  app.post(
    '/oauth/token',
    {
      config: { access: 'public', example: tokenExample },
      bodyLimit: MAX_BODY_BYTES,
      schema: {
        operationId: 'createToken',
        summary: 'Get an access token',
        description:
          'OAuth 2.0 client credentials. Takes JSON or a form, and the credentials in the body or by HTTP Basic. ' +
          'A token lasts an hour; request the next one the same way. Ten failures in a minute make a client wait.',
        tags: TAGS,
        body: {
          content: {
            'application/json': { schema: TokenRequestBody },
            'application/x-www-form-urlencoded': { schema: TokenRequestBody },
          },
        },
        response: { 200: TokenResponse, ...tokenRefusals },
      },
      // The body is read by `identity`, which answers in the form of OAuth.
      validatorCompiler: (part) => (part.httpPart === 'body' ? () => true : validatorCompiler(part as never)),
      errorHandler: sendOAuthError,
      onRequest: async (_request, reply) => {
        reply.headers({ 'Cache-Control': 'no-store', Pragma: 'no-cache' });
      },
    },
    (request) =>
      identity.issueToken({
        body: request.body,
        authorization: request.headers.authorization,
        remoteAddress: request.ip,
      }),
  );
}

/** What any OAuth library needs to find its way: the server's description and the keys that verify its tokens. */
function discoveryRoutes(app: App, identity: Identity): void {
  app.get(
    '/.well-known/jwks.json',
    {
      config: { access: 'public', isCounted: true, example: keySetExample },
      schema: {
        operationId: 'getKeySet',
        summary: 'Keys that verify access tokens',
        description: 'A JSON Web Key Set. The next key appears at least a day before it signs.',
        tags: TAGS,
        response: { 200: KeySet },
      },
    },
    (_request, reply) => {
      reply.header('Cache-Control', `public, max-age=${KEY_SET_MAX_AGE_SECONDS}`);
      return identity.listPublicKeys();
    },
  );
  app.get(
    '/.well-known/oauth-authorization-server',
    {
      config: { access: 'public', isCounted: true, example: authorizationServerExample },
      schema: {
        operationId: 'getAuthorizationServer',
        summary: 'Where and how to get a token',
        description:
          'Authorization server metadata (RFC 8414), which OAuth libraries read to configure themselves.',
        tags: TAGS,
        response: { 200: AuthorizationServer },
      },
    },
    async () => identity.describeServer(),
  );
}

export function identityRoutes(app: App, identity: Identity): void {
  discoveryRoutes(app, identity);
  // In a scope of its own, because form bodies are welcome at the token endpoint only.
  app.register(async (scope) => {
    await scope.register(formbody, { bodyLimit: MAX_BODY_BYTES });
    tokenRoute(scope, identity);
  });
}
