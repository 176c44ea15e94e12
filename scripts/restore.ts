/** `npm run restore -- --from FILE`: brings a backup into an empty database, or changes nothing. */
import { resolve } from 'node:path';
import { check, load } from '../src/db/backup/load.ts';
import { runCommand } from './command.ts';

await runCommand({
  name: 'restore',
  usage: 'npm run restore -- --from maitred.backup',
  options: { from: { type: 'string' } },
  accepts: ({ from }) => Boolean(from),
  keepsSchema: true,
  progress: console.error,
  /** A file that cannot be used is refused before a database is made for it. */
  prepare: async ({ from = '' }) => void (await check(resolve(from))),
  async run({ from = '' }, { sql }) {
    const { header, end } = await load(sql, { from: resolve(from), progress: console.error });
    console.log(`${end.tables} tables, ${end.rows} rows, as of ${header.madeAt}; all of them compared.`);
    console.log(`Start nodes with the encryption key of then: ${header.keyIds.join(', ') || 'none'}.`);
  },
});
