/** A party at the door: its size, and it sits. */
import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { ProductStarts } from '../../../../../features/bookings/operator/starts-schema.ts';
import { type ApiProblem, api, path } from '../../../app/api.ts';
import { t } from '../../../app/language.ts';
import { problemOf } from '../../../app/load.ts';
import { operatorOf } from '../../../app/session.ts';
import { say } from '../../../app/toasts.ts';
import { Dialog } from '../../../components/dialog.ts';
import { TextField } from '../../../components/field.ts';
import { Problem } from '../../../components/notice.ts';

interface WalkInProps {
  venueId: string;
  date: string;
  onClose: () => void;
}

const SIZES = [1, 2, 3, 4, 5, 6, 7, 8];

interface Made {
  id: string;
  tables?: { name: string }[];
  tableNames?: string[];
}

/** The product that can be had now; the service says what is wrong where there is none. */
async function findProduct(venueId: string, date: string, partySize: number): Promise<string | undefined> {
  const query = { date, partySize, origin: 'walk_in' };
  const { data } = await api.get<{ data: ProductStarts[] }>(path`/manage/venues/${venueId}/starts`, query);
  const open =
    data.find(({ starts }) => starts.some(({ isFree }) => isFree)) ??
    data.find(({ starts }) => starts.length > 0);
  return (open ?? data[0])?.productKey;
}

export function WalkIn({ venueId, date, onClose }: WalkInProps) {
  const [size, setSize] = useState('');
  const [problem, setProblem] = useState<ApiProblem>();
  const [isSending, setSending] = useState(false);
  const seat = async (partySize: number) => {
    if (isSending || !(partySize >= 1)) return;
    setSending(true);
    setProblem(undefined);
    try {
      const productKey = await findProduct(venueId, date, partySize);
      const made = await api.post<Made>(
        path`/manage/venues/${venueId}/bookings`,
        { origin: 'walk_in', productKey, partySize },
        { idempotencyKey: crypto.randomUUID() },
      );
      say(t.tonight.walkInSeated(partySize), () =>
        api.post(path`/manage/operators/${operatorOf(venueId)}/bookings/${made.id}/cancel`),
      );
      onClose();
    } catch (error) {
      setProblem(problemOf(error));
      setSending(false);
    }
  };
  return html`
    <${Dialog} title=${t.tonight.walkIn} onClose=${onClose}>
      <form
        onSubmit=${(event: Event) => {
          event.preventDefault();
          seat(Number(size));
        }}
      >
        <div class="chips size-chips">
          ${SIZES.map(
            (one) =>
              html`<button type="button" key=${one} class="chip" disabled=${isSending} onClick=${() => seat(one)}>${one}</button>`,
          )}
        </div>
        <${TextField}
          label=${t.tonight.partySize}
          type="number"
          inputmode="numeric"
          min="1"
          max="100"
          autofocus
          value=${size}
          onInput=${setSize}
        />
        <${Problem} problem=${problem} />
        <footer class="dialog-foot">
          <button type="submit" class="button primary" disabled=${isSending || size === ''}>${t.tonight.seatNow}</button>
        </footer>
      </form>
    <//>
  `;
}
