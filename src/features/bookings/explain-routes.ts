import { callerOf } from '../../http/auth/identify.ts';
import { formatOf, sendLive } from '../../http/format/render.ts';
import type { App } from '../../http/route.ts';
import type { ProblemCode } from '../../kernel/problem.ts';
import { rulesAnswerExample } from '../booking-rules/service.ts';
import { ExplainBody, RulesAnswer } from './explain-schema.ts';
import type { Bookings } from './service.ts';

/** What can be wrong with the product or with the time. */
const EXPLAINING: readonly ProblemCode[] = [
  ...(['AVAIL-N-003', 'BOOK-N-001', 'BOOK-N-003', 'BOOK-N-004', 'BOOK-N-005'] as const),
  ...(['BOOK-N-018', 'BOOK-N-019', 'BOOK-N-020', 'EVENT-N-001', 'EVENT-N-002'] as const),
  ...(['PMAP-N-001', 'PMAP-N-002', 'VENUE-N-001', 'VENUE-N-002', 'VENUE-N-009'] as const),
];

export function explainRoutes(app: App, bookings: Pick<Bookings, 'explain'>): void {
  app.post(
    '/booking-rules/explain',
    {
      config: { access: 'venue:read', problems: EXPLAINING, isLive: true, example: rulesAnswerExample },
      schema: {
        operationId: 'explainBookingRules',
        tags: ['Booking rules'],
        summary: 'Explain how the rules apply to a booking',
        description:
          'Rule by rule: whether it is applied, on which facts, and the first thing that would make a difference. Nothing is reserved or kept. Only the rules are checked: a booking that they accept can still be refused, because the guest or the pre-order is incomplete or the place is taken.',
        body: ExplainBody,
        response: { 200: RulesAnswer },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      sendLive(reply, await bookings.explain(callerOf(request), request.body), format);
    },
  );
}
