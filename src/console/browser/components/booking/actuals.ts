import { html } from 'htm/preact';
import type { ManagedBooking } from '../../../../features/bookings/operator/schema.ts';
import { api } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { say } from '../../app/toasts.ts';
import { TextField } from '../field.ts';
import { Problem } from '../notice.ts';
import type { BookingHandle } from './use-booking.ts';

const pounds = (pence: number | null) => (pence === null ? '' : (pence / 100).toFixed(2));
const numberOf = (text: string) => (text.trim() === '' ? null : Number(text.replace(',', '.')));

export interface ActualsProps {
  handle: BookingHandle;
  booking: ManagedBooking;
  currency: string;
}

/** How many came and what they spent, once the visit has begun. */
export function Actuals({ handle, booking, currency }: ActualsProps) {
  const start = { guests: String(booking.actualGuests ?? ''), spend: pounds(booking.actualSpend) };
  const form = useForm(start, async ({ guests, spend }) => {
    const amount = numberOf(spend);
    const spendPence = amount === null ? null : Math.round(amount * 100);
    const ifMatch = handle.loaded.data?.etag;
    await api.put(`${handle.address}/actuals`, { guests: numberOf(guests), spendPence }, { ifMatch });
    say(t.common.saved);
    await handle.reload();
  });
  return html`
    <form onSubmit=${form.submit}>
      <div class="pair">
        <${TextField}
          label=${t.booking.actualGuests}
          type="number"
          min="0"
          inputmode="numeric"
          value=${form.values.guests}
          errors=${form.errorsOf('guests')}
          onInput=${(guests: string) => form.set({ guests })}
        />
        <${TextField}
          label=${t.booking.actualSpend(currency)}
          inputmode="decimal"
          pattern="[0-9]+([.,][0-9]{1,2})?"
          value=${form.values.spend}
          errors=${form.errorsOf('spendPence')}
          onInput=${(spend: string) => form.set({ spend })}
        />
      </div>
      <${Problem} problem=${form.problem} />
      <div class="row">
        <button type="submit" class="button" disabled=${form.isSending || !form.isChanged}>${t.common.save}</button>
      </div>
    </form>
  `;
}
