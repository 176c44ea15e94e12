import {
  assertWanted,
  currentScope,
  noteWrite,
  type RequestScope,
  runInScope,
} from '../kernel/request-scope.ts';
import { currentSpan, runInSpan, type Span } from '../kernel/tracing.ts';

interface Waiting<Item, Result> {
  item: Item;
  scope: RequestScope | undefined;
  span: Span | undefined;
  resolve(result: Result | Promise<Result>): void;
  reject(error: unknown): void;
}

/** `isWanted` says, while it works, whether the caller of an item still waits for it. */
type Work<Item, Result> = (
  items: readonly Item[],
  isWanted: (item: Item) => boolean,
) => Promise<readonly (Result | Promise<Result>)[]>;

/**
 * Batches items that come up in one event-loop tick, or while the allowed number of batches is running: under load
 * batches grow, and a single request does not wait. Requests whose caller has disconnected are left out. A result may
 * be a promise; the next batch does not wait for it.
 */
export function inBatches<Item, Result>(
  work: Work<Item, Result>,
  { underWay, most }: { underWay: number; most: number },
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  let isStarting = false;

  function start(): void {
    if (isStarting || running >= underWay || waiting.length === 0) return;
    isStarting = true;
    setImmediate(() => {
      isStarting = false;
      const batch = waiting.splice(0, most).filter(isWanted);
      // The first of them has the spans of the batch in its trace.
      void runInSpan(batch[0]?.span, () => runInScope(scopeOf(batch), () => run(batch)));
      start();
    });
  }

  function isWanted({ scope, reject }: Waiting<Item, Result>): boolean {
    try {
      assertWanted(scope);
      return true;
    } catch (error) {
      reject(error);
      return false;
    }
  }

  async function run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    if (batch.length === 0) return;
    running += 1;
    try {
      const items = batch.map(({ item }) => item);
      const gone = (item: Item) => batch.some((each) => each.item === item && each.scope?.isOver());
      const results = await work(items, (item) => !gone(item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      running -= 1;
      start();
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, scope: currentScope(), span: currentSpan(), resolve, reject });
      start();
    });
}

/** All of them may have written when the batch has; it is over when all of them are, and has as long as the last. */
function scopeOf(batch: readonly { scope: RequestScope | undefined }[]): RequestScope {
  let hasWritten = false;
  return {
    isOver: () => batch.every(({ scope }) => scope?.isOver() ?? false),
    leftMs: () => Math.max(...batch.map(({ scope }) => scope?.leftMs() ?? Number.POSITIVE_INFINITY)),
    get mayHaveWritten() {
      return hasWritten;
    },
    set mayHaveWritten(_) {
      hasWritten = true;
      // Background work has no scope; without one, `noteWrite` would take this one.
      for (const { scope } of batch) if (scope) noteWrite(scope);
    },
  };
}
