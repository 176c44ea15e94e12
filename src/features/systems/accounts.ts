/** The accounts of operators at systems, as connectors get them; kept until they change. */

import type { Sql } from '../../db/database.ts';
import type { Notifications } from '../../db/notifications.ts';
import { ReadCache } from '../../db/read-cache.ts';
import { type Keyring, open } from '../../kernel/crypto.ts';
import { estimateBytes } from '../../kernel/estimate-bytes.ts';
import type { SealedTable } from '../../kernel/sealed-table.ts';
import type { SystemAccount } from '../../tms/remote.ts';
import { findAccount } from './account-store.ts';
import type { SystemPath } from './schema.ts';

export interface SystemAccounts {
  /** Undefined: the operator does not use the system. */
  find(path: SystemPath): Promise<SystemAccount | undefined>;
  /** After a change of this node: what it answers next is made of it. */
  forget(path: SystemPath): void;
}

export interface SystemAccountsDeps {
  sql: Sql;
  notifications: Notifications;
  encryptionKeys: Keyring;
}

/** Also the topic that nodes hear of its changes with. */
const tagOf = ({ operatorId, tms }: SystemPath) => `system-account:${operatorId}|${tms}`;

/** What credentials are sealed for. */
export const sealingContext = ({ operatorId, tms }: SystemPath) =>
  `operator-credentials:${operatorId}|${tms}`;

export const SEALED_CREDENTIALS: SealedTable = {
  table: 'operator_credentials',
  columns: ['fields'],
  key: ['operator_id', 'tms'],
  contextOf: (operatorId, tms) => sealingContext({ operatorId: Number(operatorId), tms }),
};

export function createSystemAccounts({
  sql,
  notifications,
  encryptionKeys,
}: SystemAccountsDeps): SystemAccounts {
  const cache = new ReadCache<{ account: SystemAccount | undefined }>(
    'system_accounts',
    notifications.isConnected,
  );
  notifications.subscribe({
    changed(topic) {
      if (topic.startsWith('system-account:')) cache.drop(topic);
    },
    lost: () => cache.clear(),
  });

  return {
    async find(path) {
      const tag = tagOf(path);
      const known = cache.get(tag);
      if (known) return known.account;
      const ticket = cache.beginRead();
      const row = await findAccount(sql, path.operatorId, path.tms);
      const account = row && {
        settings: row.settings,
        credentials: row.fields
          ? JSON.parse(open(encryptionKeys, row.fields, sealingContext(path)).toString())
          : {},
      };
      cache.keep(ticket, tag, { account }, estimateBytes(account ?? null), [tag]);
      return account;
    },
    forget: (path) => cache.drop(tagOf(path)),
  };
}
