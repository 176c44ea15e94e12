import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of this program, of both packages in `clients/`, and of the newest entry of CHANGELOG.md. */
export const PROGRAM_VERSION: string = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'),
).version;

/** Of the interface that partners know, which is older than this program and numbered apart from it. */
export const INTERFACE_VERSION = '7.3.0';
