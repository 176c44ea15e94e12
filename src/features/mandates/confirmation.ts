/**
 * Tokens that stand for the yes of a person to just one booking. They are not stored until they are used: a token is a
 * random id and its end, and a code over both, the client and all that was confirmed.
 */

import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { timestampOf } from '../../kernel/clock.ts';
import type { EncryptionKey, Keyring } from '../../kernel/crypto.ts';

const ID_BYTES = 12;
const END_BYTES = 4;
const CODE_BYTES = 16;
const GOOD_FOR_SECONDS = 600;

export interface IssuedToken {
  confirmationToken: string;
  expiresAt: string;
}

export interface ConfirmationTokens {
  /** `terms`: a hash of what is confirmed. */
  issue(clientId: string, terms: Buffer, now: Temporal.Instant): IssuedToken;
  /** The id of a token that was given to this client for these terms, and has not ended; otherwise undefined. */
  findId(
    token: string,
    given: { clientId: string; terms: Buffer; now: Temporal.Instant },
  ): Buffer | undefined;
}

const deriveFrom = ({ bytes }: EncryptionKey) =>
  Buffer.from(hkdfSync('sha256', bytes, '', 'maitred mandate confirmation', 32));

export function createConfirmationTokens(encryptionKeys: Keyring): ConfirmationTokens {
  const first = deriveFrom(encryptionKeys.first);
  const all = encryptionKeys.all.map(deriveFrom);

  const codeOf = (key: Buffer, head: Buffer, clientId: string, terms: Buffer) =>
    createHmac('sha256', key).update(head).update(terms).update(clientId).digest().subarray(0, CODE_BYTES);

  return {
    issue(clientId, terms, now) {
      const endsAt = Math.floor(now.epochMilliseconds / 1000) + GOOD_FOR_SECONDS;
      const end = Buffer.alloc(END_BYTES);
      end.writeUInt32BE(endsAt);
      const head = Buffer.concat([randomBytes(ID_BYTES), end]);
      return {
        confirmationToken: Buffer.concat([head, codeOf(first, head, clientId, terms)]).toString('base64url'),
        expiresAt: timestampOf(Temporal.Instant.fromEpochMilliseconds(endsAt * 1000)),
      };
    },

    findId(token, { clientId, terms, now }) {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length !== ID_BYTES + END_BYTES + CODE_BYTES) return undefined;
      const head = bytes.subarray(0, ID_BYTES + END_BYTES);
      const code = bytes.subarray(head.length);
      const isOurs = all.some((key) => timingSafeEqual(codeOf(key, head, clientId, terms), code));
      const isOver = head.readUInt32BE(ID_BYTES) * 1000 <= now.epochMilliseconds;
      return isOurs && !isOver ? head.subarray(0, ID_BYTES) : undefined;
    },
  };
}
