/**
 * Orders: several bookings with one request, over venues and systems. Each item is a booking of its own, made, changed
 * and cancelled by the rules of bookings; an order only remembers which belong together and what became of each.
 */
import { inTransaction, type Tx } from '../../db/database.ts';
import type { Caller } from '../../http/auth/caller.ts';
import type { JobDefinition } from '../../jobs/jobs.ts';
import { nowOf } from '../../kernel/clock.ts';
import { newId } from '../../kernel/crypto.ts';
import { isUuid, type ProductId, partsOfVenueId, venueOfProduct } from '../../kernel/ids.ts';
import { problem } from '../../kernel/problem.ts';
import { type BookingSource, partnerOf } from '../bookings/service.ts';
import { fingerprintOf, type Keep } from '../idempotency/service.ts';
import type { OrderBody, OrderCancellationBody, OrderChangeBody } from './body.ts';
import { cancelBookings, changeBookings } from './change.ts';
import {
  type Claimed,
  claimOrder,
  type OrdersContext,
  type OrdersDeps,
  othersAtWork,
  takeLease,
  underLease,
} from './claim.ts';
import { fulfil, giveUp } from './fulfil.ts';
import { type AskedItem, itemsOf } from './items.ts';
import type { OrderRecord } from './record.ts';
import { type OrderOutcome, outcomeOf } from './result.ts';
import { createOrderStore, findOrder, forgetContents, listAbandoned, settle } from './store.ts';

export interface AskedOrder {
  body: OrderBody;
  source: BookingSource;
  idempotencyKey: string | undefined;
}

export interface Orders {
  create(caller: Caller, order: AskedOrder): Promise<OrderOutcome>;
  get(caller: Caller, id: string): Promise<OrderOutcome>;
  /** Both say what became of the bookings that were named, and of the order as a whole. */
  change(caller: Caller, id: string, changes: OrderChangeBody): Promise<OrderOutcome>;
  cancel(caller: Caller, id: string, wanted: OrderCancellationBody): Promise<OrderOutcome>;

  /** For jobs; each says how much it concerned. */
  closeAbandoned(): Promise<number>;
  forgetOld(days: number): Promise<number>;
}

/** How long an order that its sender can name waits to be sent again. */
const WAITS_FOR_SENDER_MINUTES = 15;
const BATCH = 100;

export function createOrders(deps: OrdersDeps): Orders {
  const context: OrdersContext = { ...deps, store: createOrderStore(deps.encryptionKeys) };
  const { sql, clock, registry, idempotency, bookings } = context;

  const connectorOf = (productId: ProductId) => registry.get(partsOfVenueId(venueOfProduct(productId)).tms);
  const isTicket = (productId: ProductId) =>
    connectorOf(productId)?.capabilities.capability === 'event_ticket';

  function assertHoldable(items: readonly AskedItem[]): void {
    for (const [index, { productId }] of items.entries()) {
      const connector = connectorOf(productId);
      if (connector?.flavour === 'remote' && !connector.holds)
        throw problem('ORDER-N-009', {
          detail: `items.${index}: the system ${connector.slug} cannot hold a place while others are tried.`,
        });
    }
  }

  async function outcome(tx: Tx, caller: Caller, order: OrderRecord): Promise<OrderOutcome> {
    const items = await context.store.listItems(tx, order.id);
    const ids = items.flatMap(({ status, bookingId }) => (status === 'booked' ? [bookingId] : []));
    const made = ids.length === 0 ? [] : await bookings.listByIds(tx, caller, ids);
    return outcomeOf(order, items, made);
  }

  function workOff(
    caller: Caller,
    { order, lease }: Claimed,
    keep: Keep<OrderOutcome>,
  ): Promise<OrderOutcome> {
    const conclude = () =>
      inTransaction(sql, async (tx) => {
        if (lease && !(await settle(tx, lease, nowOf(clock)))) throw othersAtWork();
        const answer = await outcome(tx, caller, order);
        await keep(tx, answer);
        return answer;
      });
    if (!lease) return conclude();
    return underLease(context, lease, async () => {
      await fulfil(context, { caller, order, lease });
      return conclude();
    });
  }

  async function getOwn(caller: Caller, id: string): Promise<OrderRecord> {
    const partner = partnerOf(caller);
    const order = isUuid(id) ? await findOrder(sql, id) : undefined;
    if (!order) throw problem('BOOK-N-006', { detail: `There is no order ${id}.` });
    if (order.partnerId !== partner.id) throw problem('PMAP-N-003', { detail: `Order ${id} is not yours.` });
    return order;
  }

  /**
   * False when a request has taken the order up again. One transaction, so that no request takes it over half closed.
   */
  function close(orderId: string): Promise<boolean> {
    return inTransaction(sql, async (tx) => {
      const lease = await takeLease(tx, clock, orderId);
      if (!lease) return false;
      await giveUp(tx, context, lease);
      return settle(tx, lease, nowOf(clock));
    });
  }

  return {
    async create(caller, { body, source, idempotencyKey: key }) {
      const partnerId = partnerOf(caller).id;
      const { clientId } = caller;
      const isAtomic = body.atomic ?? false;
      const items = itemsOf(body, isTicket);
      if (isAtomic) assertHoldable(items);
      const content = { order: { ...body, atomic: isAtomic || null }, partner: partnerId, source };
      return idempotency.once<OrderOutcome>({ clientId, key, content }, async (keep) => {
        const wanted = {
          id: newId(clock),
          partnerId,
          clientId,
          partnerOrderId: body.partnerOrderId ?? null,
          idempotencyKey: key ?? null,
          fingerprint: fingerprintOf(content),
          isAtomic,
          source,
        };
        const named = items.map((item) => ({ ...item, bookingId: newId(clock) }));
        return workOff(caller, await claimOrder(context, wanted, named), keep);
      });
    },

    get: async (caller, id) => outcome(sql, caller, await getOwn(caller, id)),

    async change(caller, id, changes) {
      const order = await getOwn(caller, id);
      const before = await outcome(sql, caller, order);
      const items = await changeBookings(context, caller, { before, changes, isTicket });
      const { status } = await outcome(sql, caller, order);
      return { ...before, status, items };
    },

    async cancel(caller, id, wanted) {
      const order = await getOwn(caller, id);
      // An unfinished order that is cancelled must not be booked by a repeated request.
      const isWhole = (wanted.bookingIds ?? []).length === 0;
      if (isWhole && !order.isSettled && !(await close(order.id))) throw othersAtWork();
      const before = await outcome(sql, caller, order);
      const items = await cancelBookings(context, caller, { before, wanted });
      const { status } = await outcome(sql, caller, order);
      return { ...before, status, items };
    },

    async closeAbandoned() {
      const now = nowOf(clock);
      const namedBefore = now.subtract({ minutes: WAITS_FOR_SENDER_MINUTES });
      const failures = new Map<string, unknown>();
      let closed = 0;
      for (;;) {
        const abandoned = { now, namedBefore, except: [...failures.keys()] };
        const ids = await listAbandoned(sql, abandoned, BATCH);
        for (const id of ids) {
          const isClosed = await close(id).catch((error) => void failures.set(id, error));
          if (isClosed) closed += 1;
        }
        if (ids.length < BATCH) break;
      }
      if (failures.size > 0)
        throw new AggregateError(
          failures.values(),
          `Orders that cannot be closed: ${[...failures.keys()].join(', ')}.`,
        );
      return closed;
    },

    forgetOld: (days) => forgetContents(sql, nowOf(clock).subtract({ hours: 24 * days })),
  };
}

export function orderJobs(orders: Orders, { guestDataDays }: { guestDataDays: number }): JobDefinition[] {
  return [
    {
      name: 'orders.close-abandoned',
      schedule: '* * * * *',
      handle: async () => void (await orders.closeAbandoned()),
    },
    {
      name: 'orders.forget-contents',
      schedule: '47 2 * * *',
      handle: async () => void (await orders.forgetOld(guestDataDays)),
    },
  ];
}
export { SEALED_ORDER_ITEMS } from './store.ts';
