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
          'The booking rules of the venues that you distribute, as far as they can apply to your bookings. A rule must match all given filters. Rules can change at any time without notice, so read them again when a booking is refused.',
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
