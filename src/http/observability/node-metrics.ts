/** What a node says of itself: who it is, whether it is ready, and how busy its connections are. */
import { Gauge, Histogram, type Registry } from 'prom-client';
import type { Config } from '../../config.ts';
import { observeWaits, poolLoad, type Sql } from '../../db/database.ts';
import { PROGRAM_VERSION } from '../../kernel/version.ts';
import type { HealthOptions } from './health.ts';

export function nodeMetrics(
  registry: Registry,
  { role, environment }: Pick<Config, 'role' | 'environment'>,
): void {
  new Gauge({
    name: 'node_info',
    help: 'Always 1; says which node this is.',
    labelNames: ['role', 'environment', 'version'],
    registers: [registry],
  }).set({ role, environment, version: PROGRAM_VERSION }, 1);
}

/** The checks of `/health/ready`, for alerts. */
export function readinessMetrics(registry: Registry, isReady: HealthOptions['isReady']): void {
  new Gauge({
    name: 'health_check_passed',
    help: '1 while this check of /health/ready passes on this node, else 0.',
    labelNames: ['check'],
    registers: [registry],
    async collect() {
      const results = await isReady();
      for (const [check, result] of Object.entries(results)) this.set({ check }, result === true ? 1 : 0);
    },
  });
}

const WAITS_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2];

/** Of the pool that requests use. */
export function poolMetrics(registry: Registry, sql: Sql): void {
  new Gauge({
    name: 'db_pool_connections',
    help: 'Connections to PostgreSQL that requests of this node may use, by state.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { max, busy } = poolLoad(sql);
      this.set({ state: 'busy' }, busy);
      this.set({ state: 'idle' }, max - busy);
    },
  });
  new Gauge({
    name: 'db_pool_waiting',
    help: 'Transactions and statements that wait for one of them.',
    registers: [registry],
    collect() {
      this.set(poolLoad(sql).waiting);
    },
  });
  const waits = new Histogram({
    name: 'db_pool_wait_seconds',
    help: 'How long transactions waited for a connection.',
    buckets: WAITS_SECONDS,
    registers: [registry],
  });
  observeWaits(sql, (seconds) => waits.observe(seconds));
}
