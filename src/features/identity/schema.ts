import { type Static, Type } from 'typebox';
import { SCOPES } from '../../http/auth/caller.ts';
import { named, URI } from '../../http/validation/schema-helpers.ts';
import type { OAuthErrorCode } from './token-request.ts';

/** Documentation more than validation: the route checks by hand, to answer as RFC 6749 says. */
export const TokenRequestBody = Type.Object(
  {
    grant_type: Type.Literal('client_credentials'),
    client_id: Type.Optional(
      Type.String({ maxLength: 100, description: 'Here, or as the user name of HTTP Basic.' }),
    ),
    client_secret: Type.Optional(
      Type.String({ format: 'password', description: 'Here, or as the password of HTTP Basic.' }),
    ),
    audience: Type.Optional(
      Type.String({
        description:
          'The service that the token is for, by the name you were given with your credentials. Mandatory, unless `resource` is sent.',
      }),
    ),
    resource: Type.Optional(
      Type.String({
        ...URI,
        description:
          'The same by its address, or that of `/mcp` (RFC 8707); not read where `audience` is sent.',
      }),
    ),
    scope: Type.Optional(
      Type.String({
        description: `Names separated by spaces, to request fewer scopes than the client has. Scopes: ${SCOPES.join(', ')}.`,
      }),
    ),
  },
  {
    ...named('TokenRequest', 'A request for a token by the grant `client_credentials` of RFC 6749'),
    examples: [
      {
        grant_type: 'client_credentials',
        client_id: 'demo-partner',
        client_secret: 'demo-partner-secret',
        audience: 'maitred',
      },
    ],
  },
);

export const TokenResponse = Type.Object(
  {
    access_token: Type.String({ description: 'Send it as `Authorization: Bearer <access_token>`.' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds from now.' }),
    scope: Type.String({ description: 'What the token allows, separated by spaces.' }),
  },
  named('TokenResponse', 'An access token'),
);

const OAUTH_ERROR = {
  error: Type.String({ description: 'A code of RFC 6749, or `invalid_target` of RFC 8707.' }),
  error_description: Type.String({ description: 'A sentence for the developer.' }),
};

/** One refusal of the token endpoint: what its status means, and an example of each code that comes with it. */
function refusal(description: string, examples: Partial<Record<OAuthErrorCode, string>>) {
  const byCode = Object.entries(examples).map(([error, sentence]) => [
    error,
    { value: { error, error_description: sentence } },
  ]);
  return Type.Object(OAUTH_ERROR, {
    ...named('OAuthError', 'Why there is no token, in the form of RFC 6749'),
    'x-response-description': description,
    'x-examples': Object.fromEntries(byCode),
  });
}

export const tokenRefusals = {
  400: refusal('The token request is not valid', {
    invalid_request: 'audience is missing: send the one you were given with your credentials.',
    invalid_scope: 'This client may request: venue:read listing:read.',
    invalid_target: 'The audience of this service is maitred.',
    unsupported_grant_type: 'The only grant_type here is client_credentials.',
  }),
  401: refusal('The client did not prove itself', {
    invalid_client: 'The client id or the client secret is wrong.',
  }),
  429: refusal('Too many failed attempts', {
    temporarily_unavailable: 'Too many failed attempts; try again in 42 seconds.',
  }),
  500: refusal('Something went wrong on our side', { server_error: 'Something went wrong here.' }),
  503: refusal('Too much to do at the moment', {
    temporarily_unavailable: 'The service is busy; try again soon.',
  }),
};

const PublicKey = Type.Object(
  {
    kty: Type.String(),
    crv: Type.String(),
    x: Type.String(),
    y: Type.String(),
    kid: Type.String({ description: 'The `kid` in the header of the tokens that this key verifies' }),
    alg: Type.String(),
    use: Type.String(),
  },
  named('PublicKey', 'A JSON Web Key (RFC 7517)'),
);
export type PublicKey = Static<typeof PublicKey>;

export const KeySet = Type.Object({ keys: Type.Array(PublicKey) }, named('KeySet', 'A JSON Web Key Set'));
export type KeySet = Static<typeof KeySet>;

export const AuthorizationServer = Type.Object(
  {
    issuer: Type.String(URI),
    token_endpoint: Type.String(URI),
    jwks_uri: Type.String(URI),
    grant_types_supported: Type.Array(Type.String()),
    token_endpoint_auth_methods_supported: Type.Array(Type.String()),
    response_types_supported: Type.Array(Type.String()),
    scopes_supported: Type.Array(Type.String()),
    service_documentation: Type.String(URI),
  },
  named('AuthorizationServer', 'Metadata of the authorization server'),
);
export type AuthorizationServer = Static<typeof AuthorizationServer>;

/** What the OpenAPI document shows for the answers about tokens. */

const ISSUER = 'https://api.maitred.example';

export const tokenExample = {
  access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJkZW1vLXBhcnRuZXIifQ.c2lnbmF0dXJl',
  token_type: 'Bearer',
  expires_in: 3600,
  scope: 'venue:read listing:read',
};

export const keySetExample: KeySet = {
  keys: [
    {
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
      kid: '2Nn1rJ0Rk0K6n7kz8mYqgVb1oT5v3cXw4sQd9eHfLaU',
      alg: 'ES256',
      use: 'sig',
    },
  ],
};

export const authorizationServerExample: AuthorizationServer = {
  issuer: ISSUER,
  token_endpoint: `${ISSUER}/oauth/token`,
  jwks_uri: `${ISSUER}/.well-known/jwks.json`,
  grant_types_supported: ['client_credentials'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  response_types_supported: [],
  scopes_supported: ['venue:read', 'listing:read'],
  service_documentation: `${ISSUER}/docs`,
};
