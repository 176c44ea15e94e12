/**
 * `npm run restore:drill`: a backup is made while bookings go on, the node is killed, the backup restored into an empty
 * place and compared table by table, and a node goes on there. Writes `proof/RESTORE.md`.
 */
import { chmodSync, copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeReport } from '../../bench/report.ts';
import { checksumOf } from '../../src/db/backup/catalogue.ts';
import { dump } from '../../src/db/backup/dump.ts';
import { load } from '../../src/db/backup/load.ts';
import { openPool } from '../../src/db/database.ts';
import { startEmbedded } from '../../src/db/embedded/embedded.ts';
import {
  bookMany,
  type Fleet,
  findOne,
  newTally,
  readOne,
  startCallers,
  startOne,
  stopOne,
} from '../drill.ts';
import { recoverToMinute } from './point-in-time.ts';

const BOOKINGS = 60;
const folder = mkdtempSync('/tmp/maitred-restore-drill-');
chmodSync(folder, 0o711);
const fleet: Fleet = { nodes: [], dataDir: join(folder, 'data') };
const place = join(folder, 'restored');
const file = join(folder, 'maitred.backup');
const tally = newTally();
const quiet = { progress() {} };
const lines: string[] = [];
const tell = (line: string) => {
  lines.push(`- ${line}`);
  console.error(line);
};

try {
  const server = await startEmbedded({ dataDir: fleet.dataDir });
  const sql = openPool(server.url, { max: 2 });
  const node = await startOne(fleet);
  await bookMany(node, tally, BOOKINGS);
  const callers = startCallers(fleet, tally, 2);
  const before = new Map(tally.booked);
  let began = performance.now();
  const dumped = await dump(sql, { to: file, ...quiet });
  const dumpSeconds = ((performance.now() - began) / 1000).toFixed(1);
  const during = tally.booked.size - before.size;
  await callers.stop();
  const bytes = statSync(file).size;
  tell(
    `Backup while bookings went on (${during} were made meanwhile): ${dumped.tables} tables, ${dumped.rows} rows, ${Math.round(bytes / 1024)} KiB, ${dumpSeconds} s.`,
  );
  node.child.kill('SIGKILL');
  await node.exit;
  await sql.end({ timeout: 5 });
  await server.stop();
  tell('The node was killed with SIGKILL, and its folder left alone from then on.');

  const restoredServer = await startEmbedded({ dataDir: place });
  const restored = openPool(restoredServer.url, { max: 2 });
  began = performance.now();
  await load(restored, { from: file, ...quiet });
  tell(`Restored into an empty folder in ${((performance.now() - began) / 1000).toFixed(1)} s.`);
  let same = 0;
  for (const { table, rows, checksum } of dumped.contents) {
    const found = await checksumOf(restored, table);
    if (found.rows === rows && found.checksum === checksum) same += 1;
    else tell(`**${table} differs**: ${found.rows} rows in place of ${rows}.`);
  }
  tell(`Tables whose rows are those of the moment of the backup: **${same} of ${dumped.tables}**.`);
  copyFileSync(join(fleet.dataDir, 'encryption-key'), join(place, 'encryption-key'));
  const next: Fleet = { nodes: [], dataDir: place };
  const second = await startOne(next);
  const after = newTally();
  for (const [id, lastName] of before) {
    await readOne(second, id, lastName, after);
    await findOne(second, id, lastName, after);
  }
  tell(
    `A node started on it with the key of then: ${after.reads} bookings read and ${after.searches} found by guest, ${after.failed.length} not.`,
  );
  await bookMany(second, after, 10);
  const [twice] = await restored`
    select count(*)::int from house_allocation a join house_allocation b
      on a.table_id = b.table_id and a.reservation_id < b.reservation_id and a.during && b.during`;
  tell(`${after.booked.size} new bookings were made; tables taken twice: **${twice?.count}**.`);
  await stopOne(next, second);
  await restored.end({ timeout: 5 });
  await restoredServer.stop();
  const pitr = await recoverToMinute(join(folder, 'own'));
  writeReport('proof/RESTORE.md', {
    title: 'A database is lost and restored',
    command: 'npm run restore:drill',
    body: `The drill of [docs/backup.md](../docs/backup.md) on an embedded database with the demo data and ${BOOKINGS} bookings. Times are of one run.

## The embedded database

${lines.join('\n')}

## Back to a minute, on PostgreSQL of Debian

${pitr}`,
  });
} finally {
  for (const { child } of fleet.nodes) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
