/** Has the files that cannot be run here read by the programs that they are for. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { compose, composed, example, type Service, units } from '../../test/deploy/settings.ts';
import { DEPLOY, type Finding, finding, type Part, ROOT, run, versionOf } from './tools.ts';

export async function checkFiles(work: string): Promise<Part> {
  const [dockerCompose, kubectl] = [versionOf('docker-compose'), versionOf('kubectl', 'version', '--client')];
  return {
    heading: 'Compose and Kubernetes',
    about: `Read by docker-compose ${dockerCompose} and kubectl ${kubectl}, the releases that Debian has. \`npm test -- test/deploy\` holds both against the schema of compose, the types of the API of Kubernetes and the settings of the program.`,
    findings: [
      await finding('`docker-compose config`', () => readByCompose(work)),
      await finding('`kubectl kustomize`', builtByKustomize),
    ],
  };
}

/** The settings are filled in as a user does it, and compose makes of them what our own tests think it does. */
function readByCompose(work: string): string {
  const folder = join(work, 'compose', 'deploy');
  cpSync(DEPLOY, folder, { recursive: true });
  const lines = Object.entries(example()).map(([name, value]) => `${name}=${value}`);
  writeFileSync(join(folder, '.env'), `${lines.join('\n')}\n`);
  const { stdout } = run('docker-compose', ['-f', join(folder, 'compose.yaml'), 'config']);
  const read: { services: Record<string, Service> } = parse(stdout);
  const nodes = Object.entries(compose().services).filter(([, { image }]) => image.startsWith('maitred'));
  for (const [name, service] of nodes)
    if (name !== 'first-client') assert.deepEqual(read.services[name]?.environment, composed(service), name);
  writeFileSync(join(folder, '.env'), 'PUBLIC_URL=https://maitred.example.com\n');
  const { status, stderr } = run('docker-compose', ['-f', join(folder, 'compose.yaml'), 'config'], {
    mayFail: true,
  });
  assert.notEqual(status, 0);
  assert.match(stderr, /fill it in/);
  return `${Object.keys(read.services).length} services and the one of the profile \`setup\`; without secrets it is refused`;
}

function builtByKustomize(): string {
  const { stdout } = run('kubectl', ['kustomize', join(DEPLOY, 'kubernetes')]);
  const objects = parseAllDocuments(stdout).map((document) => document.toJS());
  const config = objects.find(({ kind }) => kind === 'ConfigMap');
  const deployments = objects.filter(({ kind }) => kind === 'Deployment');
  assert.equal(deployments.length, 2);
  for (const { spec } of deployments) {
    const [container] = spec.template.spec.containers;
    assert.equal(container.envFrom[0].configMapRef.name, config.metadata.name);
    assert.match(container.image, /^maitred:\d/);
  }
  return `${objects.length} objects; the pods name the generated settings and the version`;
}

export async function checkUnits(work: string): Promise<Part> {
  const folder = join(work, 'units');
  mkdirSync(folder);
  const findings: Finding[] = [];
  for (const path of units()) {
    const file = join(folder, path.replace('systemd/', '').replace('@', '@3001'));
    cpSync(join(DEPLOY, path), file);
    findings.push(
      await finding(`\`${path}\``, () => {
        const { stdout, stderr } = analyze('verify', '--man=no', file);
        assert.equal(stdout + stderr, '');
        const judged = analyze('security', '--offline=true', '--no-pager', file).stdout;
        const [, exposure] = /exposure level .*: ([\d.]+)/.exec(judged) ?? [];
        assert.ok(Number(exposure) <= 2, judged);
        return `\`verify\` finds nothing; \`security\` says ${exposure}, where 10 is a program without limits`;
      }),
    );
  }
  return { heading: 'systemd', about: `By systemd-analyze ${versionOf('systemd-analyze')}.`, findings };
}

/** The units name programs under /opt/maitred, which is there for this command alone. */
function analyze(...args: string[]) {
  const script = 'mount -t tmpfs none /opt && ln -s "$0" /opt/maitred && exec systemd-analyze "$@"';
  return run('unshare', ['--mount', 'sh', '-c', script, ROOT, ...args]);
}
