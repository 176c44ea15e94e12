/** What dragging asks of the service: first whether it can be done, then to do it. */
import type { ChangedBooking } from '../../../../../features/bookings/operator/desk-schema.ts';
import { api, path } from '../../../app/api.ts';
import { operatorOf } from '../../../app/session.ts';
import type { DiaryBooking } from '../evening.ts';

/** A change of one booking, or an exchange of tables with another. */
export type Move =
  | { kind: 'change'; time?: string; tableIds?: number[]; duration?: number }
  | { kind: 'swap'; with: DiaryBooking };

const addressOf = (venueId: string, booking: DiaryBooking) =>
  path`/manage/operators/${operatorOf(venueId)}/bookings/${booking.id}`;

/** The booking afterwards. Throws the refusal of the service. */
export async function sendMove(
  venueId: string,
  booking: DiaryBooking,
  move: Move,
  options: { dryRun?: boolean; signal?: AbortSignal; ifMatch?: string | null } = {},
): Promise<ChangedBooking> {
  const { dryRun, signal, ifMatch } = options;
  const call = { ifMatch, ...(dryRun && { query: { dryRun: true } }), ...(signal && { signal }) };
  if (move.kind === 'swap') {
    const address = `${addressOf(venueId, booking)}/swap`;
    const { data } = await api.post<{ data: [ChangedBooking, ChangedBooking] }>(
      address,
      { bookingId: move.with.id },
      call,
    );
    return data[0];
  }
  const { kind, ...change } = move;
  // Notice is for those who book ahead; a party that is moved at the desk is known already.
  const changes = { ...change, ...(change.time !== undefined && { overrides: ['notice'] }) };
  return api.patch<ChangedBooking>(addressOf(venueId, booking), changes, call);
}

const idsOf = (booking: DiaryBooking) => booking.tables.flatMap(({ id }) => id ?? []);

/** What takes a move back. */
export function inverseOf(booking: DiaryBooking, move: Move): Move {
  if (move.kind === 'swap') return move;
  const ids = idsOf(booking);
  return {
    kind: 'change',
    ...(move.time !== undefined && { time: booking.time }),
    ...(move.tableIds !== undefined && ids.length > 0 && { tableIds: ids }),
    ...(move.duration !== undefined && {
      duration: Math.round((Date.parse(booking.end) - Date.parse(booking.start)) / 60_000),
    }),
  };
}

export const isNothing = (move: Move) => move.kind === 'change' && Object.keys(move).length === 1;
