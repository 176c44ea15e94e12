import type { FastifyReply, FastifyRequest } from 'fastify';
import { actorOf } from '../../http/auth/identify.ts';
import { assertAccepted } from '../../http/format/render.ts';
import { manageRoutes, operatorPath } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { ledgerExample, MoneyQuery, MoneyReport, moneyExample } from './money-schema.ts';
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

  manageRoutes(app, TAG).list(`${REPORTS}/money`, {
    access: 'manage:manager',
    operationId: 'getMoneyReport',
    summary: 'Add up money',
    description:
      'What was taken and given back through the payment provider, by day, by venue and by provider, in pence of each currency. All sums are of the same entries of the ledger, so that they balance; `money.csv` has the entries. What is open, what partners say they have taken, and differences from the books of the provider stand apart.',
    params: operatorPath,
    query: MoneyQuery,
    result: MoneyReport,
    example: moneyExample,
    run: ({ params, query: { from, to } }) => reports.money(params.operatorId, { from, to }),
  });

  app.get(
    `${REPORTS}/money.csv`,
    {
      config: { access: 'manage:manager', problems: ['OPRTR-N-001', 'USER-N-009', 'RATE-R-001'] },
      schema: {
        operationId: 'exportLedger',
        tags: [TAG],
        summary: 'Take the ledger out as a file',
        description:
          'Every movement of money in the period, the earliest first, refunds negative: comma-separated values as in the file of bookings. The sum of `amountPence` is the net of the report.',
        params: operatorPath,
        querystring: MoneyQuery,
        response: { 200: csvFile(ledgerExample) },
      },
    },
    async (request, reply) => {
      const { from, to } = request.query;
      beginCsv(request, reply as FastifyReply, `money-${from}-${to}.csv`);
      if (request.method === 'HEAD') return reply.send('');
      const file = await reports.exportLedger(request.params.operatorId, { from, to });
      return (reply as FastifyReply).send(file);
    },
  );

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
          'All bookings with a visit in the period, the earliest first, cancelled ones too: comma-separated values (RFC 4180) in UTF-8 with a header row, amounts in pence. A text that a spreadsheet would take for a formula begins with an apostrophe. Guests are in it only if an owner requests them.',
        params: operatorPath,
        querystring: ExportQuery,
        response: { 200: csvFile(csvExample) },
      },
    },
    async (request, reply) => {
      const { from, to } = request.query;
      beginCsv(request, reply as FastifyReply, `bookings-${from}-${to}.csv`);
      if (request.method === 'HEAD') return reply.send('');
      const file = await reports.exportBookings(actorOf(request), request.params.operatorId, request.query);
      return (reply as FastifyReply).send(file);
    },
  );
}

const csvFile = (example: string) => ({
  description: 'The file',
  content: { 'text/csv': { schema: { type: 'string' }, example } },
});

function beginCsv(request: FastifyRequest, reply: FastifyReply, name: string): void {
  assertAccepted(request, 'text/csv');
  reply.headers({
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
  });
}
