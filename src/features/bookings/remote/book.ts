import { type BookingRequest, type Outcome, ok, type SystemBooking } from '../../../tms/contract.ts';
import { fits } from '../system-request.ts';
import { newCall, type RemoteOrder } from './claim.ts';

/** `isDoubtful`: a call of this request may have had an effect, or have it later, that the outcome does not tell. */
export interface Called<Value> {
  outcome: Outcome<Value>;
  isDoubtful: boolean;
}

/** After a lost connection the system is asked whether it has the booking; if it does, that counts as its answer. */
export async function booked(
  { connector, isHeld }: RemoteOrder,
  wanted: BookingRequest,
): Promise<Called<SystemBooking>> {
  const call = newCall(wanted.venueId);
  const outcome =
    isHeld && connector.holds
      ? await connector.holds.confirm(call, wanted)
      : await connector.book(call, wanted);
  if (outcome.kind !== 'unknown') return { outcome, isDoubtful: false };
  const found = await connector.find(newCall(wanted.venueId), wanted.bookingId);
  return found.kind === 'ok' && found.value && fits(found.value, wanted)
    ? { outcome: ok(found.value), isDoubtful: false }
    : { outcome, isDoubtful: true };
}
