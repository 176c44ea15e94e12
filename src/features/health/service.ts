/** How the whole platform is: its nodes, what waits, what fails. One answer for the people who run it. */

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Config } from '../../config.ts';
import { ping, type Sql } from '../../db/database.ts';
import { findInTime } from '../../http/observability/health.ts';
import type { GuardedSystem } from '../../http/observability/metrics.ts';
import { type Clock, nowOf, timestampOf } from '../../kernel/clock.ts';
import type { Keyring } from '../../kernel/crypto.ts';
import type { Log } from '../../kernel/log.ts';
import type { Encryption } from '../encryption/service.ts';
import type { PlatformHealth } from './schema.ts';
import * as store from './store.ts';

export interface Health {
  read(): Promise<PlatformHealth>;
  /** On how many nodes that are up the breaker of a system is open, as their heartbeats say. */
  countResting(tms: string): Promise<number>;
  /** Tells the others of this node until it is stopped. */
  startHeartbeat(): { stop(): Promise<void> };
}

export interface HealthDeps {
  config: Pick<Config, 'role'>;
  sql: Sql;
  clock: Clock;
  /** Of the program. */
  version: string;
  encryptionKeys: Keyring;
  encryption: Pick<Encryption, 'keepInUse' | 'read'>;
  /** Those over the network. */
  listSystems(): readonly GuardedSystem[];
  log: Pick<Log, 'warn'>;
}

const BEAT_MS = 5000;
/** Three heartbeats that did not come, and some time. */
const UP_SECONDS = 20;
const MOST_NODES = 200;
const MOST_COUNTED = 10_000;
const MOST_RETRYING = 1000;
const MOST_FAILING = 20;

export function createHealth(deps: HealthDeps): Health {
  const { config, sql, clock, version, encryptionKeys, encryption, listSystems, log } = deps;
  const keyIds = encryptionKeys.all.map(({ id }) => id);

  return {
    async read() {
      const missing: string[] = [];
      /** What does not answer in time is missing, and keeps nothing else from being shown. */
      async function part<Value>(name: string, find: () => Promise<Value>): Promise<Value | null> {
        const found = await findInTime(find);
        if (found === undefined) missing.push(name);
        return found ?? null;
      }
      const [database, nodes, queues, mails, webhooks, feeds, encrypted] = await Promise.all([
        part('database', () => readDatabase(sql)),
        part('nodes', () => store.listNodes(sql, UP_SECONDS, MOST_NODES)),
        part('queues', () => store.listQueues(sql, MOST_COUNTED)),
        part('mails', () => store.readMails(sql, MOST_COUNTED)),
        part('webhooks', () => readWebhooks(sql)),
        part('feeds', () => store.readFeeds(sql)),
        part('encryption', () => encryption.read()),
      ]);
      return {
        at: timestampOf(nowOf(clock)),
        missing: missing.sort(),
        database,
        nodes:
          nodes?.map(({ restingSystems: _, keyIds: held, startedAt, seenAt, ...node }) => ({
            ...node,
            startedAt: timestampOf(startedAt),
            seenAt: timestampOf(seenAt),
            keyId: held?.[0] ?? null,
          })) ?? null,
        queues: queues?.map(withTime) ?? null,
        mails: mails && withTime(mails),
        webhooks: webhooks && withTime(webhooks),
        feeds: feeds && { ...feeds, lastMadeAt: feeds.lastMadeAt && timestampOf(feeds.lastMadeAt) },
        encryption: encrypted,
        systems: listSystems().map((system) => systemView(system, nodes ?? [])),
      };
    },

    async countResting(tms) {
      return restingNodes(await store.listNodes(sql, UP_SECONDS, MOST_NODES), tms);
    },

    startHeartbeat() {
      const id = randomUUID();
      let isFailing = false;
      let beating: Promise<void> | undefined;
      async function beat(): Promise<void> {
        const restingSystems = listSystems()
          .filter((system) => system.isResting())
          .map(({ slug }) => slug);
        try {
          await encryption.keepInUse();
          await store.beat(sql, { id, host: hostname(), role: config.role, version, restingSystems, keyIds });
          isFailing = false;
        } catch (err) {
          if (!isFailing) log.warn({ err }, 'The heartbeat of this node cannot be written.');
          isFailing = true;
        }
      }
      /** One at a time: a database that is slow must not be sent more of them. */
      const beatOnce = () => {
        beating ??= beat().finally(() => {
          beating = undefined;
        });
      };
      beatOnce();
      const timer = setInterval(beatOnce, BEAT_MS).unref();
      return {
        async stop() {
          clearInterval(timer);
          await beating;
          await store.removeNode(sql, id).catch(() => {});
        },
      };
    },
  };
}

async function readDatabase(sql: Sql): Promise<PlatformHealth['database']> {
  const startedMs = performance.now();
  await ping(sql);
  const latencyMs = Math.round((performance.now() - startedMs) * 10) / 10;
  return { latencyMs, ...(await store.readDatabase(sql)) };
}

async function readWebhooks(sql: Sql) {
  const figures = await store.readWebhooks(sql, MOST_COUNTED);
  const failing = await store.listFailing(sql, { each: MOST_RETRYING, limit: MOST_FAILING });
  return { ...figures, failing };
}

/** A breaker belongs to a node. Nodes tell of theirs with their heartbeats, this one knows its own. */
function systemView(
  system: GuardedSystem,
  nodes: readonly store.NodeRow[],
): PlatformHealth['systems'][number] {
  const { slug: tms } = system;
  const restingOn = restingNodes(nodes, tms);
  return { tms, isResting: system.isResting() || restingOn > 0, restingOn };
}

const restingNodes = (nodes: readonly store.NodeRow[], tms: string): number =>
  nodes.filter(({ isUp, restingSystems }) => isUp && restingSystems.includes(tms)).length;

function withTime<Figures extends { oldestDueAt: Temporal.Instant | null }>(figures: Figures) {
  const { oldestDueAt, ...rest } = figures;
  return { ...rest, oldestDueAt: oldestDueAt && timestampOf(oldestDueAt) };
}
