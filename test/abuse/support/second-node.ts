import { buildApp } from '../../../src/app.ts';
import { readConfig } from '../../../src/config.ts';
import { openPool, type PoolOptions } from '../../../src/db/database.ts';
import { openNotifications } from '../../../src/db/notifications.ts';
import { type Clock, systemClock } from '../../../src/kernel/clock.ts';
import type { Keyring } from '../../../src/kernel/crypto.ts';
import { createKeyring } from '../../../src/kernel/crypto.ts';
import { type AppDeps, createServices } from '../../../src/services.ts';
import type { TestApp } from '../../support/app.ts';

export interface SecondNode {
  app: TestApp['app'];
  close(): Promise<void>;
}

interface SecondNodeOptions {
  clock?: Clock;
  pool?: PoolOptions;
  encryptionKeys?: Keyring;
}

/** The one that startTestApp uses; nodes of one deployment share it. */
const KEYS = createKeyring([Buffer.alloc(32, 7)]);

/** Another node on the database of the first: its own pool, its own memory, its own ear for changes. */
export async function startSecondNode(
  { url }: TestApp,
  { clock = systemClock, pool = {}, encryptionKeys = KEYS }: SecondNodeOptions = {},
): Promise<SecondNode> {
  const sql = openPool(url, pool);
  const notifications = await openNotifications(url);
  const deps: AppDeps = {
    config: readConfig({ LOG_LEVEL: 'silent', RATE_LIMIT: '0' }),
    sql,
    notifications,
    encryptionKeys,
    clock,
  };
  const app = await buildApp(deps, await createServices(deps));
  await app.ready();
  return {
    app,
    async close() {
      await app.close();
      await notifications.close();
      await sql.end({ timeout: 5 });
    },
  };
}
