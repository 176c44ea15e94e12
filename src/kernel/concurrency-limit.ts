export interface ConcurrencyLimit {
  /** Settles when there is a place. `leave` must follow. */
  enter(): Promise<void>;
  leave(): void;
  /** Those that have a place keep it. */
  rejectWaiting(error: Error): void;
}

/** At most so many at a time; the others wait, first come, first served. */
export function limitConcurrency(most: number): ConcurrencyLimit {
  const waiting: PromiseWithResolvers<void>[] = [];
  let running = 0;
  return {
    async enter() {
      if (running >= most) {
        const place = Promise.withResolvers<void>();
        waiting.push(place);
        await place.promise;
      } else running += 1;
    },
    leave() {
      const next = waiting.shift();
      if (next) next.resolve();
      else running -= 1;
    },
    rejectWaiting(error) {
      for (const { reject } of waiting.splice(0)) reject(error);
    },
  };
}
