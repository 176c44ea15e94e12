import type { App } from '../../http/route.ts';
import { BODY_LIMIT_BYTES, installRawBody, rawBodyOf } from '../../http/validation/body-parsers.ts';
import type { SystemChanges } from './service.ts';

/** Systems are known by their signatures, which their connectors check; so the body is taken as it is. */
export function systemChangeRoutes(app: App, changes: SystemChanges): void {
  app.register(async (scope) => {
    installRawBody(scope as unknown as App);
    scope.post<{ Params: { operatorId: string; tms: string } }>('/connect/:operatorId/:tms/changes', {
      config: { access: 'public', isCounted: true, problems: ['IDENT-N-001', 'HTTP-R-503'] },
      schema: { hide: true },
      bodyLimit: BODY_LIMIT_BYTES,
      handler: async ({ params, headers, body }, reply) => {
        const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
        await changes.receive(params, {
          headers: Object.fromEntries(texts),
          body: rawBodyOf(body),
        });
        return reply.code(202).send();
      },
    });
  });
}
