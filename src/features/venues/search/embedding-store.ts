import type { Sql, Tx } from '../../../db/database.ts';
import type { VenueId } from '../../../kernel/ids.ts';

/** A venue whose text has no vector of this model, or another one than it had. */
export interface StaleVenue {
  id: VenueId;
  text: string;
  digest: string;
  describedAt: Temporal.Instant;
  /** The venue has changed, and its text has not. */
  isSame: boolean;
}

/** Of what models take at least; one that refused a text would be asked for the same venues for ever. */
const LONGEST_TEXT = 4000;

/** The venues that are to be described anew, some at a time. */
export async function listStale(sql: Sql, model: string, limit: number): Promise<StaleVenue[]> {
  return [
    ...(await sql<StaleVenue[]>`
      select v.id, told.text, md5(told.text) as digest, v.updated_at as "describedAt",
        coalesce(e.model = ${model} and e.digest = md5(told.text), false) as "isSame"
      from venue v left join venue_embedding e on e.venue_id = v.id,
        lateral (select left(concat_ws('. ', v.name, array_to_string(v.types, ', '), v.area || ', ' || v.city,
          v.content ->> 'summary', v.content ->> 'description',
          (select string_agg(said, '. ') from jsonb_array_elements_text(v.content -> 'highlights') said)),
          ${LONGEST_TEXT}) as text) told
      where e.venue_id is null or e.model <> ${model} or e.described_at < v.updated_at
      order by v.id limit ${limit}`),
  ];
}

/** Two nodes may do this at once: both write the same. A venue that is gone is left out. */
export async function saveVectors(
  sql: Sql,
  model: string,
  venues: readonly (StaleVenue & { vector: Buffer | null })[],
): Promise<void> {
  for (const { id, digest, describedAt, vector } of venues)
    await (vector
      ? sql`
          insert into venue_embedding (venue_id, model, digest, vector, described_at)
          select id, ${model}, ${digest}, ${vector}, ${describedAt} from venue where id = ${id}
          on conflict (venue_id) do update set model = excluded.model, digest = excluded.digest,
            vector = excluded.vector, described_at = excluded.described_at`
      : sql`update venue_embedding set described_at = ${describedAt} where venue_id = ${id} and digest = ${digest}`);
}

/** Which of these venues have a vector, and of which text. */
export async function listDigests(
  tx: Tx,
  model: string,
  ids: readonly VenueId[],
): Promise<{ id: VenueId; digest: string }[]> {
  return [
    ...(await tx<{ id: VenueId; digest: string }[]>`
      select venue_id as id, digest from venue_embedding where venue_id = any(${[...ids]}::text[]) and model = ${model}`),
  ];
}

export async function loadVectors(
  tx: Tx,
  ids: readonly VenueId[],
): Promise<{ digest: string; vector: Buffer }[]> {
  return [
    ...(await tx<{ digest: string; vector: Buffer }[]>`
      select digest, vector from venue_embedding where venue_id = any(${[...ids]}::text[])`),
  ];
}
