/** A place that a partner holds, and its end by the house. */
import { html } from 'htm/preact';
import { act } from '../../app/act.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { operatorOf } from '../../app/session.ts';
import { Dialog } from '../../components/dialog.ts';
import { clockAt } from './evening.ts';
import type { Held } from './holds.ts';

interface HoldDialogProps {
  venueId: string;
  held: Held;
  tables: string;
  timeZone: string;
  onReleased: () => void;
  onClose: () => void;
}

export function HoldDialog({ venueId, held, tables, timeZone, onReleased, onClose }: HoldDialogProps) {
  const release = async () => {
    onClose();
    const address = path`/manage/operators/${operatorOf(venueId)}/holds/${held.id}`;
    if (await act(() => api.remove(address), t.tonight.holdReleased)) onReleased();
  };
  return html`
    <${Dialog} title=${t.tonight.heldFor(held.partner, clockAt(held.untilMs, timeZone))} onClose=${onClose}>
      <p>${[held.time, t.common.people(held.guests), ...(tables === '' ? [] : [t.tonight.atTable(tables)])].join(' · ')}</p>
      <p>${t.tonight.releaseText(held.partner)}</p>
      <footer class="dialog-foot">
        <button type="button" class="button" autofocus onClick=${onClose}>${t.common.keep}</button>
        <button type="button" class="button danger" onClick=${release}>${t.tonight.releaseHold}</button>
      </footer>
    <//>
  `;
}
