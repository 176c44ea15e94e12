/**
 * `npm run sbom`: writes `sbom.json`, the bill of materials of the service and of the packages of its clients, as
 * CycloneDX. It follows from `package-lock.json` alone, so that it changes only with it.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
export const SBOM_FILE = join(ROOT, 'sbom.json');

interface LockedPackage {
  name?: string;
  version?: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  link?: boolean;
}

/** What is installed without `--include=dev`, by `name@version`; our own packages are not part of it. */
export function productionPackages(): Map<string, LockedPackage> {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const found = new Map<string, LockedPackage>();
  for (const [path, locked] of Object.entries<LockedPackage>(lock.packages)) {
    const name = locked.name ?? path.split('node_modules/').at(-1);
    if (path.startsWith('node_modules/') && !locked.dev && !locked.link)
      found.set(`${name}@${locked.version}`, locked);
  }
  return found;
}

export interface Component {
  'bom-ref': string;
  name: string;
  version: string;
  licenses?: { license?: { id?: string }; expression?: string }[];
  hashes?: { alg: string; content: string }[];
  [field: string]: unknown;
}

export interface Bill {
  metadata: { component: Component; [field: string]: unknown };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
  serialNumber?: string;
  [field: string]: unknown;
}

/** The packages of the clients, which depend on nothing. The service brings the first with it. */
function ownPackages(): Component[] {
  return ['typescript', 'cli'].map((folder) => {
    const file = join(ROOT, 'clients', folder, 'package.json');
    const { name, version, description, license } = JSON.parse(readFileSync(file, 'utf8'));
    return {
      'bom-ref': `${name}@${version}`,
      type: folder === 'cli' ? 'application' : 'library',
      name,
      version,
      description,
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      licenses: [{ license: { id: license } }],
    };
  });
}

function drawUp(): Bill {
  // `--omit=dev` would leave out what both we and a tool depend on.
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'];
  const { npm_execpath: script } = process.env;
  const [program, first] = script ? [process.execPath, [script]] : ['npm', []];
  const bill: Bill = JSON.parse(
    execFileSync(program, [...first, ...args], { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
  );
  const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const own = ownPackages();
  const production = productionPackages();
  const components = [...own, ...bill.components.filter((each) => production.has(each['bom-ref']))];
  const refs = new Set([`${name}@${version}`, ...components.map((each) => each['bom-ref'])]);
  const known = new Map(bill.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  // The number and the moment would make a new document of the same contents, and npm names us after our folder.
  const { serialNumber: _, metadata, ...rest } = bill;
  const { timestamp: _at, tools: _by, ...about } = metadata;
  return {
    ...rest,
    metadata: { ...about, component: { ...about.component, type: 'application', name } },
    components,
    dependencies: [...refs].map((ref) => ({
      ref,
      dependsOn: (known.get(ref) ?? []).filter((each) => refs.has(each)),
    })),
  };
}

if (import.meta.main) {
  writeFileSync(SBOM_FILE, `${JSON.stringify(drawUp(), null, 1)}\n`);
  console.log(`Wrote ${SBOM_FILE}`);
}
