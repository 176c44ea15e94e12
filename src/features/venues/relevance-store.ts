import type { Fragment, Tx } from '../../db/database.ts';
import { contains } from './search-store.ts';

/**
 * How well a venue `v` fits a free text. Asynchronous, so that an embedding model can turn the text
 * into a vector first and answer with a distance instead.
 */
export type Relevance = (tx: Tx, query: string) => Promise<{ matches: Fragment; score: Fragment }>;

/** Any of the words may match, stemmed; more of them, and those in the name, rank higher. */
export const textRelevance: Relevance = async (tx, query) => {
  const anyWord = tx`replace(plainto_tsquery('english', ${query})::text, '&', '|')::tsquery`;
  const inName = contains(tx, tx`v.name`, query);
  return {
    matches: tx`(v.search @@ ${anyWord} or ${inName})`,
    score: tx`(ts_rank_cd(v.search, ${anyWord}) + (${inName})::int)`,
  };
};
