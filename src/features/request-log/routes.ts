import { callerOf } from '../../http/auth/identify.ts';
import { formatOf, sendLive } from '../../http/format/render.ts';
import { manageRoutes } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { LoggedRequests, RequestsPath, RequestsQuery, requestsExample } from './schema.ts';
import type { RequestLog } from './service.ts';

const SUMMARY = 'Read the request log';
const WHAT_IS_IN_IT =
  'what was called, by which client, and how it was answered. There are no bodies, no addresses and nothing of a guest. A call is shown a second or two after its answer. Calls that were refused before their client was known are not in it. A page can be short, or empty, while `nextCursor` leads on: one call looks at 20,000 entries at most.';

/** For the clients of partners. */
export function requestLogRoutes(app: App, requestLog: RequestLog): void {
  app.get(
    '/request-log',
    {
      config: {
        access: 'partner:create',
        problems: ['IDENT-N-002'],
        isLive: true,
        example: requestsExample,
      },
      schema: {
        operationId: 'listRequests',
        tags: ['Request log'],
        summary: SUMMARY,
        description: `Your calls, and those of agents for you, in the last seven days: ${WHAT_IS_IN_IT} An agent is shown its own calls for the partner that it names, and no others.`,
        querystring: RequestsQuery,
        response: { 200: LoggedRequests },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      sendLive(reply, await requestLog.listFor(callerOf(request), request.query), format);
    },
  );
}

/** For the people of a partner, and the platform. */
export function manageRequestLogRoutes(app: App, requestLog: RequestLog): void {
  manageRoutes(app, 'Manage: developers').list('/manage/partners/:partnerId/requests', {
    access: 'manage:developer',
    operationId: 'listPartnerRequests',
    summary: SUMMARY,
    description: `The calls of the partner, and of agents for it, in the last seven days: ${WHAT_IS_IN_IT}`,
    params: RequestsPath,
    query: RequestsQuery,
    result: LoggedRequests,
    example: requestsExample,
    run: ({ params, query }) => requestLog.list(params.partnerId, query),
  });
}
