/** What a simulated change asks of the system behind the venue. */
import type { Tx } from '../../db/database.ts';
import { nowOf } from '../../kernel/clock.ts';
import { problem } from '../../kernel/problem.ts';
import { bookOne, type LocalConnector } from '../../tms/contract.ts';
import { connectorOf } from './bookable.ts';
import type { Context } from './context.ts';
import { type BookingRecord, guestsOf, isHeld, isOpenEnquiry, NOT_PLACED } from './record.ts';
import { refusalOf } from './refusals.ts';
import { isSameStay, movedPlacement, placementOf, standingRequest } from './system-request.ts';

export const impossible = (detail: string) => problem('SBOX-N-004', { detail });

/** Has the system behind the venue do its part; what it says goes into the booking. */
export async function settle(
  tx: Tx,
  context: Context,
  before: BookingRecord,
  wanted: BookingRecord,
): Promise<Partial<BookingRecord>> {
  const isMoved = !isSameStay(before, wanted);
  if (!isMoved && isHeld(before) === isHeld(wanted)) return isHeld(wanted) ? {} : unplaced(before, wanted);
  const connector = connectorOf(context, before);
  if (connector.flavour === 'remote')
    throw impossible('The system of this venue is not ours to play with; a place there cannot be simulated.');
  if (isHeld(wanted)) return place(tx, context, connector, { before, wanted });
  if (isHeld(before)) {
    const released = await connector.cancel(tx, before.id);
    if (released.kind !== 'ok') throw refusalOf(released, connector.capabilities.capability);
  }
  const durationMinutes = isMoved ? await offeredMinutes(tx, context, connector, wanted) : undefined;
  return { ...unplaced(before, wanted), ...(durationMinutes !== undefined && { durationMinutes }) };
}

/** Open again, it is an enquiry: nothing that the partner changes later may confirm it by itself. */
function unplaced(before: BookingRecord, wanted: BookingRecord): Partial<BookingRecord> {
  if (!isOpenEnquiry(wanted)) return { tables: [], area: null };
  if (isOpenEnquiry(before)) return {};
  const { pricePerGuestPence } = before;
  return { ...NOT_PLACED, pricePerGuestPence, type: 'request', isAutoConfirmed: false };
}

async function place(
  tx: Tx,
  { clock }: Context,
  connector: LocalConnector,
  { before, wanted }: { before: BookingRecord; wanted: BookingRecord },
): Promise<Partial<BookingRecord>> {
  const { capability } = connector.capabilities;
  if (wanted.venue.isClosed) throw impossible(`${wanted.venue.name} has closed.`);
  if (capability === 'event_ticket' && isHeld(before) && guestsOf(wanted) > guestsOf(before))
    throw impossible(`The booking has ${guestsOf(before)} tickets; further ones are booked separately.`);
  const now = nowOf(clock);
  const request = standingRequest(wanted, now.epochMilliseconds);
  const outcome = await (isHeld(before) ? connector.amend(tx, request) : bookOne(connector, tx, request));
  if (outcome.kind !== 'ok') throw refusalOf(outcome, capability);
  return isHeld(before)
    ? movedPlacement(before, wanted, outcome.value, now)
    : { ...placementOf(outcome.value, now), isAutoConfirmed: false };
}

/** How long the party would stay. Nothing is taken for it, but there must be somewhere that it could sit. */
async function offeredMinutes(
  tx: Tx,
  { clock }: Context,
  connector: LocalConnector,
  wanted: BookingRecord,
): Promise<number> {
  const { date, durationMinutes, spaceId, ...request } = standingRequest(
    wanted,
    nowOf(clock).epochMilliseconds,
  );
  const outcome = await connector.availability(tx, {
    ...request,
    dates: [date],
    ...(durationMinutes !== null && { durationMinutes }),
    ...(spaceId !== null && { spaceId }),
  });
  if (outcome.kind !== 'ok') throw refusalOf(outcome, connector.capabilities.capability);
  const slot = outcome.value.days[0]?.slots.find(({ minute }) => minute === request.minute);
  const isSpaceThere = spaceId === null || slot?.spaces.some((space) => space.spaceId === spaceId);
  if (!slot || slot.obstacle === 'party-never-fits' || !isSpaceThere)
    throw impossible('No party can be seated there at that time.');
  return slot.durationMinutes;
}
