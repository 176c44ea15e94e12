import { errors, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../../kernel/clock.ts';
import { SIGNING_ALGORITHM, type SigningKeys } from './signing-keys.ts';

/** A type of its own, so that an offer cannot pass for an access token, nor the other way round. */
const TOKEN_TYPE = 'offer+jwt';

/** What was offered with a hold, for anybody who has our public keys to check. */
export interface SignedOffer {
  holdId: string;
  clientId: string;
  expiresAt: Temporal.Instant;
  offer: object;
}

export interface OfferTokens {
  /** Reads the key; what it returns signs without the database. */
  signer(): Promise<(offer: SignedOffer) => Promise<string>>;
  /** Whose hold the token is; undefined: it is not ours, was altered, has expired, or is another client's. */
  findHold(token: string, clientId: string): Promise<string | undefined>;
}

export function createOfferTokens(deps: { issuer: string; keys: SigningKeys; clock: Clock }): OfferTokens {
  const { issuer, keys, clock } = deps;
  return {
    async signer() {
      const { id, privateKey } = await keys.getSigner();
      return ({ holdId, clientId, expiresAt, offer }) =>
        new SignJWT({ offer })
          .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: TOKEN_TYPE, kid: id })
          .setIssuer(issuer)
          .setAudience(clientId)
          .setJti(holdId)
          .setIssuedAt(Math.floor(clock().epochMilliseconds / 1000))
          .setExpirationTime(Math.ceil(expiresAt.epochMilliseconds / 1000))
          .sign(privateKey);
    },

    async findHold(token, clientId) {
      try {
        const { payload } = await jwtVerify(
          token,
          async ({ kid }) => {
            const key = typeof kid === 'string' ? await keys.findVerifier(kid) : undefined;
            if (!key) throw new errors.JWKSNoMatchingKey();
            return key;
          },
          {
            algorithms: [SIGNING_ALGORITHM],
            typ: TOKEN_TYPE,
            issuer,
            audience: clientId,
            requiredClaims: ['exp', 'iat', 'jti'],
            currentDate: new Date(clock().epochMilliseconds),
          },
        );
        return payload.jti;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}
