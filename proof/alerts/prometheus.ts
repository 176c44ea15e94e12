/** A Prometheus of its own, with the rules of deploy/alerts.yml in a time that goes faster. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const RULES = join(import.meta.dirname, '..', '..', 'deploy', 'alerts.yml');
export const SCRAPE_SECONDS = 5;
/** Every `for` and every window is this many times shorter than in the file. */
export const FACTOR = 20;
/** Except in these, whose cause comes once a minute however fast time goes. */
export const UNHURRIED = ['JobFails'];

export interface Prometheus {
  /** Names of the alerts that fire now. */
  firing(): Promise<Set<string>>;
  close(): Promise<void>;
}

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600 };
const shorter = (duration: string) =>
  duration.replace(
    /(\d+)([smh])/,
    (_, count, unit) => `${Math.round((count * (SECONDS[unit] ?? 1) * 1000) / FACTOR)}ms`,
  );

const shortenedRule = (rule: string): string =>
  rule.replaceAll(/(?<=\[|\boffset )\d+[smh]\b/g, shorter).replaceAll(/(?<=^\s+for: )\d+[smh]$/gm, shorter);

export const shortened = (rules: string): string =>
  rules
    .split(/(?=- alert: )/)
    .map((rule) =>
      UNHURRIED.some((name) => rule.startsWith(`- alert: ${name}\n`)) ? rule : shortenedRule(rule),
    )
    .join('');

export async function startPrometheus(port: number, targets: readonly string[]): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'maitred-prometheus-'));
  writeFileSync(join(folder, 'alerts.yml'), shortened(readFileSync(RULES, 'utf8')));
  const config = {
    global: {
      scrape_interval: `${SCRAPE_SECONDS}s`,
      scrape_timeout: `${SCRAPE_SECONDS}s`,
      evaluation_interval: '1s',
    },
    rule_files: ['alerts.yml'],
    scrape_configs: [{ job_name: 'maitred', static_configs: [{ targets }] }],
  };
  // JSON is YAML, too.
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const address = `http://127.0.0.1:${port}`;
  await untilReady(address, child);
  return {
    async firing() {
      const answer = (await (await fetch(`${address}/api/v1/alerts`)).json()) as Alerts;
      const firing = answer.data.alerts.filter(({ state }) => state === 'firing');
      return new Set(firing.map(({ labels }) => labels.alertname));
    },
    async close() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Alerts {
  data: { alerts: { labels: { alertname: string }; state: string }[] };
}

async function untilReady(address: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const isReady = await fetch(`${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await sleep(200);
  }
  throw new Error('Prometheus has ended; see its message above.');
}
