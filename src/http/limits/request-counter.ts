interface MemoryCounterOptions {
  nowMs: () => number;
  /** More keys than this are not remembered; the oldest window is forgotten first. */
  maxKeys?: number;
}

interface MemoryCounter extends RequestCounter {
  hit(key: string): Count;
  size(): number;
}

/** Counts in this process. Keys stay in the order in which their windows began, which is also the order they end in. */
export function createMemoryCounter({ nowMs, maxKeys = 100_000 }: MemoryCounterOptions): MemoryCounter {
  const windows = new Map<string, Count>();

  function forgetEnded(now: number): void {
    for (const [key, window] of windows) {
      if (window.resetMs > now && windows.size < maxKeys) return;
      windows.delete(key);
    }
  }

  return {
    hit(key) {
      const now = nowMs();
      const current = windows.get(key);
      if (current && current.resetMs > now) {
        current.count++;
        return current;
      }
      // A new window goes to the end, so the ended ones are at the front and are cleared away here.
      windows.delete(key);
      forgetEnded(now);
      const fresh = { count: 1, resetMs: now + WINDOW_MS };
      windows.set(key, fresh);
      return fresh;
    },
    size: () => windows.size,
    close: async () => windows.clear(),
  };
}

export const WINDOW_MS = 60_000;

/** How often a key was counted in its present window, and when that window ends. */
export interface Count {
  count: number;
  resetMs: number;
}

/** A window of a key begins with its first call and lasts 60 s. Counting in memory needs no promise. */
export interface RequestCounter {
  hit(key: string): Count | Promise<Count>;
  close(): Promise<void>;
}
