import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { ConfigError, onPort, readConfig } from '../src/config.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');

function refusal(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.message;
  }
  return assert.fail(`${JSON.stringify(env)} was accepted`);
}

test('without any setting a node is a sandbox on port 3000 of this machine', () => {
  const {
    encryptionKeys,
    databaseUrl,
    databaseReadUrl,
    redisUrl,
    feedBucket,
    feedBucketEndpoint,
    smtpUrl,
    mailFrom,
    stripe,
    embeddings,
    tracing,
    ...rest
  } = readConfig({});
  for (const unset of [
    encryptionKeys,
    databaseUrl,
    databaseReadUrl,
    redisUrl,
    feedBucket,
    feedBucketEndpoint,
    smtpUrl,
    mailFrom,
    stripe,
    embeddings,
    tracing,
  ])
    assert.equal(unset, undefined);
  assert.deepEqual(rest, {
    environment: 'sandbox',
    role: 'all',
    host: '127.0.0.1',
    port: 3000,
    publicUrl: 'http://127.0.0.1:3000',
    dataDir: resolve('.data'),
    feedUrl: 'http://127.0.0.1:3000/feed',
    audience: 'maitred',
    drainSeconds: 0,
    rateLimit: 200,
    trustedProxies: 0,
    webhookAllowLoopback: true,
    connectors: [],
    guestDataDays: 365,
    eventDays: 400,
    auditDays: 0,
    logLevel: 'info',
  });
});

test('only a sandbox that its own machine alone reaches posts webhooks to its own machine unless told', () => {
  const reached: NodeJS.ProcessEnv[] = [
    { HOST: '0.0.0.0' },
    { HOST: 'localhost.example' },
    { PUBLIC_URL: 'https://sandbox.example' },
    { TRUST_PROXY: '1' },
    { ENVIRONMENT: 'staging' },
    { WEBHOOK_ALLOW_LOOPBACK: 'false' },
  ];
  for (const env of reached) assert.equal(readConfig(env).webhookAllowLoopback, false, JSON.stringify(env));
  assert.equal(readConfig({ HOST: '0.0.0.0', WEBHOOK_ALLOW_LOOPBACK: 'true' }).webhookAllowLoopback, true);
});

test('an empty value counts as not set', () => {
  const names = ['PORT', 'HOST', 'ENVIRONMENT', 'DATABASE_URL', 'ENCRYPTION_KEY', 'RATE_LIMIT', 'LOG_LEVEL'];
  assert.deepEqual(readConfig(Object.fromEntries(names.map((name) => [name, '']))), readConfig({}));
});

test('addresses follow from host and port where they are not given', () => {
  assert.equal(readConfig({ HOST: '::1', PORT: '80' }).publicUrl, 'http://[::1]:80');
  assert.equal(readConfig({ HOST: '0.0.0.0' }).publicUrl, 'http://localhost:3000');
  assert.equal(readConfig({ HOST: '::' }).publicUrl, 'http://localhost:3000');
  assert.equal(
    readConfig({ PUBLIC_URL: 'https://api.example.com/' }).feedUrl,
    'https://api.example.com/feed',
  );
  assert.equal(readConfig({ FEED_URL: 'https://cdn.example.com/f' }).feedUrl, 'https://cdn.example.com/f');
});

test('a port chosen by the system replaces 0 in the addresses that were derived from it', () => {
  const derived = onPort(readConfig({ PORT: '0' }), 4711);
  assert.deepEqual(
    [derived.port, derived.publicUrl, derived.feedUrl],
    [4711, 'http://127.0.0.1:4711', 'http://127.0.0.1:4711/feed'],
  );
  const given = onPort(readConfig({ PORT: '0', PUBLIC_URL: 'https://api.example.com' }), 4711);
  assert.deepEqual(
    [given.publicUrl, given.feedUrl],
    ['https://api.example.com', 'https://api.example.com/feed'],
  );
});

test('a value that cannot be used is refused with its name', () => {
  const wrong = {
    PORT: ['abc', '-1', '65536', '3000.5', ' 80', '1e3'],
    ENVIRONMENT: ['production', 'LIVE'],
    ROLE: ['both'],
    DRAIN_SECONDS: ['-1', '301', 'long'],
    RATE_LIMIT: ['-5', 'many'],
    GUEST_DATA_DAYS: ['0', '-1', 'forever'],
    LOG_LEVEL: ['loud'],
    WEBHOOK_ALLOW_LOOPBACK: ['maybe'],
    PUBLIC_URL: ['example.com', 'ftp://example.com', 'https://example.com/?a=1', 'https://example.com/#top'],
    FEED_URL: ['nowhere'],
    FEED_BUCKET: ['feeds', 'https://feeds', 's3://', 's3://ab', 's3://feeds/../x', 's3://key:secret@feeds'],
    FEED_BUCKET_ENDPOINT: ['minio:9000', 'http://127.0.0.1:9000'],
    DATABASE_URL: ['mysql://localhost/x', 'localhost'],
    REDIS_URL: ['http://localhost'],
    STRIPE_SECRET_KEY: ['secret', 'pk_test_1', 'sk_test_', 'sk_live_1'],
    STRIPE_PUBLISHABLE_KEY: ['sk_test_1', 'pk'],
    ENCRYPTION_KEY: ['short', `${KEY}${KEY}`, KEY.slice(1), `!${KEY.slice(1)}`],
  };
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) assert.match(refusal({ [name]: value }), new RegExp(`^${name} .*[^.]*\\.?$`));
  }
});

test('feed files in a bucket need an address to be fetched from', () => {
  assert.match(refusal({ FEED_BUCKET: 's3://feeds' }), /^FEED_URL is required with FEED_BUCKET/);
  const env = { FEED_URL: 'https://cdn.example.com/f', FEED_BUCKET: 's3://feeds/of/maitred/' };
  const { feedBucket, feedBucketEndpoint } = readConfig({
    ...env,
    FEED_BUCKET_ENDPOINT: 'http://minio:9000',
  });
  assert.deepEqual([feedBucket, feedBucketEndpoint], ['s3://feeds/of/maitred', 'http://minio:9000']);
});

test('a refused address is never repeated, since it may hold a password', () => {
  for (const name of ['DATABASE_URL', 'REDIS_URL']) {
    assert.doesNotMatch(refusal({ [name]: 'mysql://me:hunter2@localhost/x' }), /hunter2/);
  }
  assert.doesNotMatch(refusal({ FEED_BUCKET: 's3://me:hunter2@feeds' }), /hunter2/);
});

test('live needs a key and refuses callbacks into the network', () => {
  assert.match(refusal({ ENVIRONMENT: 'live' }), /ENCRYPTION_KEY is required/);
  assert.match(
    refusal({ ENVIRONMENT: 'live', ENCRYPTION_KEY: KEY, WEBHOOK_ALLOW_LOOPBACK: 'true' }),
    /WEBHOOK_ALLOW_LOOPBACK/,
  );
  assert.equal(readConfig({ ENVIRONMENT: 'live', ENCRYPTION_KEY: KEY }).environment, 'live');
});

test('several keys are separated by commas, and none is named twice', () => {
  const other = Buffer.alloc(32, 8).toString('base64');
  assert.deepEqual(readConfig({ ENCRYPTION_KEY: ` ${other} ,${KEY},` }).encryptionKeys, [
    Buffer.alloc(32, 8),
    Buffer.alloc(32, 7),
  ]);
  assert.match(refusal({ ENCRYPTION_KEY: `${KEY},${other},${KEY}` }), /same key twice/);
  assert.match(refusal({ ENCRYPTION_KEY: `${KEY},short` }), /32 bytes in base64/);
  assert.match(refusal({ ENCRYPTION_KEY: ',' }), /32 bytes in base64/);
});

test('every 32 bytes in base64 are a key', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const key = Buffer.from(bytes);
      assert.deepEqual(readConfig({ ENCRYPTION_KEY: key.toString('base64') }).encryptionKeys, [key]);
    }),
  );
});

test('whatever is in the environment, the answer is a configuration or a sentence', () => {
  const names = [
    'PORT',
    'HOST',
    'PUBLIC_URL',
    'ENVIRONMENT',
    'ROLE',
    'DATABASE_URL',
    'RATE_LIMIT',
    'ENCRYPTION_KEY',
  ];
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), fc.string()), (env) => {
      try {
        assert.equal(typeof readConfig(env).port, 'number');
      } catch (error) {
        assert.ok(error instanceof ConfigError);
      }
    }),
  );
});

test('a mail server needs a sender, and neither is repeated', () => {
  const from = 'Maitred <no-reply@example.com>';
  const config = readConfig({ SMTP_URL: 'smtps://user:pass@mail.example.com:465', MAIL_FROM: from });
  assert.deepEqual([config.smtpUrl, config.mailFrom], ['smtps://user:pass@mail.example.com:465', from]);
  assert.match(refusal({ SMTP_URL: 'smtp://mail.example.com' }), /MAIL_FROM is required with SMTP_URL/);
  const wrong = refusal({ SMTP_URL: 'https://user:hunter2@mail.example.com', MAIL_FROM: from });
  assert.match(wrong, /smtp:\/\/ or smtps:\/\//);
  assert.ok(!wrong.includes('hunter2'));
  for (const sender of ['nobody', 'a@b@c', 'A <a@b>\r\nBcc: c@d'])
    assert.match(refusal({ MAIL_FROM: sender }), /MAIL_FROM must be/);
});

test('payments go through Stripe where its key is set, and real money moves in live alone', () => {
  const env = {
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_2',
    STRIPE_WEBHOOK_SECRET: 'whsec_3, whsec_4',
    STRIPE_API_URL: 'http://127.0.0.1:12111',
  };
  assert.deepEqual(readConfig(env).stripe, {
    secretKey: 'sk_test_1',
    publishableKey: 'pk_test_2',
    webhookSecrets: ['whsec_3', 'whsec_4'],
    apiUrl: 'http://127.0.0.1:12111',
  });
  assert.equal(readConfig({}).stripe, undefined);
  const live = { ENVIRONMENT: 'live', ENCRYPTION_KEY: KEY };
  const key = { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_2' };
  assert.match(refusal({ ...live, ...env }), /^STRIPE_SECRET_KEY must be a live key/);
  assert.match(refusal(key), /^STRIPE_SECRET_KEY must be a test key/);
  assert.match(refusal({ ...live, ...key }), /^STRIPE_WEBHOOK_SECRET is required/);
  assert.match(refusal({ ...live, ...env, ...key }), /^STRIPE_API_URL is for emulators/);
  const mixed = { ...env, STRIPE_PUBLISHABLE_KEY: 'pk_live_2' };
  assert.match(refusal(mixed), /^STRIPE_PUBLISHABLE_KEY must be a test key/);
  const path = { ...env, STRIPE_API_URL: 'http://127.0.0.1:12111/v1' };
  assert.match(refusal(path), /^STRIPE_API_URL must have no path/);
  assert.match(refusal({ STRIPE_WEBHOOK_SECRET: 'whsec_3' }), /^STRIPE_SECRET_KEY is required/);
  assert.doesNotMatch(refusal({ STRIPE_SECRET_KEY: 'hunter2' }), /hunter2/);
});

test('tracing takes the settings of OpenTelemetry, and repeats no key that is in them', () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example:4318/',
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20key, x-tenant=1',
    OTEL_SERVICE_NAME: 'tables',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  };
  assert.deepEqual(readConfig(env).tracing, {
    url: 'https://collector.example:4318',
    headers: { 'api-key': 'a key', 'x-tenant': '1' },
    serviceName: 'tables',
    ratio: 0.25,
  });
  const { OTEL_EXPORTER_OTLP_ENDPOINT } = env;
  const plain = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT }).tracing;
  assert.deepEqual([plain?.serviceName, plain?.ratio, plain?.headers], ['maitred', 0.1, {}]);
  for (const ratio of ['2', '-1', 'half', '1.5'])
    assert.match(refusal({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER_ARG: ratio }), /from 0 to 1/);
  const headers = refusal({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'secret-key' });
  assert.match(headers, /name=value/);
  assert.doesNotMatch(headers, /secret-key/);
});

test('a database may have several hosts, and standbys for reads; no password is repeated', () => {
  const several = 'postgres://ann:s3cret@a.example:5432,b.example:5433/maitred';
  const { databaseUrl, databaseReadUrl } = readConfig({
    DATABASE_URL: `${several}?target_session_attrs=read-write`,
    DATABASE_READ_URL: several,
  });
  assert.equal(databaseUrl, `${several}?target_session_attrs=read-write`);
  assert.equal(databaseReadUrl, several);
  const refused = [
    { DATABASE_URL: 'postgres://ann:s3cret@a.example:5432,b.example:port/maitred' },
    { DATABASE_URL: `${several}?target_session_attrs=standby` },
    { DATABASE_URL: several, DATABASE_READ_URL: 'mysql://ann:s3cret@a.example' },
    { DATABASE_READ_URL: several },
  ];
  for (const env of refused) assert.doesNotMatch(refusal(env), /s3cret/);
});
