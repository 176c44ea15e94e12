/**
 * `npm run deploy:check`: builds and runs the image, runs the proxy, and has the other files of `deploy/` read by the
 * programs that they are for. Writes `proof/DEPLOY.md`. Needs root, Debian, and what it says if something is missing.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeReport } from '../../bench/report.ts';
import { type HangingDatabase, startHangingDatabase } from '../../test/support/databases/hanging-database.ts';
import { checkFiles, checkUnits } from './files.ts';
import { buildImage, makeBase, runImage } from './image.ts';
import { checkProxy } from './proxy.ts';
import { finding, has, type Part, table, versionOf } from './tools.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4400' },
    only: { type: 'string' },
    'no-report': { type: 'boolean' },
  },
});
const PACKAGES: Record<string, string> = {
  debootstrap: 'debootstrap',
  buildah: 'buildah',
  podman: 'podman',
  crun: 'crun',
  haproxy: 'haproxy',
  'docker-compose': 'docker-compose',
  kubectl: 'kubernetes-client',
  'systemd-analyze': 'systemd',
};
/** What this leaves open; docs/deploying.md says it to those who use the files. */
const NOT_TRIED = `## What was not tried

The images of Node, PostgreSQL, Redis, HAProxy and SeaweedFS as their makers publish them; \`docker compose up\`; a cluster; units started by systemd. None of them can be had on this machine.`;
const missing = Object.keys(PACKAGES).filter((command) => !has(command));
if (missing.length > 0 || process.getuid?.() !== 0) {
  const wanted = missing.map((command) => PACKAGES[command]);
  console.error(
    `This needs root, and these packages of Debian: ${wanted.join(' ') || 'none that is missing'}.`,
  );
  process.exit(1);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const work = mkdtempSync(join(tmpdir(), 'maitred-deploy-'));
const port = Number(values.port);
const wants = (part: string) => values.only === undefined || values.only === part;
const parts: Part[] = [];
try {
  if (wants('image')) parts.push(await withDatabase(imagePart));
  if (wants('proxy')) parts.push(await withDatabase(proxyPart));
  if (wants('files')) parts.push(await checkFiles(work), await checkUnits(work));
} finally {
  rmSync(work, { recursive: true, force: true });
}
const body = parts
  .map(({ heading, about, findings }) => `## ${heading}\n\n${about}\n\n${table(findings)}`)
  .join('\n\n');
const isWhole = values.only === undefined && !values['no-report'];
if (isWhole)
  writeReport('proof/DEPLOY.md', {
    title: 'The files of deploy/, tried',
    command: 'npm run deploy:check',
    body: `${body}\n\n${NOT_TRIED}`,
  });
else console.log(body);
process.exitCode = parts.every(({ findings }) => findings.every(({ isGood }) => isGood)) ? 0 : 1;

async function withDatabase<T>(check: (database: HangingDatabase) => Promise<T>): Promise<T> {
  const database = await startHangingDatabase();
  try {
    return await check(database);
  } finally {
    await database.close();
  }
}

async function imagePart({ url: databaseUrl }: HangingDatabase): Promise<Part> {
  const built = [
    await finding('the base', () => makeBase(work)),
    await finding('`buildah bud` of `deploy/Dockerfile`', () => buildImage(work)),
  ];
  const findings = built.every(({ isGood }) => isGood)
    ? [...built, ...(await runImage({ work, databaseUrl, port }))]
    : built;
  return {
    heading: 'The image',
    about: `Built with buildah ${versionOf('buildah')}, run with podman ${versionOf('podman')} and crun ${versionOf('crun')} as in \`deploy/compose.yaml\`: read-only but for its volumes, no capabilities, no new privileges.`,
    findings,
  };
}

async function proxyPart(database: HangingDatabase): Promise<Part> {
  return {
    heading: 'The proxy',
    about: `\`deploy/haproxy.cfg\` in HAProxy ${versionOf('haproxy', '-v')}, in front of two nodes, each a process. The bucket is a server that remembers what it is asked.`,
    findings: await checkProxy({ work, database, port: port + 10 }),
  };
}
