export interface QueueOptions<Item> {
  /** The number of items in progress: in all, and of one queue. */
  concurrency: number;
  concurrencyEach: number;
  /** Never rejects. */
  work(item: Item): Promise<Reply>;
  /** Called with what is left of a queue whenever something of it is done. */
  onDone(length: number): void;
}

/** The receiver's behaviour: it answered, took too long, or it is unknown. */
export type Reply = 'answered' | 'timed out' | 'unknown';

interface Queue<Item> {
  owner: string;
  waiting: Item[];
  atWork: number;
}

/** Places of a queue about which nothing is known. Each answer adds one, a time-out leaves one. */
const FIRST_PLACES = 4;
/** Queues whose number of places is remembered. */
const MAX_REMEMBERED = 10_000;

/**
 * One queue per subscription. An owner may hold as many places as it leaves free, and a subscription as many as are
 * then left to its owner. So owners share the places evenly, receivers that hang cannot take all of them, and a
 * partner or operator that was idle finds some free.
 */
export function createQueues<Item>({ concurrency, concurrencyEach, work, onDone }: QueueOptions<Item>) {
  const queues = new Map<string, Queue<Item>>();
  /** Places held, by owner. */
  const held = new Map<string, number>();
  const places = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  /** The last places go to owners that hold none, or few. */
  const reserve = concurrency / 16;

  const placesOf = (key: string) => places.get(key) ?? Math.min(FIRST_PLACES, concurrencyEach);
  const heldBy = (owner: string) => held.get(owner) ?? 0;

  function mayBegin(key: string, { owner, waiting, atWork }: Queue<Item>): boolean {
    const free = concurrency - underWay.size;
    if (waiting.length === 0 || free === 0) return false;
    if (heldBy(owner) === 0) return true;
    if (atWork === 0 && free > reserve) return true;
    return atWork < Math.min(placesOf(key), free - heldBy(owner));
  }

  function begin(key: string, queue: Queue<Item>): void {
    while (mayBegin(key, queue)) {
      queue.atWork += 1;
      held.set(queue.owner, heldBy(queue.owner) + 1);
      const working = work(queue.waiting.shift() as Item).then((reply) => {
        underWay.delete(working);
        learn(key, reply);
        finish(key, queue);
      });
      underWay.add(working);
    }
  }

  function learn(key: string, reply: Reply): void {
    if (reply === 'unknown') return;
    if (places.size >= MAX_REMEMBERED) places.clear();
    places.set(key, reply === 'answered' ? Math.min(placesOf(key) + 1, concurrencyEach) : 1);
  }

  function finish(key: string, queue: Queue<Item>): void {
    queue.atWork -= 1;
    held.set(queue.owner, heldBy(queue.owner) - 1);
    if (heldBy(queue.owner) === 0) held.delete(queue.owner);
    const left = underWay.size;
    // It goes to the end of the line, which decides when there are fewer places than queues.
    queues.delete(key);
    if (queue.waiting.length + queue.atWork > 0) queues.set(key, queue);
    if (concurrency - left > reserve) begin(key, queue);
    if (underWay.size === left) for (const [otherKey, other] of queues) begin(otherKey, other);
    onDone(queue.waiting.length + queue.atWork);
  }

  return {
    add(key: string, owner: string, item: Item): void {
      const queue = queues.getOrInsertComputed(key, () => ({ owner, waiting: [], atWork: 0 }));
      queue.waiting.push(item);
      begin(key, queue);
    },
    lengths: (): Map<string, number> =>
      new Map([...queues].map(([key, { waiting, atWork }]) => [key, waiting.length + atWork])),
    /** The keys of queues that timed out and have not answered since. */
    slow: (): Set<string> => new Set(places.keys().filter((key) => places.get(key) === 1)),
    /** Forgets how the receiver behaved, because it may be another one now. */
    forget: (key: string): void => void places.delete(key),
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
