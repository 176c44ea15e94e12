/** The build puts the version of the package here; run from source it is read from package.json. */
import { readFileSync } from 'node:fs';

declare const BUILT_VERSION: string | undefined;

export const VERSION =
  typeof BUILT_VERSION === 'string'
    ? BUILT_VERSION
    : (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version as string);
