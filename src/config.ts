import { resolve } from 'node:path';
import { addressesOf, wantedSession } from './kernel/database-address.ts';

const ENVIRONMENTS = ['sandbox', 'staging', 'live'] as const;
const ROLES = ['all', 'api', 'worker'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export interface Config {
  environment: (typeof ENVIRONMENTS)[number];
  role: (typeof ROLES)[number];
  host: string;
  port: number;
  /** Where callers reach us, without a trailing slash: issuer of tokens, base of problem pages. */
  publicUrl: string;
  dataDir: string;
  /** Unset: the node runs its own PostgreSQL under `dataDir`. */
  databaseUrl: string | undefined;
  /** Standbys that answer reads; unset: the primary answers all. */
  databaseReadUrl: string | undefined;
  redisUrl: string | undefined;
  feedUrl: string;
  /** As in `s3://bucket/prefix`. Unset: feed files are kept under `dataDir`, and the node serves them. */
  feedBucket: string | undefined;
  /** Where the bucket is, if it is not Amazon's. */
  feedBucketEndpoint: string | undefined;
  audience: string;
  /** How long a node that is told to stop says that it is not ready, before it closes its port. */
  drainSeconds: number;
  /** Calls per 60 s and client; 0 switches the limit off. */
  rateLimit: number;
  /** How many proxies stand in front, each of which appends to `X-Forwarded-For`; 0: callers connect directly. */
  trustedProxies: number;
  webhookAllowLoopback: boolean;
  /** Packages or paths of protocols besides those that come with the program. */
  connectors: readonly string[];
  /** The first seals, all of them open. Unset outside live: one is generated once and kept under `dataDir`. */
  encryptionKeys: readonly Buffer[] | undefined;
  /** How long after their visit guests are known by name. */
  guestDataDays: number;
  /** How long events and their deliveries are kept, at least; 0: for ever. */
  eventDays: number;
  /** The same for the audit log. */
  auditDays: number;
  /** Unset: mails are files under `dataDir`, or wait in live. */
  smtpUrl: string | undefined;
  /** Whom mails come from. */
  mailFrom: string | undefined;
  /** Unset: payments are those of the sandbox, or none in live. */
  stripe: StripeConfig | undefined;
  /** Unset: searches go by words alone. */
  embeddings: EmbeddingsConfig | undefined;
  logLevel: (typeof LOG_LEVELS)[number];
  /** Unset: nothing is traced. */
  tracing: TracingConfig | undefined;
}

export interface TracingConfig {
  /** Of the collector; `/v1/traces` is appended. */
  url: string;
  /** Such as a key of the collector. */
  headers: Readonly<Record<string, string>>;
  serviceName: string;
  /** Of the traces that begin here, this share is recorded. */
  ratio: number;
}

export interface EmbeddingsConfig {
  /** Where texts are sent, as in `https://host/v1/embeddings`. */
  url: string;
  model: string;
  key: string | undefined;
  /** How long a search waits for it; absent: 400. Tests on a busy machine wait longer. */
  waitMs?: number;
}

export interface StripeConfig {
  secretKey: string;
  /** For the form of Stripe on partners' pages. */
  publishableKey: string | null;
  /** Endpoints for the platform and for connected accounts have a secret each. */
  webhookSecrets: readonly string[];
  /** Where Stripe is, if it is not the real one. */
  apiUrl?: string | undefined;
}

/** A setting that cannot be used; its message is a sentence for the person who starts the node. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Env = Record<string, string | undefined>;

function oneOf<T extends string>(env: Env, name: string, allowed: readonly T[], fallback: T): T {
  const value = env[name] || fallback;
  if ((allowed as readonly string[]).includes(value)) return value as T;
  throw new ConfigError(`${name} must be one of ${allowed.join(', ')}, not "${value}".`);
}

function integer(env: Env, name: string, min: number, max: number, fallback: number): number {
  const text = env[name] || String(fallback);
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`);
}

function flag(env: Env, name: string, unset: boolean): boolean {
  const value = env[name] || String(unset);
  if (['1', 'true', 'yes'].includes(value)) return true;
  if (['0', 'false', 'no'].includes(value)) return false;
  throw new ConfigError(`${name} must be true or false, not "${value}".`);
}

/** The value is never repeated in the message: database and Redis addresses carry passwords. */
function address(env: Env, name: string, protocols: string[]): string | undefined {
  const text = env[name];
  if (!text) return undefined;
  if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text.replace(/\/+$/, '');
  throw new ConfigError(
    `${name} must be an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}.`,
  );
}

/** It may name several hosts; each of them has to make an address. */
function database(env: Env, name: string, sessions: readonly string[]): string | undefined {
  const text = env[name];
  if (!text) return undefined;
  for (const single of addressesOf(text)) address({ [name]: single }, name, ['postgres:', 'postgresql:']);
  const session = wantedSession(text);
  if (session === undefined || sessions.includes(session)) return text.replace(/\/+$/, '');
  throw new ConfigError(`${name} can have a target_session_attrs of ${sessions.join(' or ')}, or none.`);
}

/** Paths are appended to it, so nothing may follow its own. */
function pageAddress(env: Env, name: string): string | undefined {
  const text = address(env, name, ['http:', 'https:']);
  if (text && /[?#]/.test(text))
    throw new ConfigError(`${name} must end with its path, without "?" and "#".`);
  return text;
}

/** Not repeated either: some write keys into such an address. */
function bucket(env: Env, name: string): string | undefined {
  const text = env[name];
  if (!text) return undefined;
  if (/^s3:\/\/[\w.-]{3,63}(?:\/[\w-][\w.-]*)*\/?$/.test(text)) return text.replace(/\/$/, '');
  throw new ConfigError(`${name} must be written as s3://bucket or s3://bucket/prefix.`);
}

/** An address, alone or as in `Maitred <no-reply@example.com>`. */
function sender(env: Env, name: string): string | undefined {
  const text = env[name];
  if (!text) return undefined;
  if (/^(?:[^<>@\p{Cc}]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/u.test(text)) return text;
  throw new ConfigError(`${name} must be an email address, or a name with one in angle brackets.`);
}

const list = (env: Env, name: string) =>
  (env[name] || '')
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);

/** A key is never repeated in a message. */
function key(env: Env, name: string, pattern: RegExp, form: string): string | undefined {
  const text = env[name];
  if (!text || pattern.test(text)) return text || undefined;
  throw new ConfigError(`${name} must be written as ${form}.`);
}

/** Real money moves with live keys, and only there. */
function stripe(env: Env, environment: Config['environment']): StripeConfig | undefined {
  const secretKey = key(env, 'STRIPE_SECRET_KEY', /^(?:sk|rk)_(?:test|live)_\w+$/, 'sk_test_… or sk_live_…');
  const publishableKey = key(
    env,
    'STRIPE_PUBLISHABLE_KEY',
    /^pk_(?:test|live)_\w+$/,
    'pk_test_… or pk_live_…',
  );
  const webhookSecrets = list(env, 'STRIPE_WEBHOOK_SECRET');
  const apiUrl = pageAddress(env, 'STRIPE_API_URL');
  if (!secretKey) {
    if (publishableKey || apiUrl || webhookSecrets.length > 0)
      throw new ConfigError('STRIPE_SECRET_KEY is required with the other settings of Stripe.');
    return undefined;
  }
  const isLive = environment === 'live';
  for (const [name, value] of Object.entries({
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_PUBLISHABLE_KEY: publishableKey,
  }))
    if (value && value.includes('_live_') !== isLive)
      throw new ConfigError(
        `${name} must be a ${isLive ? 'live' : 'test'} key in ${environment}: only live moves real money.`,
      );
  if (isLive && webhookSecrets.length === 0)
    throw new ConfigError(
      'STRIPE_WEBHOOK_SECRET is required in live: without it no notification is believed.',
    );
  if (apiUrl && new URL(apiUrl).pathname !== '/') throw new ConfigError('STRIPE_API_URL must have no path.');
  if (isLive && apiUrl) throw new ConfigError('STRIPE_API_URL is for emulators, and cannot be used in live.');
  return { secretKey, publishableKey: publishableKey ?? null, webhookSecrets, apiUrl };
}

/** The search of venues asks it; see docs/search.md. */
function embeddings(env: Env): EmbeddingsConfig | undefined {
  const url = pageAddress(env, 'EMBEDDINGS_URL');
  const { EMBEDDINGS_MODEL: model, EMBEDDINGS_KEY: secret } = env;
  if (!url) {
    if (model || secret)
      throw new ConfigError('EMBEDDINGS_URL is required with the other settings of embeddings.');
    return undefined;
  }
  if (!model) throw new ConfigError('EMBEDDINGS_MODEL is required with EMBEDDINGS_URL.');
  return { url, model, key: secret || undefined };
}

/** The names that OpenTelemetry gives its settings; see docs/observing.md. */
function tracing(env: Env): TracingConfig | undefined {
  const url = pageAddress(env, 'OTEL_EXPORTER_OTLP_ENDPOINT');
  const headers = headerList(env, 'OTEL_EXPORTER_OTLP_HEADERS');
  const serviceName = env.OTEL_SERVICE_NAME || 'maitred';
  const ratio = share(env, 'OTEL_TRACES_SAMPLER_ARG', 0.1);
  return url ? { url, headers, serviceName, ratio } : undefined;
}

function share(env: Env, name: string, fallback: number): number {
  const text = env[name] || String(fallback);
  const value = /^(?:0|1|[01]?\.\d{1,9})$/.test(text) ? Number(text) : Number.NaN;
  if (value <= 1) return value;
  throw new ConfigError(`${name} must be a number from 0 to 1, such as 0.1, not "${text}".`);
}

/** As in `name=value,name=value`, values percent-encoded. They hold keys, so none is repeated. */
function headerList(env: Env, name: string): Record<string, string> {
  return Object.fromEntries(
    list(env, name).map((pair) => {
      const [, header, value] = /^([\w-]+)=((?:[\x21-\x24\x26-\x7e]|%[\da-fA-F]{2})+)$/.exec(pair) ?? [];
      if (header && value) return [header, decodeURIComponent(value)];
      throw new ConfigError(`${name} must be written as name=value,name=value, with values percent-encoded.`);
    }),
  );
}

/** Several are separated by commas, or by lines in a file. `place` names it in the message if it cannot be used. */
export function readKeys(text: string, place: string): Buffer[] {
  const keys = text
    .split(/[,\n]/)
    .map((each) => each.trim())
    .filter(Boolean);
  // The decoder skips what it does not know; a mistyped key must not become another, shorter one.
  if (keys.length === 0 || !keys.every((each) => /^[A-Za-z0-9+/]{43}=$/.test(each)))
    throw new ConfigError(
      `${place} must be 32 bytes in base64, as printed by: openssl rand -base64 32 (several: separated by commas).`,
    );
  if (new Set(keys).size < keys.length) throw new ConfigError(`${place} has the same key twice.`);
  return keys.map((each) => Buffer.from(each, 'base64'));
}

/** Where a browser on the same machine reaches a server that listens on `host`. */
export function localUrl(host: string, port: number): string {
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const name = isEverywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** `PORT=0` leaves the choice to the system; this is the same configuration once it has chosen. */
export function onPort(config: Config, port: number): Config {
  const unchosen = localUrl(config.host, config.port);
  const publicUrl = config.publicUrl === unchosen ? localUrl(config.host, port) : config.publicUrl;
  const feedUrl = config.feedUrl === `${unchosen}/feed` ? `${publicUrl}/feed` : config.feedUrl;
  return { ...config, port, publicUrl, feedUrl };
}

/** The only reader of the environment. Throws a `ConfigError` on the first value that cannot be used. */
export function readConfig(env: Env): Config {
  const environment = oneOf(env, 'ENVIRONMENT', ENVIRONMENTS, 'sandbox');
  const host = env.HOST || '127.0.0.1';
  const port = integer(env, 'PORT', 0, 65_535, 3000);
  const publicUrl = pageAddress(env, 'PUBLIC_URL') ?? localUrl(host, port);
  const trustedProxies = integer(env, 'TRUST_PROXY', 0, 10, 0);
  // A sandbox that only its own machine reaches may post to it: no caller gets further than it already is.
  const isOwnMachineOnly =
    environment === 'sandbox' &&
    ['127.0.0.1', '::1', 'localhost'].includes(host) &&
    publicUrl === localUrl(host, port) &&
    trustedProxies === 0;
  const config: Config = {
    environment,
    role: oneOf(env, 'ROLE', ROLES, 'all'),
    host,
    port,
    publicUrl,
    dataDir: resolve(env.DATA_DIR || '.data'),
    databaseUrl: database(env, 'DATABASE_URL', ['read-write', 'primary']),
    databaseReadUrl: database(env, 'DATABASE_READ_URL', ['standby', 'prefer-standby', 'read-only', 'any']),
    redisUrl: address(env, 'REDIS_URL', ['redis:', 'rediss:']),
    feedUrl: pageAddress(env, 'FEED_URL') ?? `${publicUrl}/feed`,
    feedBucket: bucket(env, 'FEED_BUCKET'),
    feedBucketEndpoint: pageAddress(env, 'FEED_BUCKET_ENDPOINT'),
    audience: env.AUDIENCE || 'maitred',
    drainSeconds: integer(env, 'DRAIN_SECONDS', 0, 300, 0),
    rateLimit: integer(env, 'RATE_LIMIT', 0, 1_000_000, 200),
    trustedProxies,
    webhookAllowLoopback: flag(env, 'WEBHOOK_ALLOW_LOOPBACK', isOwnMachineOnly),
    connectors: list(env, 'CONNECTORS'),
    encryptionKeys: env.ENCRYPTION_KEY ? readKeys(env.ENCRYPTION_KEY, 'ENCRYPTION_KEY') : undefined,
    guestDataDays: integer(env, 'GUEST_DATA_DAYS', 1, 36_500, 365),
    eventDays: integer(env, 'EVENT_DAYS', 0, 36_500, 400),
    auditDays: integer(env, 'AUDIT_DAYS', 0, 36_500, 0),
    smtpUrl: address(env, 'SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom: sender(env, 'MAIL_FROM'),
    stripe: stripe(env, environment),
    embeddings: embeddings(env),
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    tracing: tracing(env),
  };
  if (environment === 'live' && config.webhookAllowLoopback) {
    throw new ConfigError(
      'WEBHOOK_ALLOW_LOOPBACK cannot be used in live: callbacks could reach inside the network.',
    );
  }
  if (environment === 'live' && !config.encryptionKeys) {
    throw new ConfigError('ENCRYPTION_KEY is required in live; make one with: openssl rand -base64 32');
  }
  if (config.databaseReadUrl && !config.databaseUrl) {
    throw new ConfigError(
      'DATABASE_READ_URL names standbys, but DATABASE_URL does not say of which primary.',
    );
  }
  if (config.smtpUrl && !config.mailFrom) {
    throw new ConfigError(
      'MAIL_FROM is required with SMTP_URL: mail servers want to know whom a mail is from.',
    );
  }
  if (config.feedBucket && !env.FEED_URL) {
    throw new ConfigError(
      'FEED_URL is required with FEED_BUCKET: feed files are then fetched from the bucket and not from here.',
    );
  }
  if (config.feedBucketEndpoint && !config.feedBucket) {
    throw new ConfigError('FEED_BUCKET_ENDPOINT says where a bucket is, but FEED_BUCKET names none.');
  }
  return config;
}
