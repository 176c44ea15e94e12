import { Problem, type ProblemCode, problem } from '../../kernel/problem.ts';
import type { Capabilities, Outcome, RefusalReason } from '../../tms/contract.ts';

const RETRY_AFTER_SECONDS = 5;

const CODES: Record<RefusalReason, ProblemCode> = {
  closed: 'AVAIL-N-004',
  taken: 'AVAIL-N-005',
  paced: 'AVAIL-N-005',
  'party-never-fits': 'AVAIL-N-005',
  'not-a-start': 'AVAIL-N-005',
  'over-instant-limit': 'AVAIL-N-005',
  'enquiry-only': 'AVAIL-N-005',
  duration: 'AVAIL-N-006',
  'too-soon': 'AVAIL-N-007',
  'too-far': 'AVAIL-N-008',
  'no-such-product': 'VENUE-N-002',
  'no-such-table': 'VALID-N-001',
  'space-without-zone': 'BOOK-N-011',
  'zone-without-areas': 'BOOK-N-012',
  'card-required': 'BOOK-N-008',
  'hold-ended': 'AVAIL-N-005',
  'not-found': 'BOOK-N-009',
  rejected: 'BOOK-N-009',
};

const ENQUIRE = 'This start can only be enquired about.';

/** Where the system gives no words of its own. */
const DETAILS: Partial<Record<RefusalReason, string>> = {
  paced: 'A table is free, but as many guests as your pacing allows start at that time already.',
  'not-a-start': 'A stay of this length cannot start at that time.',
  'over-instant-limit': ENQUIRE,
  'enquiry-only': ENQUIRE,
  'party-never-fits': 'No table or ticket there is for a party of this size.',
  'hold-ended': 'The place is no longer kept.',
  'not-found': 'The system of the venue no longer has this booking.',
};

const MEMBERS: Partial<Record<RefusalReason, Record<string, unknown>>> = {
  'over-instant-limit': { enquiryPossible: true },
  'enquiry-only': { enquiryPossible: true },
};

/** A refusal of the system behind a venue, with the reason in the words of the contract. */
export class SystemRefusal extends Problem {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, capability: Capabilities['capability'], detail = DETAILS[reason]) {
    const extensions = MEMBERS[reason];
    super(codeOf(reason, capability), {
      ...(detail !== undefined && { detail }),
      ...(extensions && { extensions }),
      ...(reason === 'no-such-table' && detail !== undefined && { errors: { tableIds: [detail] } }),
    });
    this.reason = reason;
  }
}

/** The problem that a caller gets when the system of a venue refuses or fails. */
export function refusalOf(
  outcome: Exclude<Outcome<unknown>, { kind: 'ok' }>,
  capability: Capabilities['capability'],
): Problem {
  switch (outcome.kind) {
    case 'refused':
      return new SystemRefusal(outcome.reason, capability, outcome.detail);
    case 'rate-limited':
      return problem('BOOK-R-001', { retryAfterSeconds: outcome.retryAfterSeconds });
    case 'unavailable':
    case 'unknown':
      return notApplied();
  }
}

const notApplied = () => problem('BOOK-R-002', { retryAfterSeconds: RETRY_AFTER_SECONDS });

function codeOf(reason: RefusalReason, capability: Capabilities['capability']): ProblemCode {
  return reason === 'no-such-product' && capability === 'event_ticket' ? 'EVENT-N-002' : CODES[reason];
}

/** Where only an immediate booking would do. */
export const wantsToBeAsked = () =>
  problem('AVAIL-N-005', {
    detail: 'This booking has to be requested from the operator.',
    extensions: { enquiryPossible: true },
  });
