/** The files that a feed consists of, and what is said about each wherever it is fetched from. */
const INDEX = /^[\w-]{32}\/index\.json$/;
const SHARD = /^[\w-]{32}\/\d{4}-\d\d-\d\d\.\d{1,19}\.json\.gz$/;

export interface FileFacts {
  contentType: string;
  cacheControl: string;
  /** Whether it is sent compressed to those who take that. */
  isCompressible: boolean;
}

/** Written over in place; whoever keeps it asks again before the next change could have shown anyway. */
const INDEX_FACTS: FileFacts = {
  contentType: 'application/json',
  cacheControl: 'public, max-age=5, must-revalidate',
  isCompressible: true,
};

/**
 * Never another file under the same name. It is gzip as a file, not as an encoding: clients would unpack that one on
 * the way, some of them, and its length and its ranges would then be those of other bytes.
 */
const SHARD_FACTS: FileFacts = {
  contentType: 'application/gzip',
  cacheControl: 'public, max-age=31536000, immutable',
  isCompressible: false,
};

/** Undefined: no feed file has such a path. What has one leads nowhere else. */
export function findFacts(path: string): FileFacts | undefined {
  if (INDEX.test(path)) return INDEX_FACTS;
  return SHARD.test(path) ? SHARD_FACTS : undefined;
}

export function factsOf(path: string): FileFacts {
  const facts = findFacts(path);
  if (!facts) throw new Error(`${path} is no path of a feed file.`);
  return facts;
}
