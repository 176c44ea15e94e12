/** Maitred as a supplier for partners who speak OCTO, on the same services as the rest of the interface. */

import type { Config } from '../../config.ts';
import type { Bookings } from '../../features/bookings/service.ts';
import { partnerOf } from '../../features/bookings/service.ts';
import type { Caller } from '../../http/auth/caller.ts';
import type { JobDefinition } from '../../jobs/jobs.ts';
import { nowOf } from '../../kernel/clock.ts';
import type { Keyring } from '../../kernel/crypto.ts';
import { invalid } from '../../kernel/problem.ts';
import { type AvailabilityDeps, checkAvailability, checkCalendar } from './availability.ts';
import { getProduct, listProducts, productView } from './products.ts';
import type {
  AvailabilityBody,
  BookingsQuery,
  CalendarBody,
  ConfirmationBody,
  ReservationBody,
  UpdateBody,
} from './request-schema.ts';
import { cancel, confirm, extend, update } from './reservations.ts';
import { reserve } from './reserve.ts';
import { getReserved, type ReservationContext, type ReservedBooking } from './reserved.ts';
import type { Availability, CalendarDay, CapabilityId, OctoBooking, Product, Supplier } from './schema.ts';
import { createReservationStore, deleteUnbooked } from './store.ts';
import { bookingView } from './view.ts';

/** Who asks, and which capabilities of OCTO the answer is to have. */
export interface OctoCaller {
  caller: Caller;
  capabilities: ReadonlySet<CapabilityId>;
}

export interface Octo {
  supplier(): Supplier;
  listProducts(by: OctoCaller): Promise<Product[]>;
  getProduct(by: OctoCaller, id: string): Promise<Product>;
  checkAvailability(by: OctoCaller, body: AvailabilityBody): Promise<Availability[]>;
  checkCalendar(by: OctoCaller, body: CalendarBody): Promise<CalendarDay[]>;
  reserve(by: OctoCaller, body: ReservationBody): Promise<OctoBooking>;
  get(by: OctoCaller, uuid: string): Promise<OctoBooking>;
  list(by: OctoCaller, query: BookingsQuery): Promise<OctoBooking[]>;
  update(by: OctoCaller, uuid: string, body: UpdateBody): Promise<OctoBooking>;
  confirm(by: OctoCaller, uuid: string, body: ConfirmationBody): Promise<OctoBooking>;
  extend(by: OctoCaller, uuid: string, minutes: number | null | undefined): Promise<OctoBooking>;
  cancel(by: OctoCaller, uuid: string, reason: string | null): Promise<OctoBooking>;
  /** Reservations that came to nothing, some days ago; says how many. */
  forgetUnbooked(): Promise<number>;
}

export interface OctoDeps extends AvailabilityDeps {
  bookings: Bookings;
  config: Pick<Config, 'environment' | 'publicUrl'>;
  encryptionKeys: Keyring;
}

const MOST_LISTED = 500;
const KEPT_DAYS = 7;

export function createOcto(deps: OctoDeps): Octo {
  const { sql, clock, config } = deps;
  const context: ReservationContext = { ...deps, store: createReservationStore(deps.encryptionKeys) };

  async function shown({ caller, capabilities }: OctoCaller, { reservation, booking }: ReservedBooking) {
    const isPriced = capabilities.has('octo/pricing');
    const pricePence = isPriced ? await priceOf(caller, reservation.productId) : undefined;
    return bookingView(reservation, booking, {
      now: nowOf(clock),
      isTest: config.environment !== 'live',
      pricePence,
    });
  }

  /** Null where it is not sold any more. */
  const priceOf = (caller: Caller, productId: string) =>
    getProduct(deps, caller, productId).then(
      ({ pricePence }) => pricePence,
      () => null,
    );

  const answering =
    <Args extends unknown[]>(
      work: (context: ReservationContext, caller: Caller, ...args: Args) => Promise<ReservedBooking>,
    ) =>
    async (by: OctoCaller, ...args: Args) =>
      shown(by, await work(context, by.caller, ...args));

  return {
    supplier: () => ({
      id: 'maitred',
      name: 'Maitred',
      endpoint: `${config.publicUrl}/octo`,
      contact: { website: config.publicUrl, email: null, telephone: null, address: null },
    }),
    listProducts: async ({ caller, capabilities }) =>
      (await listProducts(deps, caller)).map((sold) => productView(sold, capabilities)),
    getProduct: async ({ caller, capabilities }, id) =>
      productView(await getProduct(deps, caller, id), capabilities),
    checkAvailability: ({ caller, capabilities }, body) =>
      checkAvailability(deps, caller, body, capabilities),
    checkCalendar: ({ caller, capabilities }, body) => checkCalendar(deps, caller, body, capabilities),

    reserve: answering(reserve),
    get: answering(getReserved),
    update: answering(update),
    confirm: answering(confirm),
    extend: answering(extend),
    cancel: answering(cancel),

    async list(by, { localDate, localDateStart, localDateEnd, ...query }) {
      const filter = { ...query, firstDay: localDateStart ?? localDate, lastDay: localDateEnd ?? localDate };
      if (Object.values(filter).every((value) => value === undefined))
        throw invalid('resellerReference', 'is required, or supplierReference, productId or a local date');
      const partnerId = partnerOf(by.caller).id;
      const reservations = await context.store.list(sql, partnerId, filter, MOST_LISTED);
      const ids = reservations.map(({ id }) => id);
      const records = await deps.bookings.listRecords(sql, by.caller, ids);
      const byId = new Map(records.map((record) => [record.id, record]));
      return Promise.all(
        reservations.map((reservation) => shown(by, { reservation, booking: byId.get(reservation.id) })),
      );
    },

    forgetUnbooked: () => deleteUnbooked(sql, nowOf(clock).subtract({ hours: 24 * KEPT_DAYS })),
  };
}

export function octoJobs(octo: Octo): JobDefinition[] {
  return [
    {
      name: 'octo.forget-unbooked',
      schedule: '23 3 * * *',
      handle: async () => void (await octo.forgetUnbooked()),
    },
  ];
}
export { SEALED_RESERVATIONS } from './store.ts';
