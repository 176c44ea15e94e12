/** Dispatchers that die: from some moment on nothing that they wanted to do is done, and nothing reaches them. */

import type { Sql } from '../../../src/db/database.ts';
import type { Notifications } from '../../../src/db/notifications.ts';
import type { Sender } from '../../../src/features/webhooks/delivery/attempt.ts';
import { type DispatcherDeps, startDispatcher } from '../../../src/features/webhooks/delivery/dispatcher.ts';
import { interceptedSql, KEYS, quiet, undone } from '../../features/webhooks/delivering.ts';

export const DEATHS = [
  'while it claims',
  'when it has claimed',
  'before it posts',
  'when it has posted',
  'while it writes down',
  'when it has written down',
] as const;
export type Death = (typeof DEATHS)[number];

export interface World extends Pick<DispatcherDeps, 'clock'> {
  sql: Sql;
  notifications: Notifications;
  sender: Sender;
}

const never = () => new Promise<never>(() => {});

/** Starts one that dies the n-th time it comes to that point; settles when it is dead. */
export function liveAndDie(world: World, death: Death, times: number): Promise<void> {
  const { promise: dead, resolve } = Promise.withResolvers<void>();
  let left = times;
  let isDead = false;
  let unsubscribe = () => {};

  /** Whether this is the moment. */
  function isDue(point: Death): boolean {
    if (point !== death) return false;
    left -= 1;
    return left === 0;
  }
  function die(): Promise<never> {
    isDead = true;
    unsubscribe();
    resolve();
    return never();
  }

  const sql = interceptedSql(world.sql, async (statement, run) => {
    if (isDead) return never();
    const isClaim = statement === 'claim';
    if (statement === 'other') return run(world.sql);
    if (isDue(isClaim ? 'while it claims' : 'while it writes down')) {
      await undone(world.sql, run);
      return die();
    }
    const outcome = await run(world.sql);
    if (isDead) return never();
    const isEmpty = Array.isArray(outcome) && outcome.length === 0 && isClaim;
    return !isEmpty && isDue(isClaim ? 'when it has claimed' : 'when it has written down') ? die() : outcome;
  });
  const sender: Sender = {
    ...world.sender,
    async post(post) {
      if (isDead) return never();
      if (isDue('before it posts')) return die();
      const outcome = await world.sender.post(post);
      if (isDead) return never();
      return isDue('when it has posted') ? die() : outcome;
    },
  };
  const notifications: Notifications = {
    ...world.notifications,
    subscribe(listener) {
      unsubscribe = world.notifications.subscribe(listener);
      return unsubscribe;
    },
  };
  startDispatcher({
    sql,
    sender,
    notifications,
    clock: world.clock,
    encryptionKeys: KEYS,
    log: quiet,
  });
  return dead;
}

/** The mistake that the real one is compared with: it says that something arrived, and sends it a little later. */
export function hastyPoster(sender: Sender, isAlive: () => boolean): Sender {
  return {
    ...sender,
    async post(post) {
      setTimeout(() => isAlive() && void sender.post(post), 20);
      return { isDelivered: true, statusCode: 204, error: null, durationMs: 0, answer: '' };
    },
  };
}
