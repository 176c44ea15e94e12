/** All that is wrong with a document, so that whoever wrote it need not find out one by one. */
import { fieldReport } from '../../http/field-report.ts';
import { Problem, type ProblemCode, problem } from '../../kernel/problem.ts';

export interface Faults {
  add(path: string, message: string, code?: ProblemCode): void;
  /**
   * Runs a check that is made elsewhere too, and throws; what it says of a field is said below `path`. `within` is
   * where the field stands elsewhere.
   */
  attempt(path: string, check: () => unknown, within?: string): void;
  /** Throws if there is anything, under the code of the first; what is not even well-formed comes before all else. */
  refuse(): void;
}

export function collectFaults(): Faults {
  const report = fieldReport();
  const codes: ProblemCode[] = [];
  const add: Faults['add'] = (path, message, code = 'VALID-N-001') => {
    report.add(path, message);
    codes.push(code);
  };
  return {
    add,

    attempt(path, check, within = '') {
      try {
        check();
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const { errors } = error.options;
        if (!errors) add(path, error.message, error.code);
        for (const [field, messages] of Object.entries(errors ?? {})) {
          for (const message of messages) add(joined(path, field.replace(within, '')), message, error.code);
        }
      }
    },

    refuse() {
      const entries = report.entries();
      const [first] = entries;
      if (!first) return;
      const code = codes.includes('VALID-N-001') ? 'VALID-N-001' : (codes[0] ?? 'VALID-N-001');
      const rest = entries.length > 1 ? ` There are ${entries.length - 1} more in errors.` : '';
      throw problem(code, {
        detail: `${first[0]}: ${first[1].join('; ')}.${rest}`,
        errors: Object.fromEntries(entries),
      });
    },
  };
}

const joined = (path: string, field: string) => [path, field].filter((part) => part !== '').join('.');
