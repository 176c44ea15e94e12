/**
 * `npm run client -- --kind platform`: makes a client of the platform and prints its id and secret, this once. With it
 * everything else is done over HTTP, under `/manage`; a new live database has no client at all.
 */
import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../src/config.ts';
import { connectDatabase } from '../src/db/connect.ts';
import { inTransaction, openPool } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { addSecret, createClient } from '../src/features/identity/service.ts';
import { Problem } from '../src/kernel/problem.ts';
import { StartError } from '../src/kernel/start-error.ts';

const USAGE = 'npm run client -- --kind platform, and --id ID where it must be a certain one';

async function run({ id }: { id?: string }): Promise<void> {
  const config = readConfig(process.env);
  await using started = new AsyncDisposableStack();
  // Only what was made goes to standard output, so that it can be read by a program.
  const database = await connectDatabase(config, console.error);
  started.defer(() => database.stop());
  const sql = openPool(database.url, { max: 2, applicationName: 'maitred client' });
  started.defer(() => sql.end({ timeout: 5 }));
  await migrate(sql, { progress: console.error });
  const made = await inTransaction(sql, async (tx) => {
    const client = await createClient(tx, { kind: 'platform', ...(id !== undefined && { id }) });
    const { secret } = await addSecret(tx, client.id);
    return { clientId: client.id, secret };
  });
  console.log(`client_id: ${made.clientId}`);
  console.log(`client_secret: ${made.secret}`);
}

/** Undefined: it was asked for something else. */
function wantedIn(args: string[]): { id?: string } | undefined {
  try {
    const { values } = parseArgs({ args, options: { kind: { type: 'string' }, id: { type: 'string' } } });
    if (values.kind !== 'platform') return undefined;
    return values.id === undefined ? {} : { id: values.id };
  } catch {
    return undefined;
  }
}

const wanted = wantedIn(process.argv.slice(2));
if (!wanted) {
  console.error(USAGE);
  process.exit(1);
}
try {
  await run(wanted);
} catch (error) {
  const isPlain = error instanceof ConfigError || error instanceof StartError || error instanceof Problem;
  console.error(isPlain ? error.message : error);
  process.exit(1);
}
