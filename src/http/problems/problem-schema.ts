import { Type } from 'typebox';
import { COMPONENT } from '../validation/schema-helpers.ts';
import type { ProblemBody } from './problem-body.ts';

const RuleViolation = {
  [COMPONENT]: 'RuleViolation',
  type: 'object',
  description: 'A booking rule that the booking does not meet',
  required: ['ruleId'],
  properties: {
    ruleId: { type: 'string', format: 'uuid', description: 'The rule in the list of booking rules' },
    analyticsRuleId: { type: 'string', description: 'With expression rules: its name in reports' },
    rejectMessages: {
      type: 'array',
      items: { type: 'string' },
      description: 'With expression rules: what the operator says about it',
    },
  },
};

const RequiredDeposit = {
  [COMPONENT]: 'RequiredDeposit',
  type: 'object',
  description: 'With `BKRUL-N-001`: the deposit that the booking lacks',
  required: ['field', 'amount', 'currency', 'per', 'total'],
  properties: {
    field: { type: 'string', description: 'Where to say what you have taken' },
    amount: { type: 'integer', description: 'In pence, for each that `per` names' },
    currency: { type: 'string', description: 'ISO 4217' },
    per: { type: 'string', enum: ['booking', 'guest'] },
    total: { type: 'integer', description: 'What this party pays, in pence: the least that `field` must be' },
  },
};

/** What a problem looks like, as an answer of its own or as what became of one entry of a request. */
export const ProblemSchema = Type.Unsafe<ProblemBody>({
  [COMPONENT]: 'Problem',
  type: 'object',
  description: 'What went wrong, in the form of RFC 9457',
  required: ['type', 'title', 'status', 'detail', 'code', 'isRetryable'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'Address of a page about the code' },
    title: { type: 'string', description: 'The same words for every problem with this code' },
    status: { type: 'integer', description: 'The HTTP status that goes with the code' },
    detail: { type: 'string', description: 'What was wrong this time; for people, and worded freely' },
    code: {
      type: 'string',
      pattern: '^[A-Z]+-[NR]-[0-9]{3}$',
      description: 'Stable; write your handling against it. More codes can come with any version',
    },
    isRetryable: { type: 'boolean', description: 'The same request may succeed later' },
    errors: {
      type: 'object',
      description: 'With `VALID-N-001`: messages by the path of the field they are about',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
    isOutcomeKnown: {
      type: 'boolean',
      description:
        'With `HTTP-R-503`: false where the database went away in the middle of a change, which may have been carried out; absent: it was not',
    },
    nearestTimes: {
      type: 'array',
      items: { type: 'string', pattern: '^[0-9]{2}:[0-9]{2}$' },
      description:
        'With `AVAIL-N-005` for a time that is no start: the nearest starts of that trading day that you can have at this moment, local times in order; empty where there are none',
    },
    largestPartySize: {
      type: 'integer',
      description:
        'With `AVAIL-N-005` or `BKRUL-N-005` for a party that is too large: the largest that can be had the way it was asked for, children included',
    },
    enquiryPossible: {
      type: 'boolean',
      description:
        'With `AVAIL-N-005` or `BKRUL-N-005`: whether the same can be asked of the operator, with `type` `request`',
    },
    bookingId: {
      type: 'string',
      format: 'uuid',
      description: 'With `BOOK-N-002`: your booking that has the `partnerBookingId` already',
    },
    orderId: {
      type: 'string',
      format: 'uuid',
      description: 'With `BOOK-N-002` on orders: your order that has the `partnerOrderId` already',
    },
    limit: { type: 'string', description: 'With `MANDT-N-001`: the limit of your mandate' },
    allowed: {
      description: 'With `MANDT-N-001`: what it allows',
      oneOf: [{ type: 'integer' }, { type: 'array', items: { type: 'string' } }],
    },
    confirmationToken: {
      type: 'string',
      description: 'With `MANDT-N-002`: to be sent with the same request, once a person has said yes',
    },
    expiresAt: {
      type: 'string',
      format: 'date-time',
      description: 'With `MANDT-N-002`: until when that works',
    },
    deposit: RequiredDeposit,
    violations: {
      type: 'array',
      items: RuleViolation,
      description: 'With `BKRUL-N-*`: every booking rule that was violated',
    },
  },
});
