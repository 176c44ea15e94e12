/** The filters of the list as they stand in the address, and what the service is asked with them. Pure. */
import type { Query } from '../../app/api.ts';

export const SORTS = {
  start: { sortBy: 'start', sortDirection: 'ASC' },
  startLast: { sortBy: 'start', sortDirection: 'DESC' },
  created: { sortBy: 'created', sortDirection: 'DESC' },
  createdFirst: { sortBy: 'created', sortDirection: 'ASC' },
} as const;
export type Sort = keyof typeof SORTS;

export interface Filter {
  text: string;
  venue: string;
  from: string;
  to: string;
  status: string;
  type: string;
  partner: string;
  origin: string;
  sort: Sort;
  page: number;
}

const isSort = (text: string | null): text is Sort => text !== null && text in SORTS;

export function filterIn(query: URLSearchParams): Filter {
  const text = (name: string) => query.get(name) ?? '';
  const sort = query.get('sort');
  return {
    text: text('q').trim(),
    venue: text('venue'),
    from: text('from'),
    to: text('to'),
    status: text('status'),
    type: text('type'),
    partner: text('partner'),
    origin: text('origin'),
    // A search for a guest is about the latest visit; a list begins with what comes next.
    sort: isSort(sort) ? sort : text('q').trim() !== '' ? 'startLast' : 'start',
    page: Math.max(1, Number(text('page')) || 1),
  };
}

/** Without bounds the list begins today: the past is found by dates, or by a search. */
export function questionOf(filter: Filter, today: string): Query {
  const { text, venue, from, to, status, type, partner, origin, sort, page } = filter;
  const isOpen = text === '' && from === '' && to === '' && sort.startsWith('start');
  return {
    venueId: venue,
    from: isOpen ? today : from,
    to,
    status,
    type,
    partnerId: partner,
    origin,
    ...SORTS[sort],
    pageNumber: page,
  };
}

/** How many filters are set, for the button that hides them on phones. */
export const countSet = ({ venue, from, to, status, type, partner, origin }: Filter) =>
  [venue, from, to, status, type, partner, origin].filter((value) => value !== '').length;

/** The bookings of the file: those of the chosen days, or of the month before and after today. */
export function csvPeriod(
  { from, to }: Pick<Filter, 'from' | 'to'>,
  daysFrom: (date: string, days: number) => string,
  today: string,
): { from: string; to: string } {
  const first = from || (to ? daysFrom(to, -30) : daysFrom(today, -30));
  return { from: first, to: to || daysFrom(from || today, 30) };
}
