/**
 * Seals values of other keys anew with the first one, table by table and a few rows at a time. A node that dies leaves
 * nothing half done: rows and position are written together. Several nodes may work at once.
 */

import { inContestedTransaction, type Sql, type Tx } from '../../db/database.ts';
import { type Keyring, keyIdOf, open, SealedWithAnotherKey, seal } from '../../kernel/crypto.ts';
import type { Log } from '../../kernel/log.ts';
import type { SealedTable } from '../../kernel/sealed-table.ts';
import * as store from './store.ts';

/** Where it stands: at work, waiting for nodes that seal with another key, stuck on values, or with nothing to do. */
export type Step = 'resealing' | 'hashing' | 'waiting' | 'stuck' | 'settled' | 'elsewhere';

export interface ResealingDeps {
  sql: Sql;
  encryptionKeys: Keyring;
  tables: readonly SealedTable[];
  /** The hashes by which guests are found follow from the key, too. */
  guests: {
    restart(tx: Tx): Promise<void>;
    /** Whether all are hashed with the first key. */
    hash(signal: AbortSignal): Promise<boolean>;
  };
  log: Pick<Log, 'info' | 'error'>;
}

/** A node that was not heard of for so long seals nothing any more. */
export const SILENT_SECONDS = 20;
const ROWS_AT_A_TIME = 200;
/** What does not open today will hardly open in a minute. */
const STUCK_MINUTES = 60;

/** Takes one step, in a transaction of its own. */
export async function takeStep(deps: ResealingDeps, signal: AbortSignal): Promise<Step> {
  const step = await inContestedTransaction(deps.sql, (tx) => stepWithin(tx, deps));
  if (step !== 'hashing') return step;
  // Hashing has its own transactions; the next step looks whether it is still wanted.
  if (!(await deps.guests.hash(signal))) return 'hashing';
  return inContestedTransaction(deps.sql, (tx) => finish(tx, deps));
}

/** A node that cannot open the values of a key cannot say that none is left: it started before that key was known. */
export function lacksAny({ all }: Keyring, ids: readonly string[]): boolean {
  return ids.some((id) => !all.some((key) => key.id === id));
}

async function stepWithin(tx: Tx, deps: ResealingDeps): Promise<Step> {
  const { encryptionKeys, tables, guests } = deps;
  const keyId = encryptionKeys.first.id;
  const pass = await store.claimPass(tx, keyId);
  if (!pass) return 'elsewhere';
  const others = await store.findOthers(tx, keyId, { since: pass.startedAt, upSeconds: SILENT_SECONDS });
  if (others.ids.length === 0) return 'settled';
  if (others.hosts.length > 0) return 'waiting';
  if (lacksAny(encryptionKeys, others.ids)) return 'stuck';
  if (pass.startedAt === null || others.wereUsedSince) {
    await store.beginPass(tx, keyId, tables);
    return 'resealing';
  }
  const progress = await store.listProgress(tx, keyId);
  const next = tables.find(({ table }) => !progress.find((each) => each.table === table)?.isFinished);
  if (next) {
    await resealRows(tx, deps, next, { progress, needed: others.ids });
    return 'resealing';
  }
  // Until nothing was found: what was written behind our back is met the next time.
  if (pass.found > 0) {
    await store.beginPass(tx, keyId, tables);
    return 'resealing';
  }
  if (pass.failed > 0) return goOnLater(tx, deps, pass);
  if (pass.hashingAt === null) {
    await guests.restart(tx);
    await store.beginHashing(tx, keyId);
  }
  return 'hashing';
}

async function goOnLater(tx: Tx, { encryptionKeys, tables }: ResealingDeps, pass: store.Pass): Promise<Step> {
  const isTime = await store.isOlderThan(tx, pass.startedAt, STUCK_MINUTES);
  if (!isTime) return 'stuck';
  await store.beginPass(tx, encryptionKeys.first.id, tables);
  return 'resealing';
}

async function finish(tx: Tx, { encryptionKeys, log }: ResealingDeps): Promise<Step> {
  const keyId = encryptionKeys.first.id;
  const pass = await store.claimPass(tx, keyId);
  if (!pass) return 'elsewhere';
  const others = await store.findOthers(tx, keyId, { since: pass.startedAt, upSeconds: SILENT_SECONDS });
  if (others.hosts.length > 0) return 'waiting';
  if (lacksAny(encryptionKeys, others.ids)) return 'stuck';
  if (others.wereUsedSince || pass.hashingAt === null) return 'resealing';
  const retired = await store.retireOthers(tx, keyId);
  if (retired.length > 0)
    log.info({ keyId, retired }, 'Everything is sealed with the first encryption key; the others can go.');
  return 'settled';
}

interface Counts {
  found: number;
  failed: number;
  unreadable: number;
}

async function resealRows(
  tx: Tx,
  deps: ResealingDeps,
  sealed: SealedTable,
  { progress, needed }: { progress: readonly store.Progress[]; needed: readonly string[] },
): Promise<void> {
  const { first } = deps.encryptionKeys;
  const before = progress.find(({ table }) => table === sealed.table);
  if (!before) throw new Error(`There is no progress of ${sealed.table}.`);
  const { position } = before;
  const rows = await store.listAfter(tx, sealed, { position, header: first.header, limit: ROWS_AT_A_TIME });
  const counts: Counts = { found: 0, failed: 0, unreadable: 0 };
  let resealed = 0;
  for (const [at, column] of sealed.columns.entries()) {
    const renewed = rows.flatMap((row) => renew(deps, sealed, row, { at, needed, counts }) ?? []);
    resealed += await store.replaceValues(tx, sealed, column, renewed);
  }
  await store.saveProgress(
    tx,
    first.id,
    {
      table: sealed.table,
      position: rows.at(-1)?.position ?? position,
      lookedAt: before.lookedAt + rows.length,
      resealed: before.resealed + resealed,
      unreadable: before.unreadable + counts.unreadable,
      isFinished: rows.length < ROWS_AT_A_TIME,
    },
    counts,
  );
}

/** Undefined: there is nothing to renew, or it cannot be opened, which is counted. */
function renew(
  { encryptionKeys, log }: ResealingDeps,
  { table, contextOf }: SealedTable,
  { position, sealed }: store.FoundRow,
  { at, needed, counts }: { at: number; needed: readonly string[]; counts: Counts },
): store.Renewed | undefined {
  const before = sealed[at];
  if (!before) return undefined;
  const context = contextOf(...position);
  try {
    const after = seal(encryptionKeys, open(encryptionKeys, before, context), context);
    counts.found += 1;
    return { position, before, after };
  } catch (err) {
    // That key is lost; keeping the others would not help.
    if (err instanceof SealedWithAnotherKey && !needed.includes(keyIdOf(before))) counts.unreadable += 1;
    else {
      counts.failed += 1;
      log.error({ err, table, position }, 'A sealed value does not open; its key is kept.');
    }
    return undefined;
  }
}
