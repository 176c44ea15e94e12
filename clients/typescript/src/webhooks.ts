import { read, removal } from './bookings.ts';
import { ConnectionError, isProblem, type MaitredError } from './errors.ts';
import { LONGEST_TIMER_MS } from './limit.ts';
import { cursorPages, type Pages } from './pages.ts';
import { type CallOptions, path, type Transport } from './transport.ts';
import type {
  ListWebhookDeliveriesQuery,
  ListWebhookEventsQuery,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookEvent,
  WebhookEvents,
  WebhookReplay,
  WebhookReplayed,
  WebhookSubscription,
  WebhookSubscriptionChange,
  WebhookSubscriptionRequest,
  WebhookSubscriptions,
  WebhookSubscriptionWithSecret,
  WebhookTest,
  WebhookTestReport,
} from './types.ts';

export interface FollowOptions extends Pick<ListWebhookEventsQuery, 'eventType' | 'since' | 'limit'> {
  /** The id of the last event that you have handled. Without it the log is read from its beginning, or from `since`. */
  cursor?: string;
  /** Ends the iteration. */
  signal?: AbortSignal;
  /** How long to wait at the end of the log before it is read again; two seconds unless given. */
  intervalMs?: number;
  /** Told of a failure that will pass. The log is read again after the interval, or when the service says. */
  onError?: (error: MaitredError) => void;
}

export class Webhooks {
  readonly #transport: Transport;
  /** Where events are posted to. */
  readonly subscriptions: Subscriptions;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
    this.subscriptions = new Subscriptions(transport);
  }

  /**
   * The log of everything that you could have been told of, the oldest first.
   *
   * @example
   * for await (const event of maitred.webhooks.events({ eventType: 'booking.updated' })) {
   *   console.log(event.id, event.eventType, event.bookingId);
   * }
   */
  events(query?: ListWebhookEventsQuery, options?: CallOptions): Pages<WebhookEvent, WebhookEvents> {
    return cursorPages(this.#transport, '/webhooks/events', query, options);
  }

  /**
   * Events as they happen, without an address of your own to be called at. Nothing is left out and nothing comes twice if
   * you keep the id of the last event that you have handled, and begin with it as `cursor` the next time. It goes on after
   * an outage, and ends with `signal`.
   *
   * @example
   * const ending = new AbortController();
   * setTimeout(() => ending.abort(), 500);
   * for await (const event of maitred.webhooks.followEvents({ signal: ending.signal, intervalMs: 200 })) {
   *   console.log(event.eventType, event.occurredAt);
   * }
   */
  async *followEvents(options: FollowOptions = {}): AsyncGenerator<WebhookEvent, void, undefined> {
    const { signal, intervalMs = 2000, onError, ...query } = options;
    while (!signal?.aborted) {
      let waitMs = intervalMs;
      try {
        const pages = this.events(query, signal && { signal }).pages();
        for await (const page of pages) {
          for (const event of page.data) {
            yield event;
            query.cursor = event.id;
            // From here on the cursor decides: an event can enter the log after others that happened later.
            delete query.since;
          }
        }
      } catch (error) {
        if (signal?.aborted) return;
        if (!isPassing(error)) throw error;
        onError?.(error);
        if (isProblem(error)) waitMs = Math.max(waitMs, (error.retryAfterSeconds ?? 0) * 1000);
      }
      await sleep(Math.min(waitMs, LONGEST_TIMER_MS), signal);
    }
  }

  /**
   * What was posted to whom, with every attempt; the newest first.
   *
   * @example
   * const dropped = await maitred.webhooks.deliveries({ status: 'dropped' }).all(20);
   * console.log(dropped.length);
   */
  deliveries(
    query?: ListWebhookDeliveriesQuery,
    options?: CallOptions,
  ): Pages<WebhookDelivery, WebhookDeliveries> {
    return cursorPages(this.#transport, '/webhooks/deliveries', query, options);
  }

  /**
   * One of them.
   *
   * @example
   * const [latest] = await maitred.webhooks.deliveries().all(1);
   * if (latest) console.log((await maitred.webhooks.delivery(latest.id)).status);
   */
  delivery(deliveryId: string, options?: CallOptions): Promise<WebhookDelivery> {
    return this.#transport.body({ ...options, ...read(path`/webhooks/deliveries/${deliveryId}`) });
  }

  /**
   * Posts one event at once, to all your subscriptions or to one, and says how it was taken. Not sent again where the
   * answer is lost.
   *
   * @example
   * const { deliveries } = await maitred.webhooks.test({ eventType: 'webhook.ping' });
   * console.log(deliveries);
   */
  test(body: WebhookTest, query?: { webhookId?: string }, options?: CallOptions): Promise<WebhookTestReport> {
    return this.#transport.body({
      ...options,
      method: 'POST',
      path: '/webhooks/test',
      query,
      body,
      isRepeatable: false,
    });
  }
}

export class Subscriptions {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Your subscriptions.
   *
   * @example
   * for (const { callbackUrl, active } of await maitred.webhooks.subscriptions.list()) console.log(callbackUrl, active);
   */
  async list(options?: CallOptions): Promise<WebhookSubscription[]> {
    const call = { ...options, ...read('/webhooks/subscriptions') };
    return (await this.#transport.body<WebhookSubscriptions>(call)).data;
  }

  /**
   * Subscribes an address. The answer has the secret, this once. Where the answer is lost it is not sent again: the address
   * may be subscribed, and only `rotateSecret` gives a secret of it then.
   *
   * @example
   * const subscription = await maitred.webhooks.subscriptions.create({ callbackUrl: 'https://partner.example/maitred' });
   * console.log(subscription.webhookId, subscription.secretKey.length);
   */
  create(body: WebhookSubscriptionRequest, options?: CallOptions): Promise<WebhookSubscriptionWithSecret> {
    return this.#transport.body({
      ...options,
      method: 'POST',
      path: '/webhooks/subscriptions',
      body,
      isRepeatable: false,
    });
  }

  /**
   * One subscription.
   *
   * @example
   * console.log((await maitred.webhooks.subscriptions.get(subscription.webhookId)).callbackUrl);
   */
  get(webhookId: string, options?: CallOptions): Promise<WebhookSubscription> {
    return this.#transport.body({ ...options, ...read(path`/webhooks/subscriptions/${webhookId}`) });
  }

  /**
   * Changes it, or pauses it with `active: false`.
   *
   * @example
   * await maitred.webhooks.subscriptions.update(subscription.webhookId, { active: false });
   */
  update(
    webhookId: string,
    body: WebhookSubscriptionChange,
    options?: CallOptions,
  ): Promise<WebhookSubscription> {
    return this.#transport.body({
      ...options,
      method: 'PUT',
      path: path`/webhooks/subscriptions/${webhookId}`,
      body,
      isRepeatable: true,
    });
  }

  /**
   * Ends it. One that is gone already is no error where the answer to the first attempt was lost.
   *
   * @example
   * await maitred.webhooks.subscriptions.delete(subscription.webhookId);
   */
  delete(webhookId: string, options?: CallOptions): Promise<void> {
    return this.#transport.body({
      ...options,
      ...removal(path`/webhooks/subscriptions/${webhookId}`),
      doneBefore: 'WHK-N-001',
    });
  }

  /**
   * A new secret. For a day both sign. Not sent again where the answer is lost: a second change would end the old secret at
   * once.
   *
   * @example
   * const { secretKey } = await maitred.webhooks.subscriptions.rotateSecret(subscription.webhookId);
   * console.log(secretKey.length);
   */
  rotateSecret(webhookId: string, options?: CallOptions): Promise<WebhookSubscriptionWithSecret> {
    return this.#transport.body({
      ...options,
      method: 'POST',
      path: path`/webhooks/subscriptions/${webhookId}/secret`,
      isRepeatable: false,
    });
  }

  /**
   * Delivers events of the log again. What waits to be replayed already is not added twice.
   *
   * @example
   * const { deliveries } = await maitred.webhooks.subscriptions.replay(subscription.webhookId, { since: new Date().toISOString() });
   * console.log(deliveries);
   */
  replay(webhookId: string, body: WebhookReplay, options?: CallOptions): Promise<WebhookReplayed> {
    return this.#transport.body({
      ...options,
      method: 'POST',
      path: path`/webhooks/subscriptions/${webhookId}/replay`,
      body,
      isRepeatable: true,
    });
  }
}

function isPassing(error: unknown): error is MaitredError {
  return error instanceof ConnectionError || (isProblem(error) && error.isRetryable);
}

/** Ends early, and without an error, with the signal. */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end);
  });
}
