/** What came of it: counts by operation and status, and what was wrong. */
import type { Outcome } from '../../test/abuse/support/target.ts';
import type { Finding } from './checks.ts';
import type { Operation } from './document.ts';

export interface Results {
  requests: number;
  good: number;
  /** Refused because the node had too much to do. */
  putOff: number;
  /** 503, as the system of the venue does not let us in. */
  ofSystems: number;
  /** Statuses by the name of the operation. */
  byOperation: Map<string, Map<number, number>>;
  /** The first of each sort, and how many there were. */
  findings: Map<string, { first: Finding; count: number }>;
  /** Refusals by code, so that it can be seen how deep requests got. */
  codes: Map<string, number>;
  callers: Map<string, number>;
  /** What is counted by a name that is no operation. */
  probes: Set<string>;
  /** How the last request that had nothing wrong with it was refused, by operation. */
  refusals: Map<string, string>;
  /** The same of steps of stories. */
  steps: Map<string, string>;
}

export const createResults = (): Results => ({
  requests: 0,
  good: 0,
  putOff: 0,
  ofSystems: 0,
  byOperation: new Map(),
  findings: new Map(),
  codes: new Map(),
  callers: new Map(),
  probes: new Set(),
  refusals: new Map(),
  steps: new Map(),
});

const increase = <Key>(counts: Map<Key, number>, key: Key) => counts.set(key, (counts.get(key) ?? 0) + 1);

export function count(results: Results, operation: string, caller: string, { status, text }: Outcome): void {
  results.requests += 1;
  increase(
    results.byOperation.getOrInsertComputed(operation, () => new Map()),
    status,
  );
  increase(results.callers, caller);
  if (status < 400) return;
  increase(results.codes, /"code":"([A-Z]+-[NR]-\d+)"/.exec(text)?.[1] ?? 'without a code');
}

/** Numbers, ids and texts differ from case to case; the fault is the same. */
const sortOf = ({ what, operation }: Finding) =>
  `${operation} ${what.replaceAll(/"value":.*|\d+|Zygo\w+/g, '').slice(0, 160)}`;

/** Returns those of a kind that was not there before. */
export function note(results: Results, findings: readonly Finding[]): Finding[] {
  return findings.filter((finding) => {
    const known = results.findings.getOrInsertComputed(sortOf(finding), () => ({ first: finding, count: 0 }));
    known.count += 1;
    return known.count === 1;
  });
}

export function statusTotals({ byOperation }: Results): [status: number, count: number][] {
  const totals = new Map<number, number>();
  for (const statuses of byOperation.values())
    for (const [status, times] of statuses) totals.set(status, (totals.get(status) ?? 0) + times);
  return [...totals].sort(([a], [b]) => a - b);
}

export const shareOf = ({ requests, byOperation }: Results, from: number, below: number) =>
  statusTotals({ byOperation } as Results)
    .filter(([status]) => status >= from && status < below)
    .reduce((sum, [, times]) => sum + times, 0) / Math.max(1, requests);

/** Operations that never answered within this range. */
export function neverAnswered(
  { byOperation }: Results,
  operations: readonly Operation[],
  from: number,
  below: number,
): string[] {
  const hasAnswered = (name: string) =>
    [...(byOperation.get(name)?.keys() ?? [])].some((status) => status >= from && status < below);
  return operations.filter(({ name }) => !hasAnswered(name)).map(({ name }) => name);
}
