import { html } from 'htm/preact';
import type { HouseStart, ProductStarts } from '../../../../../features/bookings/operator/starts-schema.ts';
import type { ApiProblem } from '../../../app/api.ts';
import { t } from '../../../app/language.ts';
import { Problem } from '../../../components/notice.ts';
import { QUARTER_MS } from '../evening.ts';

interface StartChipsProps {
  product: ProductStarts | undefined;
  chosen: string;
  canChoose: (start: HouseStart) => boolean;
  onChoose: (time: string) => void;
  problem: ApiProblem | undefined;
}

/** What has begun is not offered any more; the present quarter still is. */
const isStillAhead = ({ dateTime }: HouseStart) => Date.parse(dateTime) > Date.now() - QUARTER_MS;

/** The starts of the day; those that cannot be had are struck through and say why. */
export const StartChips = ({ product, chosen, canChoose, onChoose, problem }: StartChipsProps) => html`
  <fieldset class="start-chips">
    <legend>${t.tonight.time}</legend>
    <${Problem} problem=${problem} />
    ${product?.refusal && html`<p class="quiet">${product.refusal.detail} <span class="code">${product.refusal.code}</span></p>`}
    <div class="chips">
      ${product?.starts.filter(isStillAhead).map(
        (start) => html`
          <button
            type="button"
            key=${start.time}
            class=${start.isFree ? 'chip' : 'chip is-full'}
            aria-pressed=${start.time === chosen}
            disabled=${!canChoose(start)}
            title=${start.refusal?.detail}
            onClick=${() => onChoose(start.time)}
          >
            ${start.time}
          </button>
        `,
      )}
    </div>
  </fieldset>
`;
