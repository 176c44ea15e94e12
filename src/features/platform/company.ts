import { type Problem, problem } from '../../kernel/problem.ts';
import { COMPANY_MODES, type Company, type Mapping } from './mapping-schema.ts';

const MOST_NAMES = 500;
const LONGEST_NAME = 150;

const refusal = (detail: string): Problem => problem('PMAP-N-013', { detail });

/** In whose name a partner may book; throws `PMAP-N-013` where that makes no sense. */
export function companyIn({ mode, names }: Company): Mapping['company'] {
  const known = COMPANY_MODES.find((candidate) => candidate === mode);
  if (!known) throw refusal(`The mode is none of ${COMPANY_MODES.join(', ')}.`);
  if (known === 'none' && names.length > 0) throw refusal('With the mode none there are no names.');
  if (known === 'single' && names.length !== 1)
    throw refusal('With the mode single there is exactly one name.');
  if (known === 'list' && (names.length === 0 || names.length > MOST_NAMES))
    throw refusal(`With the mode list there are 1 to ${MOST_NAMES} names.`);
  for (const name of names) {
    if (name.trim() === '' || name.length > LONGEST_NAME)
      throw refusal(`A name has 1 to ${LONGEST_NAME} characters and is not blank.`);
  }
  if (new Set(names.map((name) => name.trim().toLowerCase())).size < names.length)
    throw refusal('A name is there twice.');
  return { mode: known, names };
}
