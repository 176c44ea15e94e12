import type { CatalogueRun } from '../../../../features/system-catalogue/schema.ts';

/** The run whose differences can be applied: the last one, if it ended well, applied nothing of them, and found any. */
export function runToApply(runs: readonly CatalogueRun[]): CatalogueRun | undefined {
  const [last] = runs;
  if (last?.state !== 'done') return undefined;
  const found =
    last.kind === 'review'
      ? last.added + last.changed + last.withdrawn
      : last.kind === 'nightly'
        ? last.added
        : 0;
  return found > 0 ? last : undefined;
}

/** Between 0 and 1; undefined: the system does not say how many there are. */
export function progressOf({
  total,
  venuesRead,
}: Pick<CatalogueRun, 'total' | 'venuesRead'>): number | undefined {
  return total === null || total === 0 ? undefined : Math.min(1, venuesRead / total);
}
