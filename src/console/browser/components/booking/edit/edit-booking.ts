import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { ChangedBooking } from '../../../../../features/bookings/operator/desk-schema.ts';
import type { ManagedBooking } from '../../../../../features/bookings/operator/schema.ts';
import { api } from '../../../app/api.ts';
import { money, shortDate } from '../../../app/format.ts';
import { t } from '../../../app/language.ts';
import { say } from '../../../app/toasts.ts';
import { TextArea, TextField } from '../../field.ts';
import { Icon } from '../../icon.ts';
import { Problem } from '../../notice.ts';
import { endOf, isEnquiry, productKeyOf, venueIdOf } from '../booking-facts.ts';
import { ChangedMeanwhile } from '../changed-meanwhile.ts';
import { guestName, partyText } from '../names.ts';
import { toldText } from '../told.ts';
import type { BookingHandle } from '../use-booking.ts';
import { differencesOf, type EditValues, editOf, rebased, valuesOf } from './edit-values.ts';
import { LimitChoice } from './limit-choice.ts';
import { StartChips } from './start-chips.ts';
import { TableChoice } from './table-choice.ts';
import { useDryRun } from './use-dry-run.ts';

/** The system of a venue that cannot try a change without making it. */
const CANNOT_TRY = 'BOOK-N-009';

export interface EditBookingProps {
  handle: BookingHandle;
  booking: ManagedBooking;
  currency: string;
  onDone: () => void;
}

/** Changes in place, with what they would do shown before they are saved. */
export function EditBooking({ handle, booking, currency, onDone }: EditBookingProps) {
  // The form is about the booking as it was when it was opened; what others change meanwhile is shown beside it.
  const [base, setBase] = useState(booking);
  const [values, setValues] = useState<EditValues>(() => valuesOf(booking));
  const set = (changes: Partial<EditValues>) => setValues((before) => ({ ...before, ...changes }));
  const edit = editOf(base, values);
  const dryRun = useDryRun(handle.address, edit, booking.lastUpdate);
  const meanwhile = differencesOf(base, booking);
  const errorsOf = (field: string) => dryRun.problem?.errors[field] ?? [];
  const refund = dryRun.result?.change.refundPence ?? 0;
  const canSave =
    edit !== null &&
    meanwhile.length === 0 &&
    (dryRun.result !== undefined || dryRun.problem?.code === CANNOT_TRY);

  const save = async (event: Event) => {
    event.preventDefault();
    if (edit === null) return;
    const isDone = await handle.write((ifMatch) => api.patch(handle.address, edit, { ifMatch }));
    if (!isDone) return;
    say(t.booking.changed(guestName(booking)));
    onDone();
  };
  const keepMine = () => {
    handle.forgetProblem();
    setValues(rebased(values, base, booking));
    setBase(booking);
  };
  const takeTheirs = () => {
    handle.forgetProblem();
    setBase(booking);
    setValues(valuesOf(booking));
  };
  const field = (name: keyof EditValues, label: string, rest: Record<string, unknown> = {}) => html`
    <${TextField}
      label=${label}
      value=${values[name]}
      errors=${errorsOf(name)}
      onInput=${(value: string) => set({ [name]: value })}
      ...${rest}
    />
  `;
  return html`
    <form onSubmit=${save} aria-label=${t.booking.change}>
      ${
        meanwhile.length > 0 &&
        html`
          <${ChangedMeanwhile} differences=${meanwhile} currency=${currency} />
          <div class="row">
            <button type="button" class="button" onClick=${keepMine}>${t.booking.keepMine}</button>
            <button type="button" class="button" onClick=${takeTheirs}>${t.booking.takeTheirs}</button>
          </div>
        `
      }
      <div class="pair">
        ${field('date', t.booking.fields.date, { type: 'date', required: true })}
        ${field('time', t.booking.fields.time, { type: 'time', required: true, step: 300 })}
      </div>
      ${
        values.date !== '' &&
        Number(values.partySize) > 0 &&
        html`<${StartChips}
          venueId=${venueIdOf(booking.compositeId)}
          query=${{
            date: values.date,
            partySize: values.partySize,
            children: values.children || null,
            productKey: productKeyOf(booking.compositeId),
            bookingId: booking.id,
          }}
          time=${values.time}
          onChoose=${(time: string) => set({ time })}
        />`
      }
      <div class="pair three">
        ${field('partySize', t.booking.fields.partySize, { type: 'number', min: 1, required: true, inputmode: 'numeric' })}
        ${field('children', t.booking.fields.children, { type: 'number', min: 0, inputmode: 'numeric' })}
        ${field('duration', t.booking.durationMinutes, { type: 'number', min: 1, step: 1, inputmode: 'numeric' })}
      </div>
      ${
        !isEnquiry(booking) &&
        html`<${TableChoice}
          venueId=${venueIdOf(booking.compositeId)}
          current=${base.tmsTables ?? []}
          areaId=${base.area?.id}
          chosen=${values.tableIds}
          onChange=${(tableIds: readonly number[] | null) => set({ tableIds })}
        />`
      }
      <${TextArea} label=${t.booking.fields.notes} maxlength="2000" value=${values.notes} errors=${errorsOf('notes')} onInput=${(notes: string) => set({ notes })} />
      ${
        booking.partner === null &&
        html`
          <div class="pair">
            ${field('firstName', t.booking.fields.firstName, { autocomplete: 'off' })}
            ${field('lastName', t.booking.fields.lastName, { autocomplete: 'off' })}
          </div>
          <div class="pair">
            ${field('email', t.booking.fields.email, { type: 'email', autocomplete: 'off' })}
            ${field('phone', t.booking.fields.phone, { type: 'tel', autocomplete: 'off' })}
          </div>
        `
      }
      ${
        (dryRun.problem !== undefined || values.overrides.length > 0) &&
        html`<${LimitChoice} operatorId=${handle.operatorId} chosen=${values.overrides} onChange=${(overrides: EditValues['overrides']) => set({ overrides })} />`
      }
      <${Problem} problem=${meanwhile.length > 0 ? undefined : (dryRun.problem ?? handle.problem)} />
      ${dryRun.result && html`<${Settlement} result=${dryRun.result} currency=${currency} />`}
      <div class="row booking-actions">
        <button type="submit" class="button primary" disabled=${!canSave || dryRun.isAsking || handle.isWriting}>
          ${refund > 0 ? t.booking.saveAndRefund(money(refund, currency)) : t.common.save}
        </button>
        <button type="button" class="button" onClick=${onDone}>${t.common.keep}</button>
      </div>
    </form>
  `;
}

/** What a change would make of the booking: place, money, and who is told. */
function Settlement({ result, currency }: { result: ChangedBooking; currency: string }) {
  const { change, tmsTables = [] } = result;
  const tables = tmsTables.length > 0 ? t.booking.atTable(tmsTables.join(' + '), result.area?.name) : '';
  const stay = `${shortDate(result.date)}, ${result.time}–${endOf(result.time, result.duration)}, ${partyText(result)}`;
  const amount = (pence: number) => money(pence, currency);
  return html`
    <div class="notice good" role="status">
      <${Icon} name="check" />
      <div>
        <p>${[stay, tables].filter(Boolean).join(', ')}</p>
        ${
          (change.balanceBeforePence > 0 || change.balancePence > 0) &&
          html`<p class="small">${t.booking.costs(amount(change.balanceBeforePence), amount(change.balancePence))}</p>`
        }
        ${change.refundPence > 0 && html`<p class="small"><strong>${t.booking.refunds(amount(change.refundPence))}</strong></p>`}
        ${change.duePence > 0 && html`<p class="small">${t.booking.stillDue(amount(change.duePence))}</p>`}
        <p class="small">${toldText(result)}</p>
      </div>
    </div>
  `;
}
