import {
  createCipheriv,
  createDecipheriv,
  createHash,
  randomFillSync,
  randomUUID,
  timingSafeEqual,
} from 'node:crypto';
import type { Clock } from './clock.ts';

const POOL_BYTES = 4096;
let pool = Buffer.alloc(0);

/**
 * Random bytes that no other call gets. They come from a pool, because asking the system for a few at a time costs
 * more.
 */
function randomBytes(count: number): Buffer {
  if (pool.length < count) pool = randomFillSync(Buffer.allocUnsafeSlow(POOL_BYTES));
  const bytes = pool.subarray(0, count);
  pool = pool.subarray(count);
  return bytes;
}

const FORMAT = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES;

/** A key that values in the database are sealed with. */
export interface EncryptionKey {
  /** Stands in the header of every value that the key has sealed; it says nothing about the key. */
  id: string;
  bytes: Buffer;
  header: Buffer;
}

/** The keys of a node: the first seals, all of them open. */
export interface Keyring {
  first: EncryptionKey;
  all: readonly EncryptionKey[];
}

export function createKeyring(keys: readonly Buffer[]): Keyring {
  const all = keys.map(encryptionKeyOf);
  const [first] = all;
  if (!first) throw new Error('At least one encryption key is needed.');
  return { first, all };
}

function encryptionKeyOf(bytes: Buffer): EncryptionKey {
  if (bytes.length !== 32) throw new Error('An encryption key has 32 bytes.');
  const id = createHash('sha256').update(bytes).digest().subarray(0, KEY_ID_BYTES);
  return { id: id.toString('hex'), bytes, header: Buffer.concat([Buffer.of(FORMAT), id]) };
}

/**
 * Encrypts with AES-256-GCM. The context says what the value is for (`signing-key:<id>`); it is not stored, and
 * a value copied to another row or column does not open there.
 */
export function seal(
  { first: { bytes, header } }: Keyring,
  plaintext: Buffer | string,
  context: string,
): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', bytes, nonce);
  cipher.setAAD(Buffer.concat([header, Buffer.from(context)]));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([header, nonce, cipher.getAuthTag(), ciphertext]);
}

/** The id of the key that a value says it was sealed with. */
export function keyIdOf(sealed: Buffer): string {
  return sealed.subarray(1, HEADER_BYTES).toString('hex');
}

export class SealedWithAnotherKey extends Error {
  override readonly name = 'SealedWithAnotherKey';
}

/** The reverse of `seal`; throws when the key, the context or any byte is not the one that was sealed. */
export function open(keys: Keyring, sealed: Uint8Array, context: string): Buffer {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  if (bytes.length < HEADER_BYTES + NONCE_BYTES + TAG_BYTES || bytes[0] !== FORMAT) {
    throw new Error('This is not a sealed value.');
  }
  const header = bytes.subarray(0, HEADER_BYTES);
  const key = keys.all.find((each) => each.header.equals(header));
  if (!key) {
    throw new SealedWithAnotherKey(
      'This value was sealed with another encryption key; check ENCRYPTION_KEY.',
    );
  }
  const nonce = bytes.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES);
  const tag = bytes.subarray(HEADER_BYTES + NONCE_BYTES, HEADER_BYTES + NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.concat([header, Buffer.from(context)]));
  decipher.setAuthTag(tag);
  const ciphertext = bytes.subarray(HEADER_BYTES + NONCE_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}

/** 32 random bytes, safe in headers, addresses and form bodies. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function newSalt(): Buffer {
  return randomBytes(16);
}

/**
 * A fast hash is enough, because the secrets we hand out are 256 random bits: there is no dictionary to slow down.
 * Passwords that people choose need another function.
 */
export function hashSecret(secret: string, salt: Uint8Array): Buffer {
  return createHash('sha256').update(salt).update(secret).digest();
}

export function matchesSecret(secret: string, salt: Uint8Array, hash: Uint8Array): boolean {
  const candidate = hashSecret(secret, salt);
  return candidate.length === hash.length && timingSafeEqual(candidate, hash);
}

interface LastId {
  milliseconds: number;
  counter: number;
}

const MAX_COUNTER = 0xfff;
const lastIds = new WeakMap<Clock, LastId>();

/** Within a millisecond the 12 bits after the version count up; when they run out, or time steps back, we borrow from the future. */
function following(last: LastId, now: number): LastId {
  // The counter starts in its lower half, so that there is always room to count.
  if (now > last.milliseconds) return { milliseconds: now, counter: randomBytes(2).readUInt16BE() & 0x7ff };
  if (last.counter < MAX_COUNTER) return { milliseconds: last.milliseconds, counter: last.counter + 1 };
  return { milliseconds: last.milliseconds + 1, counter: 0 };
}

/** A UUIDv7 (RFC 9562). Ids made in one process from one clock sort in the order in which they were made. */
export function newId(clock: Clock): string {
  const id = following(lastIds.get(clock) ?? { milliseconds: -1, counter: 0 }, clock().epochMilliseconds);
  lastIds.set(clock, id);
  const counter = id.counter.toString(16).padStart(3, '0');
  return `${timeOfId(id.milliseconds)}-7${counter}-${randomUUID().slice(19)}`;
}

/** The same of moments, at most 65,536 of them, for what needs no order within a millisecond. They share a random part. */
export function idsAt(): (milliseconds: number) => string {
  const random = randomUUID().slice(15, -4);
  let count = 0;
  return (milliseconds) => {
    const number = (count++).toString(16).padStart(4, '0');
    return `${timeOfId(milliseconds)}-7${random}${number}`;
  };
}

function timeOfId(milliseconds: number): string {
  const hex = milliseconds.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}
