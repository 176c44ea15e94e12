/** What the files of `deploy/` set for a node, each by its own format. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

export const ROOT = join(import.meta.dirname, '..', '..');
export const DEPLOY = join(ROOT, 'deploy');
export const read = (path: string) => readFileSync(join(DEPLOY, path), 'utf8');

type Settings = Record<string, string>;

/** Values that are to be filled in, as a user would; the rest stands as it is. */
const FILLED_IN: Settings = {
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  POSTGRES_PASSWORD: 'secret',
  AWS_SECRET_ACCESS_KEY: 'secret',
};

/** Of lines such as `NAME=value`; with `isFull` also of those that are there to be uncommented. */
function settingsIn(lines: string, isFull: boolean): Settings {
  const pattern = isFull ? /^#?([A-Z_0-9]+)=(.*)$/gm : /^([A-Z_0-9]+)=(.*)$/gm;
  return Object.fromEntries(
    [...lines.matchAll(pattern)].map(([, name = '', value = '']) => [name, value || (FILLED_IN[name] ?? '')]),
  );
}

export const example = (isFull = false) => settingsIn(read('maitred.env.example'), isFull);

export interface Service {
  image: string;
  environment?: Settings;
  ports?: string[];
  stop_grace_period?: string;
  [key: string]: unknown;
}

export const compose = (): { services: Record<string, Service> } =>
  parse(read('compose.yaml'), { merge: true });

/** As compose fills in `${NAME}` and `${NAME:?reason}` from the file of settings. */
export function composed(service: Service): Settings {
  const file = example();
  const filled = Object.entries(service.environment ?? {}).map(([name, value]) => [
    name,
    value.replaceAll(/\$\{([A-Z_]+)(?::\?[^}]*)?\}/g, (_, used: string) => file[used] ?? ''),
  ]);
  return { ...file, ...Object.fromEntries(filled) };
}

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata?: { name: string };
  [key: string]: unknown;
}

/** Every object of the folder, but not the file for kustomize, which is none. */
export function kubernetesObjects(): KubernetesObject[] {
  return globSync('kubernetes/*.yaml', { cwd: DEPLOY })
    .filter((path) => !path.endsWith('kustomization.yaml'))
    .flatMap((path) => parseAllDocuments(read(path)).map((document) => document.toJS()));
}

export interface PodSpec {
  terminationGracePeriodSeconds: number;
  securityContext: { runAsUser: number };
  containers: {
    env: { name: string; value: string }[];
    ports: { name: string; containerPort: number }[];
    volumeMounts: { mountPath: string }[];
    readinessProbe: { periodSeconds: number; timeoutSeconds: number; failureThreshold: number };
  }[];
}

export function podsOfKubernetes(): Record<string, PodSpec> {
  return Object.fromEntries(
    kubernetesObjects()
      .filter(({ kind }) => kind === 'Deployment')
      .map(({ metadata, spec }) => [
        metadata?.name ?? '',
        (spec as { template: { spec: PodSpec } }).template.spec,
      ]),
  );
}

export function kustomization(): {
  images: { name: string; newTag: string }[];
  configMapGenerator: { literals: string[] }[];
} {
  return parse(read('kubernetes/kustomization.yaml'));
}

/** The settings and secrets that all pods get, and what a pod sets for itself. */
export function kubernetesSettings(pod: PodSpec): Settings {
  const secret = kubernetesObjects().find(({ kind }) => kind === 'Secret');
  const literals = kustomization().configMapGenerator.flatMap((each) => each.literals);
  const own = pod.containers.flatMap(({ env }) => env.map(({ name, value }) => [name, value]));
  const secrets = Object.entries(secret?.stringData as Settings).map(([name, value]) => [
    name,
    value || (FILLED_IN[name] ?? ''),
  ]);
  return {
    ...settingsIn(literals.join('\n'), false),
    ...Object.fromEntries(secrets),
    ...Object.fromEntries(own),
  };
}

export const units = () => globSync('systemd/*.service', { cwd: DEPLOY });

/** `Environment=` wins over the file of settings, and the name of a unit is its port. */
export function unitSettings(path: string): Settings {
  const own = [...read(path).matchAll(/^Environment=(.+)$/gm)].flatMap(([, line = '']) => line.split(' '));
  return {
    ...example(),
    DATABASE_URL: 'postgres://maitred@localhost/maitred',
    ...settingsIn(own.join('\n').replaceAll('%i', '3001'), false),
  };
}

export interface Instruction {
  name: string;
  text: string;
}

/** The lines of the Dockerfile, continued ones joined. */
export function dockerfile(): Instruction[] {
  return read('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const [, name = '', text = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
      return name ? [{ name, text }] : [];
    });
}

export const textsOf = (name: string) =>
  dockerfile()
    .filter((instruction) => instruction.name === name)
    .map(({ text }) => text);

export const imageSettings = (): Settings =>
  settingsIn(textsOf('ENV').join('\n').replaceAll(/\s+/g, '\n'), false);
