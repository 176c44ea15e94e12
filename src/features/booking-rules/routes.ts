import { callerOf } from '../../http/auth/identify.ts';
import { formatOf, sendLive } from '../../http/format/render.ts';
import type { App } from '../../http/route.ts';
import { bookingRulesExample } from './examples.ts';
import { BookingRules, BookingRulesQuery } from './schema.ts';
import type { Rules } from './service.ts';

const TAG = ['Booking rules'];

export function ruleRoutes(app: App, rules: Pick<Rules, 'list'>): void {
  app.get(
    '/booking-rules',
    {
      config: { access: 'venue:read', isLive: true, example: bookingRulesExample },
      schema: {
        operationId: 'listBookingRules',
        tags: TAG,
        summary: 'List the rules that concern you',
        description:
          'What operators demand of bookings at the venues you distribute, as far as it can concern you. All filters given must hold. Rules change at any time and nobody is told, so read them again when a booking is refused.',
        querystring: BookingRulesQuery,
        response: { 200: BookingRules },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      sendLive(reply, await rules.list(callerOf(request), request.query), format);
    },
  );
}
