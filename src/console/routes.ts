import type { Config } from '../config.ts';
import { PUBLIC_FILE, sendPrepared } from '../http/format/static-answer.ts';
import type { App } from '../http/route.ts';
import { problem } from '../kernel/problem.ts';
import { FILES_URL, openConsoleFiles } from './files.ts';

/** The pages for people. They call `/manage` and nothing else, so all that is served here is the same for everyone. */
export function consoleRoutes(app: App, { environment }: Pick<Config, 'environment'>): void {
  const files = openConsoleFiles({ isWatching: environment !== 'live' });

  // Not counted: a page is some eighty files, and a restaurant's screens often share one address.
  const uncounted = { ...PUBLIC_FILE, config: { access: 'public' } } as const;
  app.get(`${FILES_URL}/:version/*`, uncounted, async (request, reply) => {
    const { version, '*': name } = request.params as { version: string; '*': string };
    const file = await files.findFile(version, name);
    // After an upgrade a page that is still open asks for files of the former version, and reloads itself.
    if (!file) throw problem('HTTP-N-404');
    return sendPrepared(request, reply, file);
  });

  // Every address is the same page: which view it shows is decided in the browser.
  for (const url of ['/console', '/console/', '/console/*']) {
    app.get(url, PUBLIC_FILE, async (request, reply) => sendPrepared(request, reply, await files.getPage()));
  }
}
