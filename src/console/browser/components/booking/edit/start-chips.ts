import { html } from 'htm/preact';
import type { HouseStart, ProductStarts } from '../../../../../features/bookings/operator/starts-schema.ts';
import { api, path, type Query } from '../../../app/api.ts';
import { t } from '../../../app/language.ts';
import { useLoad } from '../../../app/load.ts';
import { nearestTo } from './edit-values.ts';

const SHOWN = 6;

export interface StartChipsProps {
  venueId: string;
  query: Query;
  time: string;
  onChoose: (time: string) => void;
}

/** The free starts nearest to a time. Without them the form works as well, so a refusal is not shown. */
export function StartChips({ venueId, query, time, onChoose }: StartChipsProps) {
  const { data } = useLoad(
    () =>
      api
        .get<{ data: ProductStarts[] }>(path`/manage/venues/${venueId}/starts`, query)
        .catch(() => undefined),
    [venueId, JSON.stringify(query)],
  );
  const product = data?.data[0];
  if (!product) return null;
  const free = nearestTo(
    product.starts.filter(({ isFree }) => isFree),
    time || '19:00',
    SHOWN,
  );
  if (free.length === 0)
    return html`<p class="small quiet">${product.refusal?.detail ?? t.booking.nothingFree}</p>`;
  return html`
    <div class="chips" role="group" aria-label=${t.booking.freeStarts}>
      ${free.map(
        (start: HouseStart) => html`
          <button key=${start.time} type="button" class="chip" aria-pressed=${start.time === time} onClick=${() => onChoose(start.time)}>
            ${start.time}
          </button>
        `,
      )}
    </div>
  `;
}
