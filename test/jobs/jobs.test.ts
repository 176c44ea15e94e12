import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction, openPool } from '../../src/db/database.ts';
import { identityJobs } from '../../src/features/identity/jobs.ts';
import type { Identity } from '../../src/features/identity/service.ts';
import { type JobDefinition, type Jobs, startJobs } from '../../src/jobs/jobs.ts';
import { createTestDatabase } from '../support/database.ts';

const silent = { error: () => {}, warn: () => {} };

interface Note {
  text: string;
}

/** Every run of `test.note`, by node, and what waits for the next one. */
const runs: { node: string; text: string }[] = [];
let onRun = () => {};

async function runsOf(text: string, count: number): Promise<{ node: string; text: string }[]> {
  for (;;) {
    const found = runs.filter((run) => run.text === text);
    if (found.length >= count) return found;
    await new Promise<void>((resolve) => {
      onRun = resolve;
    });
  }
}

function jobsOf(node: string): JobDefinition[] {
  const note: JobDefinition<Note> = {
    name: 'test.note',
    retryLimit: 2,
    retryDelaySeconds: 1,
    async handle({ text }) {
      runs.push({ node, text });
      onRun();
      if (text === 'fails once' && runs.filter((run) => run.text === text).length === 1)
        throw new Error('first try');
    },
  };
  return [note as JobDefinition, ...identityJobs({} as Identity)];
}

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let nodes: Jobs[];
let sender: Jobs;
before(async () => {
  database = await createTestDatabase();
  const { url } = database;
  // All at once, on a database that none of them has prepared.
  const started = await Promise.all([
    startJobs({ url, logger: silent, pollingSeconds: 0.5, jobs: jobsOf('one'), runsJobs: true }),
    startJobs({ url, logger: silent, pollingSeconds: 0.5, jobs: jobsOf('two'), runsJobs: true }),
    startJobs({ url, logger: silent, pollingSeconds: 0.5, jobs: jobsOf('sender'), runsJobs: false }),
  ]);
  nodes = started;
  sender = started[2];
});
after(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  await database.drop();
});

async function send(text: string) {
  await inTransaction(database.sql, (tx) => sender.send(tx, 'test.note', { text }));
}

/** A completed job is never run again, so what was counted by then is final. */
async function untilCompleted(pattern: string, count: number) {
  for (;;) {
    const rows = await database.sql`
      select from jobs.job where data->>'text' like ${pattern} and state = 'completed'`;
    if (rows.length === count) return;
    await sleep(20);
  }
}

test('a job sent in a transaction that is rolled back never runs', async () => {
  const rollback = inTransaction(database.sql, async (tx) => {
    await sender.send(tx, 'test.note', { text: 'rolled back' });
    throw new Error('changed my mind');
  });
  await assert.rejects(rollback, /changed my mind/);
  const rows = await database.sql`select from jobs.job where data->>'text' = 'rolled back'`;
  assert.equal(rows.length, 0);
});

test('jobs sent in committed transactions run once each, on nodes that run jobs', async () => {
  const texts = Array.from({ length: 10 }, (_, index) => `job ${index}`);
  await Promise.all(texts.map(send));
  await untilCompleted('job %', texts.length);
  for (const text of texts) assert.equal(runs.filter((run) => run.text === text).length, 1, text);
  assert.ok(runs.every((run) => run.node !== 'sender'));
});

test('what is sent arrives as it was', async () => {
  const text = 'Zoë said "hi" \\ {"a":1}';
  await send(text);
  assert.equal((await runsOf(text, 1))[0]?.text, text);
});

test('a job that fails is tried again', async () => {
  await send('fails once');
  assert.equal((await runsOf('fails once', 2)).length, 2);
});

test('sending needs no second connection: a pool of one, held by the transaction, is enough', async () => {
  const narrow = openPool(database.url, { max: 1 });
  const texts = Array.from({ length: 10 }, (_, index) => `narrow ${index}`);
  await Promise.all(
    texts.map((text) => inTransaction(narrow, (tx) => sender.send(tx, 'test.note', { text }))),
  );
  await narrow.end();
  await untilCompleted('narrow %', texts.length);
});

test('a job of an unknown name is refused', async () => {
  await assert.rejects(
    inTransaction(database.sql, (tx) => sender.send(tx, 'test.nothing', {})),
    /test\.nothing/,
  );
});

test('the schedule of a job is registered once', async () => {
  const rows = await database.sql<{ name: string; cron: string }[]>`select name, cron from jobs.schedule`;
  assert.deepEqual([...rows], [{ name: 'identity.rotate-signing-keys', cron: '17 3 * * *' }]);
});

test('stopping waits for the job that runs', async () => {
  let finish = () => {};
  const gate = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let hasFinished = false;
  const begun = Promise.withResolvers<void>();
  const slow: JobDefinition = {
    name: 'test.slow',
    async handle() {
      begun.resolve();
      await gate;
      hasFinished = true;
    },
  };
  const node = await startJobs({
    url: database.url,
    logger: silent,
    pollingSeconds: 0.5,
    jobs: [slow],
    runsJobs: true,
  });
  await inTransaction(database.sql, (tx) => node.send(tx, 'test.slow', {}));
  await begun.promise;
  const stopping = node.stop();
  finish();
  await stopping;
  assert.ok(hasFinished);
  const rows = await database.sql`select state::text from jobs.job where name = 'test.slow'`;
  assert.deepEqual(
    rows.map((row) => row.state),
    ['completed'],
  );
});
