import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import tls from 'node:tls';
import { PgBoss } from 'pg-boss';
import { inTransaction } from '../../src/db/database.ts';
import { type Identity, identityJobs } from '../../src/features/identity/service.ts';
import type { JobRun } from '../../src/jobs/job-runs.ts';
import { type JobDefinition, type Jobs, startJobs } from '../../src/jobs/jobs.ts';
import { codeOf, StartError } from '../../src/kernel/problem.ts';
import { NOT_WANTED } from '../../src/kernel/request-scope.ts';
import { createTestDatabase } from '../support/databases/database.ts';
import { limitedUrlOf } from '../support/databases/limited-user.ts';
import { eventually } from '../support/eventually.ts';
import { CERTIFICATE, PRIVATE_KEY } from '../support/peers/receiver-certificate.ts';
import { scratchFolder } from '../support/scratch.ts';

const silent = { error: () => {}, warn: () => {} };
const ONCE_A_YEAR = '0 0 1 1 *';

const ended: JobRun[] = [];
let runs = 0;
let failures = 0;

const jobs: JobDefinition[] = [
  {
    name: 'test.count',
    schedule: ONCE_A_YEAR,
    async handle() {
      runs += 1;
    },
  },
  {
    name: 'test.fail-once',
    schedule: ONCE_A_YEAR,
    async handle() {
      failures += 1;
      if (failures === 1) throw new Error('first try');
    },
  },
  ...identityJobs({} as Identity),
];

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let nodes: Jobs[];
/** Does what the schedule does when its time has come. */
let scheduler: PgBoss;

before(async () => {
  database = await createTestDatabase();
  const { url } = database;
  const observe = (run: JobRun) => void ended.push(run);
  const options = { url, logger: silent, pollingSeconds: 0.5, jobs, observe };
  // Both at once, on a database that none of them has prepared.
  nodes = await Promise.all([startJobs(options), startJobs(options)]);
  scheduler = new PgBoss({ connectionString: url, schema: 'jobs', supervise: false, schedule: false });
  await scheduler.start();
});
after(async () => {
  await Promise.all([...nodes.map((node) => node.stop()), scheduler.stop()]);
  await database.drop();
});

async function statesOf(name: string): Promise<string[]> {
  const rows = await database.sql<{ state: string }[]>`select state::text from jobs.job where name = ${name}`;
  return rows.map(({ state }) => state);
}

/** A completed job is never run again, so what was counted by then is final. */
const untilCompleted = (name: string) =>
  eventually(async () => (await statesOf(name)).every((state) => state === 'completed'));

test('each time that comes runs once, whichever node takes it', async () => {
  for (let time = 0; time < 5; time += 1) await scheduler.send('test.count');
  await untilCompleted('test.count');
  assert.equal(runs, 5);
});

test('a job that fails is tried again', async () => {
  await scheduler.send('test.fail-once', {}, { retryDelay: 1, retryBackoff: false });
  await untilCompleted('test.fail-once');
  assert.equal(failures, 2);
  const outcomes = ended.filter(({ job }) => job === 'test.fail-once').map(({ isDone }) => isDone);
  assert.deepEqual(outcomes, [false, true]);
});

test('the schedule of a job is registered once', async () => {
  const rows = await database.sql<{ name: string; cron: string }[]>`
    select name, cron from jobs.schedule order by name`;
  assert.deepEqual(
    [...rows],
    [
      { name: 'identity.rotate-signing-keys', cron: '17 3 * * *' },
      { name: 'test.count', cron: ONCE_A_YEAR },
      { name: 'test.fail-once', cron: ONCE_A_YEAR },
    ],
  );
});

test('stopping waits for the job that runs', async () => {
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let hasFinished = false;
  const slow: JobDefinition = {
    name: 'test.slow',
    schedule: ONCE_A_YEAR,
    async handle() {
      begun.resolve();
      await gate.promise;
      hasFinished = true;
    },
  };
  const node = await startJobs({ url: database.url, logger: silent, pollingSeconds: 0.5, jobs: [slow] });
  await scheduler.send('test.slow');
  await begun.promise;
  const stopping = node.stop();
  gate.resolve();
  await stopping;
  assert.ok(hasFinished);
  assert.deepEqual(await statesOf('test.slow'), ['completed']);
});

test('a run that is out of time begins nothing more, and counts as failed', async () => {
  const ended = Promise.withResolvers<unknown>();
  const endless: JobDefinition = {
    name: 'test.endless',
    schedule: ONCE_A_YEAR,
    // Without a look at its signal.
    async handle() {
      for (;;)
        await inTransaction(database.sql, (tx) => tx`select 1`).catch((error) => {
          ended.resolve(error);
          throw error;
        });
    },
  };
  const node = await startJobs({
    url: database.url,
    logger: silent,
    pollingSeconds: 0.5,
    graceMs: 100,
    jobs: [endless],
  });
  await scheduler.send('test.endless', {}, { expireInSeconds: 1, retryLimit: 0 });
  assert.equal(codeOf(await ended.promise), NOT_WANTED);
  await node.stop();
  assert.deepEqual(await statesOf('test.endless'), ['failed']);
});

test('a user who may not make the schema is told so in a sentence', async () => {
  const other = await createTestDatabase();
  try {
    const url = await limitedUrlOf(other);
    await assert.rejects(startJobs({ url, logger: silent, jobs }), (error) => {
      assert.ok(error instanceof StartError, String(error));
      assert.match(
        error.message,
        /^The schema jobs cannot be prepared \(permission denied for database .*\)\.$/,
      );
      return true;
    });
  } finally {
    await other.drop();
  }
});

/** Speaks TLS before the database, as a server with a certificate does. */
async function startTlsFront(url: string): Promise<net.Server> {
  const { hostname, port } = new URL(url);
  const server = net.createServer((client) => {
    client.on('error', () => client.destroy());
    client.once('data', () => {
      client.write('S');
      const secure = new tls.TLSSocket(client, { isServer: true, cert: CERTIFICATE, key: PRIVATE_KEY });
      const database = net.connect(Number(port), hostname);
      secure.on('error', () => database.destroy()).on('close', () => database.destroy());
      database.on('error', () => client.destroy()).on('close', () => client.destroy());
      secure.pipe(database).pipe(secure);
    });
  });
  await once(server.listen(0), 'listening');
  return server;
}

test('of several hosts the certificate has to be for the one that is used', async (t) => {
  const front = await startTlsFront(database.url);
  t.after(() => front.close());
  const { port } = front.address() as AddressInfo;
  const trusted = join(scratchFolder(t), 'trusted.pem');
  writeFileSync(trusted, CERTIFICATE);
  const at = (hosts: string) =>
    `${database.url.replace(new URL(database.url).host, hosts)}?sslmode=verify-full&sslrootcert=${trusted}`;
  const startAt = (host: string) =>
    startJobs({
      url: at(`other.invalid:5432,${host}:${port}`),
      logger: silent,
      jobs: [],
      liveness: {
        isSilent: () => false,
        find: async () => at(`${host}:${port}`),
        onLost: () => () => {},
        stop: async () => {},
      },
    });
  const started = await startAt('localhost');
  await started.stop();
  await assert.rejects(startAt('127.0.0.2'), /does not match certificate's altnames/);
});
