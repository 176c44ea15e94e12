import type { Sql } from '../../src/db/database.ts';
import type { App } from '../../src/http/route.ts';
import { recordSeen } from './seen-codes.ts';

/** How a note about a change under `/manage` begins, as against one about a code. */
export const CHANGE = 'change ';

/**
 * Notes every change under `/manage` that has left an entry in the audit log, by its route;
 * test/catalogue-coverage.test.ts reads the notes when all tests have run.
 */
export function recordSeenChanges(app: App, sql: Sql): void {
  const latest = async () =>
    (await sql<{ id: string | null }[]>`select max(id::text) as id from audit_entry`)[0]?.id ?? '';
  const before = new WeakMap<object, string>();
  const isChange = (method: string, access: string | undefined) =>
    access?.startsWith('manage:') && method !== 'GET' && method !== 'HEAD';
  // Without a promise where there is nothing to ask: answers of other routes must go out as they do without us.
  app.addHook('preHandler', (request, _reply, done) => {
    if (!isChange(request.method, request.routeOptions.config.access)) return done();
    latest().then((id) => {
      before.set(request, id);
      done();
    }, done);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const known = before.get(request);
    if (known === undefined || reply.statusCode >= 300) return done(null, payload);
    latest().then((id) => {
      const path = request.routeOptions.url?.replaceAll(/:(\w+)/g, '{$1}');
      if (id > known) recordSeen(`${CHANGE}${request.method} ${path}`);
      done(null, payload);
    }, done);
  });
}
