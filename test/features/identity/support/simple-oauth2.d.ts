/** The package brings no types; these are for the little of it that the tests use. */
declare module 'simple-oauth2' {
  export class ClientCredentials {
    constructor(options: {
      client: { id: string; secret: string };
      auth: { tokenHost: string; tokenPath: string };
      options: { authorizationMethod: 'header' | 'body'; bodyFormat: 'form' | 'json' };
    });
    getToken(parameters: { audience: string; scope: string[] }): Promise<{ token: Record<string, unknown> }>;
  }
}
