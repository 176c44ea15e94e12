import Fastify from 'fastify';
import { refuseOtherMethods, trackMethods } from '../../src/http/problems/method-not-allowed.ts';
import { installProblems } from '../../src/http/problems/problem-handler.ts';
import { installHygiene } from '../../src/http/request-hygiene.ts';
import type { App } from '../../src/http/route.ts';
import { serverOptions } from '../../src/http/server.ts';
import { installJsonBody } from '../../src/http/validation/body-parsers.ts';

export interface SmallApp {
  app: App;
  /** Every log line so far, parsed. */
  log: () => Record<string, unknown>[];
  logText: () => string;
}

/** The groundwork of the application, in the order in which it is laid, under routes of the test's own. */
export function smallApp(routes: (app: App) => void, settings: { publicUrl?: string } = {}): SmallApp {
  const publicUrl = settings.publicUrl ?? 'https://api.example.test';
  const lines: string[] = [];
  const logStream = { write: (line: string) => void lines.push(line) };
  const app: App = Fastify(serverOptions({ publicUrl, logLevel: 'debug', logStream })) as unknown as App;
  installHygiene(app, { publicUrl });
  installProblems(app, { publicUrl });
  installJsonBody(app);
  const known = trackMethods(app);
  routes(app);
  refuseOtherMethods(app, known);
  return {
    app,
    log: () => lines.map((line) => JSON.parse(line)),
    logText: () => lines.join(''),
  };
}
