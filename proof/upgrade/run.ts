/**
 * `npm run upgrade`: nodes of an older commit serve a database with data in it, nodes of this one take over one after the
 * other while users call, and everything is compared afterwards. From the squashed migrations and from 0.2.0; writes
 * `proof/UPGRADE.md`. `--from <commit>` takes another one and only prints.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { tokenOf } from '../../bench/caller.ts';
import { writeReport } from '../../bench/report.ts';
import { openPool } from '../../src/db/database.ts';
import { tryPort } from '../../src/kernel/network.ts';
import { imbalances } from '../../test/race/balance.ts';
import { startHangingDatabase } from '../../test/support/databases/hanging-database.ts';
import { type NodeProcess, nodesToKill, startNodeProcess } from '../../test/support/node-process.ts';
import { startReceiver } from '../../test/support/peers/receiver.ts';
import { CERTIFICATE } from '../../test/support/peers/receiver-certificate.ts';
import { isInstalled, startProxy } from '../rolling/haproxy.ts';
import { check, untilDelivered } from './check.ts';
import { startLoad } from './load.ts';
import { checkOut } from './old-version.ts';
import { type Finding, findingText, type Phase, phaseTable } from './report.ts';
import { compareTables, copyTables } from './tables.ts';
import { askerOf, endVisits, makeWorld } from './world.ts';

/** The migrations squashed and moved into place, and the commit that 0.2.0 is. */
const FROM = ['57d6b361', '59135b4b'];

const { values } = parseArgs({
  options: { from: { type: 'string', multiple: true }, rate: { type: 'string', default: '10' } },
});
const perSecond = Number(values.rate);
const progress = (line: string) => console.error(line);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
if (!isInstalled()) {
  progress('haproxy is not installed (apt install haproxy); without it nothing is shown.');
  process.exit(1);
}
const SIDE_BY_SIDE_MS = 15_000;
const PAUSE_MS = 5000;

const findings: Finding[] = [];
for (const from of values.from ?? FROM) {
  findings.push(await upgradeFrom(from));
  console.log(findingText(findings.slice(-1)));
}
if (!values.from)
  writeReport('proof/UPGRADE.md', {
    title: 'Older versions upgraded while they serve',
    command: 'npm run upgrade',
    body: findingText(findings),
  });

async function upgradeFrom(wanted: string): Promise<Finding> {
  const old = checkOut(wanted, progress);
  const folder = mkdtempSync(join(tmpdir(), 'maitred-upgrade-'));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const database = await startHangingDatabase();
  cleanup.defer(() => database.close());
  const sql = openPool(database.url, { max: 3 });
  cleanup.defer(() => sql.end({ timeout: 1 }));
  const receiver = await startReceiver();
  cleanup.defer(() => receiver.close());

  const freePort = () => tryPort('127.0.0.1', 0);
  const [plainPort, port] = [await freePort(), await freePort()];
  const nodePorts = [await freePort(), await freePort(), await freePort()] as const;
  const address = `https://localhost:${port}`;
  const encryptionKey = randomBytes(32).toString('base64');
  const nodes = nodesToKill(cleanup);
  async function start(nodePort: number, program?: string): Promise<NodeProcess> {
    const env = {
      HOST: '127.0.0.1',
      PORT: String(nodePort),
      PUBLIC_URL: address,
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: encryptionKey,
      RATE_LIMIT: '0',
      TRUST_PROXY: '1',
      WEBHOOK_ALLOW_LOOPBACK: 'true',
    };
    const node = await startNodeProcess({ ...(program && { program }), env });
    nodes.push(node);
    return node;
  }

  progress(`Two nodes of ${old.commit} (${old.version}) …`);
  const [first, second] = [await start(nodePorts[0], old.program), await start(nodePorts[1], old.program)];
  const world = await makeWorld(first.address, receiver.url);
  await endVisits(sql, await askerOf(first.address, 'demo-operator'), world);
  await untilDelivered(sql);
  const tables = await copyTables(sql);
  const faultsBefore = new Set(await imbalances(sql));

  const proxy = startProxy({ folder, plainPort, port, nodePorts, retries: undefined });
  cleanup.defer(() => proxy.stop());
  await sleep(PAUSE_MS);
  const tokens = {
    partner: await tokenOf(first, 'demo-partner'),
    operator: await tokenOf(first, 'demo-operator'),
  };
  const load = startLoad({ address, ca: CERTIFICATE, tokens, world, perSecond });
  const phases: Phase[] = [];
  const begin = (name: string) => {
    progress(`  ${name}`);
    phases.push({ name, fromMs: load.nowMs() });
  };
  begin('old nodes alone');
  await sleep(PAUSE_MS);
  begin('a new node migrates and starts');
  await start(nodePorts[2]);
  begin('side by side');
  await proxy.untilAllUp();
  await sleep(SIDE_BY_SIDE_MS);
  begin('old nodes leave');
  let unclean = 0;
  for (const [index, node] of [first, second].entries()) {
    // Versions before 1.0.0 close their port at once.
    await proxy.drain(index + 1);
    await sleep(PAUSE_MS);
    node.child.kill('SIGTERM');
    if ((await node.exit) !== 0) unclean += 1;
    await start(nodePorts[index] ?? 0);
    await proxy.release(index + 1);
    await proxy.untilAllUp();
  }
  begin('new nodes alone');
  await sleep(PAUSE_MS);
  const endMs = load.nowMs();
  await load.stop();
  progress(phaseTable({ phases, calls: load.journal.calls, endMs }));
  const newest = nodes.at(-1) ?? first;
  const checked = await check(
    {
      sql,
      url: database.url,
      node: newest,
      world,
      journal: load.journal,
      posts: receiver.received,
      faultsBefore,
    },
    progress,
  );
  return {
    old,
    perSecond,
    phases,
    endMs,
    calls: load.journal.calls,
    unclean,
    said: nodes.map((node) => node.stdout() + node.stderr()).join(''),
    checked,
    migrations: await sql<{ name: string; startedAt: Temporal.Instant }[]>`
      select name, applied_at as "startedAt" from schema_migration order by version`,
    tables: await compareTables(sql, tables),
  };
}
