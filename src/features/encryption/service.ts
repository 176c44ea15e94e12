/** The keys that values are sealed with: which of them are needed, and how one is replaced by another. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import { inTransaction, type Sql } from '../../db/database.ts';
import type { Notifications } from '../../db/notifications.ts';
import { databaseGauge } from '../../http/observability/metrics.ts';
import { startWorkLoop } from '../../jobs/work-loop.ts';
import { type Clock, nowOf, timestampOf } from '../../kernel/clock.ts';
import type { Keyring } from '../../kernel/crypto.ts';
import { StartError } from '../../kernel/problem.ts';
import { lacksAny, type ResealingDeps, SILENT_SECONDS, type Step, takeStep } from './resealing.ts';
import * as store from './store.ts';

/** `settled`: everything is sealed with the first key. */
export type EncryptionState = Exclude<Step, 'elsewhere'>;

export interface EncryptionStatus {
  state: EncryptionState;
  /** The key that this node seals with. */
  keyId: string;
  keys: { id: string; isHeld: boolean; isNeeded: boolean; usedAt: string; retiredAt: string | null }[];
  /** About so many rows are still to be looked at. */
  remaining: number;
  resealed: number;
  unreadable: number;
  failed: number;
  waitingFor: string[];
}

export interface Encryption {
  /** Said with every heartbeat of the node. */
  keepInUse(): Promise<void>;
  read(): Promise<EncryptionStatus>;
  /** Goes on for as long as there is something to do and the signal allows. */
  reseal(signal: AbortSignal): Promise<EncryptionState>;
  start(): { stop(): Promise<void> };
}

export interface EncryptionDeps extends ResealingDeps {
  clock: Clock;
  notifications: Notifications;
}

const TOUCH_SECONDS = 10;
const LOOK_SECONDS = 10;

/** Before anything is sealed: a node that lacks a key would fail later, at some value in the middle of the night. */
export async function registerKeys(sql: Sql, { first, all }: Keyring): Promise<void> {
  const held = all.map(({ id }) => id);
  const missing = await inTransaction(sql, async (tx) => {
    await store.lockKeys(tx);
    const needed = (await store.listKeys(tx)).filter(({ retiredAt }) => retiredAt === null);
    const lacking = needed.map(({ id }) => id).filter((id) => !held.includes(id));
    if (lacking.length === 0) await store.saveKey(tx, first.id);
    return { ids: lacking, isEvery: lacking.length === needed.length };
  });
  const [id] = missing.ids;
  if (id === undefined) return;
  throw new StartError(
    missing.isEvery
      ? 'ENCRYPTION_KEY is not the key that the secrets in this database were sealed with; start with that one.'
      : `ENCRYPTION_KEY lacks the key with the id ${id}, which values in this database are still sealed with; add it after a comma.`,
  );
}

export function createEncryption(deps: EncryptionDeps): Encryption {
  const { sql, encryptionKeys, tables, clock, notifications, log } = deps;
  const keyId = encryptionKeys.first.id;

  async function stateOf(pass: store.Pass | undefined, others: store.Others): Promise<EncryptionState> {
    if (others.ids.length === 0) return 'settled';
    if (others.hosts.length > 0) return 'waiting';
    if (lacksAny(encryptionKeys, others.ids)) return 'stuck';
    if (pass?.hashingAt && !others.wereUsedSince) return 'hashing';
    const isOver = (await store.listProgress(sql, keyId)).every(({ isFinished }) => isFinished);
    return pass && isOver && pass.found === 0 && pass.failed > 0 ? 'stuck' : 'resealing';
  }

  async function countRemaining(progress: readonly store.Progress[]): Promise<number> {
    const counts = tables.map(async ({ table }) => {
      const known = progress.find((each) => each.table === table);
      if (known?.isFinished) return 0;
      // An estimate may be behind; a table that is not finished has something left.
      return Math.max(1, (await store.estimateRows(sql, table)) - (known?.lookedAt ?? 0));
    });
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  async function reseal(signal: AbortSignal): Promise<EncryptionState> {
    let isElsewhere = false;
    for (;;) {
      const startedMs = performance.now();
      const step = await takeStep(deps, signal);
      if (step !== 'resealing' && step !== 'elsewhere') return step;
      // Two nodes that find each other at work leave it to one of them.
      if (step === 'elsewhere' && isElsewhere) return 'resealing';
      isElsewhere = step === 'elsewhere';
      if (signal.aborted) return 'resealing';
      // Half of the time is for others.
      await sleep(performance.now() - startedMs, undefined, { signal }).catch(() => {});
    }
  }

  return {
    keepInUse: () => store.touchKey(sql, keyId, TOUCH_SECONDS),

    async read() {
      const pass = await store.findPass(sql, keyId);
      const since = pass?.startedAt ?? null;
      const [keys, others, progress] = await Promise.all([
        store.listKeys(sql),
        store.findOthers(sql, keyId, { since, upSeconds: SILENT_SECONDS }),
        store.listProgress(sql, keyId),
      ]);
      const state = await stateOf(pass, others);
      const sum = (count: (each: store.Progress) => number) =>
        progress.reduce((total, each) => total + count(each), 0);
      return {
        state,
        keyId,
        keys: keys.map(({ id, usedAt, retiredAt }) => ({
          id,
          isHeld: encryptionKeys.all.some((key) => key.id === id),
          isNeeded: retiredAt === null,
          usedAt: timestampOf(usedAt),
          retiredAt: retiredAt && timestampOf(retiredAt),
        })),
        remaining: state === 'settled' ? 0 : await countRemaining(progress),
        resealed: sum(({ resealed }) => resealed),
        unreadable: sum(({ unreadable }) => unreadable),
        failed: pass?.failed ?? 0,
        waitingFor: others.ids.length === 0 ? [] : others.hosts,
      };
    },

    reseal,

    start: () =>
      startWorkLoop({
        clock,
        notifications,
        topic: 'encryption-keys',
        async workDue(signal) {
          await reseal(signal);
          return nowOf(clock).add({ seconds: LOOK_SECONDS });
        },
        onError: (err) => log.error({ err }, 'Values could not be sealed anew.'),
      }),
  };
}

export function encryptionMetrics(registry: Registry, encryption: Encryption): void {
  databaseGauge(registry, {
    name: 'encryption_keys_needed',
    help: 'Keys that values in the database may be sealed with; more than 1 while a key is replaced.',
    read: async () => (await encryption.read()).keys.filter(({ isNeeded }) => isNeeded).length,
  });
  databaseGauge(registry, {
    name: 'encryption_reseal_remaining',
    help: 'About how many rows are still to be sealed anew with the first key; 0 once the others can go.',
    read: async () => (await encryption.read()).remaining,
  });
}
