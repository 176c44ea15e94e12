/**
 * Background work that must not be lost. A job is sent in the transaction that calls for it, kept in the schema
 * `jobs`, and run by one of the nodes, again when it fails. Features define jobs; the application collects them.
 */
import { type Db, PgBoss } from 'pg-boss';
import type { Tx } from '../db/database.ts';

export interface JobDefinition<Data extends object = object> {
  /** `feature.what-it-does`; also the name of its queue. */
  name: string;
  /** Cron, in UTC: sent by itself at these times, once for all nodes. */
  schedule?: string;
  /** How often a failed job is tried again (3), the first time after `retryDelaySeconds` (5), then ever later. */
  retryLimit?: number;
  retryDelaySeconds?: number;
  /** A run that takes longer counts as failed, and its signal is aborted. */
  timeoutSeconds?: number;
  /** How many run at once on one node. */
  concurrency?: number;
  /** May run more than once for one sending: a node can die between doing the work and saying so. */
  handle(data: Data, signal: AbortSignal, log: JobsLogger): Promise<void>;
}

export interface SendOptions {
  startAfterSeconds?: number;
}

export interface Jobs {
  /** The job exists if and only if the transaction commits. */
  send(tx: Tx, name: string, data: object, options?: SendOptions): Promise<void>;
  /** Takes no further jobs and waits for those that run. */
  stop(): Promise<void>;
}

export interface JobsLogger {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export interface JobsOptions {
  url: string;
  logger: JobsLogger;
  jobs: readonly JobDefinition[];
  /** False on a node that only sends: the work is left to others. */
  runsJobs: boolean;
  /** How often workers look for what no notification announces: delayed jobs and retries. */
  pollingSeconds?: number;
  drainSeconds?: number;
}

const TEXT = 25;

/** pg-boss hands over JSON as text; said to be text, postgres.js does not encode it a second time. */
function databaseOf(tx: Tx): Db {
  return {
    executeSql: async (text, values = []) => ({
      rows: await tx.unsafe(
        text,
        values.map((value) => tx.typed(String(value) as never, TEXT)),
      ),
    }),
  };
}

async function prepareQueue(boss: PgBoss, job: JobDefinition): Promise<void> {
  const options = {
    retryLimit: job.retryLimit ?? 3,
    retryDelay: job.retryDelaySeconds ?? 5,
    retryBackoff: true,
    expireInSeconds: job.timeoutSeconds ?? 300,
    notify: true,
  };
  await boss.createQueue(job.name, options);
  // Creating leaves a queue of an earlier version as it was.
  await boss.updateQueue(job.name, options);
  // pg-boss looks an unknown queue up on its own connection in the middle of a send; asked now, it knows it then.
  await boss.getQueueStats(job.name);
}

/** One worker takes one job at a time, and looks for the next as soon as it is done. */
async function startWorker(boss: PgBoss, job: JobDefinition, options: JobsOptions): Promise<void> {
  const polling = options.pollingSeconds ?? 5;
  let workerId = '';
  workerId = await boss.work<object>(
    job.name,
    { batchSize: 1, pollingIntervalSeconds: polling, notifyPollingIntervalSeconds: polling },
    async (batch) => {
      // Otherwise it would sleep between jobs: each sending wakes it once, however many are waiting.
      boss.notifyWorker(workerId);
      for (const { id, data, signal } of batch) {
        try {
          await job.handle(data ?? {}, signal, options.logger);
        } catch (error) {
          options.logger.error({ err: error, job: job.name, jobId: id }, 'a job failed');
          throw error;
        }
      }
    },
  );
}

async function startWorking(boss: PgBoss, job: JobDefinition, options: JobsOptions): Promise<void> {
  await (job.schedule ? boss.schedule(job.name, job.schedule) : boss.unschedule(job.name));
  for (let count = 0; count < (job.concurrency ?? 1); count++) await startWorker(boss, job, options);
}

export async function startJobs(options: JobsOptions): Promise<Jobs> {
  const { url, logger, jobs, runsJobs, drainSeconds = 20 } = options;
  const boss = new PgBoss({
    connectionString: url,
    schema: 'jobs',
    application_name: 'maitred-jobs',
    max: 3,
    useListenNotify: runsJobs,
    supervise: runsJobs,
    schedule: runsJobs,
  });
  boss.on('error', (error) => logger.error({ err: error }, 'the job queue reports an error'));
  boss.on('warning', (warning) => logger.warn({ warning }, 'the job queue warns'));
  await boss.start();
  for (const job of jobs) await prepareQueue(boss, job);
  if (runsJobs) for (const job of jobs) await startWorking(boss, job, options);

  async function send(tx: Tx, name: string, data: object, sendOptions: SendOptions = {}): Promise<void> {
    const { startAfterSeconds: startAfter } = sendOptions;
    const id = await boss.send(name, data, { db: databaseOf(tx), ...(startAfter ? { startAfter } : {}) });
    if (id === null) throw new Error(`The job ${name} was not accepted.`);
  }

  return { send, stop: () => boss.stop({ graceful: true, timeout: drainSeconds * 1000 }) };
}
