/**
 * The request that the current code works for, without being passed to every function: whether its answer is still
 * wanted, how much time is left, and whether it may have changed anything. Background work has none.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { DEADLINES } from './deadlines.ts';
import type { SandboxFaults } from './sandbox-faults.ts';

export interface RequestScope {
  /** The caller has disconnected, or the deadline has passed. False again once an answer was sent. */
  isOver(): boolean;
  /** Until the request has to be answered. */
  leftMs(): number;
  /** Something was sent to the database that may have changed it. From then on the request is worked off to its end. */
  mayHaveWritten: boolean;
  /** Failures that the caller asks for, in the sandbox alone. */
  faults?: SandboxFaults | undefined;
}

const scopes = new AsyncLocalStorage<RequestScope | undefined>();

export const currentScope = (): RequestScope | undefined => scopes.getStore();

export function runInScope<Result>(scope: RequestScope | undefined, work: () => Result): Result {
  return scopes.run(scope, work);
}

/** For work that several requests share, and for writes that must happen even when the caller has disconnected. */
export const outsideRequest = <Result>(work: () => Result): Result => scopes.run(undefined, work);

export const NOT_WANTED = 'REQUEST_OVER';

/** Throws where a request that is over is about to begin something. */
export function assertWanted(scope = currentScope()): void {
  if (scope && !scope.mayHaveWritten && scope.isOver()) throw notWanted();
}

export const notWanted = () =>
  Object.assign(new Error('The caller no longer waits for the answer.'), { code: NOT_WANTED });

export function noteWrite(scope = currentScope()): void {
  if (scope) scope.mayHaveWritten = true;
}

/** `limitMs`, or less where the deadline of the request comes earlier; whole milliseconds. */
export function withinDeadline(limitMs: number): number {
  const leftMs = (currentScope()?.leftMs() ?? Number.POSITIVE_INFINITY) - DEADLINES.answer;
  return Math.max(0, Math.floor(Math.min(limitMs, leftMs)));
}

/** Does something with each, so many at a time. All are tried; if some failed, the first failure is thrown in the end. */
export async function mapConcurrently<Item>(
  items: readonly Item[],
  atATime: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  const waiting = items.values();
  const workOff = async () => {
    for (const item of waiting) await work(item).catch((error) => failures.push(error));
  };
  await Promise.all(Array.from({ length: Math.min(atATime, items.length) }, workOff));
  if (failures.length > 0) throw failures[0];
}
