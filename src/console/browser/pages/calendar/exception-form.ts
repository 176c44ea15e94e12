import { html } from 'htm/preact';
import type { VenueHours } from '../../../../features/venues/manage/venue-schema.ts';
import { api, path } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { say } from '../../app/toasts.ts';
import { TextField } from '../../components/field.ts';
import { Periods } from '../../components/hours/periods.ts';
import { Problem } from '../../components/notice.ts';
import { type Exception, exceptionOn, type Period, periodsOn } from './month.ts';

export interface ExceptionFormProps {
  venueId: string;
  day: string;
  hours: VenueHours;
  etag: string | null;
  onDone: () => Promise<void>;
  onCancel: () => void;
}

interface Values {
  periods: readonly Period[];
  reason: string;
}

/** Other hours on one date, or none: then the venue is closed. */
export function ExceptionForm({ venueId, day, hours, etag, onDone, onCancel }: ExceptionFormProps) {
  const address = path`/manage/venues/${venueId}/hours`;
  const exception = exceptionOn(hours, day);
  const others = hours.exceptions.filter(({ date }) => date !== day);
  const store = async (exceptions: Exception[]) => {
    await api.put(address, { ...hours, exceptions }, { ifMatch: etag });
    await onDone();
  };
  const form = useForm<Values>(
    { periods: periodsOn(hours, day), reason: exception?.reason ?? '' },
    async ({ periods, reason }) => {
      await store([
        ...others,
        { date: day, periods: [...periods], reason: reason.trim() === '' ? null : reason },
      ]);
      say(t.common.saved);
    },
  );
  const removal = useForm({}, async () => {
    await store(others);
    say(t.calendar.weekAgain);
  });
  const problem = form.problem ?? removal.problem;
  return html`
    <form onSubmit=${form.submit}>
      <${Periods} name=${t.calendar.hours} periods=${form.values.periods} onChange=${(periods: Period[]) => form.set({ periods })} />
      ${form.values.periods.length === 0 && html`<p class="small">${t.calendar.closesProducts}</p>`}
      <${TextField} label=${t.calendar.why} maxlength="500" value=${form.values.reason} onInput=${(reason: string) => form.set({ reason })} />
      <${Problem} problem=${problem} onReload=${onDone} />
      <footer class="dialog-foot">
        ${exception && html`<button type="button" class="button" disabled=${removal.isSending} onClick=${removal.submit}>${t.calendar.asWeekly}</button>`}
        <button type="button" class="button" onClick=${onCancel}>${t.common.cancel}</button>
        <button type="submit" class="button primary" disabled=${form.isSending}>${t.common.save}</button>
      </footer>
    </form>
  `;
}
