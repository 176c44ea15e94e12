/** Subscriptions of partners: a few addresses each, all of which are reachable from the internet. */
import { isDeepStrictEqual } from 'node:util';
import { inTransaction, type Sql, type Tx } from '../../../db/database.ts';
import type { Caller } from '../../../http/auth/caller.ts';
import { type Clock, nowOf, timestampOf } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/crypto.ts';
import { isUuid } from '../../../kernel/ids.ts';
import { problem } from '../../../kernel/problem.ts';
import { EVENT_TYPES, type EventType } from '../../events/service.ts';
import type {
  SubscriptionBody,
  SubscriptionChange,
  WebhookSubscription,
  WebhookSubscriptions,
  WebhookWithSecret,
} from '../schema.ts';
import type { CallbackUrl } from './callback-url.ts';
import { newSigningSecret, OVERLAP_HOURS, type Subscription, sealSecret } from './secrets.ts';
import {
  countSubscriptions,
  deleteSubscription,
  findSubscription,
  insertSubscription,
  isAddressTaken,
  listSubscriptions,
  lockSubscriptions,
  rotateSecret,
  type SubscriptionRow,
  updateSubscription,
} from './store.ts';

const MOST_SUBSCRIPTIONS = 10;

export interface Subscriptions {
  list(caller: Caller): Promise<WebhookSubscriptions>;
  get(caller: Caller, id: string): Promise<WebhookSubscription>;
  create(caller: Caller, body: SubscriptionBody): Promise<WebhookWithSecret>;
  update(caller: Caller, id: string, change: SubscriptionChange): Promise<WebhookSubscription>;
  rotate(caller: Caller, id: string): Promise<WebhookWithSecret>;
  remove(caller: Caller, id: string): Promise<void>;
}

export interface SubscriptionsDeps {
  sql: Sql;
  clock: Clock;
  encryptionKey: Buffer;
  /** Undefined: we would not post there. */
  findCallback: (text: string) => Promise<CallbackUrl | undefined>;
}

export function createSubscriptions(deps: SubscriptionsDeps): Subscriptions {
  const { sql, clock, encryptionKey } = deps;

  async function getCallback(text: string): Promise<CallbackUrl> {
    const callback = await deps.findCallback(text);
    if (callback) return callback;
    throw problem('WHK-N-002', {
      detail: 'callbackUrl must be an https address that leads to a public host.',
    });
  }

  async function readCallback(known: SubscriptionRow, callbackUrl: string) {
    if (callbackUrl === known.callbackUrl) return { callbackUrl, address: known.address };
    const { url, address } = await getCallback(callbackUrl);
    return { callbackUrl: url, address };
  }

  /** Before anything is locked, because finding out where an address leads takes as long as others please. */
  async function readChange(known: SubscriptionRow, change: SubscriptionChange) {
    const { callbackUrl, eventTypes, label, active } = change;
    return {
      ...(eventTypes !== undefined && { eventTypes: readEventTypes(eventTypes) }),
      ...(callbackUrl !== undefined && (await readCallback(known, callbackUrl))),
      ...(label !== undefined && { label }),
      ...(active !== undefined && { isActive: active }),
    };
  }

  return {
    async list(caller) {
      const found = await listSubscriptions(sql, partnerIdOf(caller));
      return { data: found.map(subscriptionView) };
    },

    async get(caller, id) {
      return subscriptionView(await getSubscription(sql, partnerIdOf(caller), id));
    },

    async create(caller, { callbackUrl, eventTypes = null, label = null }) {
      const partnerId = partnerIdOf(caller);
      const types = readEventTypes(eventTypes);
      const { url, address } = await getCallback(callbackUrl);
      const id = newId(clock);
      const secretKey = newSigningSecret();
      const made: SubscriptionRow = {
        id,
        partnerId,
        callbackUrl: url,
        address,
        eventTypes: types,
        label,
        isActive: true,
        secret: sealSecret(encryptionKey, id, secretKey),
        previousSecret: null,
        previousUntil: null,
        createdAt: nowOf(clock),
        updatedAt: null,
      };
      await inTransaction(sql, async (tx) => {
        await lockSubscriptions(tx, partnerId);
        // First, so that a caller that repeats the request after a lost answer learns that the subscription exists.
        await assertUnused(tx, made);
        await assertRoom(tx, partnerId);
        await insertSubscription(tx, made);
      });
      return { ...subscriptionView(made), secretKey };
    },

    async update(caller, id, asked) {
      const partnerId = partnerIdOf(caller);
      const change = await readChange(await getSubscription(sql, partnerId, id), asked);
      return inTransaction(sql, async (tx) => {
        await lockSubscriptions(tx, partnerId);
        const current = await getSubscription(tx, partnerId, id);
        const changed: SubscriptionRow = { ...current, ...change };
        if (isDeepStrictEqual(changed, current)) return subscriptionView(current);
        changed.updatedAt = nowOf(clock);
        await assertUnused(tx, changed);
        await updateSubscription(tx, changed);
        return subscriptionView(changed);
      });
    },

    async rotate(caller, text) {
      const partnerId = partnerIdOf(caller);
      const id = readId(text);
      const secretKey = newSigningSecret();
      const now = nowOf(clock);
      const rotated = await rotateSecret(sql, partnerId, {
        id,
        secret: sealSecret(encryptionKey, id, secretKey),
        previousUntil: now.add({ hours: OVERLAP_HOURS }),
        now,
      });
      if (!rotated) throw notFound(text);
      return { ...subscriptionView(rotated), secretKey };
    },

    async remove(caller, id) {
      const isGone = await deleteSubscription(sql, partnerIdOf(caller), readId(id), nowOf(clock));
      if (!isGone) throw notFound(id);
    },
  };
}

/** Operators have no such scope; the platform may do everything, but gets no events. */
export function partnerIdOf(caller: Caller): number {
  if ('partner' in caller) return caller.partner.id;
  throw problem('IDENT-N-002', {
    detail: 'Subscriptions belong to partners; ask as one, or as an agent for one.',
  });
}

export async function getSubscription(tx: Tx, partnerId: number, id: string): Promise<SubscriptionRow> {
  const found = await findSubscription(tx, partnerId, readId(id));
  if (!found) throw notFound(id);
  return found;
}

/** As it is stored, because secrets are bound to it. */
function readId(text: string): string {
  const id = text.toLowerCase();
  if (!isUuid(id)) throw notFound(text);
  return id;
}

const notFound = (id: string) => problem('WHK-N-001', { detail: `You have no subscription ${id}.` });

function readEventTypes(types: string[] | null): EventType[] | null {
  if (types === null) return null;
  const unknownAt = types.findIndex((type) => !isEventType(type));
  if (unknownAt >= 0) {
    const known = EVENT_TYPES.join(', ');
    throw problem('WHK-N-005', { detail: `eventTypes[${unknownAt}] is none of ${known}.` });
  }
  return [...new Set(types.filter(isEventType))];
}

const isEventType = (type: string): type is EventType => (EVENT_TYPES as readonly string[]).includes(type);

async function assertUnused(tx: Tx, subscription: SubscriptionRow): Promise<void> {
  if (!(await isAddressTaken(tx, subscription))) return;
  throw problem('WHK-N-003', { detail: 'Another subscription of yours has this callbackUrl.' });
}

async function assertRoom(tx: Tx, partnerId: number): Promise<void> {
  if ((await countSubscriptions(tx, partnerId)) < MOST_SUBSCRIPTIONS) return;
  throw problem('WHK-N-004', {
    detail: `You have ${MOST_SUBSCRIPTIONS} subscriptions, which is the most there can be.`,
  });
}

function subscriptionView(subscription: Subscription): WebhookSubscription {
  const { id, callbackUrl, eventTypes, label, isActive, createdAt, updatedAt } = subscription;
  return {
    webhookId: id,
    callbackUrl,
    eventTypes,
    label,
    active: isActive,
    isDefault: false,
    createdAt: timestampOf(createdAt),
    updatedAt: updatedAt && timestampOf(updatedAt),
  };
}
