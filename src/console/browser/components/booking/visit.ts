/** Saying how far a visit is, with the way back: used by the drawer, the list and tonight. */
import type { ManagedBooking } from '../../../../features/bookings/operator/schema.ts';
import { api, path } from '../../app/api.ts';
import { todayIn } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { say } from '../../app/toasts.ts';
import type { Names, VisitState } from './booking-facts.ts';
import { guestName } from './names.ts';
import { takeBack } from './take-back.ts';

export interface VisitedBooking extends Names {
  id: string;
  origin?: string | null;
  visit: { state: VisitState };
}

export interface VisitOptions {
  /** With the booking after the way back was taken. */
  onUndone?: ((booking: ManagedBooking) => void) | undefined;
  /** Where the party sits instead. */
  tableIds?: readonly number[];
  /** Where it sat before, for the way back. */
  formerTableIds?: readonly number[];
}

/** Throws what the service refuses; the caller shows it beside the booking or with `sayProblem`. */
export async function setVisit(
  operatorId: number,
  booking: VisitedBooking,
  state: VisitState,
  { onUndone, tableIds, formerTableIds }: VisitOptions = {},
): Promise<ManagedBooking> {
  const before = booking.visit.state;
  const address = path`/manage/operators/${operatorId}/bookings/${booking.id}/visit`;
  const changed = await api.put<ManagedBooking>(address, { state, ...(tableIds && { tableIds }) });
  say(t.booking.said[state](guestName(booking)), async () => {
    const former = {
      state: before,
      ...(formerTableIds && formerTableIds.length > 0 && { tableIds: formerTableIds }),
    };
    const undone = await takeBack(operatorId, changed, (ifMatch) =>
      api.put<ManagedBooking>(address, former, { ifMatch }),
    );
    onUndone?.(undone);
  });
  return changed;
}

/** What a tap may mean in each state, the likeliest first. */
const NEXT_STATES: Record<VisitState, readonly VisitState[]> = {
  expected: ['arrived', 'seated', 'no_show'],
  arrived: ['seated', 'left', 'expected'],
  seated: ['left', 'arrived', 'expected'],
  left: ['seated', 'expected'],
  no_show: ['expected', 'arrived', 'seated'],
};

/** What is worth a button: nothing before the day, and no missing party before its time. The service decides. */
export function nextStates(
  { visit, date, dateTime }: VisitedBooking & { date: string; dateTime: string },
  timeZone: string | undefined,
): readonly VisitState[] {
  if (date > todayIn(timeZone)) return visit.state === 'expected' ? [] : ['expected'];
  const hasBegun = Date.parse(dateTime) <= Date.now();
  return NEXT_STATES[visit.state].filter((state) => hasBegun || state !== 'no_show');
}

/** Whether the first of them is what is done next. */
export const isUnderWay = ({ visit }: VisitedBooking) =>
  visit.state === 'expected' || visit.state === 'arrived' || visit.state === 'seated';
