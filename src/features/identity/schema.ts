import { type Static, Type } from 'typebox';
import { SCOPES } from '../../http/caller.ts';

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
    audience: Type.String({ description: 'The service that the token is for.' }),
    scope: Type.Optional(
      Type.String({
        description: `Names separated by spaces, to ask for less than the client has. Scopes: ${SCOPES.join(', ')}.`,
      }),
    ),
  },
  {
    title: 'TokenRequest',
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
    access_token: Type.String({ description: 'Send it as Authorization: Bearer <access_token>.' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds from now.' }),
    scope: Type.String({ description: 'What the token allows, separated by spaces.' }),
  },
  {
    title: 'TokenResponse',
    examples: [
      {
        access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJkZW1vLXBhcnRuZXIifQ.c2lnbmF0dXJl',
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'venue:read listing:read',
      },
    ],
  },
);

export const OAuthErrorBody = Type.Object(
  {
    error: Type.String({ description: 'A code of RFC 6749.' }),
    error_description: Type.String({ description: 'A sentence for the developer.' }),
  },
  {
    title: 'OAuthError',
    examples: [
      { error: 'invalid_client', error_description: 'The client id or the client secret is wrong.' },
    ],
  },
);

const PublicKey = Type.Object({
  kty: Type.String(),
  crv: Type.String(),
  x: Type.String(),
  y: Type.String(),
  kid: Type.String(),
  alg: Type.String(),
  use: Type.String(),
});
export type PublicKey = Static<typeof PublicKey>;

export const KeySet = Type.Object(
  { keys: Type.Array(PublicKey) },
  {
    title: 'KeySet',
    examples: [
      {
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
      },
    ],
  },
);
export type KeySet = Static<typeof KeySet>;

export const AuthorizationServer = Type.Object(
  {
    issuer: Type.String(),
    token_endpoint: Type.String(),
    jwks_uri: Type.String(),
    grant_types_supported: Type.Array(Type.String()),
    token_endpoint_auth_methods_supported: Type.Array(Type.String()),
    response_types_supported: Type.Array(Type.String()),
    scopes_supported: Type.Array(Type.String()),
    service_documentation: Type.String(),
  },
  {
    title: 'AuthorizationServer',
    examples: [
      {
        issuer: 'https://api.example.com',
        token_endpoint: 'https://api.example.com/oauth/token',
        jwks_uri: 'https://api.example.com/.well-known/jwks.json',
        grant_types_supported: ['client_credentials'],
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
        response_types_supported: [],
        scopes_supported: ['venue:read', 'listing:read'],
        service_documentation: 'https://api.example.com/docs',
      },
    ],
  },
);
export type AuthorizationServer = Static<typeof AuthorizationServer>;
