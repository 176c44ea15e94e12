interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Does together what comes up in one turn of the event loop, or while as many batches as are allowed are under way:
 * the busier it is, the larger they get, and whoever is alone waits for nobody.
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
      void run(waiting.splice(0, most));
      start();
    });
  }

  async function run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
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
      waiting.push({ item, resolve, reject });
      start();
    });
}
