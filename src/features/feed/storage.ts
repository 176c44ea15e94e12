/**
 * Where feed files are kept. A file that can be read is there as a whole: whoever reads while one is written gets the
 * one before, or nothing.
 */
export interface FeedStorage {
  put(path: string, body: Buffer): Promise<void>;
  /** Removing what is not there is no mistake. */
  remove(paths: readonly string[]): Promise<void>;
}
