import {
  assertWanted,
  currentScope,
  noteWrite,
  type RequestScope,
  runInScope,
} from '../kernel/request-scope.ts';

interface Waiting<Item, Result> {
  item: Item;
  scope: RequestScope | undefined;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Does together what comes up in one turn of the event loop, or while as many batches as are allowed are under way:
 * the busier it is, the larger they get, and a single request does not wait. Requests whose caller has gone are left out.
 */
export function inBatches<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
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
      void runInScope(scopeOf(batch), () => run(batch));
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
      const results = await work(batch.map(({ item }) => item));
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
      waiting.push({ item, scope: currentScope(), resolve, reject });
      start();
    });
}

/** All of them have written when one statement of the batch has; none of them alone ends it. */
function scopeOf(batch: readonly { scope: RequestScope | undefined }[]): RequestScope {
  return {
    isOver: () => false,
    leftMs: () => Number.POSITIVE_INFINITY,
    get mayHaveWritten() {
      return false;
    },
    set mayHaveWritten(_) {
      for (const { scope } of batch) noteWrite(scope);
    },
  };
}
