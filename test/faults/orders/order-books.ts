/** Reads what orders have come to, in the database and in the systems behind it, without the code that made them. */
import type { Sql } from '../../../src/db/database.ts';
import { imbalances } from '../../race/balance.ts';
import { bothSides } from '../../support/remote-tms/bistros.ts';
import type { OrderAnswer, SentItem, SentOrder } from './order-random.ts';
import type { World } from './order-world.ts';

interface ItemRow {
  orderId: string;
  partnerOrderId: string | null;
  key: string | null;
  isAtomic: boolean;
  isSettled: boolean;
  position: number;
  bookingId: string;
  status: string;
  code: string | null;
  /** The item as its booking has it; null where there is none. */
  made: (SentItem & { status: string }) | null;
}

export interface Books {
  /** Sentences about whatever does not fit together; none when all is well. */
  faults: string[];
  /** How many items came to what. */
  counts: Record<string, number>;
}

export async function readBooks(sql: Sql, sent: readonly SentOrder[]): Promise<Books> {
  const rows = await sql<ItemRow[]>`
    select o.id as "orderId", partner_order_id as "partnerOrderId", idempotency_key as key, is_atomic as "isAtomic",
      settled_at is not null as "isSettled", position, booking_id as "bookingId", i.status, error_code as code,
      case when b.id is not null then json_build_object('compositeId', b.product_id, 'quantity', adults + children,
        'date', trading_day, 'time', to_char(make_interval(mins => starts_minute), 'HH24:MI'), 'status', b.status,
        'depositAmount', deposit_pence, 'partnerBookingId', partner_booking_id) end as made
    from booking_order o join booking_order_item i on i.order_id = o.id
      left join booking b on b.id = i.booking_id and i.status = 'booked'
    order by o.id, position`;
  const orders = [...Map.groupBy(rows, ({ orderId }) => orderId).values()];
  const strays = await sql<{ fault: string }[]>`
    select format('booking %s is that of %s items', b.id, count(i)) as fault
      from booking b left join booking_order_item i on i.booking_id = b.id and i.status = 'booked'
      group by b.id having count(i) <> 1
    union all
    select format('item %s is booked %s times', deposit_pence, count(*))
      from booking group by deposit_pence having count(*) > 1`;
  return {
    faults: [
      ...orders.flatMap((items) => faultsOf(items, sent)),
      ...sent.flatMap((order) => order.answers.flatMap((answer) => contradictions(order, answer, rows))),
      ...strays.map(({ fault }) => fault),
      ...(await imbalances(sql)),
    ],
    counts: tally(rows.map(({ status, code, made }) => made?.status ?? code ?? status)),
  };
}

/** The same with what the systems of others hold. */
export async function readWorld({ bistros, systems }: World, sent: readonly SentOrder[]): Promise<Books> {
  const { faults, counts } = await readBooks(bistros.app.sql, sent);
  for (const system of systems) {
    const { ours, theirs } = await bothSides(bistros, system);
    const apart = new Set(ours).symmetricDifference(new Set(theirs));
    faults.push(...[...apart].map((line) => `only one side has ${line}`));
  }
  return { faults, counts };
}

function faultsOf(items: readonly ItemRow[], sent: readonly SentOrder[]): string[] {
  const [{ orderId, partnerOrderId, key, isAtomic, isSettled } = {} as ItemRow] = items;
  const isAsked = sent.some(
    (order) =>
      order.key === key &&
      order.body.partnerOrderId === partnerOrderId &&
      order.body.items.length === items.length &&
      items.every(({ made, position }) => made === null || isSame(made, order.body.items[position])),
  );
  return [
    ...(isSettled ? [] : [`order ${orderId} is not settled`]),
    ...(isAsked ? [] : [`nobody has asked for order ${orderId}`]),
    ...(isAtomic && new Set(items.map(({ status }) => status)).size > 1
      ? [`order ${orderId} is half booked`]
      : []),
    ...items.flatMap(({ position, status, made }) => {
      const isDone = status === 'booked' ? ['confirmed', 'pending'].includes(made?.status ?? '') : true;
      return status !== 'waiting' && isDone ? [] : [`item ${position} of ${orderId} is ${status}`];
    }),
  ];
}

const FIELDS = ['compositeId', 'quantity', 'date', 'time', 'depositAmount', 'partnerBookingId'] as const;
const isSame = (made: SentItem, asked: SentItem | undefined) =>
  FIELDS.every((field) => made[field] === asked?.[field]);

/** What was said of each item against what is there. */
function contradictions(
  { body }: SentOrder,
  { status, json }: OrderAnswer,
  rows: readonly ItemRow[],
): string[] {
  // Nothing is said of the items as long as others are at work.
  if (status === 503 && json.code === 'HTTP-R-503') return [];
  if (status !== 200) return [`the answer was ${JSON.stringify(json)}`];
  const items = rows.filter(({ orderId }) => orderId === json.orderId);
  if (items.length !== body.items.length || json.items.length !== items.length)
    return [`order ${json.orderId} has ${items.length} items, told ${json.items.length}`];
  return items.flatMap(({ position, bookingId, code, made }) => {
    const told = json.items[position];
    const saidOf = made
      ? `${position} ${made.status === 'confirmed' ? 'booked' : 'requested'} ${bookingId}`
      : `${position} failed ${code}`;
    const said = `${told.index} ${told.status} ${told.bookingId ?? told.error.code}`;
    return said === saidOf ? [] : [`item of ${json.orderId} is ${saidOf}, told ${said}`];
  });
}

function tally(words: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length]));
}
