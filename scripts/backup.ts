/**
 * `npm run backup -- --to FILE`: writes the whole database into one file, as it is at this moment. Nodes may go on
 * meanwhile. The encryption key is not in it.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { dump } from '../src/db/backup/dump.ts';
import { StartError } from '../src/kernel/problem.ts';
import { runCommand } from './command.ts';

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => stopping.abort(new StartError('The backup was stopped; no file was written.')));

const stamp = () => Temporal.Now.instant().toString({ smallestUnit: 'second' }).replaceAll(':', '');

await runCommand({
  name: 'backup',
  usage: 'npm run backup -- --to maitred.backup',
  options: { to: { type: 'string' } },
  accepts: ({ to }) => to !== '',
  keepsSchema: true,
  progress: console.error,
  async run({ to = `maitred-${stamp()}.backup` }, { sql }) {
    const path = resolve(to);
    if (existsSync(path)) throw new StartError(`${path} exists already; choose another name.`);
    const { signal } = stopping;
    const { header, tables, rows } = await dump(sql, { to: path, signal, progress: console.error });
    console.log(`${path}: ${tables} tables, ${rows} rows, as of ${header.madeAt}.`);
    console.log(`The encryption key is not in it. It needs: ${header.keyIds.join(', ') || 'none'}.`);
  },
});
