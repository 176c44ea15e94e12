import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose';
import { inTransaction, type Sql } from '../../db/database.ts';
import { CACHE_BYTES } from '../../kernel/cache-budget.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type Keyring, open, seal } from '../../kernel/crypto.ts';
import type { SealedTable } from '../../kernel/sealed-table.ts';
import type { Caches } from './cache.ts';
import type { PublicKey } from './schema.ts';
import {
  deleteSigningKeysRetiredBefore,
  insertSigningKey,
  listSigningKeys,
  lockSigningKeys,
  type SigningKeyRow,
} from './store.ts';

export const TOKEN_LIFETIME_SECONDS = 3600;
export const SIGNING_ALGORITHM = 'ES256';

const SIGNING_PERIOD = Temporal.Duration.from({ hours: 30 * 24 });
/** Rotation runs daily: a lead of two days leaves every key published for a full day before it signs. */
const LEAD = Temporal.Duration.from({ hours: 48 });
/** The last token of a key lives for an hour after the key retired; the rest is for nodes whose clocks differ. */
const KEPT_AFTER_RETIREMENT = Temporal.Duration.from({ seconds: TOKEN_LIFETIME_SECONDS + 600 });
/** How often a token with an unknown key id may make a node look for keys that others have made since. */
const RELOAD_INTERVAL_MS = 1000;

export interface SigningKeys {
  getSigner(): Promise<{ id: string; privateKey: CryptoKey }>;
  findVerifier(id: string): Promise<CryptoKey | undefined>;
  listPublished(): Promise<PublicKey[]>;
  rotate(): Promise<void>;
}

interface KeySet {
  loadedAtMs: number;
  rows: SigningKeyRow[];
  verifiers: Map<string, CryptoKey>;
}

/**
 * Keys follow one another without a gap: of those that have not retired, the one that retires first signs. When
 * the next key must exist and does not, this says when that key is to retire.
 */
export function retirementOfNextKey(
  retirements: readonly Temporal.Instant[],
  now: Temporal.Instant,
): Temporal.Instant | undefined {
  const last = retirements.toSorted(Temporal.Instant.compare).at(-1);
  if (!last || !isBefore(now, last)) return now.add(SIGNING_PERIOD);
  return isBefore(now.add(LEAD), last) ? undefined : last.add(SIGNING_PERIOD);
}

async function makeKey(
  encryptionKeys: Keyring,
  createdAt: Temporal.Instant,
  retiresAt: Temporal.Instant,
): Promise<SigningKeyRow> {
  const { publicKey, privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const { crv, x, y } = await exportJWK(publicKey);
  if (!crv || !x || !y) throw new Error('A new signing key is not an elliptic-curve key.');
  const id = await calculateJwkThumbprint({ kty: 'EC', crv, x, y });
  const sealedPrivateJwk = seal(encryptionKeys, JSON.stringify(await exportJWK(privateKey)), contextOf(id));
  return {
    id,
    publicJwk: { kty: 'EC', crv, x, y, kid: id, alg: SIGNING_ALGORITHM, use: 'sig' },
    sealedPrivateJwk,
    createdAt,
    retiresAt,
  };
}

function contextOf(keyId: string): string {
  return `signing-key:${keyId}`;
}

export const SEALED_SIGNING_KEYS: SealedTable = {
  table: 'signing_key',
  columns: ['private_jwk'],
  key: ['id'],
  contextOf,
};

function openPrivateJwk(encryptionKeys: Keyring, row: SigningKeyRow): JWK {
  return JSON.parse(open(encryptionKeys, row.sealedPrivateJwk, contextOf(row.id)).toString());
}

function isBefore(one: Temporal.Instant, other: Temporal.Instant): boolean {
  return Temporal.Instant.compare(one, other) < 0;
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, SIGNING_ALGORITHM);
  if (key instanceof Uint8Array) throw new Error('A signing key is not an elliptic-curve key.');
  return key;
}

/** Makes the next key when it is due, and forgets the keys whose last token has expired. */
async function rotateSigningKeys(sql: Sql, encryptionKeys: Keyring, clock: Clock): Promise<void> {
  await inTransaction(sql, async (tx) => {
    await lockSigningKeys(tx);
    const now = clock();
    const rows = await listSigningKeys(tx);
    const retiresAt = retirementOfNextKey(
      rows.map((row) => row.retiresAt),
      now,
    );
    // A node with the wrong encryption key must not add a key that the others cannot open. Keys that have retired
    // tell as well, and after a long sleep there are no others.
    for (const row of rows) openPrivateJwk(encryptionKeys, row);
    if (retiresAt) await insertSigningKey(tx, await makeKey(encryptionKeys, now, retiresAt));
    await deleteSigningKeysRetiredBefore(tx, now.subtract(KEPT_AFTER_RETIREMENT));
  });
}

export function createSigningKeys(deps: {
  sql: Sql;
  encryptionKeys: Keyring;
  clock: Clock;
  caches: Caches;
}): SigningKeys {
  const { sql, encryptionKeys, clock, caches } = deps;
  const kept = caches.create<KeySet>(CACHE_BYTES.identity / 8);

  async function load(): Promise<KeySet> {
    const now = clock();
    const rows = await listSigningKeys(sql);
    const published = rows.filter((row) => isBefore(now, row.retiresAt.add(KEPT_AFTER_RETIREMENT)));
    const verifiers = new Map<string, CryptoKey>();
    for (const row of published) verifiers.set(row.id, await importKey(row.publicJwk));
    return { loadedAtMs: now.epochMilliseconds, rows: published, verifiers };
  }

  function keySet(): Promise<KeySet> {
    return kept.read('all', load);
  }

  async function findSigningRow(): Promise<SigningKeyRow | undefined> {
    const now = clock();
    return (await keySet()).rows.find((row) => isBefore(now, row.retiresAt));
  }

  async function rotate(): Promise<void> {
    await rotateSigningKeys(sql, encryptionKeys, clock);
    kept.clear();
  }

  async function getSigner() {
    let row = await findSigningRow();
    if (!row) {
      await rotate();
      row = await findSigningRow();
    }
    if (!row) throw new Error('There is no key to sign tokens with.');
    return { id: row.id, privateKey: await importKey(openPrivateJwk(encryptionKeys, row)) };
  }

  async function findVerifier(id: string) {
    const keys = await keySet();
    const known = keys.verifiers.get(id);
    if (known || clock().epochMilliseconds - keys.loadedAtMs < RELOAD_INTERVAL_MS) return known;
    kept.clear();
    return (await keySet()).verifiers.get(id);
  }

  async function listPublished() {
    return (await keySet()).rows.map((row) => row.publicJwk);
  }

  return { getSigner, findVerifier, listPublished, rotate };
}
