/** What a supplier can be told to do wrong, once for each time it is told. */
export type OctoFault =
  | { kind: 'slow'; delayMs: number }
  | { kind: 'hang' }
  | { kind: 'rate-limit'; retryAfterSeconds: number }
  /** Answers this instead of doing the work. */
  | { kind: 'status'; status: number; body?: unknown }
  | { kind: 'cut-before-commit' }
  | { kind: 'cut-after-commit' }
  /** Drops the connection, and does the work only when the test says so. */
  | { kind: 'late' }
  /** Does the work and answers something else. */
  | { kind: 'garbage'; body: string }
  | { kind: 'altered'; change: (body: unknown) => unknown }
  /** Does the work once and answers it twice. */
  | { kind: 'twice' };

export type OctoOperation =
  | 'supplier'
  | 'products'
  | 'product'
  | 'availability'
  | 'hold'
  | 'get'
  | 'list'
  | 'update'
  | 'confirm'
  | 'extend'
  | 'cancel';

export function createOctoFaults() {
  const counts = new Map<string, number>();
  let planned: { fault: OctoFault; left: number; operations: readonly OctoOperation[] }[] = [];
  return {
    /** The next `times` requests for any of the operations meet this fault. */
    plan(fault: OctoFault, operations: readonly OctoOperation[], times = 1): void {
      planned.push({ fault, left: times, operations });
    },
    clear(): void {
      planned = [];
    },
    take(operation: OctoOperation): OctoFault | undefined {
      const next = planned.find(({ operations }) => operations.includes(operation));
      if (!next) return undefined;
      next.left -= 1;
      if (next.left <= 0) planned = planned.filter((entry) => entry !== next);
      counts.set(next.fault.kind, (counts.get(next.fault.kind) ?? 0) + 1);
      return next.fault;
    },
    /** How often a fault of this kind was met. */
    met: (kind: OctoFault['kind']): number => counts.get(kind) ?? 0,
  };
}
