import type { Tx } from '../../db/database.ts';
import type { PublicKey } from './schema.ts';

export interface SigningKeyRow {
  id: string;
  publicJwk: PublicKey;
  sealedPrivateJwk: Buffer;
  createdAt: Temporal.Instant;
  retiresAt: Temporal.Instant;
}

/** Held until the transaction ends, so that several nodes agree on the next key instead of each making one. */
export async function lockSigningKeys(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('maitred/signing-keys', 0))`;
}

export async function listSigningKeys(tx: Tx): Promise<SigningKeyRow[]> {
  return tx<SigningKeyRow[]>`
    select id, public_jwk as "publicJwk", private_jwk as "sealedPrivateJwk", created_at as "createdAt",
      retires_at as "retiresAt"
    from signing_key order by retires_at`;
}

export async function insertSigningKey(tx: Tx, key: SigningKeyRow): Promise<void> {
  await tx`
    insert into signing_key (id, public_jwk, private_jwk, created_at, retires_at)
    values (${key.id}, ${JSON.stringify(key.publicJwk)}::text::jsonb, ${key.sealedPrivateJwk}, ${key.createdAt},
      ${key.retiresAt})`;
}

export async function deleteSigningKeysRetiredBefore(tx: Tx, instant: Temporal.Instant): Promise<void> {
  await tx`delete from signing_key where retires_at < ${instant}`;
}
