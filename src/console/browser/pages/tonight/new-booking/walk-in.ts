/** A walk-in: its size, and it is seated. */
import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { ManagedBooking } from '../../../../../features/bookings/operator/schema.ts';
import type { ProductStarts } from '../../../../../features/bookings/operator/starts-schema.ts';
import { type ApiProblem, api, path } from '../../../app/api.ts';
import { t } from '../../../app/language.ts';
import { problemOf } from '../../../app/load.ts';
import { may, operatorOf } from '../../../app/session.ts';
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

/** What a manager may override for a walk-in; a table that is taken stays taken. */
const ANYWAY = ['hours', 'pacing', 'covers'];

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
  const seat = async (partySize: number, overrides?: readonly string[]) => {
    if (isSending || !(partySize >= 1)) return;
    setSize(String(partySize));
    setSending(true);
    setProblem(undefined);
    try {
      const productKey = await findProduct(venueId, date, partySize);
      const { id, tmsTables = [] } = await api.post<Pick<ManagedBooking, 'id' | 'tmsTables'>>(
        path`/manage/venues/${venueId}/bookings`,
        { origin: 'walk_in', productKey, partySize, ...(overrides && { overrides }) },
        { idempotencyKey: crypto.randomUUID() },
      );
      say(t.tonight.walkInSeated(partySize, tmsTables.join(' + ')), () =>
        api.post(path`/manage/operators/${operatorOf(venueId)}/bookings/${id}/cancel`),
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
          ${
            problem?.code.startsWith('AVAIL-') &&
            may(operatorOf(venueId), 'manager') &&
            html`<button type="button" class="button" disabled=${isSending} onClick=${() => seat(Number(size), ANYWAY)}>${t.tonight.seatAnyway}</button>`
          }
          <button type="submit" class="button primary" disabled=${isSending || size === ''}>${t.tonight.seatNow}</button>
        </footer>
      </form>
    <//>
  `;
}
