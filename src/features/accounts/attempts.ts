import { hash } from 'node:crypto';
import { inTransaction, type Tx } from '../../db/database.ts';
import { nowOf } from '../../kernel/clock.ts';
import { networkOf } from '../../kernel/network.ts';
import { problem } from '../../kernel/problem.ts';
import type { AccountsContext } from './context.ts';
import { DECOY, matchesPassword } from './password.ts';
import {
  deletePairFailures,
  hasSignedIn,
  insertFailure,
  listFailures,
  listPairFailures,
  lockFailures,
  notePlace,
} from './session-store.ts';

/** So many failures within so many minutes lock for as many minutes. */
interface Limit {
  failures: number;
  minutes: number;
}

/** Of an account at one network. */
const OF_PAIR: Limit = { failures: 10, minutes: 15 };
/** Of an account, from wherever; not for networks from which its owner signs in, or strangers could lock them out. */
export const OF_ACCOUNT: Limit = { failures: 100, minutes: 60 };
/** For so long a network counts as one of the owner's. */
export const FAMILIAR_DAYS = 90;

/**
 * Failures that come while it is locked are not counted, so the last of the latest ten is what locked it.
 * `failures`: the latest ten, or as many as the limit has, latest first.
 */
export function lockedUntil(
  failures: readonly Temporal.Instant[],
  { failures: most, minutes }: Limit = OF_PAIR,
): Temporal.Instant | undefined {
  const [latest] = failures;
  const earliest = failures[most - 1];
  if (!latest || !earliest) return undefined;
  const isQuick = Temporal.Instant.compare(earliest.add({ minutes }), latest) > 0;
  return isQuick ? latest.add({ minutes }) : undefined;
}

interface Pair {
  emailHash: Buffer;
  pairHash: Buffer;
}

async function assertMayTry(tx: Tx, { emailHash, pairHash }: Pair, now: Temporal.Instant): Promise<void> {
  assertUnlocked(await listPairFailures(tx, pairHash, OF_PAIR.failures), OF_PAIR, now);
  const failures = await listFailures(tx, emailHash, OF_ACCOUNT.failures);
  const familiarSince = now.subtract({ hours: 24 * FAMILIAR_DAYS });
  if (!(await hasSignedIn(tx, pairHash, familiarSince))) assertUnlocked(failures, OF_ACCOUNT, now);
}

function assertUnlocked(failures: readonly Temporal.Instant[], limit: Limit, now: Temporal.Instant): void {
  const until = lockedUntil(failures, limit);
  if (!until || Temporal.Instant.compare(until, now) <= 0) return;
  const retryAfterSeconds = Math.ceil(until.since(now).total('seconds'));
  throw problem('USER-N-014', {
    detail: `There were ${limit.failures} failures in a row; try again in ${retryAfterSeconds} seconds.`,
    retryAfterSeconds,
  });
}

/**
 * Throws unless the password matches the stored one. An address without an account takes the same time, is counted
 * the same way and gets the same answers.
 */
export async function checkPassword(
  { sql, clock }: AccountsContext,
  attempt: { emailKey: string; password: string; stored: string | undefined; ip: string },
): Promise<void> {
  const emailHash = emailHashOf(attempt.emailKey);
  const pairHash = pairHashOf(attempt.emailKey, networkOf(attempt.ip));
  const pair = { emailHash, pairHash };
  await assertMayTry(sql, pair, nowOf(clock));
  const matches = await matchesPassword(attempt.password, attempt.stored ?? DECOY);
  const isRight = matches && attempt.stored !== undefined;
  await inTransaction(sql, async (tx) => {
    await lockFailures(tx, emailHash);
    // Checked again, because concurrent guesses all passed the first check: only the first ten get a result.
    await assertMayTry(tx, pair, nowOf(clock));
    if (!isRight) return insertFailure(tx, { ...pair, failedAt: nowOf(clock) });
    await deletePairFailures(tx, pairHash);
    await notePlace(tx, pairHash, nowOf(clock));
  });
  if (!isRight) throw wrongPair();
}

export const wrongPair = () =>
  problem('USER-N-003', {
    detail: 'No account has this email address and this password.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });

/** Of an address that need not be one; as long for any text. */
export function emailHashOf(emailKey: string): Buffer {
  return hash('sha256', emailKey, 'buffer');
}

/** Of an address and the network of the caller. A network has no line break in it. */
export function pairHashOf(emailKey: string, network: string): Buffer {
  return hash('sha256', `${network}\n${emailKey}`, 'buffer');
}
