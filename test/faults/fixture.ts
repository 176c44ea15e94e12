/** A real node with a few routes that let a test tell what it has written, and be slow. Run as a program. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../src/config.ts';
import type { App } from '../../src/http/route.ts';
import { runUntilStopped } from '../../src/lifecycle.ts';
import { startNode } from '../../src/node.ts';
import type { AppDeps } from '../../src/services.ts';

const route = { config: { access: 'public' }, schema: { hide: true } } as const;

function extend(app: App, { sql }: AppDeps): void {
  let slow = 0;
  const insert = (reference: string) =>
    sql`insert into partner (reference, name) values (${reference}, 'written')`;

  app.post<{ Params: { reference: string } }>('/test/rows/:reference', route, async (request) => {
    await insert(request.params.reference);
    return { stored: request.params.reference };
  });
  // The mistake that the durable one is compared with: it answers first and writes later.
  app.post<{ Params: { reference: string } }>('/test/hasty-rows/:reference', route, async (request) => {
    setTimeout(() => insert(request.params.reference).catch(() => {}), 100);
    return { stored: request.params.reference };
  });
  app.get('/test/rows', route, async () => {
    const rows = await sql<{ reference: string }[]>`select reference from partner where name = 'written'`;
    return rows.map(({ reference }) => reference);
  });
  app.get('/test/slow', route, async () => slow);
  app.post<{ Params: { ms: string } }>('/test/slow/:ms', route, async (request) => {
    slow += 1;
    await sleep(Number(request.params.ms));
    await sql`select 1`;
    return { done: true };
  });
}

const { TEST_STALLED_AFTER_MS } = process.env;
const options = TEST_STALLED_AFTER_MS ? { stalledAfterMs: Number(TEST_STALLED_AFTER_MS) } : {};
await runUntilStopped(async () => startNode(readConfig(process.env), { extend, ...options }));
