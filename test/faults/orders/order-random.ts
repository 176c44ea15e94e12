/** Orders made up at random, the same ones for the same seed. */
import assert from 'node:assert/strict';
import type { Start } from '../../race/venues.ts';

export interface Place {
  productId: string;
  starts: readonly Start[];
  isRemote: boolean;
}

export type Random = () => number;

/** Mulberry32: the same numbers for the same seed. */
export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  assert.ok(item !== undefined);
  return item;
}

export interface OrderAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what an answer has is asserted by those who read it.
  json: any;
}

export interface SentItem {
  compositeId: string;
  quantity: number;
  date: string;
  time: string;
  type: 'book' | 'request' | null;
  partnerBookingId: string | null;
  /** Goes into the booking as it is, so that whatever becomes of it can be told from others. */
  depositAmount: number;
}

export interface SentOrder {
  key: string | null;
  body: {
    partnerOrderId: string | null;
    atomic: boolean;
    firstName: string;
    lastName: string;
    items: SentItem[];
  };
  /** All that was said of it. */
  answers: OrderAnswer[];
}

export const isNamed = ({ key, body }: SentOrder) => key !== null || body.partnerOrderId !== null;

/** One item at each of the places, in order, at the start that `count` comes to. */
export function itemsAt(places: readonly Place[], count: number): SentItem[] {
  return places.map(({ productId: compositeId, starts }, index) => ({
    compositeId,
    ...(starts[count % starts.length] as Start),
    quantity: 1,
    type: 'book',
    partnerBookingId: null,
    depositAmount: count * places.length + index,
  }));
}

export function namedOrder(partnerOrderId: string, items: SentItem[], atomic = false): SentOrder {
  const guest = { firstName: 'Ada', lastName: 'Lovelace' };
  return { key: null, answers: [], body: { partnerOrderId, atomic, ...guest, items } };
}

/** Makes up orders; now and then an item has been in an earlier one, whatever became of that. */
export function orderMaker(places: readonly Place[], random: Random) {
  const earlier: SentItem[] = [];
  const local = places.filter(({ isRemote }) => !isRemote);
  let marks = 0;
  let orders = 0;

  function newItem(among: readonly Place[]): SentItem {
    marks += 1;
    const { productId: compositeId, starts } = pick(random, among);
    const type = pick(random, [null, null, null, 'book', 'book', 'request'] as const);
    const item: SentItem = {
      compositeId,
      quantity: pick(random, [1, 2]),
      ...pick(random, starts),
      type,
      partnerBookingId: random() < 0.4 ? `item-${marks}` : null,
      depositAmount: marks,
    };
    if (item.partnerBookingId !== null && among === places) earlier.push(item);
    return item;
  }

  return (most = 20): SentOrder => {
    orders += 1;
    const atomic = random() < 0.3;
    const count = 1 + Math.floor(random() * random() * most);
    const items = Array.from({ length: count }, () => newItem(atomic ? local : places));
    if (!atomic && random() < 0.2) {
      const again = pick(random, [...earlier, newItem(places)]);
      if (!items.some(({ depositAmount }) => depositAmount === again.depositAmount))
        items.splice(-1, 1, again);
    }
    const names = pick(random, ['none', 'key', 'id', 'both'] as const);
    return {
      key: names === 'key' || names === 'both' ? `key-${orders}` : null,
      body: {
        partnerOrderId: names === 'id' || names === 'both' ? `order-${orders}` : null,
        atomic,
        firstName: 'Ada',
        lastName: 'Lovelace',
        items,
      },
      answers: [],
    };
  };
}
