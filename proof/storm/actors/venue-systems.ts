/** Staff of venues whose tables are in systems of others: they move, seat and cancel there, and their system tells of it. */

import { OPERATOR } from '../../../test/support/remote-tms/bistros.ts';
import { signed } from '../../../test/support/remote-tms/connector.ts';
import { SLUG, SYSTEM_SECRET, type World } from '../world.ts';
import type { Caller } from './caller.ts';

const PARTIES = 8;
const MINUTES = [1140, 1200, 1260];

/** How often each was done there. */
export interface SystemDeeds {
  moved: number;
  cancelled: number;
  notified: number;
}

export async function keepSystems(caller: Caller, world: World, deeds: SystemDeeds): Promise<void> {
  while (!caller.stage.isOver()) {
    const id = caller.chance(0.7) ? changeTable(caller, world, deeds) : undefined;
    if (id !== undefined && caller.chance(0.5)) await notify(caller, id, deeds);
    if (caller.chance(0.3)) cancelTickets(caller, world, deeds);
    await caller.rest(1500);
  }
}

/** The booking that was changed; undefined: there is none. */
function changeTable({ pick, chance }: Caller, { remote: { book } }: World, deeds: SystemDeeds) {
  const known = [...book.bookings.values()];
  if (known.length === 0) return undefined;
  const { id, date } = pick(known);
  if (chance(0.3)) {
    book.cancel(id);
    deeds.cancelled += 1;
    return id;
  }
  const minute = pick(MINUTES);
  const isFree = known.filter((each) => each.date === date && each.minute === minute).length < PARTIES;
  book.edit(id, chance(0.6) && isFree ? { minute } : { guests: pick([1, 2, 3]) });
  deeds.moved += 1;
  return id;
}

async function notify({ ask, chance, random }: Caller, id: string, deeds: SystemDeeds): Promise<void> {
  const body = JSON.stringify({ type: 'bookings.changed', bookingIds: [id] });
  const isForged = chance(0.1);
  const secret = isForged
    ? `whsec_${Buffer.from(`forged ${random()} and long`).toString('base64')}`
    : SYSTEM_SECRET;
  const told = await ask({
    route: 'POST /connect/{operatorId}/{tms}/changes',
    params: { operatorId: OPERATOR, tms: SLUG },
    isAnonymous: true,
    raw: { type: 'application/json', bytes: body },
    headers: signed(secret, body, Date.now()),
  });
  if (told.status === 202) deeds.notified += 1;
}

/** Suppliers of tickets tell nothing; what they cancel is found by looking. */
function cancelTickets({ pick }: Caller, { towers: { book } }: World, deeds: SystemDeeds): void {
  const known = [...book.bookings.values()].filter(({ status }) => status === 'CONFIRMED');
  if (known.length === 0) return;
  book.cancel(pick(known).uuid, { reason: 'The tower is closed' });
  deeds.cancelled += 1;
}
