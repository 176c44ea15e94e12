/** Periods of a report, by the trading day of the visit. */
import { addDays } from './days.ts';

export const PERIODS = ['7', '30', '90', 'month', 'own'] as const;
export type PeriodName = (typeof PERIODS)[number];

export interface Period {
  from: string;
  to: string;
}

export const DEFAULT_PERIOD: PeriodName = '30';

const isPeriodName = (text: string | null): text is PeriodName =>
  text !== null && (PERIODS as readonly string[]).includes(text);

const isDate = (text: string | null): text is string => text !== null && /^\d{4}-\d\d-\d\d$/.test(text);

/** The days that an address asks for; what makes no sense in it falls back to the last thirty. */
export function periodOf(query: URLSearchParams, today: string): Period & { name: PeriodName } {
  const asked = query.get('period');
  const name = isPeriodName(asked) ? asked : DEFAULT_PERIOD;
  if (name === 'month') return { name, from: `${today.slice(0, 8)}01`, to: lastOfMonth(today) };
  if (name === 'own') {
    const [from, to] = [query.get('from'), query.get('to')];
    if (isDate(from) && isDate(to) && from <= to) return { name, from, to };
    return { name, from: addDays(today, -29), to: today };
  }
  return { name, from: addDays(today, 1 - Number(name)), to: today };
}

function lastOfMonth(date: string): string {
  const [year = 0, month = 0] = date.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}
