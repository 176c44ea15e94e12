import { hash, randomBytes } from 'node:crypto';

/** Sessions are told apart from access tokens of clients by this. */
export const SESSION_PREFIX = 'mts_';

/** 256 random bits: nobody finds them from their hash, which is all that is kept. */
export function newToken(prefix = ''): { token: string; tokenHash: Buffer } {
  const token = `${prefix}${randomBytes(32).toString('base64url')}`;
  return { token, tokenHash: tokenHashOf(token) };
}

export function tokenHashOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
