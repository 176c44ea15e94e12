/** What the page of money computes from its report; nothing here touches the page. */
import type { MoneyReport } from '../../../../features/reports/money-schema.ts';

export type Sums = MoneyReport['totals'][number];
export type Group = MoneyReport['days'][number];
export type Difference = MoneyReport['differences'][number];

export const MONEY_GROUPINGS = ['day', 'venue', 'provider'] as const;
export type MoneyGrouping = (typeof MONEY_GROUPINGS)[number];

export const groupsBy = (report: MoneyReport, by: MoneyGrouping): readonly Group[] =>
  ({ day: report.days, venue: report.venues, provider: report.providers })[by];

/** One value for each day of the period, in the one currency of a chart. */
export function netByDay(groups: readonly Group[], days: readonly string[], currency: string): number[] {
  const net = new Map(
    groups.filter((group) => group.currency === currency).map(({ key, netPence }) => [key, netPence]),
  );
  return days.map((day) => net.get(day) ?? 0);
}

/** Corrections are rare: their column is there where one is. */
export const hasCorrections = (groups: readonly Sums[]) =>
  groups.some(({ correctedPence }) => correctedPence !== 0);
