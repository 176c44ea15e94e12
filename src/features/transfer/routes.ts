import { actorOf } from '../../http/auth/identify.ts';
import { formatOf, sendLive } from '../../http/format/render.ts';
import { DryRunQuery, manageRoutes, operatorPath } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { DEADLINES } from '../../kernel/deadlines.ts';
import { importResultExample, operatorDocumentExample } from './examples.ts';
import { ImportBody, ImportResult, OperatorDocument } from './schema.ts';
import type { Transfer } from './service.ts';

const TAG = 'Manage: import and export';

/** A few thousand venues. */
const BODY_LIMIT_BYTES = 32 * 1024 * 1024;

export function transferRoutes(app: App, transfer: Transfer): void {
  manageRoutes(app, TAG).get('/manage/operators/:operatorId/export', {
    access: 'manage:owner',
    deadlineMs: DEADLINES.transfer,
    operationId: 'exportOperator',
    summary: 'Take an operator out as one document',
    description:
      'The operator with its venues, products, layout, menus, rules and FAQs, all of one moment, as ' +
      '`POST /manage/imports` takes it, here or elsewhere. Nothing is left to a default, but sizes and zones that a ' +
      'product leaves to the layout are left out. Partners are named by their ' +
      'references. Not in it: partners themselves and what they may distribute, marketplace links, clients, users, ' +
      'credentials and settings of systems, and bookings. Pictures that were uploaded are named by their address ' +
      'here, and go when the venue here goes.',
    params: operatorPath,
    result: OperatorDocument,
    example: operatorDocumentExample,
    problems: ['OPRTR-N-001'],
    run: ({ params }) => transfer.export(params.operatorId),
  });

  app.post(
    '/manage/imports',
    {
      bodyLimit: BODY_LIMIT_BYTES,
      config: {
        access: 'manage:platform',
        deadlineMs: DEADLINES.transfer,
        example: importResultExample,
        isLive: true,
        problems: [
          ...([
            'OPRTR-N-004',
            'OPRTR-N-006',
            'PMAP-N-004',
            'OPRUL-N-010',
            'OPRUL-N-013',
            'OPRUL-N-014',
          ] as const),
          ...(['OPRUL-N-015', 'BOOK-N-001', 'BOOK-N-003', 'EVENT-N-001'] as const),
          ...(['VENUE-N-003', 'VENUE-N-004', 'VENUE-N-006', 'VENUE-N-007', 'VENUE-N-008'] as const),
          ...(['HTTP-N-413', 'HTTP-N-415'] as const),
        ],
      },
      schema: {
        operationId: 'importOperator',
        tags: [TAG],
        summary: 'Bring an operator in as one document',
        description:
          'Makes a new operator with everything that the document holds, or nothing at all. Partners that it names ' +
          'must be there, as must categories of products and venue types. Ids are kept where they are free and given ' +
          'anew where they are taken, wherever the document names them; the answer says which. Ids inside of ' +
          'expressions stay as they are. A body may have 32 MB.',
        querystring: DryRunQuery,
        body: ImportBody,
        response: { 200: ImportResult, 201: ImportResult },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      const isDryRun = request.query.dryRun;
      const result = await transfer.import(actorOf(request), request.body, { isDryRun });
      return sendLive(reply.code(isDryRun ? 200 : 201), result, format);
    },
  );
}
