/**
 * Scheduled background jobs. At each time of its schedule a job runs on one of the nodes, and is retried when it
 * fails; pg-boss keeps the queue in the schema `jobs`. Features define jobs, which find their work in the feature's
 * tables; the application collects them.
 */

import { Socket } from 'node:net';
import { type ConnectionOptions, checkServerIdentity } from 'node:tls';
import { PgBoss } from 'pg-boss';
import { endpointOf } from '../db/driver.ts';
import type { Liveness } from '../db/liveness.ts';
import { addressesOf } from '../kernel/database-address.ts';
import { DEADLINES } from '../kernel/deadlines.ts';
import type { Log } from '../kernel/log.ts';
import { reasonOf, StartError } from '../kernel/problem.ts';
import { type RequestScope, runInScope } from '../kernel/request-scope.ts';
import { tracedRoot } from '../kernel/tracing.ts';
import type { JobRun } from './job-runs.ts';

export interface JobDefinition {
  /** `feature.what-it-does`; also the name of its queue. */
  name: string;
  /** Cron, in UTC. */
  schedule: string;
  /** May run more than once for one time: a node can die between doing the work and saying so. */
  handle(signal: AbortSignal, log: Pick<Log, 'warn' | 'error'>): Promise<void>;
}

export interface Jobs {
  /** Takes no further jobs and waits for those that run. */
  stop(): Promise<void>;
}

export interface JobsOptions {
  url: string;
  /** Says which host takes writes, where the address names several. */
  liveness?: Liveness;
  logger: Pick<Log, 'warn' | 'error'>;
  jobs: readonly JobDefinition[];
  /** How often workers look for what is due. */
  pollingSeconds?: number;
  /** Told of every run that has ended. */
  observe?: (run: JobRun) => void;
  /** How long a run may go on after its time. */
  graceMs?: number;
}

const QUEUE = {
  retryLimit: 3,
  /** Seconds before the first further attempt; then ever more. */
  retryDelay: 5,
  retryBackoff: true,
  /** A run that takes longer counts as failed, and its signal is aborted. */
  expireInSeconds: DEADLINES.job / 1000,
};

/** By default its pool waits for ever: for a statement to finish, and for a server that does not answer. */
function withTimeouts(url: string): string {
  const [first = url] = addressesOf(url);
  const timed = new URL(first);
  timed.searchParams.set('statement_timeout', String(DEADLINES.jobStatement));
  timed.searchParams.set('idle_in_transaction_session_timeout', String(DEADLINES.jobStatement));
  timed.searchParams.set('query_timeout', String(DEADLINES.jobStatement + DEADLINES.cancelledStatement));
  return timed.href;
}

/**
 * A run that pays no heed to its signal can begin nothing more a while later, because another run may have begun. That
 * while lets it write down what it had begun, such as a mail that is sent.
 */
function scopeOf(signal: AbortSignal, graceMs: number): RequestScope {
  let endsAt = performance.now() + DEADLINES.job + graceMs;
  signal.addEventListener('abort', () => {
    endsAt = Math.min(endsAt, performance.now() + graceMs);
  });
  return {
    isOver: () => performance.now() > endsAt,
    leftMs: () => endsAt - performance.now(),
    get mayHaveWritten() {
      return false;
    },
    set mayHaveWritten(_) {},
  };
}

async function startWorker(boss: PgBoss, job: JobDefinition, options: JobsOptions): Promise<void> {
  const { logger, pollingSeconds = 5, graceMs = DEADLINES.jobEnd, observe = () => {} } = options;
  await boss.createQueue(job.name, QUEUE);
  // Creating leaves a queue of an earlier version as it was.
  await boss.updateQueue(job.name, QUEUE);
  await boss.schedule(job.name, job.schedule);
  await boss.work(job.name, { batchSize: 1, pollingIntervalSeconds: pollingSeconds }, async (batch) => {
    for (const { id, signal } of batch) {
      const startedMs = performance.now();
      const note = (isDone: boolean) =>
        observe({ job: job.name, isDone, seconds: (performance.now() - startedMs) / 1000 });
      try {
        await tracedRoot(`job ${job.name}`, () =>
          runInScope(scopeOf(signal, graceMs), () => job.handle(signal, logger)),
        );
        note(true);
      } catch (error) {
        note(false);
        logger.error({ err: error, job: job.name, jobId: id }, 'a job failed');
        throw error;
      }
    }
  });
}

/** The queue has a pool of its own, which follows the host that takes writes. */
class FollowingSocket extends Socket {
  readonly #liveness: Liveness;
  /** The one that was found; empty: none yet. */
  reachedHost = '';

  constructor(liveness: Liveness) {
    super();
    this.#liveness = liveness;
    this.once(
      'close',
      liveness.onLost(() => this.destroy()),
    );
  }

  override connect(...args: unknown[]): this {
    const connect = (to: unknown[]) => super.connect(...(to as [number, string]));
    void this.#liveness.find().then(
      (found) => {
        const to = found && endpointOf(found);
        const [port, host] = to ? [to.port, to.host] : args;
        this.reachedHost = String(host);
        if (!this.destroyed) connect([port, host]);
      },
      (error) => this.destroy(error),
    );
    return this;
  }
}

interface ConnectionConfig {
  ssl?: boolean | ConnectionOptions;
}

/** The driver compares a certificate with the host of the address, and here it has to be for the one that was found. */
function follow(liveness: Liveness, config: ConnectionConfig): FollowingSocket {
  const socket = new FollowingSocket(liveness);
  if (config.ssl) {
    const ssl = config.ssl === true ? {} : config.ssl;
    config.ssl = {
      checkServerIdentity: (_, certificate) => checkServerIdentity(socket.reachedHost, certificate),
      ...ssl,
      // Hidden by the driver, so that it is not printed.
      ...(ssl.key && { key: ssl.key }),
    };
  }
  return socket;
}

export async function startJobs(options: JobsOptions): Promise<Jobs> {
  const { url, logger, jobs, liveness } = options;
  const following = liveness && { stream: (config: ConnectionConfig) => follow(liveness, config) };
  const boss = new PgBoss({
    ...following,
    connectionString: withTimeouts(url),
    schema: 'jobs',
    application_name: 'maitred-jobs',
    max: 3,
  });
  boss.on('error', (error) => logger.error({ err: error }, 'the job queue reports an error'));
  boss.on('warning', (warning) => logger.warn({ warning }, 'the job queue warns'));
  await boss.start().catch((error) => {
    throw new StartError(`The schema jobs cannot be prepared (${reasonOf(error)}).`, { cause: error });
  });
  for (const job of jobs) await startWorker(boss, job, options);
  return { stop: () => boss.stop({ graceful: true, timeout: DEADLINES.stopJobs }) };
}
