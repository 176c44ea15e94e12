/** Enquiries of the venue that wait for an answer, for whichever day: the diary has those of its own day. */
import { useEffect } from 'preact/hooks';
import type { ManagedBooking } from '../../../../features/bookings/operator/schema.ts';
import { api, path } from '../../app/api.ts';
import { type Page, useLoad } from '../../app/load.ts';
import { operatorOf } from '../../app/session.ts';

/** They change seldom, and the stream tells of those of the day at once. */
const AGAIN_MS = 60_000;
const MOST = 10;

export function useOpenEnquiries(venueId: string, date: string): readonly ManagedBooking[] {
  const all = path`/manage/operators/${operatorOf(venueId)}/bookings`;
  const read = async () => {
    const query = { venueId, type: 'request', pageSize: MOST };
    const [pending, taken] = await Promise.all([
      api.get<Page<ManagedBooking>>(all, { ...query, status: 'pending' }),
      api.get<Page<ManagedBooking>>(all, { ...query, status: 'in_progress' }),
    ]);
    return [...pending.data, ...taken.data];
  };
  const loaded = useLoad(read, [venueId]);
  useEffect(() => {
    const timer = setInterval(loaded.reload, AGAIN_MS);
    return () => clearInterval(timer);
  }, [venueId]);
  return (loaded.data ?? []).filter((booking) => booking.date !== date);
}
