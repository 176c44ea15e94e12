/** The items of an order request: defaults filled in, and invalid items refused. */
import { parseProductId } from '../../kernel/ids.ts';
import { type FieldErrors, invalid, Problem, problem } from '../../kernel/problem.ts';
import { assertWhole } from '../bookings/service.ts';
import type { OrderBody, OrderItem } from './body.ts';
import type { NewItem, Wanted } from './record.ts';

export type AskedItem = Omit<NewItem, 'bookingId'>;

/** `isTicket`: what is ordered ahead means nothing there, and is left out. */
export function itemsOf(
  order: OrderBody,
  isTicket: (productId: AskedItem['productId']) => boolean,
): AskedItem[] {
  assertNamed(order);
  return order.items.map((item, index) =>
    naming(`items.${index}`, () => {
      const productId = parseProductId(item.compositeId);
      assertWhole(item);
      return { productId, wanted: wantedOf(order, item, isTicket(productId)) };
    }),
  );
}

const NAMES = ['firstName', 'lastName'] as const;

function assertNamed({ items, ...root }: OrderBody): void {
  const errors: FieldErrors = {};
  const used = new Set<string>();
  const held = new Set<string>();
  for (const [index, item] of items.entries()) {
    for (const name of NAMES)
      if ((item[name] ?? root[name]) == null)
        errors[`items.${index}.${name}`] = ['is required, here or for the whole order'];
    const { partnerBookingId } = item;
    const holdId = item.holdId?.toLowerCase();
    if (partnerBookingId != null && used.has(partnerBookingId))
      errors[`items.${index}.partnerBookingId`] = ['is that of another item'];
    if (holdId !== undefined && held.has(holdId))
      errors[`items.${index}.holdId`] = ['is that of another item'];
    if (partnerBookingId != null) used.add(partnerBookingId);
    if (holdId !== undefined) held.add(holdId);
  }
  const [field, ...others] = Object.keys(errors);
  if (field === undefined) return;
  if (others.length === 0) throw invalid(field, String(errors[field]));
  throw problem('VALID-N-001', { detail: 'Some items of the order are not complete.', errors });
}

function wantedOf(order: OrderBody, item: OrderItem, isTicket: boolean): Wanted {
  const { compositeId: _, type, quantity, notes, preorders, ...rest } = item;
  return {
    type: type ?? null,
    body: {
      ...rest,
      firstName: item.firstName ?? order.firstName ?? '',
      lastName: item.lastName ?? order.lastName ?? '',
      email: item.email ?? order.email ?? null,
      phone: item.phone ?? order.phone ?? null,
      company: item.company ?? order.company ?? null,
      partySize: quantity,
      comments: notes ?? null,
      preorders: isTicket ? null : (preorders ?? null),
    },
  };
}

/** Runs a check of one item; what it refuses says which one. */
export function naming<Result>(item: string, check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { detail = error.message, errors, ...options } = error.options;
    throw problem(error.code, {
      ...options,
      detail: `${item}: ${detail}`,
      ...(errors && {
        errors: Object.fromEntries(
          Object.entries(errors).map(([field, messages]) => [`${item}.${field}`, messages]),
        ),
      }),
    });
  }
}
