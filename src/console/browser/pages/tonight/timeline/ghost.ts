import { html } from 'htm/preact';
import { t } from '../../../app/language.ts';
import { clockAt, guestsOf } from '../evening.ts';
import { nameOf } from './booking-block.ts';
import type { BookingDrag, Dragging } from './drag.ts';
import { pxOf, type Scale, xOf } from './scale.ts';
import type { Verdict } from './verdicts.ts';

function sayingOf(drag: BookingDrag, timeZone: string): string {
  const { verdict, move } = drag;
  if (verdict.kind === 'refused') return verdict.problem.message;
  if (verdict.kind === 'unasked') return t.tonight.unchanged;
  const times = `${clockAt(drag.fromMs, timeZone)}–${clockAt(drag.toMs, timeZone)}`;
  if (move.kind === 'swap') return t.tonight.swapWith(nameOf(move.with));
  return t.tonight.moveTo(times, drag.row.name);
}

const CLASSES: Record<Verdict['kind'], string> = {
  unasked: '',
  asking: 'asking',
  fine: 'fine',
  refused: 'refused',
};

/** What is being dragged, where it would be, and what the service says about it. */
export function Ghost({ dragging, scale, timeZone }: { dragging: Dragging; scale: Scale; timeZone: string }) {
  const drag = dragging.drag.value;
  if (!drag) return null;
  const place = { left: `${xOf(drag.fromMs, scale)}px`, width: `${pxOf(drag.toMs - drag.fromMs, scale)}px` };
  if (drag.kind === 'select') {
    return drag.rows.map(
      (row) =>
        html`<div key=${row.key} class="tl-selection" style=${{ ...place, top: `${row.top}px`, height: `${row.height}px` }}></div>`,
    );
  }
  return html`
    <div class=${`tl-ghost ${CLASSES[drag.verdict.kind]}`} style=${{ ...place, top: `${drag.row.top + 3}px` }}>
      <strong>${nameOf(drag.booking)}</strong> <span>${guestsOf(drag.booking)}</span>
      <div class="tl-verdict" role="status">
        ${sayingOf(drag, timeZone)}${' '}
        ${drag.verdict.kind === 'refused' && html`<span class="code">${drag.verdict.problem.code}</span>`}
      </div>
    </div>
  `;
}
