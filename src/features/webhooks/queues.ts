export interface QueueOptions<Item> {
  /** In all, and from one queue while there is room for everybody. */
  atOnce: number;
  atOnceEach: number;
  /** Never rejects. */
  work(item: Item): Promise<void>;
  /** Called with what is left of a queue whenever something of it is done. */
  onDone(length: number): void;
}

interface Queue<Item> {
  waiting: Item[];
  atWork: number;
}

/**
 * A queue for each subscription, worked off side by side. Half of the places are taken as they come; of the other half
 * each queue gets one, so that a few that are stuck keep no other waiting.
 */
export function createQueues<Item>({ atOnce, atOnceEach, work, onDone }: QueueOptions<Item>) {
  const queues = new Map<string, Queue<Item>>();
  const underWay = new Set<Promise<void>>();
  const plenty = atOnce / 2;

  function mayBegin({ waiting, atWork }: Queue<Item>): boolean {
    if (waiting.length === 0 || underWay.size >= atOnce) return false;
    return atWork < (underWay.size < plenty ? atOnceEach : 1);
  }

  function begin(key: string, queue: Queue<Item>): void {
    while (mayBegin(queue)) {
      queue.atWork += 1;
      const working = work(queue.waiting.shift() as Item).finally(() => {
        underWay.delete(working);
        finish(key, queue);
      });
      underWay.add(working);
    }
  }

  function finish(key: string, queue: Queue<Item>): void {
    queue.atWork -= 1;
    if (queue.atWork === 0 && queue.waiting.length === 0) queues.delete(key);
    else begin(key, queue);
    // Others may have waited for this very place.
    if (underWay.size === atOnce - 1 || underWay.size === plenty - 1)
      for (const [otherKey, other] of queues) begin(otherKey, other);
    onDone(queue.waiting.length + queue.atWork);
  }

  return {
    add(key: string, item: Item): void {
      const queue = queues.getOrInsertComputed(key, () => ({ waiting: [], atWork: 0 }));
      queue.waiting.push(item);
      begin(key, queue);
    },
    lengths: (): Map<string, number> =>
      new Map([...queues].map(([key, { waiting, atWork }]) => [key, waiting.length + atWork])),
    /** Whether there is something that has not begun. */
    haveWaiting: (): boolean => queues.values().some(({ waiting }) => waiting.length > 0),
    /** What waits is not begun any more; it is given back. */
    empty(key: string): Item[] {
      return queues.get(key)?.waiting.splice(0) ?? [];
    },
    emptyAll: (): Item[] => [...queues.values()].flatMap(({ waiting }) => waiting.splice(0)),
    async settled(): Promise<void> {
      await Promise.all(underWay);
    },
  };
}
