/** What the search is compared with: the one before it, and trigrams alone. */
import type { Tx } from '../../src/db/database.ts';
import { visibleVenues } from '../../src/http/auth/visibility-store.ts';
import type { Ranker } from '../../test/search/measure.ts';

const said = (tx: Tx) => tx`concat_ws(' ', v.content ->> 'summary', v.content ->> 'description',
  (select string_agg(h, ' ') from jsonb_array_elements_text(v.content -> 'highlights') h))`;
const where = (tx: Tx) => tx`concat_ws(' ', v.city, v.area, array_to_string(v.types, ' '))`;
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

/** Any of the words, stemmed, ranked by cover density; and names that contain the text. */
export const formerSearch: Ranker = async (tx, visibility, query) => {
  const words = tx`setweight(to_tsvector('english', v.name), 'A')
    || setweight(to_tsvector('english', ${where(tx)}), 'B') || setweight(to_tsvector('english', ${said(tx)}), 'C')`;
  return idsOf(
    await tx<{ id: string }[]>`
      select id from (
        select v.id, words, position(lower(${query}) in lower(v.name)) > 0 as is_named,
          replace(plainto_tsquery('english', ${query})::text, '&', '|')::tsquery as asked
        from venue v, lateral (select ${words} as words) w where ${visibleVenues(tx, visibility)}) v
      where words @@ asked or is_named
      order by ts_rank_cd(words, asked) + is_named::int desc, id limit 5`,
  );
};

export const trigramSearch: Ranker = async (tx, visibility, query) =>
  idsOf(
    await tx<{ id: string }[]>`
      select v.id from venue v where ${visibleVenues(tx, visibility)}
      order by word_similarity(lower(${query}), lower(concat_ws(' ', v.name, ${where(tx)}, ${said(tx)}))) desc, v.id limit 5`,
  );
