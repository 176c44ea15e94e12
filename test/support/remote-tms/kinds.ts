/** The protocols that systems of tests speak: how one is started and reached, what it holds and what goes wrong there. */
import type { ProductId } from '../../../src/kernel/ids.ts';
import { localOf } from '../../../src/kernel/zone-time.ts';
import { createOcto } from '../../../src/tms/octo/connector.ts';
import type { RemoteConnector, Settings, SystemFetch } from '../../../src/tms/remote.ts';
import type { OctoFault, OctoOperation } from '../octo-supplier/faults.ts';
import { ACCOUNT, startTowers } from '../octo-supplier/harness.ts';
import { OPTION, PRODUCT } from '../octo-supplier/product.ts';
import { API_KEY, type OctoSupplier } from '../octo-supplier/server.ts';
import type { RemoteBookOptions } from './book.ts';
import { createRemote, REMOTE_TOKEN } from './connector.ts';
import type { BasicOperation, Fault } from './faults.ts';
import { REMOTE_ZONE, startRemoteBistro } from './harness.ts';
import type { RemoteTms } from './server.ts';

/** What every system can be told to do wrong. */
export type CommonFault = Exclude<Fault, { kind: 'garbage' | 'refuse' }> | { kind: 'garbage'; body: string };

export interface HeldBooking {
  /** Ours. */
  id: string;
  date: string;
  minute: number;
  guests: number;
}

export interface SystemKind<System> {
  name: string;
  productKey: string;
  /** What our calls prove themselves with. */
  secret: string;
  start(product: ProductId, book: Partial<RemoteBookOptions>): Promise<System & RunningSystem>;
  connect(url: string, slug: string, settings: Settings, fetch: SystemFetch): RemoteConnector;
  /** Every booking, also a second one under the same id. */
  held(system: System): HeldBooking[];
  forget(system: System, bookingId: string): void;
  /** The next `times` calls for this go wrong. */
  spoil(system: System, operation: BasicOperation, fault: CommonFault, times?: number): void;
  /** The fault of one that understands and says no. */
  refusal: CommonFault;
}

export interface RunningSystem {
  url: string;
  faults: { clear(): void; met(kind: CommonFault['kind']): number };
  applyLate(): void;
  close(): Promise<void>;
}

export const connectKind: SystemKind<RemoteTms> = {
  name: 'connect',
  productKey: 'supper',
  secret: REMOTE_TOKEN,
  start: (product, book) => startRemoteBistro({ product, ...book }),
  connect: createRemote,
  held: ({ book }) => [...book.bookings.values()],
  forget: ({ book }, bookingId) => book.bookings.delete(bookingId),
  spoil: ({ faults }, operation, fault, times = 1) => faults.plan(fault, { times, operations: [operation] }),
  refusal: { kind: 'status', status: 409, body: { reason: 'rejected' } },
};

const OCTO_OPERATIONS: Record<BasicOperation, readonly OctoOperation[]> = {
  availability: ['availability'],
  book: ['hold', 'confirm'],
  amend: ['update'],
  cancel: ['cancel'],
  find: ['get', 'list'],
};
const STANDING = ['CONFIRMED', 'PENDING', 'REDEEMED'];

export const octoKind: SystemKind<OctoSupplier> = {
  name: 'octo',
  productKey: `${PRODUCT}~${OPTION}`,
  secret: API_KEY,
  start: (_product, { partiesPerStart = 3, isLying = false }) =>
    startTowers({
      zone: REMOTE_ZONE,
      starts: [1140, 1200, 1260],
      durationMinutes: 60,
      capacity: 2 * partiesPerStart,
      maxUnits: 8,
      isLying,
    }),
  connect: (url, slug, settings, fetch) =>
    createOcto({ slug, settings: { url, ...settings }, findAccount: async () => ACCOUNT, fetch }),
  held: ({ book }) =>
    [...book.bookings.values()]
      .filter(({ status }) => STANDING.includes(status))
      .map(({ resellerReference, availability, unitItems }) => ({
        id: resellerReference ?? '',
        ...localOf(REMOTE_ZONE, Date.parse(availability?.localDateTimeStart ?? '')),
        guests: unitItems.length,
      })),
  forget: ({ book }, bookingId) => {
    for (const [uuid, { resellerReference }] of book.bookings)
      if (resellerReference === bookingId) book.bookings.delete(uuid);
  },
  spoil: ({ faults }, operation, fault, times) =>
    faults.plan(fault as OctoFault, OCTO_OPERATIONS[operation], times),
  refusal: {
    kind: 'status',
    status: 400,
    body: { error: 'UNPROCESSABLE_ENTITY', errorMessage: 'Not today.' },
  },
};
