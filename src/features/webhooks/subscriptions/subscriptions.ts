/** Subscriptions of partners and operators: a few addresses each, all of which are reachable from the internet. */
import { isDeepStrictEqual } from 'node:util';
import { inTransaction, type Sql, type Tx } from '../../../db/database.ts';
import type { Caller } from '../../../http/auth/caller.ts';
import { type Clock, nowOf, timestampOf } from '../../../kernel/clock.ts';
import { type Keyring, newId } from '../../../kernel/crypto.ts';
import { isUuid } from '../../../kernel/ids.ts';
import { problem } from '../../../kernel/problem.ts';
import { EVENT_TYPES, type EventType, OPERATOR_EVENT_TYPES } from '../../events/service.ts';
import type {
  SubscriptionBody,
  SubscriptionChange,
  WebhookSubscription,
  WebhookSubscriptions,
  WebhookWithSecret,
} from '../schema.ts';
import type { CallbackUrl } from './callback-url.ts';
import { newSigningSecret, OVERLAP_HOURS, type Owner, type Subscription, sealSecret } from './secrets.ts';
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
  create(caller: Caller, body: SubscriptionBody, oversight?: Oversight): Promise<WebhookWithSecret>;
  update(
    caller: Caller,
    id: string,
    change: SubscriptionChange,
    oversight?: Oversight,
  ): Promise<WebhookSubscription>;
  rotate(caller: Caller, id: string, oversight?: Oversight): Promise<WebhookWithSecret>;
  remove(caller: Caller, id: string, oversight?: Oversight): Promise<void>;
}

/** The audit log of an operator; changes by partners are in none. */
export interface Oversight {
  /** Throws when the subscription is not what it was taken for. */
  check(before: WebhookSubscription): void;
  /** In the transaction that makes the change. */
  record(tx: Tx, change: { before?: WebhookSubscription; after?: WebhookSubscription }): Promise<void>;
}

export interface SubscriptionsDeps {
  sql: Sql;
  clock: Clock;
  encryptionKeys: Keyring;
  /** Undefined: we would not post there. */
  findCallback: (text: string) => Promise<CallbackUrl | undefined>;
}

export function createSubscriptions(deps: SubscriptionsDeps): Subscriptions {
  const { sql, clock, encryptionKeys } = deps;

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
  async function readChange(owner: Owner, known: SubscriptionRow, change: SubscriptionChange) {
    const { callbackUrl, eventTypes, label, active } = change;
    return {
      ...(eventTypes !== undefined && { eventTypes: readEventTypes(owner, eventTypes) }),
      ...(callbackUrl !== undefined && (await readCallback(known, callbackUrl))),
      ...(label !== undefined && { label }),
      ...(active !== undefined && { isActive: active }),
    };
  }

  return {
    async list(caller) {
      const found = await listSubscriptions(sql, ownerOf(caller));
      return { data: found.map(subscriptionView) };
    },

    async get(caller, id) {
      return subscriptionView(await getSubscription(sql, ownerOf(caller), id));
    },

    async create(caller, { callbackUrl, eventTypes = null, label = null }, oversight) {
      const owner = ownerOf(caller);
      const types = readEventTypes(owner, eventTypes);
      const { url, address } = await getCallback(callbackUrl);
      const id = newId(clock);
      const secretKey = newSigningSecret();
      const made: SubscriptionRow = {
        id,
        callbackUrl: url,
        address,
        eventTypes: types,
        label,
        isActive: true,
        secret: sealSecret(encryptionKeys, id, secretKey),
        previousSecret: null,
        previousUntil: null,
        createdAt: nowOf(clock),
        updatedAt: null,
      };
      await inTransaction(sql, async (tx) => {
        await lockSubscriptions(tx, owner);
        // First, so that a caller that repeats the request after a lost answer learns that the subscription exists.
        await assertUnused(tx, owner, made);
        await assertRoom(tx, owner);
        await insertSubscription(tx, owner, made);
        await oversight?.record(tx, { after: subscriptionView(made) });
      });
      return { ...subscriptionView(made), secretKey };
    },

    async update(caller, id, asked, oversight) {
      const owner = ownerOf(caller);
      const change = await readChange(owner, await getSubscription(sql, owner, id), asked);
      return inTransaction(sql, async (tx) => {
        await lockSubscriptions(tx, owner);
        const current = await getSubscription(tx, owner, id);
        oversight?.check(subscriptionView(current));
        const changed: SubscriptionRow = { ...current, ...change };
        if (isDeepStrictEqual(changed, current)) return subscriptionView(current);
        changed.updatedAt = nowOf(clock);
        await assertUnused(tx, owner, changed);
        await updateSubscription(tx, changed);
        const [before, after] = [subscriptionView(current), subscriptionView(changed)];
        await oversight?.record(tx, { before, after });
        return after;
      });
    },

    async rotate(caller, text, oversight) {
      const owner = ownerOf(caller);
      const id = readId(text);
      const secretKey = newSigningSecret();
      const now = nowOf(clock);
      return inTransaction(sql, async (tx) => {
        await lockSubscriptions(tx, owner);
        const before = subscriptionView(await getSubscription(tx, owner, text));
        oversight?.check(before);
        const rotated = await rotateSecret(tx, owner, {
          id,
          secret: sealSecret(encryptionKeys, id, secretKey),
          previousUntil: now.add({ hours: OVERLAP_HOURS }),
          now,
        });
        if (!rotated) throw notFound(text);
        const after = subscriptionView(rotated);
        await oversight?.record(tx, { before, after });
        return { ...after, secretKey };
      });
    },

    remove(caller, id, oversight) {
      const owner = ownerOf(caller);
      return inTransaction(sql, async (tx) => {
        await lockSubscriptions(tx, owner);
        const before = subscriptionView(await getSubscription(tx, owner, id));
        oversight?.check(before);
        await deleteSubscription(tx, owner, readId(id), nowOf(clock));
        await oversight?.record(tx, { before });
      });
    },
  };
}

/** Operators come through `/manage` alone: their clients have no scope for the routes of partners. */
export function ownerOf(caller: Caller): Owner {
  if ('partner' in caller) return { kind: 'partner', id: caller.partner.id };
  if (caller.kind === 'operator') return { kind: 'operator', id: caller.operatorId };
  // The platform may do everything, but gets no events.
  throw problem('IDENT-N-002', {
    detail: 'Subscriptions belong to partners; call as a partner, or as an agent for one.',
  });
}

export async function getSubscription(tx: Tx, owner: Owner, id: string): Promise<SubscriptionRow> {
  const found = await findSubscription(tx, owner, readId(id));
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

function readEventTypes({ kind }: Owner, types: string[] | null): EventType[] | null {
  if (types === null) return null;
  const known: readonly string[] = kind === 'partner' ? EVENT_TYPES : OPERATOR_EVENT_TYPES;
  const isKnown = (type: string): type is EventType => known.includes(type);
  const unknownAt = types.findIndex((type) => !isKnown(type));
  if (unknownAt >= 0)
    throw problem('WHK-N-005', { detail: `eventTypes[${unknownAt}] is none of ${known.join(', ')}.` });
  return [...new Set(types.filter(isKnown))];
}

async function assertUnused(tx: Tx, owner: Owner, subscription: SubscriptionRow): Promise<void> {
  if (!(await isAddressTaken(tx, owner, subscription))) return;
  throw problem('WHK-N-003', { detail: 'Another subscription of yours has this callbackUrl.' });
}

async function assertRoom(tx: Tx, owner: Owner): Promise<void> {
  if ((await countSubscriptions(tx, owner)) < MOST_SUBSCRIPTIONS) return;
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
