/**
 * Keyed hashes of what guests can be found by. The key of an operator follows from ENCRYPTION_KEY (HKDF), so that equal
 * names at two operators have different hashes. A term fills one block of AES, of which half is kept: a keyed
 * function that can be computed for all terms of a guest at once, and that costs a tenth of HMACs. Longer terms are
 * hashed to fit a block first.
 */

import { type Cipheriv, createCipheriv, hash, hkdfSync } from 'node:crypto';
import type { EncryptionKey } from '../../../kernel/crypto.ts';
import type { Guest } from '../record.ts';
import { type Term, type TermKind, termsOf } from './terms.ts';

export interface GuestHasher {
  /** Tells hashes of another encryption key apart. */
  keyId: number;
  hashesOf(operatorId: number, guest: Guest): bigint[];
  hashOf(operatorId: number, term: Term): bigint;
}

/** Bookings are hashed with the first key; those hashed with another are found until all are hashed anew. */
export const searchHashesOf = (hashers: readonly GuestHasher[], operatorId: number, term: Term): bigint[] =>
  hashers.map((hasher) => hasher.hashOf(operatorId, term));

const BLOCK_BYTES = 16;
const KINDS: Record<TermKind, number> = { name: 1, email: 2, phone: 3 };
const HASHED = 0x80;
const CIPHERS_KEPT = 1000;

const derive = (key: Buffer, purpose: string, bytes: number) =>
  Buffer.from(hkdfSync('sha256', key, '', `maitred guest search ${purpose}`, bytes));

export function createGuestHasher({ bytes }: EncryptionKey): GuestHasher {
  const ciphers = new Map<number, Cipheriv>();

  /** Blocks are independent of each other, so that a cipher can be used again. */
  function cipherOf(operatorId: number): Cipheriv {
    const known = ciphers.get(operatorId);
    if (known) return known;
    const key = derive(bytes, `operator ${operatorId}`, 32);
    const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
    if (ciphers.size >= CIPHERS_KEPT) ciphers.clear();
    ciphers.set(operatorId, cipher);
    return cipher;
  }

  function hashAll(operatorId: number, terms: readonly Term[]): bigint[] {
    const blocks = Buffer.alloc(BLOCK_BYTES * terms.length);
    for (const [index, term] of terms.entries()) fill(blocks, BLOCK_BYTES * index, term);
    const hashed = cipherOf(operatorId).update(blocks);
    return terms.map((_, index) => hashed.readBigInt64BE(BLOCK_BYTES * index));
  }

  return {
    keyId: derive(bytes, 'id', 4).readInt32BE(),
    hashesOf: (operatorId, guest) => hashAll(operatorId, termsOf(guest)),
    hashOf: (operatorId, term) => hashAll(operatorId, [term])[0] ?? 0n,
  };
}

/** Texts have no zero bytes, so that the padding says where they end. */
function fill(blocks: Buffer, at: number, { kind, text }: Term): void {
  const isLong = Buffer.byteLength(text) >= BLOCK_BYTES;
  blocks[at] = KINDS[kind] | (isLong ? HASHED : 0);
  if (isLong) hash('sha256', text, 'buffer').copy(blocks, at + 1, 0, BLOCK_BYTES - 1);
  else blocks.write(text, at + 1);
}
