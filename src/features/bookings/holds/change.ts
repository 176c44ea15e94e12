/** Holds are read, extended once, and released. */
import { inTransaction, type Tx } from '../../../db/database.ts';
import type { Caller } from '../../../http/auth/caller.ts';
import { nowOf } from '../../../kernel/clock.ts';
import { isUuid } from '../../../kernel/ids.ts';
import { problem } from '../../../kernel/problem.ts';
import { partnerOf } from '../access.ts';
import type { Context } from '../context.ts';
import { connectorFor, extendHold, releaseHold, valueIn } from '../create/holding.ts';
import type { HoldRecord } from './record.ts';
import { statusOf } from './record.ts';
import type { Hold } from './schema.ts';
import { endHolds, extendHoldRow, findHold, lockHolds } from './store.ts';
import { assertUsable, endedHold, getHold, unknownHold } from './take.ts';
import { holdView, signed } from './view.ts';

export async function readHold(context: Context, caller: Caller, id: string): Promise<Hold> {
  const hold = await getHold(context.sql, caller, id);
  return holdView(hold, nowOf(context.clock));
}

export interface Extension {
  id: string;
  ttlSeconds: number;
  idempotencyKey?: string | undefined;
}

export function extendOwnHold(context: Context, caller: Caller, asked: Extension): Promise<Hold> {
  const { id, ttlSeconds, idempotencyKey: key } = asked;
  const content = { extend: id, partner: partnerOf(caller).id, ttlSeconds };
  return context.idempotency.once<Hold>({ clientId: caller.clientId, key, content }, async (keep) => {
    const hold = await getHold(context.sql, caller, id);
    const sign = await context.offers.signer();
    const now = nowOf(context.clock);
    assertExtendable(hold, now);
    const until = later(hold.expiresAt, now.add({ seconds: ttlSeconds }));
    return extendingPlace(context, hold, until, async (tx, expiresMs) => {
      const expiresAt = earlier(until, Temporal.Instant.fromEpochMilliseconds(expiresMs));
      const extended = await signed({ ...hold, expiresAt, isExtended: true }, sign);
      if (!(await extendHoldRow(tx, extended, now))) throw await reasonOf(tx, hold.id, now);
      const view = holdView(extended, now);
      await keep(tx, view);
      return view;
    });
  });
}

function assertExtendable(hold: HoldRecord, now: Temporal.Instant): void {
  assertUsable(hold, now);
  if (hold.isExtended) throw problem('HOLD-N-006', { detail: 'This hold was extended before.' });
}

/** Another request has ended or extended it meanwhile. */
async function reasonOf(tx: Tx, id: string, now: Temporal.Instant) {
  const hold = (await lockHolds(tx, [id])).get(id);
  if (!hold) return unknownHold(id);
  const status = statusOf(hold, now);
  return status === 'open' ? problem('HOLD-N-006') : endedHold(id, status);
}

/**
 * The place is kept for longer before the hold says so: whatever fails in between, no hold lasts longer than its place.
 */
async function extendingPlace<Result>(
  context: Context,
  hold: HoldRecord,
  until: Temporal.Instant,
  write: (tx: Tx, expiresMs: number) => Promise<Result>,
): Promise<Result> {
  const { sql, clock } = context;
  const connector = connectorFor(context, hold.productId);
  if (connector.flavour === 'remote') {
    const { expiresMs } = await extendHold(context, hold, until);
    return inTransaction(sql, (tx) => write(tx, expiresMs));
  }
  return inTransaction(sql, async (tx) => {
    await lockHolds(tx, [hold.id]);
    const nowMs = nowOf(clock).epochMilliseconds;
    const extended = await connector.holds?.extend(tx, hold.id, until.epochMilliseconds, nowMs);
    return write(tx, valueIn(connector, extended).expiresMs);
  });
}

const earlier = (a: Temporal.Instant, b: Temporal.Instant) => (Temporal.Instant.compare(a, b) < 0 ? a : b);
const later = (a: Temporal.Instant, b: Temporal.Instant) => (Temporal.Instant.compare(a, b) < 0 ? b : a);

/** Released again, or once it has expired, it stays as it is. */
export async function releaseOwnHold(context: Context, caller: Caller, id: string): Promise<void> {
  const hold = await getHold(context.sql, caller, id);
  await releaseNow(context, hold);
}

/** For the operator of the venue; other operators' holds are not there. */
export async function releaseHoldAt(
  context: Context,
  operatorId: number,
  id: string,
  released: (tx: Tx, hold: HoldRecord) => Promise<void>,
): Promise<void> {
  const hold = isUuid(id) ? await findHold(context.sql, id) : undefined;
  if (!hold || hold.state === 'placing' || hold.operatorId !== operatorId)
    throw problem('HOLD-N-001', { detail: `There is no hold ${id} at your venues.` });
  await releaseNow(context, hold, released);
}

/** `released`: called in the transaction that ends the hold, if it was open. */
async function releaseNow(
  context: Context,
  { id, productId }: HoldRecord,
  released: (tx: Tx, hold: HoldRecord) => Promise<void> = async () => {},
): Promise<void> {
  const connector = connectorFor(context, productId);
  const now = nowOf(context.clock);
  const wasOpen = await inTransaction(context.sql, async (tx) => {
    const hold = (await lockHolds(tx, [id])).get(id);
    if (!hold) throw unknownHold(id);
    const status = statusOf(hold, now);
    if (status === 'used') throw endedHold(id, status);
    if (status !== 'open') return false;
    await endHolds(tx, [id], 'released', now);
    await released(tx, hold);
    if (connector.flavour === 'local') valueIn(connector, await connector.holds?.release(tx, id));
    return true;
  });
  // What cannot be released there now ends by itself.
  if (wasOpen) context.holdCounts.add('released');
  if (wasOpen && connector.flavour === 'remote')
    await releaseHold(context, { id, productId }).catch(() => {});
}
