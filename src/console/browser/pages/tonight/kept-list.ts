import { html } from 'htm/preact';
import type { ManagedEntry } from '../../../../features/waitlist/schema.ts';
import { path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { go } from '../../app/router.ts';
import { guestName } from '../../components/booking/names.ts';
import { clockAt } from './evening.ts';
import { type Held, offeredByHouse } from './holds.ts';

interface KeptListProps {
  venueId: string;
  date: string;
  timeZone: string;
  nowMs: number;
  holds: readonly Held[];
  /** Parties that wait on this day, or have an offer. */
  waitlist: readonly ManagedEntry[];
  onHold: (id: string) => void;
}

/** Below what needs a look: places that are held or offered, and how many wait for one. */
export function KeptList({ venueId, date, timeZone, nowMs, holds, waitlist, onHold }: KeptListProps) {
  const page = `${path`/console/venues/${venueId}/waitlist`}?date=${date}`;
  const kept = [
    ...holds.map((held) => ({ ...held, name: held.partner, open: () => onHold(held.id) })),
    ...offeredByHouse(waitlist, nowMs).map((offered) => ({
      ...offered,
      name: guestName(offered),
      open: () => go(page),
    })),
  ].sort((a, b) => a.untilMs - b.untilMs);
  const waiting = waitlist.filter(({ status }) => status === 'waiting').length;
  return html`
    ${
      kept.length > 0 &&
      html`
        <h2>${t.tonight.held}</h2>
        <ul>
          ${kept.map(
            ({ id, name, guests, time, untilMs, open }) => html`
              <li key=${id}>
                <button type="button" onClick=${open}>
                  <span class="tag">${t.tonight.heldUntil(clockAt(untilMs, timeZone))}</span>
                  <span><strong>${name}</strong> ${guests} · ${time}</span>
                </button>
              </li>
            `,
          )}
        </ul>
      `
    }
    ${waiting > 0 && html`<p><a class="button small" href=${page}>${t.waitlist.count(waiting)}</a></p>`}
  `;
}
