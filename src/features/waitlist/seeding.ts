/** Parties of the demo, which wait without a request or a mail. */

import type { Tx } from '../../db/database.ts';
import type { Keyring } from '../../kernel/crypto.ts';
import { createWaitlistStore, type NewEntry } from './store.ts';

export async function writeDemoEntries(
  tx: Tx,
  encryptionKeys: Keyring,
  entries: readonly NewEntry[],
): Promise<void> {
  const store = createWaitlistStore(encryptionKeys);
  for (const entry of entries) await store.insert(tx, entry);
}

export type { NewEntry } from './store.ts';
