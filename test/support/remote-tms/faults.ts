/** What a remote system can be told to do wrong, once for each time it is told. */
export type Fault =
  /** Does the work after a while. */
  | { kind: 'slow'; delayMs: number }
  /** Reads the request and never answers. */
  | { kind: 'hang' }
  | { kind: 'refuse'; reason: string }
  | { kind: 'rate-limit'; retryAfterSeconds: number }
  /** Answers a status instead of doing the work, at once unless told otherwise. */
  | { kind: 'status'; status: number; delayMs?: number; body?: unknown }
  | { kind: 'cut-before-commit' }
  | { kind: 'cut-after-commit' }
  /** Drops the connection, and does the work only when the test says so. */
  | { kind: 'late' }
  /** Does the work and answers something that is not the protocol. */
  | { kind: 'garbage'; body?: string }
  /** Does the work and answers something else. */
  | { kind: 'altered'; change: (body: unknown) => unknown }
  /** Does the work once and answers it twice. */
  | { kind: 'twice' };

/** What every system can do. */
export type BasicOperation = 'availability' | 'book' | 'amend' | 'cancel' | 'find';
export type RemoteOperation = BasicOperation | 'hold' | 'extend' | 'confirm' | 'release' | 'changes';

export interface Faults {
  /** The next `times` requests for any of `operations` (absent: all) meet this fault. */
  plan(fault: Fault, options?: { times?: number; operations?: readonly RemoteOperation[] }): void;
  clear(): void;
  take(operation: RemoteOperation): Fault | undefined;
  /** How often a fault of this kind was met. */
  met(kind: Fault['kind']): number;
}

export function createFaults(): Faults {
  const counts = new Map<string, number>();
  let planned: { fault: Fault; left: number; operations: readonly RemoteOperation[] | undefined }[] = [];
  return {
    plan(fault, { times = 1, operations } = {}) {
      planned.push({ fault, left: times, operations });
    },
    clear() {
      planned = [];
    },
    take(operation) {
      const next = planned.find(({ operations }) => operations?.includes(operation) ?? true);
      if (!next) return undefined;
      next.left -= 1;
      if (next.left <= 0) planned = planned.filter((entry) => entry !== next);
      counts.set(next.fault.kind, (counts.get(next.fault.kind) ?? 0) + 1);
      return next.fault;
    },
    met: (kind) => counts.get(kind) ?? 0,
  };
}
