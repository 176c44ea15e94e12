import { codeOf } from '../kernel/error-facts.ts';
import { isShortage } from './framework-errors.ts';
import type { App } from './route.ts';

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
