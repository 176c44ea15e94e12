/** Places that partners hold on the evening that is shown; nothing here touches the page. */
import type { ManagedHold } from '../../../../features/bookings/holds/schema.ts';
import type { ManagedEntry } from '../../../../features/waitlist/schema.ts';
import type { Diary, Span } from './evening.ts';
import { MINUTE_MS } from './evening.ts';

export interface Held extends Span {
  id: string;
  partner: string;
  time: string;
  guests: number;
  tableIds: readonly number[];
  /** When it ends by itself. */
  untilMs: number;
}

/** Those that keep a place at this moment. A booking made of one has its id, and is shown in its stead. */
export function heldOn(
  holds: readonly ManagedHold[],
  diary: Pick<Diary, 'date' | 'bookings'>,
  nowMs: number,
): Held[] {
  const booked = new Set(diary.bookings.map(({ id }) => id));
  return holds
    .map(heldOf)
    .filter(({ id, date, untilMs }) => date === diary.date && untilMs > nowMs && !booked.has(id))
    .map(({ date: _, ...held }) => held);
}

/** Those of the house: what is offered to guests of partners is a hold of the partner, and shown as one. */
export const offeredByHouse = (waitlist: readonly ManagedEntry[], nowMs: number) =>
  waitlist.flatMap(({ id, partner, offer, partySize, children, ...guest }) => {
    const untilMs = Date.parse(offer?.expiresAt ?? '');
    return partner === null && offer && untilMs > nowMs
      ? [{ id, ...guest, time: offer.slot.time, guests: partySize + children, untilMs }]
      : [];
  });

function heldOf({ id, partner, slot, tableIds, expiresAt }: ManagedHold): Held & { date: string } {
  const fromMs = Date.parse(slot.dateTime);
  return {
    id,
    date: slot.date,
    partner: partner.name,
    time: slot.time,
    guests: slot.partySize + slot.children,
    tableIds,
    fromMs,
    toMs: fromMs + slot.duration * MINUTE_MS,
    untilMs: Date.parse(expiresAt),
  };
}
