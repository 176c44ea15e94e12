import { manageRoutes } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { LoggedRequests, RequestsPath, RequestsQuery, requestsExample } from './schema.ts';
import type { RequestLog } from './service.ts';

export function requestLogRoutes(app: App, requestLog: RequestLog): void {
  manageRoutes(app, 'Manage: developers').list('/manage/partners/:partnerId/requests', {
    access: 'manage:developer',
    operationId: 'listPartnerRequests',
    summary: 'Read the request log',
    description:
      'The calls of the partner, and of agents for it, in the last seven days: what was called, by which client, and how it was answered. There are no bodies, no addresses and nothing of a guest. A call is shown a second or two after its answer. Calls that were refused before their client was known are not in it. A page can be short, or empty, while `nextCursor` leads on: one call looks at 20,000 entries at most.',
    params: RequestsPath,
    query: RequestsQuery,
    result: LoggedRequests,
    example: requestsExample,
    run: ({ params, query }) => requestLog.list(params.partnerId, query),
  });
}
