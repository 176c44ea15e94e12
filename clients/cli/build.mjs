/** Bundles the command line into one file that needs nothing installed. */
import { chmodSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));

await build({
  entryPoints: [at('src/main.ts')],
  outfile: at('dist/maitred.js'),
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  conditions: ['maitred-source'],
  define: { BUILT_VERSION: JSON.stringify(version) },
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
});
chmodSync(at('dist/maitred.js'), 0o755);
