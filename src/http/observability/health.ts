import { DEADLINES } from '../../kernel/deadlines.ts';
import { codeOf, problem } from '../../kernel/problem.ts';
import { isShortage } from '../problems/framework-errors.ts';
import type { App } from '../route.ts';

export interface HealthOptions {
  /**
   * What the node needs to serve, by name. A name is shown to anyone, so it says what, never where. It has to come
   * to an end by itself: a check that may hang goes through `answersInTime`, which leaves its name in the answer.
   */
  isReady: () => Promise<Record<string, boolean | Reason>>;
}

/** Why a check failed, in a sentence for the answer. */
export interface Reason {
  reason: string;
}

const MAX_CLOCK_DIFFERENCE_MS = 5000;

/** What the machine stamps itself, such as log lines and certificates it checks, is wrong when its clock is. */
export function judgeClock(aheadMs: number): boolean | Reason {
  if (Math.abs(aheadMs) <= MAX_CLOCK_DIFFERENCE_MS) return true;
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const direction = aheadMs > 0 ? 'ahead of' : 'behind';
  return { reason: `The clock of this node is ${seconds} s ${direction} the database's.` };
}

/** True when `check` ends well before the deadline. */
export async function answersInTime(
  check: () => Promise<unknown>,
  deadlineMs: number = DEADLINES.healthCheck,
): Promise<boolean> {
  const answered = await findInTime(() => check().then(() => true), deadlineMs);
  return answered ?? false;
}

/** What `read` finds before the deadline; undefined when it fails, or takes longer. */
export async function findInTime<Value>(
  read: () => Promise<Value>,
  deadlineMs: number = DEADLINES.healthCheck,
): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, deadlineMs, undefined);
  });
  try {
    return await Promise.race([Promise.try(read).catch(() => undefined), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

const config = { access: 'public', isNeverShed: true, isCounted: true } as const;
const ok = { status: 'ok' };

export function healthRoutes(app: App, { isReady }: HealthOptions): void {
  app.get('/health/live', { config, schema: { hide: true } }, (_request, reply) => {
    reply.header('cache-control', 'no-store').send(ok);
  });

  const noteReadiness = logReadiness(app);
  app.get('/health/ready', { config, schema: { hide: true } }, async (_request, reply) => {
    const results = await Promise.try(isReady).catch(() => ({ answers: false }));
    const checks = Object.fromEntries(
      Object.entries(results).map(([name, result]) => [name, result === true]),
    );
    const failed = Object.keys(checks).filter((name) => !checks[name]);
    noteReadiness(failed);
    if (failed.length > 0) {
      const reasons = Object.values(results).flatMap((result) =>
        typeof result === 'object' ? result.reason : [],
      );
      const detail = [`Not ready: ${failed.join(', ')}.`, ...reasons].join(' ');
      throw problem('HTTP-R-503', { detail, extensions: { checks } });
    }
    return reply.header('cache-control', 'no-store').send({ ...ok, checks });
  });
}

/** Answers are not in the log; a node that stops being ready says so once, and again when other checks fail. */
function logReadiness(app: App): (failed: readonly string[]) => void {
  let before = '';
  return (failed) => {
    const now = failed.join();
    if (now === before) return;
    before = now;
    if (failed.length > 0) app.log.warn({ failed }, 'not ready');
    else app.log.info('ready again');
  };
}

/** A node that is taken out for it gets no calls that would show that it is over; so it looks itself, after this. */
const LOOK_AFTER_MS = 5000;

/**
 * Whether the database can store things, as far as calls have met it: false after one was refused for want of disk,
 * memory or connections, until `canWrite` says otherwise. Must be installed before the routes.
 */
export function watchShortage(app: App, canWrite: () => Promise<boolean>): () => Promise<boolean> {
  let lastMs: number | undefined;
  app.addHook('onError', (_request, _reply, error, done) => {
    if (isShortage(codeOf(error))) lastMs = performance.now();
    done();
  });
  return async () => {
    if (lastMs === undefined) return true;
    if (performance.now() - lastMs < LOOK_AFTER_MS || !(await canWrite())) return false;
    lastMs = undefined;
    return true;
  };
}
