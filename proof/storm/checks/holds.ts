/** Places that were kept: each for one booking, given back when that was said, and offered to those who wait. */
import type { Evidence } from '../evidence.ts';
import { type Entry, isCut, isDone } from '../journal.ts';
import { CREATE } from './bookings.ts';

const HOLD = 'POST /venues/{compositeId}/holds';
const RELEASE = 'DELETE /venues/holds/{holdId}';
const WAIT = 'POST /venues/{compositeId}/waitlist';
const HOUSE_WAIT = 'POST /manage/venues/{venueId}/waitlist';
const LEAVE = 'DELETE /venues/waitlist/{entryId}';
const CONFIRM = 'POST /octo/bookings/{uuid}/confirm';
const RESERVE = 'POST /octo/bookings';
const WITHDRAW = 'POST /octo/bookings/{uuid}/cancel';

export function checkHolds(evidence: Evidence): string[] {
  return [...checkUse(evidence), ...checkWaiting(evidence), ...checkReservations(evidence)];
}

const idIn = ({ path }: Entry) => path.split('?')[0]?.split('/')[3] ?? '';

/** A hold that a node has died of placing is seen by nobody, and ends by its clock like all others. */
function checkUse({ entries, holds, bookings }: Evidence): string[] {
  const byId = new Map(holds.map((row) => [row.id, row]));
  const booked = new Map(bookings.map((row) => [row.id, row]));
  const done = entries.filter(isDone);
  const used = done.filter(({ route, body }) => route === CREATE && holdIn(body) !== undefined);
  return [
    ...done
      .filter(({ route, answer }) => route === HOLD && !byId.has(answer.id))
      .map(({ actor, answer }) => `hold ${answer.id} of ${actor} was acknowledged and is not there`),
    ...used
      .filter(({ body, answer }) => answer.id !== holdIn(body) || byId.get(answer.id)?.state !== 'used')
      .map(({ actor, body, answer }) => `hold ${holdIn(body)} of ${actor} became booking ${answer.id}`),
    ...[...Map.groupBy(used, ({ body }) => holdIn(body))]
      .filter(([, same]) => new Set(same.map(({ mark }) => mark)).size > 1)
      .map(([id]) => `hold ${id} was booked twice`),
    ...done
      .filter(({ route }) => route === RELEASE)
      .map(idIn)
      .filter((id) => booked.has(id) || byId.get(id)?.state === 'open')
      .map((id) => `hold ${id} was released and is ${byId.get(id)?.state}`),
    ...holds
      .filter(({ id, state }) => (state === 'used') !== booked.has(id))
      .map(
        ({ id, state }) => `hold ${id} is ${state}, and its booking is ${booked.get(id)?.status ?? 'none'}`,
      ),
  ];
}

const holdIn = (body: unknown) => (body as { holdId?: string } | null)?.holdId;

/** Who waits has no free place, who was booked has a booking, and who left is offered nothing. */
function checkWaiting({ entries, waiting, bookings, holds, freeFor }: Evidence): string[] {
  const byId = new Map(waiting.map((row) => [row.id, row]));
  const booked = new Set(bookings.map(({ id }) => id));
  const held = new Map(holds.map((row) => [row.id, row]));
  const done = entries.filter(isDone);
  const offered = waiting.filter(({ holdId }) => holdId !== null);
  return [
    ...done
      .filter(({ route, answer }) => (route === WAIT || route === HOUSE_WAIT) && !byId.has(answer.id))
      .map(({ actor, answer }) => `entry ${answer.id} of ${actor} was acknowledged and is not there`),
    ...done
      .filter(({ route }) => route === LEAVE)
      .map(idIn)
      .filter((id) => ['waiting', 'offered'].includes(byId.get(id)?.status ?? ''))
      .map((id) => `entry ${id} was taken off the list and is ${byId.get(id)?.status}`),
    ...waiting
      .filter(({ status, holdId }) => status === 'booked' && !booked.has(holdId ?? ''))
      .map(({ id }) => `entry ${id} is booked without a booking`),
    ...[...Map.groupBy(offered, ({ holdId }) => holdId)]
      .filter(([, same]) => same.length > 1)
      .map(([holdId, same]) => `hold ${holdId} was offered to ${same.length} entries`),
    ...waiting.flatMap(({ id, guests, productId, holdId }) => {
      const hold = held.get(holdId ?? '');
      return hold && (hold.guests !== guests || hold.productId !== productId)
        ? [`entry ${id} was offered another place than it waits for`]
        : [];
    }),
    ...[...freeFor]
      .filter(([, free]) => free.length > 0)
      .map(([id, free]) => `entry ${id} waits, and ${free.join(', ')} is free`),
  ];
}

/** In the words of OCTO: confirmed once, not at all if all said no, and gone when cancelled. */
function checkReservations({ entries, bookings, reservations }: Evidence): string[] {
  const booked = new Map(bookings.map((row) => [row.id, row]));
  const known = new Map(reservations.map((row) => [row.id, row]));
  const confirmed = Map.groupBy(
    entries.filter(({ route }) => route === CONFIRM),
    idIn,
  );
  const done = entries.filter(isDone);
  return [
    ...done
      .filter(({ route, answer }) => route === RESERVE && !known.has(answer.uuid))
      .map(({ answer }) => `reservation ${answer.uuid} was acknowledged and is not there`),
    ...[...confirmed].flatMap(([id, asked]) => {
      if (asked.some(isDone))
        return booked.has(id) ? [] : [`reservation ${id} was confirmed and is no booking`];
      return booked.has(id) && !asked.some(isCut) ? [`reservation ${id} was refused and is a booking`] : [];
    }),
    ...done
      .filter(({ route }) => route === WITHDRAW)
      .map(idIn)
      .filter((id) => booked.has(id) && booked.get(id)?.status !== 'cancelled')
      .map((id) => `reservation ${id} was cancelled and is ${booked.get(id)?.status}`),
  ];
}
