/** The products and bookings of a small OCTO supplier, in memory. Its vacancies fall, and a uuid is used once. */
import { randomUUID } from 'node:crypto';
import { addDays, dateTimeOf, dayClock, localOf, MS_PER_MINUTE } from '../../../src/kernel/zone-time.ts';
import type { Booking, ReservationBody, UnitItemBody, UpdateBody } from '../../../src/tms/octo/schema.ts';
import { OPTION, PRODUCT, pricingOf, productWith, RETAIL } from './product.ts';

export interface SupplierOptions {
  zone: string;
  /** Minutes of the day, every day. */
  starts: readonly number[];
  durationMinutes: number;
  /** Units at each start. */
  capacity: number;
  maxUnits: number;
  /** Confirmations wait for the supplier. */
  isPending?: boolean;
  /** A uuid that is used again makes another booking, under a uuid that the supplier makes up. */
  isLying?: boolean;
  now?: () => number;
}

export interface OctoAnswer {
  status: number;
  body: unknown;
}

const CONTACT = {
  fullName: null,
  firstName: null,
  lastName: null,
  emailAddress: null,
  phoneNumber: null,
  locales: [],
  postalCode: null,
  country: null,
  notes: null,
};

const fine = (body: unknown): OctoAnswer => ({ status: 200, body });
const failure = (error: string, errorMessage: string, more: object = {}): OctoAnswer => ({
  status: 400,
  body: { error, errorMessage, ...more },
});
const unprocessable = (message: string) => failure('UNPROCESSABLE_ENTITY', message);
export type OctoBook = ReturnType<typeof createOctoBook>;

export function createOctoBook(options: SupplierOptions) {
  const { zone, starts, durationMinutes, capacity, maxUnits, isPending = false, now = Date.now } = options;
  const bookings = new Map<string, Booking & Record<string, unknown>>();

  const isActive = ({ status, utcExpiresAt }: Booking) =>
    ['CONFIRMED', 'PENDING', 'REDEEMED'].includes(status) ||
    (status === 'ON_HOLD' && Date.parse(utcExpiresAt ?? '') > now());
  const soldAt = (id: string, except?: string) =>
    [...bookings.values()]
      .filter((booking) => booking.availabilityId === id && isActive(booking) && booking.uuid !== except)
      .reduce((sum, { unitItems }) => sum + unitItems.length, 0);

  function availabilityAt(startMs: number, units = 1) {
    const id = dateTimeOf(zone, startMs);
    const vacancies = capacity - soldAt(id);
    return {
      id,
      localDateTimeStart: id,
      localDateTimeEnd: dateTimeOf(zone, startMs + durationMinutes * MS_PER_MINUTE),
      utcCutoffAt: new Date(startMs).toISOString(),
      allDay: false,
      available: vacancies >= units,
      status: vacancies > 0 ? 'AVAILABLE' : 'SOLD_OUT',
      vacancies,
      capacity,
      maxUnits: null,
      openingHours: [],
    };
  }

  function startOf(id: string | undefined): number | undefined {
    const startMs = Date.parse(id ?? '');
    if (Number.isNaN(startMs) || dateTimeOf(zone, startMs) !== id) return undefined;
    return starts.includes(localOf(zone, startMs).minute) ? startMs : undefined;
  }

  const product = productWith({ zone, maxUnits, isPending });
  const itemsOf = (items: readonly UnitItemBody[]) =>
    items.map(({ uuid = randomUUID(), unitId }) => ({
      uuid,
      resellerReference: null,
      supplierReference: null,
      unitId,
      status: 'CONFIRMED' as const,
      utcRedeemedAt: null,
      contact: CONTACT,
      ticket: null,
    }));

  function refusalOf(startMs: number | undefined, items: readonly { unitId: string }[], except?: string) {
    if (startMs === undefined)
      return failure('INVALID_AVAILABILITY_ID', 'There is no such start.', { availabilityId: '-' });
    const strange = items.find(({ unitId }) => RETAIL[unitId] === undefined);
    if (strange) return failure('INVALID_UNIT_ID', 'There is no such unit.', { unitId: strange.unitId });
    if (items.length === 0 || items.length > maxUnits) return unprocessable('So many units cannot be had.');
    const left = capacity - soldAt(dateTimeOf(zone, startMs), except);
    return items.length > left ? unprocessable('There are not so many units left.') : undefined;
  }

  const place = (startMs: number, items: ReturnType<typeof itemsOf>) => {
    const availability = availabilityAt(startMs);
    const pricing = pricingOf(items.reduce((sum, { unitId }) => sum + (RETAIL[unitId] ?? 0), 0));
    return { availabilityId: availability.id, availability, unitItems: items, pricing };
  };
  const expiry = (minutes = 30) => new Date(now() + minutes * MS_PER_MINUTE).toISOString();
  const unknown = (uuid: string) => failure('INVALID_BOOKING_UUID', 'There is no such booking.', { uuid });

  function change(uuid: string, changes: Partial<Booking> & Record<string, unknown>): OctoAnswer {
    const booking = {
      ...(bookings.get(uuid) as Booking),
      ...changes,
      utcUpdatedAt: new Date().toISOString(),
    };
    bookings.set(uuid, booking);
    return fine(booking);
  }

  return {
    bookings,
    product,
    supplier: () =>
      fine({
        id: 'towers',
        name: 'Towers & Co',
        endpoint: 'https://towers.example/octo',
        contact: { website: 'https://towers.example', email: null, telephone: null, address: null },
      }),
    products: () => fine([product]),
    productOf: (id: string) =>
      id === PRODUCT
        ? fine(product)
        : failure('INVALID_PRODUCT_ID', 'There is no such product.', { productId: id }),
    availability(body: {
      productId: string;
      localDateStart: string;
      localDateEnd: string;
      units?: { quantity: number }[];
    }) {
      if (body.productId !== PRODUCT)
        return failure('INVALID_PRODUCT_ID', 'No such product.', { productId: body.productId });
      const units = body.units?.reduce((sum, { quantity }) => sum + quantity, 0);
      const list = [];
      for (let date = body.localDateStart; date <= body.localDateEnd; date = addDays(date, 1))
        for (const minute of starts) {
          const startMs = dayClock(zone, date).epochMsOf(minute);
          if (startMs !== undefined) list.push(availabilityAt(startMs, units));
        }
      return fine(list);
    },
    hold(body: ReservationBody): OctoAnswer {
      const { unitItems, resellerReference = null, expirationMinutes } = body;
      const isRepeated = body.uuid !== undefined && bookings.has(body.uuid);
      const uuid = isRepeated && options.isLying ? randomUUID() : (body.uuid ?? randomUUID());
      if (bookings.has(uuid))
        return {
          status: 500,
          body: { error: 'INTERNAL_SERVER_ERROR', errorMessage: 'UNIQUE constraint failed' },
        };
      const startMs = startOf(body.availabilityId);
      const refusal = refusalOf(startMs, unitItems);
      if (refusal || startMs === undefined) return refusal as OctoAnswer;
      const now = new Date().toISOString();
      bookings.set(uuid, {
        id: uuid,
        uuid,
        testMode: true,
        resellerReference,
        supplierReference: `T-${bookings.size + 1}`,
        status: 'ON_HOLD',
        utcCreatedAt: now,
        utcUpdatedAt: now,
        utcExpiresAt: expiry(expirationMinutes),
        utcRedeemedAt: null,
        utcConfirmedAt: null,
        productId: PRODUCT,
        optionId: OPTION,
        cancellable: true,
        cancellation: null,
        freesale: false,
        contact: CONTACT,
        notes: body.notes ?? null,
        deliveryMethods: ['VOUCHER'],
        voucher: null,
        ...place(startMs, itemsOf(unitItems)),
      });
      return fine(bookings.get(uuid));
    },
    /** A hold that has expired is not found by its uuid, as with a real supplier. */
    get(uuid: string): OctoAnswer {
      const booking = bookings.get(uuid);
      return !booking || (booking.status === 'ON_HOLD' && !isActive(booking)) ? unknown(uuid) : fine(booking);
    },
    list: (reference: string | null) =>
      fine([...bookings.values()].filter(({ resellerReference }) => resellerReference === reference)),
    update(uuid: string, body: UpdateBody): OctoAnswer {
      const booking = bookings.get(uuid);
      if (!booking) return unknown(uuid);
      if (!isActive(booking)) return unprocessable('The booking cannot be updated.');
      const startMs = startOf(body.availabilityId ?? booking.availabilityId ?? '');
      const items = body.unitItems ? itemsOf(body.unitItems) : booking.unitItems;
      const refusal = refusalOf(startMs, items, uuid);
      if (refusal || startMs === undefined) return refusal as OctoAnswer;
      return change(uuid, {
        ...place(startMs, items as ReturnType<typeof itemsOf>),
        notes: body.notes ?? booking.notes,
      });
    },
    confirm(uuid: string): OctoAnswer {
      const booking = bookings.get(uuid);
      if (!booking || (booking.status === 'ON_HOLD' && !isActive(booking))) return unknown(uuid);
      if (booking.status !== 'ON_HOLD') return unprocessable('The booking is not on hold.');
      return change(uuid, {
        status: isPending ? 'PENDING' : 'CONFIRMED',
        utcExpiresAt: null,
        utcConfirmedAt: new Date().toISOString(),
      });
    },
    extend(uuid: string, { expirationMinutes }: { expirationMinutes?: number }): OctoAnswer {
      const booking = bookings.get(uuid);
      if (!booking) return unknown(uuid);
      if (booking.status !== 'ON_HOLD' || !isActive(booking))
        return unprocessable('The booking is not on hold.');
      return change(uuid, { utcExpiresAt: expiry(expirationMinutes) });
    },
    cancel(uuid: string, { reason = null }: { reason?: string | null }): OctoAnswer {
      const booking = bookings.get(uuid);
      if (!booking) return unknown(uuid);
      if (!isActive(booking)) return unprocessable('Booking cannot be cancelled');
      const cancellation = { refund: 'FULL', reason, utcCancelledAt: new Date().toISOString() };
      const status = booking.status === 'ON_HOLD' ? 'EXPIRED' : 'CANCELLED';
      return change(uuid, { status, utcExpiresAt: null, cancellable: false, cancellation });
    },
  };
}
