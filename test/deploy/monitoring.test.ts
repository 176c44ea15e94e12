/** The alerts and the dashboard of deploy/, held against the metrics of a node and the guide of the engineer on call. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, mock, test } from 'node:test';
import { Registry } from 'prom-client';
import { parse } from 'yaml';
import { openPool } from '../../src/db/database.ts';
import { openReplicas, type Replicas } from '../../src/db/reads.ts';
import { readMetrics } from '../../src/http/observability/metrics.ts';
import { startTestApp } from '../support/app.ts';
import { createRemote } from '../support/remote-tms/connector.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}
interface Panel {
  title: string;
  type: string;
  targets?: { expr: string }[];
}
interface RuleTest {
  alert_rule_test: { alertname: string; exp_alerts: unknown[] }[];
}

const rules = parse(read('deploy/alerts.yml')).groups.flatMap(
  (group: { rules: Rule[] }) => group.rules,
) as Rule[];
const panels = JSON.parse(read('deploy/grafana.json')).panels as Panel[];
const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** What Prometheus itself knows of the nodes that it scrapes. */
const OF_PROMETHEUS = ['up'];
let known: Set<string>;
/** The names of the labels of each metric, also of those that have no figures yet. */
const labelsOf = new Map<string, readonly string[]>();
before(async () => {
  const registering = mock.method(Registry.prototype, 'registerMetric');
  const { register } = await tracingCounts();
  const maitred = await startTestApp({
    deps: { connectors: [createRemote('http://127.0.0.1:1', 'faraway')], tracing: { register } },
  });
  after(() => maitred.close());
  const { text } = await maitred.call('/metrics', { as: null });
  readMetrics(new Registry(), standbys());
  registering.mock.restore();
  for (const {
    arguments: [metric],
  } of registering.mock.calls) {
    const { name, labelNames = [] } = metric as unknown as { name: string; labelNames?: string[] };
    labelsOf.set(name, labelNames);
  }
  known = new Set([...OF_PROMETHEUS, ...labelsOf.keys()]);
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    known.add(name);
    if (type === 'histogram') for (const part of ['bucket', 'count', 'sum']) known.add(`${name}_${part}`);
  }
});

/** Those of tracing, which are there only where it is on. */
async function tracingCounts() {
  const { startTracing } = await import('../../src/http/observability/opentelemetry.ts');
  const quiet = { warn() {}, info() {} };
  const tracing = startTracing(
    { url: 'http://127.0.0.1:1', headers: {}, serviceName: 'test', ratio: 0 },
    quiet,
  );
  after(() => tracing.stop());
  return tracing;
}

/** Those of standbys, which are there only where some are named. */
function standbys(): Replicas {
  const nowhere = 'postgres://127.0.0.1:1/nowhere';
  const sql = openPool(nowhere, { max: 1 });
  const replicas = openReplicas(nowhere, { sql });
  after(() => Promise.all([replicas.close(), sql.end({ timeout: 1 })]));
  return replicas;
}

const WORDS = new Set(['by', 'and', 'or', 'unless', 'on', 'offset', 'le']);
/** Names in an expression that are neither functions, labels, words of the language nor durations. */
function metricsIn(expr: string): string[] {
  const bare = expr
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}/g, ' ')
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:by|on) \([^)]*\)/g, ' ');
  return [...bare.matchAll(/\b[a-z_][a-z0-9_]*\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !WORDS.has(name));
}

test('every expression of the alerts and of the dashboard names metrics that a node has', () => {
  for (const expr of [...rules.map((rule) => rule.expr), ...expressions]) {
    const names = metricsIn(expr);
    assert.ok(names.length > 0, `nothing is named in ${expr}`);
    for (const name of names) assert.ok(known.has(name), `${name} in ${expr}`);
  }
});

test('a name that no node has is noticed', () => {
  assert.deepEqual(metricsIn('sum by (route) (rate(made_up_total{a="b"}[5m])) > 1'), ['made_up_total']);
  assert.ok(!known.has('made_up_total'));
});

test('no metric has a label that Prometheus gives itself', () => {
  assert.deepEqual(labelsOf.get('jobs_run_total'), ['name', 'outcome']);
  for (const [metric, labels] of labelsOf)
    for (const label of ['job', 'instance']) assert.ok(!labels.includes(label), `${label} of ${metric}`);
});

test('every alert says what is wrong and has a paragraph of its own in the guide', () => {
  const guide = read('docs/operating.md');
  for (const { alert, labels, annotations } of rules) {
    assert.ok(annotations.summary.endsWith('.'), alert);
    assert.ok(['page', 'ticket'].includes(labels.severity), alert);
    assert.equal(annotations.runbook, `docs/operating.md#${alert.toLowerCase()}`);
    assert.match(guide, new RegExp(`^### ${alert}\n\n\\S.{40}`, 'm'), alert);
  }
});

test('every alert has a case in which it fires and one in which it stays quiet', () => {
  const cases = (parse(read('deploy/alerts.test.yml')).tests as RuleTest[]).flatMap(
    (each) => each.alert_rule_test,
  );
  for (const { alert } of rules) {
    const expected = cases
      .filter(({ alertname }) => alertname === alert)
      .map(({ exp_alerts }) => exp_alerts.length);
    assert.ok(expected.includes(0) && expected.includes(1), alert);
  }
});

test('the dashboard has a row for each subject', () => {
  const rows = panels.filter(({ type }) => type === 'row').map(({ title }) => title);
  assert.deepEqual(rows, [
    ...['Traffic', 'Bookings', 'Availability', 'Database and pool', 'Jobs'],
    ...['Webhooks and mails', 'Systems of venues', 'Money', 'Nodes'],
  ]);
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
const skip = hasPromtool ? false : 'promtool is not installed (Debian: prometheus)';
function promtool(...args: string[]): void {
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: ROOT, encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
}

test('promtool takes the rules, and each fires as its case says', { skip }, () => {
  promtool('check', 'rules', 'deploy/alerts.yml');
  promtool('test', 'rules', 'deploy/alerts.test.yml');
});

test('promtool can read every expression of the dashboard', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'maitred-dashboard-'));
  try {
    const recorded = expressions.map((expr, index) => ({
      record: `panel_${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }));
    const file = join(folder, 'panels.yml');
    // Rules are written in YAML, and JSON is YAML.
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules: recorded }] }));
    promtool('check', 'rules', file);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
