/** What the page computes from the waiting list; nothing here touches the page. */
import type { ManagedEntry } from '../../../../features/waitlist/schema.ts';

export type Entry = ManagedEntry;

export interface Lists {
  /** A place is kept for them, the one that ends first at the top. */
  offered: Entry[];
  /** In the order in which they get offers. */
  waiting: Entry[];
  /** Booked, expired or taken off. */
  over: Entry[];
}

/** An offer ends by the clock, whether or not the list was read again since. */
export function listsOf(entries: readonly Entry[], nowMs: number): Lists {
  const isOpen = ({ status, offer }: Entry) =>
    status === 'offered' && offer !== null && Date.parse(offer.expiresAt) > nowMs;
  const offered = entries.filter(isOpen);
  return {
    offered: offered.sort((a, b) => endOf(a) - endOf(b)),
    waiting: entries.filter(({ status }) => status === 'waiting'),
    over: entries.filter((entry) => entry.status !== 'waiting' && !isOpen(entry)),
  };
}

const endOf = ({ offer }: Entry) => Date.parse(offer?.expiresAt ?? '');

export interface Placing {
  id: string;
  /** Null: the end of the list. */
  before: string | null;
}

/** Which entry has another place, of a list in which one was moved; undefined: it is where it was. */
export function placingOf(
  former: readonly { id: string }[],
  wanted: readonly { id: string }[],
): Placing | undefined {
  const idsOf = (list: readonly { id: string }[], but: string) =>
    list.flatMap(({ id }) => (id === but ? [] : id)).join();
  const at = wanted.findIndex(({ id }, index) => {
    const isElsewhere = former[index]?.id !== id;
    return isElsewhere && idsOf(former, id) === idsOf(wanted, id);
  });
  const entry = wanted[at];
  return entry && { id: entry.id, before: wanted[at + 1]?.id ?? null };
}
