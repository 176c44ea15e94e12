import type { CataloguePage } from '../../tms/remote.ts';

const MOST_ON_PAGE = 1000;
const LONGEST_CURSOR = 4000;

/** What is wrong with a page as a whole; its venues are looked at one by one. */
export function pageFault(page: CataloguePage): string | undefined {
  const { venues, next } = (page ?? {}) as { venues?: unknown; next?: unknown };
  if (!Array.isArray(venues)) return 'it has no list of venues';
  if (venues.length > MOST_ON_PAGE) return `it has more than ${MOST_ON_PAGE} venues`;
  if (next === null) return undefined;
  if (typeof next !== 'string' || next === '' || next.length > LONGEST_CURSOR || next.includes('\0'))
    return `its cursor is no text of at most ${LONGEST_CURSOR} characters`;
  return undefined;
}
