import type { Tx } from '../../db/database.ts';
import type { Caller } from '../../http/caller.ts';
import type { RemoteConnector } from '../../tms/contract.ts';
import { fingerprintOf } from '../idempotency/service.ts';
import type { Context } from './context.ts';
import { assertBookingUnchanged } from './freshness.ts';
import type { BookingRecord } from './record.ts';
import type { RemoteOrder } from './remote.ts';

/** An order about a booking that exists, planned on it as it is; `content` tells one wish from another. */
export function orderAbout(
  context: Context,
  caller: Caller,
  booking: BookingRecord,
  { connector, content }: { connector: RemoteConnector; content: object },
): RemoteOrder {
  return {
    connector,
    bookingId: booking.id,
    partnerId: booking.partnerId,
    partnerBookingId: null,
    clientId: caller.clientId,
    idempotencyKey: null,
    fingerprint: fingerprintOf(content),
    isByOperator: !('partner' in caller),
    check: (tx: Tx) => assertBookingUnchanged(tx, context, booking),
  };
}
