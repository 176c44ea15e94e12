import { randomUUID } from 'node:crypto';
import { dayClock } from '../../../src/kernel/zone-time.ts';
import type {
  AvailabilityQuery,
  BookingDetails,
  BookingRequest,
  Outcome,
} from '../../../src/tms/contract.ts';
import type { RemoteCall, RemoteConnector } from '../../../src/tms/remote.ts';
import type { BasicOperation } from './faults.ts';
import { REMOTE_PRODUCT, REMOTE_VENUE, REMOTE_ZONE } from './harness.ts';

const DATE = '2031-03-10';
const FIRST_START = 1140;
const NOW_MS = Date.parse('2031-03-01T12:00:00Z');
const PRODUCT = { productId: REMOTE_PRODUCT, venueId: REMOTE_VENUE, zone: REMOTE_ZONE };

export const QUERY: AvailabilityQuery = { ...PRODUCT, dates: [DATE], adults: 2, children: 0, nowMs: NOW_MS };

/** Whatever the venue may be told of a party. */
export const DETAILS: BookingDetails = {
  guest: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+442079460000' },
  company: null,
  notes: 'By the window, please.',
  preorders: [{ name: 'Champagne', quantity: 1, pricePence: 4500 }],
  partner: { name: 'Demo Partner', bookingId: 'P-1' },
  depositPence: null,
};

function bookingRequest(bookingId: string = randomUUID()): BookingRequest {
  return {
    details: DETAILS,
    ...PRODUCT,
    bookingId,
    date: DATE,
    minute: FIRST_START,
    startMs: dayClock(REMOTE_ZONE, DATE).epochMsOf(FIRST_START) ?? Number.NaN,
    adults: 2,
    children: 0,
    durationMinutes: null,
    spaceId: null,
    nowMs: NOW_MS,
  };
}

export const patiently = (signal = new AbortController().signal): RemoteCall => ({
  operatorId: 1,
  signal,
  deadlineMs: Number.MAX_SAFE_INTEGER,
});

/** Any operation, about the booking `bookingId` where it is about one. */
export function perform(
  connector: RemoteConnector,
  operation: BasicOperation,
  { bookingId = randomUUID(), call = patiently() }: { bookingId?: string; call?: RemoteCall } = {},
): Promise<Outcome<unknown>> {
  switch (operation) {
    case 'availability':
      return connector.availability(call, QUERY);
    case 'book':
    case 'amend':
      return connector[operation](call, bookingRequest(bookingId));
    case 'cancel':
    case 'find':
      return connector[operation](call, bookingId);
  }
}
