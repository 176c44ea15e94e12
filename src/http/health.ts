import { problem } from '../kernel/problem.ts';
import type { App } from './route.ts';

const READY_DEADLINE_MS = 2000;

export interface HealthOptions {
  /**
   * What the node needs to serve, by name. A name is shown to anyone, so it says what, never where. It has to come
   * to an end by itself: a check that may hang goes through `answersInTime`, which leaves its name in the answer.
   */
  isReady: () => Promise<Record<string, boolean>>;
}

/** True when `check` ends well before the deadline. */
export async function answersInTime(
  check: () => Promise<unknown>,
  deadlineMs = READY_DEADLINE_MS,
): Promise<boolean> {
  const answered = await findInTime(() => check().then(() => true), deadlineMs);
  return answered ?? false;
}

/** What `read` finds before the deadline; undefined when it fails, or takes longer. */
export async function findInTime<Value>(
  read: () => Promise<Value>,
  deadlineMs = READY_DEADLINE_MS,
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

const config = { access: 'public', isNeverShed: true } as const;
const ok = { status: 'ok' };

export function healthRoutes(app: App, { isReady }: HealthOptions): void {
  app.get('/health/live', { config, schema: { hide: true } }, (_request, reply) => {
    reply.header('cache-control', 'no-store').send(ok);
  });

  app.get('/health/ready', { config, schema: { hide: true } }, async (_request, reply) => {
    const checks: Record<string, boolean> = await Promise.try(isReady).catch(() => ({ answers: false }));
    const failed = Object.keys(checks).filter((name) => !checks[name]);
    if (failed.length > 0) {
      throw problem('HTTP-R-503', { detail: `Not ready: ${failed.join(', ')}.`, extensions: { checks } });
    }
    return reply.header('cache-control', 'no-store').send({ ...ok, checks });
  });
}
