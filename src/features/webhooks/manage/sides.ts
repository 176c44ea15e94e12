/** The two kinds of owners whose webhooks are under `/manage`: what differs between their routes. */
import type { TSchema } from 'typebox';
import { operatorId } from '../../../http/manage-route.ts';
import type { ManageAccess } from '../../../http/route.ts';
import { partnerId } from '../../../http/validation/manage-fields.ts';
import type { ProblemCode } from '../../../kernel/problem.ts';
import { OPERATOR_TEST_TYPES, TEST_TYPES } from '../event-types.ts';
import type { Owner } from '../subscriptions/secrets.ts';

export interface Side {
  kind: Owner['kind'];
  /** As in `listOperatorWebhooks`. */
  name: 'Operator' | 'Partner';
  base: string;
  access: ManageAccess;
  /** What the path names. */
  params: Record<string, TSchema>;
  testTypes: readonly string[];
  /** When a test names a booking or a venue of others. */
  testProblems: readonly ProblemCode[];
  texts: { create: string; events: string };
}

export const SIDES: readonly Side[] = [
  {
    kind: 'operator',
    name: 'Operator',
    base: '/manage/operators/:operatorId/webhooks',
    access: 'manage:manager',
    params: { operatorId },
    testTypes: OPERATOR_TEST_TYPES,
    testProblems: ['BOOK-N-006', 'OPRTR-N-002', 'VENUE-N-001'],
    texts: {
      create:
        'From now on, what happens to bookings at your venues, those of partners and your own, and to the venues is posted to `callbackUrl`, signed with `secretKey`. Keep that: it is not shown again. Partners get the same events in the same bytes, but none about your own bookings.',
      events:
        'Everything that happened to bookings at your venues and to the venues, whether or not a webhook has its type, in an order that nothing is ever added to but at its end. Keep the id of the last event that you have read here and send it as `cursor` the next time.',
    },
  },
  {
    kind: 'partner',
    name: 'Partner',
    base: '/manage/partners/:partnerId/webhooks',
    access: 'manage:developer',
    params: { partnerId },
    testTypes: TEST_TYPES,
    testProblems: ['PMAP-N-001', 'PMAP-N-003'],
    texts: {
      create:
        'From now on, what happens to the bookings of the partner, their messages and its venues is posted to `callbackUrl`, signed with `secretKey`. Keep that: it is not shown again. These are the subscriptions that clients of the partner have under `/webhooks/subscriptions`.',
      events:
        'Everything that happened to the bookings of the partner, their messages and its venues, whether or not a webhook has its type, in an order that nothing is ever added to but at its end. Keep the id of the last event that you have read here and send it as `cursor` the next time.',
    },
  },
];
