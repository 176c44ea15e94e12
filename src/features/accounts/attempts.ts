import { inTransaction, type Tx } from '../../db/database.ts';
import { nowOf } from '../../kernel/clock.ts';
import { problem } from '../../kernel/problem.ts';
import type { Context } from './context.ts';
import { emailHashOf } from './email.ts';
import { DECOY, matchesPassword } from './password.ts';
import { deleteFailures, insertFailure, listFailures, lockFailures } from './session-store.ts';

/** So many failures within so many minutes lock an address for as many. */
const MAX_FAILURES = 10;
export const LOCK_MINUTES = 15;

/**
 * Failures that come while an address is locked are not counted, so the tenth of the latest ten is what locked it.
 * `failures`: the latest ten, latest first.
 */
export function lockedUntil(failures: readonly Temporal.Instant[]): Temporal.Instant | undefined {
  const [latest] = failures;
  const earliest = failures[MAX_FAILURES - 1];
  if (!latest || !earliest) return undefined;
  const isQuick = Temporal.Instant.compare(earliest.add({ minutes: LOCK_MINUTES }), latest) > 0;
  return isQuick ? latest.add({ minutes: LOCK_MINUTES }) : undefined;
}

async function assertMayTry(tx: Tx, emailHash: Buffer, now: Temporal.Instant): Promise<void> {
  const until = lockedUntil(await listFailures(tx, emailHash, MAX_FAILURES));
  if (!until || Temporal.Instant.compare(until, now) <= 0) return;
  const retryAfterSeconds = Math.ceil(until.since(now).total('seconds'));
  throw problem('USER-N-014', {
    detail: `There were ${MAX_FAILURES} failures in a row; try again in ${retryAfterSeconds} seconds.`,
    retryAfterSeconds,
  });
}

/**
 * Throws unless the password is the one that is stored. An address that nobody has takes the same time, is counted
 * the same way and gets the same answers.
 */
export async function checkPassword(
  { sql, clock }: Context,
  attempt: { emailKey: string; password: string; stored: string | undefined },
): Promise<void> {
  const emailHash = emailHashOf(attempt.emailKey);
  await assertMayTry(sql, emailHash, nowOf(clock));
  const matches = await matchesPassword(attempt.password, attempt.stored ?? DECOY);
  const isRight = matches && attempt.stored !== undefined;
  await inTransaction(sql, async (tx) => {
    await lockFailures(tx, emailHash);
    // Asked again, because guesses sent side by side all passed the first time: only the first ten learn anything.
    await assertMayTry(tx, emailHash, nowOf(clock));
    if (isRight) await deleteFailures(tx, emailHash);
    else await insertFailure(tx, emailHash, nowOf(clock));
  });
  if (!isRight) throw wrongPair();
}

export const wrongPair = () =>
  problem('USER-N-003', {
    detail: 'No account has this email address and this password.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
