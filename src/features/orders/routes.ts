import { type Static, Type } from 'typebox';
import { callerOf } from '../../http/auth/identify.ts';
import { formatOf, sendLive } from '../../http/format/render.ts';
import { problemBody } from '../../http/problems/problem-body.ts';
import type { App, RouteFacts } from '../../http/route.ts';
import { CommaList } from '../../http/validation/query-schema.ts';
import { DEADLINES } from '../../kernel/deadlines.ts';
import { invalid, type ProblemCode, problem } from '../../kernel/problem.ts';
import { CreationHeaders } from '../bookings/service.ts';
import { MOST_ITEMS, OrderBody, OrderCancellationBody, OrderChangeBody } from './body.ts';
import type { ItemOutcome, OrderOutcome } from './result.ts';
import { cancelledExample, changedExample, OrderResult, orderExample } from './schema.ts';
import type { Orders } from './service.ts';

const OrderPath = Type.Object({
  orderId: Type.String({ description: 'Id of the order', examples: [orderExample.orderId] }),
});

const CancellationQuery = Type.Object({
  bookingIds: CommaList(Type.String({ maxLength: 100 }), {
    minItems: 1,
    maxItems: MOST_ITEMS,
    description: 'The same as in the body, for clients that send none with DELETE',
  }),
});

/** A caller that names some bookings in the query must not cancel all because the body names none. */
function wantedIn({
  body,
  query,
}: {
  body: OrderCancellationBody | undefined;
  query: Static<typeof CancellationQuery>;
}): OrderCancellationBody {
  if (query.bookingIds === undefined) return body ?? {};
  if (body?.bookingIds != null) throw invalid('bookingIds', 'is in the body and in the query');
  return query;
}

const EXISTING: readonly ProblemCode[] = ['BOOK-N-006', 'PMAP-N-003'];
const TAG = ['Orders'];

/** What all routes about orders have in common. */
const ORDERS = {
  deadlineMs: DEADLINES.order,
  interface: 'listings',
  isLive: true,
  example: orderExample,
} as const satisfies RouteFacts;

export function orderRoutes(app: App, orders: Orders, { publicUrl }: { publicUrl: string }): void {
  const resultOf = ({ items, ...outcome }: OrderOutcome): OrderResult => ({
    ...outcome,
    items: items.map(({ error, ...item }: ItemOutcome) => ({
      ...item,
      // An item is no answer of its own: its problem keeps the status that it has everywhere else.
      ...(error && { error: problemBody(problem(error.code, error.options), { publicUrl }) }),
    })),
  });

  app.post(
    '/v1/orders',
    {
      config: {
        ...ORDERS,
        access: 'venue-booking:create',
        problems: ['BOOK-N-002', 'BOOK-N-019', 'BOOK-N-020', 'ORDER-N-009'],
      },
      schema: {
        operationId: 'createOrder',
        tags: TAG,
        summary: 'Book several things at once',
        description:
          'Each item is booked on its own, over venues and systems, unless `atomic` makes it all or nothing. The answer is 200 also where items failed, so look at `status`; their errors have the codes of single bookings. Only what is wrong in itself, such as a start that is missing, refuses the whole order. If the answer is lost, send the same again with the same `Idempotency-Key` or `partnerOrderId`: nothing is booked twice, and what was not reached is booked now.',
        headers: CreationHeaders,
        body: OrderBody,
        response: { 200: OrderResult },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      const headers = request.headers as Static<typeof CreationHeaders>;
      const outcome = await orders.create(callerOf(request), {
        body: request.body,
        source: headers['x-booking-source'] ?? 'api',
        idempotencyKey: headers['idempotency-key'],
      });
      sendLive(reply, resultOf(outcome), format);
    },
  );

  app.get(
    '/v1/orders/:orderId',
    {
      config: { ...ORDERS, access: 'venue-booking:read', problems: EXISTING },
      schema: {
        operationId: 'getOrder',
        tags: TAG,
        summary: 'Read an order',
        description: 'What became of its items, with their bookings as they are now.',
        params: OrderPath,
        response: { 200: OrderResult },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      sendLive(reply, resultOf(await orders.get(callerOf(request), request.params.orderId)), format);
    },
  );

  app.patch(
    '/v1/orders/:orderId',
    {
      config: {
        ...ORDERS,
        example: changedExample,
        access: 'venue-booking:update',
        problems: [...EXISTING, 'ORDER-N-007', 'ORDER-N-008'],
      },
      schema: {
        operationId: 'changeOrder',
        tags: TAG,
        summary: 'Change bookings of an order',
        description:
          'Each item names its booking and what changes of it. Bookings are changed each on its own: one that cannot be stays as it was, and its result is `failed`. The results are those of the items that were sent; `status` is that of the whole order.',
        params: OrderPath,
        body: OrderChangeBody,
        response: { 200: OrderResult },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      const outcome = await orders.change(callerOf(request), request.params.orderId, request.body);
      sendLive(reply, resultOf(outcome), format);
    },
  );

  app.delete(
    '/v1/orders/:orderId',
    {
      config: { ...ORDERS, example: cancelledExample, access: 'venue-booking:delete', problems: EXISTING },
      schema: {
        operationId: 'cancelOrder',
        tags: TAG,
        summary: 'Cancel an order, or some of its bookings',
        description:
          'Without a body, or with no booking named, every booking of the order is cancelled, each on its own. Some HTTP clients drop the body of DELETE; with those, name bookings in the query. The results are those of the bookings concerned; done again, they are the same.',
        params: OrderPath,
        querystring: CancellationQuery,
        body: OrderCancellationBody,
        response: { 200: OrderResult },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      const outcome = await orders.cancel(callerOf(request), request.params.orderId, wantedIn(request));
      sendLive(reply, resultOf(outcome), format);
    },
  );
}
