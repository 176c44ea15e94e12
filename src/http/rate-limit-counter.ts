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
