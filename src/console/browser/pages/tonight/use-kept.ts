/** What the diary does not carry: places that partners hold, and the parties that wait for one. */
import type { ManagedHold } from '../../../../features/bookings/holds/schema.ts';
import type { ManagedEntry } from '../../../../features/waitlist/schema.ts';
import { api, path } from '../../app/api.ts';
import { type Loaded, type Page, useLoad } from '../../app/load.ts';
import { operatorOf } from '../../app/session.ts';

const MOST_HOLDS = 100;
const MOST_ENTRIES = 100;

/** Read again with every tick of the evening: a hold lasts some minutes. */
export function useHolds(venueId: string, nowMs: number): Loaded<Page<ManagedHold>> {
  const all = path`/manage/operators/${operatorOf(venueId)}/holds`;
  return useLoad(() => api.get(all, { venueId, pageSize: MOST_HOLDS }), [venueId, nowMs]);
}

export function useWaitlist(venueId: string, date: string, nowMs: number): readonly ManagedEntry[] {
  const query = { date, status: 'waiting,offered', pageSize: MOST_ENTRIES };
  const loaded = useLoad(
    () => api.get<Page<ManagedEntry>>(path`/manage/venues/${venueId}/waitlist`, query),
    [venueId, date, nowMs],
  );
  return loaded.data?.data ?? [];
}
