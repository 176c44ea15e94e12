import type { Config } from '../config.ts';
import { placeOf } from '../kernel/database-address.ts';
import { reasonOf, StartError } from '../kernel/problem.ts';
import { openPool } from './database.ts';
import { type DatabaseServer, startEmbedded } from './embedded/embedded.ts';

const OLDEST_VERSION = 150_000;

/** What has to be true of a server before Maitred uses it. */
export interface ServerFacts {
  /** As in `server_version_num`: 150004 is 15.4. */
  version: number;
  hasUnicodeCollation: boolean;
  encoding: string;
}

/** The database of this node: the configured one, or one of its own under `DATA_DIR`. */
export async function connectDatabase(
  config: Config,
  progress: (line: string) => void,
): Promise<DatabaseServer> {
  if (!config.databaseUrl) return startEmbedded({ dataDir: config.dataDir, progress });
  requireUsable(await readFacts(config.databaseUrl), placeOf(config.databaseUrl));
  return { url: config.databaseUrl, stop: async () => {} };
}

async function readFacts(url: string): Promise<ServerFacts> {
  const sql = openPool(url, { max: 1 });
  try {
    const [row] = await sql<[ServerFacts]>`
      select current_setting('server_version_num')::int as version,
        exists (select 1 from pg_collation where collprovider = 'i' and collname = 'und-x-icu')
          as "hasUnicodeCollation",
        current_setting('server_encoding') as encoding`;
    return row;
  } catch (error) {
    throw new StartError(
      `The database at ${placeOf(url)} (DATABASE_URL) cannot be used: ${withoutStop(reasonOf(error))}.`,
    );
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Throws a `StartError` that says what to change when the server lacks something that Maitred needs. */
export function requireUsable(facts: ServerFacts, place: string): void {
  if (facts.version < OLDEST_VERSION) {
    const version = `${Math.floor(facts.version / 10_000)}.${facts.version % 10_000}`;
    throw new StartError(
      `The database at ${place} is PostgreSQL ${version}; Maitred needs version 15 or newer.`,
    );
  }
  if (!facts.hasUnicodeCollation) {
    throw new StartError(
      `The PostgreSQL at ${place} was built without ICU; Maitred sorts names with its collations.`,
    );
  }
  if (facts.encoding !== 'UTF8') {
    throw new StartError(`The database at ${place} has the encoding ${facts.encoding}; Maitred needs UTF8.`);
  }
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
