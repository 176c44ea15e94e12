/**
 * `npm run client -- --kind platform`: makes a client of the platform and prints its id and secret, this once. With it
 * everything else is done over HTTP, under `/manage`; a new live database has no client at all.
 */
import { inTransaction } from '../src/db/database.ts';
import { addSecret, createClient } from '../src/features/identity/service.ts';
import { runCommand } from './command.ts';

await runCommand({
  name: 'client',
  usage: 'npm run client -- --kind platform, and --id ID where it must be a certain one',
  options: { kind: { type: 'string' }, id: { type: 'string' } },
  accepts: ({ kind }) => kind === 'platform',
  // Only what was made goes to standard output, so that it can be read by a program.
  progress: console.error,
  async run({ id }, { sql }) {
    const made = await inTransaction(sql, async (tx) => {
      const client = await createClient(tx, { kind: 'platform', ...(id !== undefined && { id }) });
      const { secret } = await addSecret(tx, client.id);
      return { clientId: client.id, secret };
    });
    console.log(`client_id: ${made.clientId}`);
    console.log(`client_secret: ${made.secret}`);
  },
});
