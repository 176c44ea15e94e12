import type { AuthorizationServer, KeySet } from './schema.ts';

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
