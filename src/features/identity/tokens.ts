import { errors, jwtVerify, SignJWT } from 'jose';
import { SCOPES, type Scope } from '../../http/auth/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { newId } from '../../kernel/crypto.ts';
import { isClientId } from './names-and-scopes.ts';
import { SIGNING_ALGORITHM, type SigningKeys, TOKEN_LIFETIME_SECONDS } from './signing-keys.ts';

/** The type that RFC 9068 gives access tokens, so that no other JWT can pass for one. */
const TOKEN_TYPE = 'at+jwt';
const MAX_TOKEN_LENGTH = 4096;

export interface AccessToken {
  clientId: string;
  scopes: readonly Scope[];
  expiresAtMs: number;
}

/** A token that is not ours, not for us, altered or expired. */
export class InvalidToken extends Error {
  override readonly name = 'InvalidToken';
}

export interface Tokens {
  sign(clientId: string, scopes: readonly Scope[]): Promise<string>;
  verify(token: string): Promise<AccessToken>;
}

/** The scopes in a list separated by spaces that this version knows. */
function scopesIn(text: unknown): Scope[] {
  const names = typeof text === 'string' ? text.split(' ') : [];
  return SCOPES.filter((scope) => names.includes(scope));
}

export function createTokens(deps: {
  issuer: string;
  audience: string;
  keys: SigningKeys;
  clock: Clock;
}): Tokens {
  const { issuer, audience, keys, clock } = deps;

  async function sign(clientId: string, scopes: readonly Scope[]): Promise<string> {
    const { id, privateKey } = await keys.getSigner();
    const issuedAt = Math.floor(clock().epochMilliseconds / 1000);
    return new SignJWT({ client_id: clientId, scope: scopes.join(' ') })
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: TOKEN_TYPE, kid: id })
      .setIssuer(issuer)
      .setSubject(clientId)
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + TOKEN_LIFETIME_SECONDS)
      .setJti(newId(clock))
      .sign(privateKey);
  }

  async function payloadOf(token: string) {
    try {
      const { payload } = await jwtVerify(
        token,
        async ({ kid }) => {
          const key = typeof kid === 'string' ? await keys.findVerifier(kid) : undefined;
          if (key) return key;
          throw new InvalidToken('The token names no key of ours.');
        },
        {
          algorithms: [SIGNING_ALGORITHM],
          typ: TOKEN_TYPE,
          issuer,
          audience,
          requiredClaims: ['exp', 'iat', 'sub', 'client_id'],
          currentDate: new Date(clock().epochMilliseconds),
        },
      );
      return payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) throw new InvalidToken(error.message, { cause: error });
      throw error;
    }
  }

  async function verify(token: string): Promise<AccessToken> {
    if (token.length > MAX_TOKEN_LENGTH) throw new InvalidToken('The token is too long.');
    const { sub, client_id: clientId, scope, exp = 0 } = await payloadOf(token);
    if (typeof clientId !== 'string' || clientId !== sub || !isClientId(clientId))
      throw new InvalidToken('The token names no client.');
    return { clientId, scopes: scopesIn(scope), expiresAtMs: exp * 1000 };
  }

  return { sign, verify };
}
