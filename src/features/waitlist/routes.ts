import { type Static, Type } from 'typebox';
import { callerOf } from '../../http/auth/identify.ts';
import { formatOf, sendLive } from '../../http/format/render.ts';
import type { App } from '../../http/route.ts';
import { Page, pageOf } from '../../http/validation/paging.ts';
import { idempotencyKey } from '../../http/validation/schema-helpers.ts';
import { parseProductId } from '../../kernel/ids.ts';
import type { ProblemCode } from '../../kernel/problem.ts';
import { Entry, EntryBody, EntryPath, EntryQuery, entryExample } from './schema.ts';
import type { Waitlist } from './service.ts';

const ProductPath = Type.Object({
  compositeId: Type.String({
    description: 'Product id; the pipes may be percent-encoded or sent as they are',
    examples: ['1|house|soho-grill|dinner'],
  }),
});

const Headers = Type.Object({ 'idempotency-key': idempotencyKey });

/** What makes it pointless to wait. */
export const WAITING: readonly ProblemCode[] = [
  ...(['AVAIL-N-003', 'AVAIL-N-004', 'AVAIL-N-005', 'AVAIL-N-006', 'AVAIL-N-007', 'AVAIL-N-008'] as const),
  ...(['BOOK-N-001', 'BOOK-N-003', 'BOOK-N-009', 'BOOK-N-010', 'BOOK-N-017', 'BOOK-N-020'] as const),
  ...(['BOOK-R-001', 'BOOK-R-002', 'EVENT-N-001', 'EVENT-N-002', 'HOLD-N-005'] as const),
  ...(['OPRUL-N-001', 'OPRUL-N-002', 'OPRUL-N-003', 'OPRUL-N-004', 'OPRUL-N-009'] as const),
  ...(['VENUE-N-001', 'VENUE-N-002', 'VENUE-N-009'] as const),
];

const TAG = ['Waiting list'];

export function waitlistRoutes(app: App, waitlist: Waitlist): void {
  app.post(
    '/venues/:compositeId/waitlist',
    {
      config: {
        access: 'venue-booking:create',
        problems: [
          ...WAITING,
          'MANDT-N-001',
          ...(['BOOK-N-002', 'BOOK-N-004', 'BOOK-N-005', 'PMAP-N-001', 'PMAP-N-002', 'WAIT-N-002'] as const),
        ],
        isLive: true,
        example: { ...entryExample, status: 'waiting', offer: null, position: 3 },
      },
      schema: {
        operationId: 'joinWaitlist',
        tags: TAG,
        summary: 'Put a party on the waiting list',
        description:
          'For a day on which nothing is free. When a place becomes free between `from` and `to`, the first on the list that it fits gets a hold of 15 minutes, and you get `waitlist.offered`; book it with its `holdId`. Unused, the next one gets it, and this entry is `expired`. At most 50 entries of yours wait at a venue.',
        params: ProductPath,
        headers: Headers,
        body: EntryBody,
        response: { 201: Entry },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      const entry = await waitlist.add(callerOf(request), {
        productId: parseProductId(request.params.compositeId),
        body: request.body,
        idempotencyKey: (request.headers as Static<typeof Headers>)['idempotency-key'],
      });
      sendLive(reply.code(201), entry, format);
    },
  );

  app.get(
    '/venues/:compositeId/waitlist',
    {
      config: {
        access: 'venue-booking:read',
        isLive: true,
        problems: ['VENUE-N-001', 'OPRTR-N-002', 'PMAP-N-001'],
        example: pageOf([entryExample], 1, { pageNumber: 1, pageSize: 20 }),
      },
      schema: {
        operationId: 'listWaitlist',
        tags: TAG,
        summary: 'List entries of the waiting list',
        description:
          'Those of a product, by day and in the order of the list; operators see all that wait for it at their venue.',
        params: ProductPath,
        querystring: EntryQuery,
        response: { 200: Page(Entry) },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      const productId = parseProductId(request.params.compositeId);
      sendLive(reply, await waitlist.list(callerOf(request), productId, request.query), format);
    },
  );

  app.get(
    '/venues/waitlist/:entryId',
    {
      config: { access: 'venue-booking:read', problems: ['WAIT-N-001'], isLive: true, example: entryExample },
      schema: {
        operationId: 'getWaitlistEntry',
        tags: TAG,
        summary: 'Read an entry of the waiting list',
        description:
          'One of yours, with its offer while there is one, and the booking that it has become; operators read those of their venues.',
        params: EntryPath,
        response: { 200: Entry },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      sendLive(reply, await waitlist.get(callerOf(request), request.params.entryId), format);
    },
  );

  app.delete(
    '/venues/waitlist/:entryId',
    {
      config: {
        access: 'venue-booking:create',
        // It needs no body, but what is sent is read.
        problems: ['WAIT-N-001', 'HTTP-N-413', 'HTTP-N-415'],
      },
      schema: {
        operationId: 'leaveWaitlist',
        tags: TAG,
        summary: 'Take a party off the waiting list',
        description:
          'A place that is kept for it is released. Done again, it answers the same. An entry that has become a booking stays; cancel the booking.',
        params: EntryPath,
        response: { 204: Type.Null({ description: 'It does not wait' }) },
      },
    },
    async (request, reply) => {
      await waitlist.remove(callerOf(request), request.params.entryId);
      return reply.code(204).send(null);
    },
  );
}
