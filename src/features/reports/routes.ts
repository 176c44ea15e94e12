import type { FastifyReply } from 'fastify';
import { actorOf } from '../../http/auth/identify.ts';
import { assertAccepted } from '../../http/format/render.ts';
import { manageRoutes, operatorPath } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { CoversQuery, CoversReport, coversExample, csvExample, ExportQuery } from './schema.ts';
import type { Reports } from './service.ts';

const TAG = 'Manage: reports';
const REPORTS = '/manage/operators/:operatorId/reports';

export function reportRoutes(app: App, reports: Reports): void {
  manageRoutes(app, TAG).list(`${REPORTS}/covers`, {
    access: 'manage:manager',
    operationId: 'getCoversReport',
    summary: 'Add up bookings and covers',
    description: 'By date of the visit: the trading day of the venue, wherever it is.',
    params: operatorPath,
    query: CoversQuery,
    result: CoversReport,
    example: coversExample,
    run: ({ params, query: { from, to, by, venueId } }) =>
      reports.covers(params.operatorId, { from, to }, by, venueId),
  });

  app.get(
    `${REPORTS}/bookings.csv`,
    {
      config: {
        access: 'manage:manager',
        problems: ['OPRTR-N-001', 'USER-N-009', 'RATE-R-001'],
      },
      schema: {
        operationId: 'exportBookings',
        tags: [TAG],
        summary: 'Take bookings out as a file',
        description:
          'All bookings with a visit in the period, the earliest first, cancelled ones too: comma-separated values (RFC 4180) in UTF-8 with a header row, amounts in pence. A text that a spreadsheet would take for a formula begins with an apostrophe. Guests are in it only if an owner asks for them.',
        params: operatorPath,
        querystring: ExportQuery,
        response: {
          200: {
            description: 'The file',
            content: { 'text/csv': { schema: { type: 'string' }, example: csvExample } },
          },
        },
      },
    },
    async (request, reply) => {
      assertAccepted(request, 'text/csv');
      const { from, to } = request.query;
      reply.headers({
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': `attachment; filename="bookings-${from}-${to}.csv"`,
        'cache-control': 'no-store',
      });
      if (request.method === 'HEAD') return reply.send('');
      const file = await reports.exportBookings(actorOf(request), request.params.operatorId, request.query);
      return (reply as FastifyReply).send(file);
    },
  );
}
