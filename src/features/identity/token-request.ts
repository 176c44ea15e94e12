/** A request to the token endpoint as it came in: parsed by its media type, and not yet believed. */
export interface IncomingTokenRequest {
  body: unknown;
  authorization: string | undefined;
  remoteAddress: string;
}

export interface TokenRequest {
  clientId: string;
  /** The readings of what was sent; one matching is enough. */
  secretCandidates: string[];
  target: Target;
  scope: string | undefined;
}

/** What the token is for: the name that was given with the credentials, or an address (RFC 8707). */
export type Target = { audience: string } | { resource: string };

const PARAMETERS = ['grant_type', 'client_id', 'client_secret', 'audience', 'scope'] as const;
type Parameters = Partial<Record<(typeof PARAMETERS)[number], string>>;

/** Takes the parameters we know; others are ignored, and an empty one counts as not sent (RFC 6749, 3.2). */
function parametersOf(body: unknown): Parameters {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new OAuthError('invalid_request', 'The body must be a JSON object or a form.');
  }
  return Object.fromEntries(
    PARAMETERS.flatMap((name) => {
      const value = textIn(body, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function textIn(body: object, name: string): string | undefined {
  const value: unknown = Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined;
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') {
    throw new OAuthError('invalid_request', `${name} must be a text and given once.`);
  }
  return value;
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/**
 * RFC 6749, 2.3.1 requires both halves form-encoded, which many clients (curl among them) do not do. An id reads the
 * same either way, because ids hold nothing that encoding changes; a secret may mean either reading.
 */
function basicCredentials(authorization: string): Pick<TokenRequest, 'clientId' | 'secretCandidates'> {
  const encoded = /^Basic +([A-Za-z0-9+/_=-]+) *$/i.exec(authorization)?.[1];
  if (!encoded)
    throw invalidClient('The header Authorization must be Basic with a client id and secret, or absent.');
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  if (colon < 0) throw invalidClient('The Basic credentials have no colon between client id and secret.');
  const secret = text.slice(colon + 1);
  const candidates = new Set([secret, formDecoded(secret)]);
  return { clientId: formDecoded(text.slice(0, colon)), secretCandidates: [...candidates] };
}

function credentialsOf(parameters: Parameters, authorization: string | undefined) {
  const { client_id: clientId, client_secret: secret } = parameters;
  if (authorization) {
    const basic = basicCredentials(authorization);
    if (secret !== undefined) {
      throw new OAuthError(
        'invalid_request',
        'Send the client secret in the header or in the body, not in both.',
      );
    }
    if (clientId !== undefined && clientId !== basic.clientId) {
      throw new OAuthError('invalid_request', 'client_id differs from the id in the header Authorization.');
    }
    return basic;
  }
  if (clientId === undefined || secret === undefined) {
    throw invalidClient('Send client_id and client_secret in the body, or both by HTTP Basic.');
  }
  return { clientId, secretCandidates: [secret] };
}

export function readTokenRequest(incoming: IncomingTokenRequest): TokenRequest {
  const parameters = parametersOf(incoming.body);
  if (parameters.grant_type === undefined) throw new OAuthError('invalid_request', 'grant_type is missing.');
  if (parameters.grant_type !== 'client_credentials') {
    throw new OAuthError('unsupported_grant_type', 'The only grant_type here is client_credentials.');
  }
  const target = targetOf(parameters, incoming.body as object);
  return { ...credentialsOf(parameters, incoming.authorization), target, scope: parameters.scope };
}

/** Clients that find their way by metadata alone know no audience, and send the address that they want to call. */
function targetOf({ audience }: Parameters, body: object): Target {
  if (audience !== undefined) return { audience };
  const resource = textIn(body, 'resource');
  if (resource !== undefined) return { resource };
  throw new OAuthError(
    'invalid_request',
    'audience is missing: send the one you were given with your credentials.',
  );
}

/** The codes of RFC 6749, 5.2, with RFC 8707's for the audience and two for server errors and rate limits. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'temporarily_unavailable'
  | 'server_error';

const STATUS: Partial<Record<OAuthErrorCode, number>> = {
  invalid_client: 401,
  temporarily_unavailable: 429,
  server_error: 500,
};

/** A refusal of the token endpoint, which has RFC 6749's form there instead of a problem's. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthErrorCode;
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(code: OAuthErrorCode, description: string, headers: Record<string, string> = {}) {
    super(description);
    this.code = code;
    this.status = STATUS[code] ?? 400;
    this.headers = headers;
  }
}

/** The same words whether the client is unknown, switched off or the secret wrong: they tell a guesser nothing. */
export function invalidClient(description = 'The client id or the client secret is wrong.'): OAuthError {
  return new OAuthError('invalid_client', description, {
    'WWW-Authenticate': 'Basic realm="maitred", charset="UTF-8"',
  });
}

export function tooManyFailures(retryAfterSeconds: number): OAuthError {
  return new OAuthError(
    'temporarily_unavailable',
    `Too many failed attempts; try again in ${retryAfterSeconds} seconds.`,
    { 'Retry-After': String(retryAfterSeconds) },
  );
}
