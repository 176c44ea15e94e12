import { sendFile } from '../../http/format/send-file.ts';
import type { App } from '../../http/route.ts';
import { problem } from '../../kernel/problem.ts';
import { findFacts } from './feed-file.ts';
import { openFeedFile } from './folder-storage.ts';

/** For feeds that are kept in a folder; those in a bucket are fetched from there. */
export function feedRoutes(app: App, { folder }: { folder: string }): void {
  app.route<{ Params: { token: string; file: string } }>({
    method: ['GET', 'HEAD'],
    url: '/feed/:token/:file',
    config: { access: 'public' },
    schema: { hide: true },
    handler: async (request, reply) => {
      const path = `${request.params.token}/${request.params.file}`;
      const facts = findFacts(path);
      const file = facts && (await openFeedFile(folder, path));
      if (!file) throw problem('HTTP-N-404', { detail: 'There is no such feed file. Read the index again.' });
      return sendFile(request, reply, { file, ...facts });
    },
  });
}
