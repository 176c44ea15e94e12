import { callerOf } from '../../../http/auth/identify.ts';
import { formatOf, sendLive } from '../../../http/format/render.ts';
import type { App } from '../../../http/route.ts';
import { validatorCompiler } from '../../../http/validation/validation.ts';
import { DEADLINES } from '../../../kernel/deadlines.ts';
import type { Webhooks } from '../service.ts';
import { TestBody, TestQuery, TestReport, testReportExample, WellFormedTest } from './schema.ts';

export function testRoutes(app: App, { sendTest }: Pick<Webhooks, 'sendTest'>): void {
  app.post(
    '/webhooks/test',
    {
      config: {
        access: 'partner:create',
        problems: [
          'WHK-N-001',
          'WHK-N-005',
          'WHK-N-006',
          'WHK-N-007',
          'PMAP-N-001',
          'PMAP-N-003',
          'SBOX-N-004',
          'BOOK-R-002',
        ],
        isLive: true,
        deadlineMs: DEADLINES.webhookTest,
        example: testReportExample,
      },
      schema: {
        operationId: 'sendWebhookTest',
        tags: ['Webhooks'],
        summary: 'Send yourself an event',
        description: [
          'Posts one event to your receivers at once, signed like every other and with the header `X-Webhook-Test: true`, and reports what each of them answered. There is one attempt of ten seconds. A receiver that fails is reported; the call succeeds all the same.',
          '`booking.updated` takes `bookingId` and `changes`, `message.received` takes `bookingId` and `message`, `venue.updated` takes `venueId` and `venue`, `hold.expired`, `waitlist.offered` and `webhook.ping` take nothing. Without an id the event is about something made up.',
          '`changes` are written to the booking first, as if the venue had made them: a place is taken or given back, and what no table can hold is refused. `preorders` is what a booking takes under that name, `preorderMenus` the menus of it alone. `productName` is accepted and changes nothing: a product keeps its name, and events do not tell it. Only the targets of this test are told.',
          'In live only `webhook.ping` can be sent. Each partner has ten calls a minute; all callers that act for it share them.',
        ].join('\n\n'),
        querystring: TestQuery,
        body: TestBody,
        response: { 200: TestReport },
      },
      validatorCompiler: (route) =>
        validatorCompiler({
          ...route,
          ...(route.httpPart === 'body' && { schema: WellFormedTest }),
        } as never),
    },
    async (request, reply) => {
      const format = formatOf(request);
      const { webhookId } = request.query;
      sendLive(reply, await sendTest(callerOf(request), webhookId, request.body), format);
    },
  );
}
