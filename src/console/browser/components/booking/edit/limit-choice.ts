import { html } from 'htm/preact';
import type { DeskOverride } from '../../../../../features/bookings/operator/desk-schema.ts';
import { t } from '../../../app/language.ts';
import { may } from '../../../app/session.ts';

const OF_STAFF: readonly DeskOverride[] = ['notice', 'pacing'];
const OF_MANAGERS: readonly DeskOverride[] = ['notice', 'pacing', 'hours', 'covers', 'rules'];

export interface LimitChoiceProps {
  operatorId: number;
  chosen: readonly DeskOverride[];
  onChange: (overrides: readonly DeskOverride[]) => void;
}

/** The limits that the role may set aside for one booking. */
export const LimitChoice = ({ operatorId, chosen, onChange }: LimitChoiceProps) => html`
  <fieldset class="choice">
    <legend class="small quiet">${t.booking.setAside}</legend>
    <div class="chips">
      ${(may(operatorId, 'manager') ? OF_MANAGERS : OF_STAFF).map(
        (limit) => html`
          <button
            key=${limit}
            type="button"
            class="chip"
            aria-pressed=${chosen.includes(limit)}
            onClick=${() => onChange(chosen.includes(limit) ? chosen.filter((one) => one !== limit) : [...chosen, limit])}
          >
            ${t.booking.limits[limit]}
          </button>
        `,
      )}
    </div>
  </fieldset>
`;
