import { Type } from 'typebox';
import { manageRoutes } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { partnerId } from '../../http/validation/manage-fields.ts';
import { bookingRulesExample } from './examples.ts';
import { BookingRulesQuery, PartnerRules } from './schema.ts';
import type { Rules } from './service.ts';

export function partnerRuleRoutes(app: App, rules: Pick<Rules, 'listForPartner'>): void {
  manageRoutes(app, 'Manage: partners').list('/manage/partners/:partnerId/rules', {
    access: 'manage:developer',
    operationId: 'listPartnerRules',
    summary: 'List the rules that concern a partner',
    description:
      'What the partner itself reads at `/booking-rules`: each rule in a sentence, and which venues it is about. Rules of other partners are not among them.',
    params: Type.Object({ partnerId }),
    query: BookingRulesQuery,
    result: PartnerRules,
    example: {
      generatedAt: bookingRulesExample.generatedAt,
      operators: [
        { id: 1, name: 'Lamp & Larder', venues: [{ id: '1|house|soho-grill', name: 'Soho Grill' }] },
      ],
      rules: bookingRulesExample.rules,
    },
    run: ({ params, query }) => rules.listForPartner(params.partnerId, query),
  });
}
