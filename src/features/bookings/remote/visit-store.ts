import type { Tx } from '../../../db/database.ts';
import type { SystemVisit } from '../../../tms/contract.ts';

/** What the system has last said of the visit; undefined: nothing yet. */
export async function findSystemVisit(tx: Tx, bookingId: string): Promise<SystemVisit | undefined> {
  const [found] = await tx<{ state: SystemVisit }[]>`
    select state from system_visit where booking_id = ${bookingId}`;
  return found?.state;
}

export async function saveSystemVisit(tx: Tx, bookingId: string, state: SystemVisit): Promise<void> {
  await tx`
    insert into system_visit (booking_id, state) values (${bookingId}, ${state})
    on conflict (booking_id) do update set state = excluded.state`;
}
