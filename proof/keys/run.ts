/**
 * `npm run key:drill`: an encryption key has leaked. Two nodes on one database are given a new one while callers book,
 * read and search; everything is sealed anew, and the old key goes. Writes `proof/KEYS.md`.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeReport } from '../../bench/report.ts';
import { openPool, type Sql } from '../../src/db/database.ts';
import { startEmbedded } from '../../src/db/embedded/embedded.ts';
import { createKeyring, seal } from '../../src/kernel/crypto.ts';
import { SEALED_TABLES } from '../../src/services.ts';
import { runToEnd } from '../../test/support/node-process.ts';
import {
  bookMany,
  bookOne,
  call,
  type Fleet,
  findOne,
  newTally,
  readOne,
  startCallers,
  startOne,
  stopOne,
} from '../drill.ts';

const BOOKINGS = 60;
const EVENTS = 5000;
const CALLERS = 2;
const [OLD, NEW] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')] as const;
const idOf = (key: string) => createKeyring([Buffer.from(key, 'base64')]).first.id;

mkdirSync('/tmp', { recursive: true });
const folder = mkdtempSync('/tmp/maitred-key-drill-');
chmodSync(folder, 0o711);
const fleet: Fleet = { nodes: [], dataDir: join(folder, 'data') };
const tally = newTally();
const lines: string[] = [];
const began = performance.now();
const tell = (line: string) => {
  lines.push(`| ${((performance.now() - began) / 1000).toFixed(0)} s | ${line} |`);
  console.error(lines.at(-1));
};

/** How many values there are of each key, over all tables. */
async function countByKey(sql: Sql): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { table, columns } of SEALED_TABLES)
    for (const column of columns)
      for (const { id, count } of await sql<{ id: string; count: number }[]>`
        select encode(substring(${sql(column)} from 2 for 4), 'hex') as id, count(*) from ${sql(table)}
        where ${sql(column)} is not null group by 1`)
        counts[id] = (counts[id] ?? 0) + count;
  return counts;
}

const shown = (counts: Record<string, number>) =>
  `${counts[idOf(OLD)] ?? 0} values of the old key, ${counts[idOf(NEW)] ?? 0} of the new one`;

async function restartAll(keys: string): Promise<void> {
  for (const node of [...fleet.nodes]) {
    await startOne(fleet, { ENCRYPTION_KEY: keys });
    await stopOne(fleet, node);
  }
}

async function writeEvents(sql: Sql): Promise<void> {
  const keys = createKeyring([Buffer.from(OLD, 'base64')]);
  const rows = Array.from({ length: EVENTS }, () => {
    const id = randomUUID();
    return { id, body: `\\x${seal(keys, '{}', `event:${id}`).toString('hex')}` };
  });
  await sql`
    insert into event (id, type, partner_id, venue_id, occurred_at, body)
    select id, 'booking.created', 999, '1|house|soho-grill', now(), body
    from jsonb_to_recordset(${sql.json(rows)}) as row (id uuid, body bytea)`;
}

const server = await startEmbedded({ dataDir: fleet.dataDir });
const sql = openPool(server.url, { max: 2 });
try {
  const first = await startOne(fleet, { ENCRYPTION_KEY: OLD });
  await startOne(fleet, { ENCRYPTION_KEY: OLD });
  await bookMany(first, tally, BOOKINGS);
  await writeEvents(sql);
  tell(
    `Two nodes with the old key, ${tally.booked.size} bookings, ${EVENTS} more events: ${shown(await countByKey(sql))}.`,
  );
  const callers = startCallers(fleet, tally, CALLERS);
  await restartAll(`${OLD},${NEW}`);
  tell(`Both nodes have \`old,new\`: ${shown(await countByKey(sql))}.`);
  await restartAll(`${NEW},${OLD}`);
  const [node] = fleet.nodes;
  if (!node) throw new Error('No node is there.');
  tell(`Both nodes have \`new,old\`: ${shown(await countByKey(sql))}.`);
  const status = async () => (await call(node, 'demo-admin', '/manage/health')).json.encryption;
  while ((await status()).state === 'waiting') await sleep(200);
  const workBegan = performance.now();
  tell('The nodes of before are known to be gone; values are sealed anew.');
  while ((await status()).state !== 'settled') await sleep(200);
  const seconds = (performance.now() - workBegan) / 1000;
  tell(`\`settled\` after ${seconds.toFixed(1)} s: ${shown(await countByKey(sql))}.`);
  await restartAll(NEW);
  tell(`Both nodes have \`new\` alone: ${shown(await countByKey(sql))}.`);
  await sleep(2000);
  await callers.stop();
  const { reads, searches } = tally;
  const under = tally.booked.size;
  const failedBefore = tally.failed.length;
  const [last] = fleet.nodes;
  if (last)
    for (const [id, lastName] of tally.booked) {
      await readOne(last, id, lastName, tally);
      await findOne(last, id, lastName, tally);
    }
  tell(
    `${under} bookings were read, and searched for by their guests, with the new key alone: ${tally.failed.length - failedBefore} were not found.`,
  );
  await sql`delete from signing_key`;
  if (last) await bookOne(last, tally);
  tell('The signing keys were deleted: the next call got a new token and was carried out.');
  for (const each of [...fleet.nodes]) await stopOne(fleet, each);
  const refused = await runToEnd({ env: { DATA_DIR: fleet.dataDir, ENCRYPTION_KEY: OLD } });
  tell(`A node with the old key alone ends with ${refused.code}: «${refused.stderr.trim()}»`);
  writeReport('proof/KEYS.md', {
    title: 'An encryption key is replaced',
    command: 'npm run key:drill',
    body: `The drill of [docs/keys.md](../docs/keys.md#replacing-the-encryption-key): two nodes on one embedded database with the demo data, restarted one after the other as behind a balancer, while ${CALLERS} callers book, read and search by guest. Times are of one run.

| after | what |
| ----: | ---- |
${lines.join('\n')}

**Calls that failed: ${tally.failed.length}**${tally.failed.length > 0 ? ` (${tally.failed.slice(0, 5).join('; ')})` : ''}, of ${under} bookings made, ${tally.full} refused because a time was full, ${reads} reads and ${searches} searches while the key was replaced.`,
  });
} finally {
  for (const { child } of fleet.nodes) child.kill('SIGKILL');
  await sql.end({ timeout: 5 });
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
