/** `npm run openapi`: writes the OpenAPI documents from the routes of the application, without a database, and that of connect. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { openPool } from '../src/db/database.ts';
import { openApiDocuments, PARTS, type PartName } from '../src/http/openapi/openapi.ts';
import type { App } from '../src/http/route.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { createKeyring } from '../src/kernel/crypto.ts';
import type { Services } from '../src/services.ts';
import { connectDocument } from '../src/tms/connect/openapi.ts';

const ROOT = join(import.meta.dirname, '..');

/** Where the documents are kept in the repository: under the names that they are served by. */
export const OPENAPI_FILES: Record<PartName, string> = {
  partners: join(ROOT, PARTS.partners.url),
  manage: join(ROOT, PARTS.manage.url),
};

/** What makers of table systems build; no route of ours is in it. */
export const CONNECT_FILE = join(ROOT, 'docs', 'connect.openapi.json');

/** Stands in for every service: routes only take hold of services while they are declared, and none is called. */
function uncalled(name: string): unknown {
  return new Proxy(() => {}, {
    get: (_target, member) => uncalled(`${name}.${String(member)}`),
    apply() {
      // There is nothing to measure, and nothing to end when the application closes.
      if (/\.(?:register|close)$/.test(name)) return undefined;
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
      encryptionKeys: createKeyring([Buffer.alloc(32)]),
      clock: systemClock,
    },
    uncalled('services') as Services,
  );
  await app.ready();
  return app;
}

/** How deep a document is broken into lines: each path and each component has one, so that changes can be read. */
const DEPTHS: Record<string, number> = { info: 1, tags: 1, paths: 1, components: 2 };

function linesOf(value: unknown, depth: number, indent: string): string {
  if (depth === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent} `;
  const isList = Array.isArray(value);
  const lines = Object.entries(value).map(
    ([key, member]) =>
      `${inner}${isList ? '' : `${JSON.stringify(key)}: `}${linesOf(member, depth - 1, inner)}`,
  );
  if (lines.length === 0) return JSON.stringify(value);
  const [opening, closing] = isList ? '[]' : '{}';
  return `${opening}\n${lines.join(',\n')}\n${indent}${closing}`;
}

/** A document as text, the way it is kept in the repository. */
export function openApiText(document: object): string {
  const lines = Object.entries(document).map(
    ([key, member]) => ` ${JSON.stringify(key)}: ${linesOf(member, DEPTHS[key] ?? 0, ' ')}`,
  );
  return `{\n${lines.join(',\n')}\n}\n`;
}

if (import.meta.main) {
  const app = await buildUnconnectedApp();
  for (const [name, document] of Object.entries(openApiDocuments(app))) {
    const file = OPENAPI_FILES[name as PartName];
    writeFileSync(file, openApiText(document));
    console.log(`Wrote ${file}`);
  }
  await app.close();
  writeFileSync(CONNECT_FILE, openApiText(connectDocument()));
  console.log(`Wrote ${CONNECT_FILE}`);
}
