import type { ManagedBooking } from '../../../../features/bookings/operator/schema.ts';
import { ApiProblem, api, path, type Query } from '../../app/api.ts';
import type { Page } from '../../app/load.ts';

const NOT_VALID = 400;

/**
 * One field finds guests and numbers: a text that is no guest, or cannot be one, is looked for as a number. Both must
 * be asked for apart, since all filters of a request must hold.
 */
export async function findBookings(
  operatorId: number,
  text: string,
  query: Query,
): Promise<Page<ManagedBooking>> {
  const read = (more: Query) =>
    api.get<Page<ManagedBooking>>(path`/manage/operators/${operatorId}/bookings`, { ...query, ...more });
  if (text === '') return read({});
  const byGuest = await read({ guest: text }).catch((error: unknown) => {
    if (error instanceof ApiProblem && error.status === NOT_VALID && error.errors.guest) return undefined;
    throw error;
  });
  if (byGuest && byGuest.meta.totalItems > 0) return byGuest;
  return read({ reference: text });
}
