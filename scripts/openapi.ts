/** `npm run openapi`: writes openapi.json from the routes of the application, without a database. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { openPool } from '../src/db/database.ts';
import type { App } from '../src/http/route.ts';
import { systemClock } from '../src/kernel/clock.ts';
import type { Services } from '../src/services.ts';

export const OPENAPI_FILE = join(import.meta.dirname, '..', 'openapi.json');

/** Stands in for every service: routes only take hold of services while they are declared, and none is called. */
function uncalled(name: string): unknown {
  return new Proxy(() => {}, {
    get: (_target, member) => uncalled(`${name}.${String(member)}`),
    apply() {
      throw new Error(`${name} was called while the OpenAPI document was drawn up.`);
    },
  });
}

/** The application with all its routes and nothing behind them. */
export async function buildUnconnectedApp(): Promise<App> {
  // Connects when it is first asked something, which here never happens.
  const sql = openPool('postgres://nowhere.invalid/none');
  const app = await buildApp(
    {
      config: readConfig({ LOG_LEVEL: 'silent' }),
      sql,
      notifications: { isConnected: () => false, subscribe: () => () => {}, close: async () => {} },
      encryptionKey: Buffer.alloc(32),
      clock: systemClock,
    },
    uncalled('services') as Services,
  );
  await app.ready();
  return app;
}

/** The document of an application as text, the way it is kept in the repository. */
export function openApiText(app: App): string {
  return `${JSON.stringify(app.swagger(), null, 2)}\n`;
}

if (import.meta.main) {
  const app = await buildUnconnectedApp();
  writeFileSync(OPENAPI_FILE, openApiText(app));
  await app.close();
  console.log(`Wrote ${OPENAPI_FILE}`);
}
