import { invalid, type Problem, type ProblemCode, problem } from '../kernel/problem.ts';

const RULE_ID = '0197d1c0-5f0a-7c3e-9b54-2f1f8f0a6d11';

/** A problem as a caller might meet it, for whatever shows what an answer with this code looks like. */
export function sampleProblem(code: ProblemCode, field: string, fault: string): Problem {
  if (code === 'VALID-N-001') return invalid(field, fault);
  if (code.startsWith('BKRUL-')) {
    return problem(code, { extensions: { violations: [{ ruleId: RULE_ID }] } });
  }
  return problem(code);
}
