/** A token, or what returns one that is valid now. */
export type TokenSource = string | (() => string | Promise<string>);

interface TokenOptions {
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  token?: TokenSource;
  scopes?: readonly string[];
  audience?: string;
}

/** A token is renewed this long before it ends, or after nine tenths of a shorter life. */
const MARGIN_SECONDS = 60;

/** One token for all calls. Callers who need a new one at the same time wait for the same request. */
export class Tokens {
  readonly #options: TokenOptions;
  readonly #request: (body: object) => Promise<unknown>;
  #current: { value: string; renewAtMs: number } | undefined;
  #pending: Promise<string> | undefined;

  constructor(options: TokenOptions, request: (body: object) => Promise<unknown>) {
    const { clientId, clientSecret, token } = options;
    if (token === undefined && (!clientId || !clientSecret))
      throw new TypeError('Maitred needs clientId and clientSecret, or a token');
    this.#options = options;
    this.#request = request;
  }

  /** The present token; if that is the one that was refused, another. */
  get(refused?: string): string | Promise<string> {
    const { token } = this.#options;
    if (typeof token === 'string') return token;
    if (token) return Promise.resolve(token());
    if (this.#current && this.#current.value !== refused && Date.now() < this.#current.renewAtMs)
      return this.#current.value;
    this.#pending ??= this.#renew().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #renew(): Promise<string> {
    const { clientId, clientSecret, scopes, audience = 'maitred' } = this.#options;
    const { access_token: value, expires_in: seconds } = (await this.#request({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      audience,
      ...(scopes && { scope: scopes.join(' ') }),
    })) as { access_token: string; expires_in: number };
    const life = Math.max(seconds - MARGIN_SECONDS, seconds * 0.9);
    this.#current = { value, renewAtMs: Date.now() + life * 1000 };
    return value;
  }
}
