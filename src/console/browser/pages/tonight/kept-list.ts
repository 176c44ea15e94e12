import { html } from 'htm/preact';
import { path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { clockAt } from './evening.ts';
import type { Held } from './holds.ts';

interface KeptListProps {
  venueId: string;
  date: string;
  timeZone: string;
  holds: readonly Held[];
  /** Parties on the waiting list of the day. */
  waiting: number;
  onHold: (id: string) => void;
}

/** Below what needs a look: places that are held, and who waits for one. */
export const KeptList = ({ venueId, date, timeZone, holds, waiting, onHold }: KeptListProps) => html`
  ${
    holds.length > 0 &&
    html`
      <h2>${t.tonight.held}</h2>
      <ul>
        ${holds.map(
          ({ id, partner, guests, time, untilMs }) => html`
            <li key=${id}>
              <button type="button" onClick=${() => onHold(id)}>
                <span class="tag">${t.tonight.heldUntil(clockAt(untilMs, timeZone))}</span>
                <span><strong>${partner}</strong> ${guests} · ${time}</span>
              </button>
            </li>
          `,
        )}
      </ul>
    `
  }
  ${waiting > 0 && html`<p><a class="button small" href=${`${path`/console/venues/${venueId}/waitlist`}?date=${date}`}>${t.waitlist.count(waiting)}</a></p>`}
`;
