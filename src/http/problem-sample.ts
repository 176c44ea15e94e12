import { invalid, type Problem, type ProblemCode, problem } from '../kernel/problem.ts';

const RULE_ID = '0197d1c0-5f0a-7c3e-9b54-2f1f8f0a6d11';
const violations = [{ ruleId: RULE_ID }];

/** Codes that carry further members, with an example of them. */
const EXTENSIONS: Partial<Record<ProblemCode, Record<string, unknown>>> = {
  'AVAIL-N-005': { nearestTimes: ['19:15', '19:30'] },
  'BOOK-N-002': { bookingId: '019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60' },
  'BKRUL-N-001': {
    violations,
    deposit: { field: 'depositAmount', amount: 1000, currency: 'GBP', per: 'guest', total: 4000 },
  },
  'BKRUL-N-005': { violations, largestPartySize: 8, enquiryPossible: false },
};

/** A problem as a caller might meet it, for whatever shows what an answer with this code looks like. */
export function sampleProblem(code: ProblemCode, field: string, fault: string): Problem {
  if (code === 'VALID-N-001') return invalid(field, fault);
  const extensions = EXTENSIONS[code] ?? (code.startsWith('BKRUL-') ? { violations } : undefined);
  return problem(code, extensions && { extensions });
}
