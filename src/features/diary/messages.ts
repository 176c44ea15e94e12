/** What a screen is told of changes, as server-sent events. */

import { dayRange } from './day.ts';
import type { Owner, Things } from './read.ts';
import type { Change, Since } from './store.ts';

export interface DiaryEvent {
  kind: string;
  data: object;
}

/** Why a screen has to read the diary again. */
export const RESET: DiaryEvent = { kind: 'reset', data: { reason: 'position_unknown' } };

/** The bookings that changes are about. */
export const bookingIdsIn = (since: readonly Since[]): string[] => [
  ...new Set(
    since.flatMap(({ isKnown, changes }) =>
      isKnown ? changes.flatMap(({ kind, id }) => (kind === 'booking' && id !== null ? [id] : [])) : [],
    ),
  ),
];

export const hasBlockOrClosure = (since: readonly Since[]): boolean =>
  since.some(({ isKnown, changes }) =>
    isKnown ? changes.some(({ kind }) => kind === 'block' || kind === 'closure') : false,
  );

/** What the screen of one day is told: each thing once, as it is now. */
export function eventsOf(
  { isKnown, changes }: Since,
  things: Things | undefined,
  date: string,
): DiaryEvent[] {
  if (!isKnown) return [RESET];
  const events = new Map<string, DiaryEvent>();
  for (const change of changes) {
    const event = eventOf(change, things, date);
    if (event) events.set(`${change.kind} ${change.id}`, event);
  }
  return [...events.values()];
}

function eventOf(change: Change, things: Things | undefined, date: string): DiaryEvent | undefined {
  const { kind, id } = change;
  if (kind === 'venue' || !things || id === null) return { kind: 'venue', data: {} };
  if (kind === 'booking') {
    if (!change.days?.includes(date)) return undefined;
    const entry = things.bookings.get(id);
    const by = makerOf(change, things.owners.get(id));
    return entry?.date === date ? { kind, data: { ...entry, by } } : removed(change, by);
  }
  if (!touchesDay(change, things.timeZone, date)) return undefined;
  const shown = (kind === 'block' ? things.blocks : things.closures).get(date) ?? [];
  const found = shown.find((thing) => thing.id === id);
  const by = makerOf(change, undefined);
  return found ? { kind, data: { ...found, by } } : removed(change, by);
}

const removed = ({ kind, id }: Change, by: Maker | null): DiaryEvent => ({
  kind: `${kind}.removed`,
  data: { id, by },
});

/** Who made a change. */
interface Maker {
  kind: 'client' | 'user' | 'partner';
  name: string;
}

/** A change that did not come through /manage was made by the partner, unless its visit ended by itself. */
function makerOf({ actor, isDirect }: Change, owner: Owner | undefined): Maker | null {
  if (actor) return actor;
  const isPartners = isDirect && owner?.status !== 'completed' && owner?.partnerName != null;
  return isPartners ? { kind: 'partner', name: owner.partnerName ?? '' } : null;
}

function touchesDay({ fromMs, toMs }: Change, zone: string, date: string): boolean {
  const { from, to } = dayRange(zone, date);
  return (fromMs ?? 0) < to.epochMilliseconds && (toMs ?? Number.POSITIVE_INFINITY) > from.epochMilliseconds;
}

/**
 * The events of one read as text. All but the last have the position from before the read: a screen that loses its
 * connection between two of them gets all of them again.
 */
export function textOf(events: readonly DiaryEvent[], before: string, after: string): string {
  return events
    .map(({ kind, data }, index) => {
      const id = index === events.length - 1 ? after : before;
      return `event: ${kind}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
    })
    .join('');
}
