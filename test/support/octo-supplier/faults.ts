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
  | { kind: 'altered'; change: (body: unknown) => unknown };

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
      return next.fault;
    },
  };
}
