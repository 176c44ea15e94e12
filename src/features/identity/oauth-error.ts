/** The codes of RFC 6749, 5.2, with RFC 8707's for the audience and two for when the fault is ours or it is too much. */
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
