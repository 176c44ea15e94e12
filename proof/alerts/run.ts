/**
 * `npm run alerts`: provokes faults at running nodes, and sees which alerts of deploy/alerts.yml fire in a real
 * Prometheus (Debian: `prometheus`). Prints a table and writes it to `proof/ALERTS.md`. `--only Name,Name` tries some of
 * them and writes nothing.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { writeReport } from '../../bench/report.ts';
import { FAULTS, type Fault } from './faults.ts';
import { FACTOR, type Prometheus, SCRAPE_SECONDS, startPrometheus, UNHURRIED } from './prometheus.ts';
import { startWorld, type World } from './world.ts';

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const only = values.only?.split(',');
const PORTS = { prometheus: 4450, worker: 4451 };
const PATIENCE_MS = 100_000;
const BETWEEN_CALLS_MS = 200;

interface Fired {
  alert: string;
  how: string;
  /** Undefined: it did not. */
  afterSeconds: number | undefined;
}

// Leaving by `exit` is what makes the database server go too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const fired: Fired[] = [];
{
  await using world = await startWorld(PORTS);
  const targets = [world.api.address, world.second.address, world.worker().address];
  const prometheus = await startPrometheus(
    PORTS.prometheus,
    targets.map((address) => new URL(address).host),
  );
  try {
    const wanted = FAULTS.filter(({ alerts }) => !only || alerts.some((alert) => only.includes(alert)));
    for (const fault of wanted) fired.push(...(await provoke(world, prometheus, fault)));
  } finally {
    await prometheus.close();
  }
}
const table = [
  '| alert | what was done | fired after |',
  '| --- | --- | --- |',
  ...fired.map(
    ({ alert, how, afterSeconds }) =>
      `| ${alert} | ${how} | ${afterSeconds === undefined ? '**no**' : `${afterSeconds} s`} |`,
  ),
].join('\n');
console.log(table);
if (!only)
  writeReport('proof/ALERTS.md', {
    title: 'Alerts that were fired on purpose',
    command: 'npm run alerts',
    body: reportOf(),
  });
process.exit(0);

async function provoke(world: World, prometheus: Prometheus, fault: Fault): Promise<Fired[]> {
  const { how, alerts, begin, calls, patienceMs = PATIENCE_MS } = fault;
  await untilQuiet(prometheus, alerts);
  console.error(`${how} …`);
  const startedMs = performance.now();
  const after = new Map<string, number>();
  const end = await begin(world);
  let isOver = false;
  const calling = callUntil(
    () => isOver,
    () => calls?.(world),
  );
  while (after.size < alerts.length && performance.now() - startedMs < patienceMs) {
    const firing = await prometheus.firing();
    for (const alert of alerts)
      if (firing.has(alert) && !after.has(alert))
        after.set(alert, Math.round((performance.now() - startedMs) / 1000));
    await sleep(500);
  }
  isOver = true;
  await end();
  await calling;
  const found = alerts.map((alert) => ({ alert, how, afterSeconds: after.get(alert) }));
  for (const { alert, afterSeconds } of found) console.error(`  ${alert}: ${afterSeconds ?? 'no'}`);
  return found;
}

/** An alert that still fires for an earlier fault would tell nothing about this one. */
async function untilQuiet(prometheus: Prometheus, alerts: readonly string[]): Promise<void> {
  const untilMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const firing = await prometheus.firing();
    const loud = alerts.filter((alert) => firing.has(alert));
    if (loud.length === 0) return;
    if (performance.now() > untilMs) throw new Error(`${loud.join(', ')} still fires for an earlier fault.`);
    await sleep(1000);
  }
}

async function callUntil(isOver: () => boolean, call: () => Promise<unknown> | undefined): Promise<void> {
  while (!isOver()) {
    await call()?.catch(() => {});
    await sleep(BETWEEN_CALLS_MS);
  }
}

function reportOf(): string {
  const { groups } = parse(
    readFileSync(join(import.meta.dirname, '..', '..', 'deploy', 'alerts.yml'), 'utf8'),
  );
  const names: string[] = groups.flatMap(({ rules }: { rules: { alert: string }[] }) =>
    rules.map(({ alert }) => alert),
  );
  const others = names.filter((name) => !fired.some(({ alert }) => alert === name));
  return `A Prometheus with the rules of \`deploy/alerts.yml\` scraped two nodes that answer calls and one that works, every ${SCRAPE_SECONDS} seconds. In its copy of the rules every \`for\` and every window is ${FACTOR} times shorter, except those of ${UNHURRIED.join(', ')}; thresholds are as they are. Seconds are those of one run on a busy machine, from the beginning of the fault to the alert.

${table}

Fired only in the tests of \`promtool\` (\`deploy/alerts.test.yml\`), because they take hours, a payment provider or a schedule that cannot be shortened: ${others.join(', ')}.
`;
}
