import { html } from 'htm/preact';
import type { ManagedOccurrence } from '../../../../features/venues/manage/product-schema.ts';
import { clockOfMinute, minuteOfClock, UNITS } from '../../app/amounts.ts';
import { api } from '../../app/api.ts';
import { useFocusFirst } from '../../app/focus.ts';
import { useForm } from '../../app/form.ts';
import { addDays, todayIn } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { say } from '../../app/toasts.ts';
import { LengthField } from '../../components/amount-field.ts';
import { Dialog } from '../../components/dialog.ts';
import { CheckField, TextField } from '../../components/field.ts';
import { Problem } from '../../components/notice.ts';

export type Occurrence = ManagedOccurrence;

export interface OccurrenceFormProps {
  list: string;
  /** Undefined: a new one. */
  occurrence: Occurrence | undefined;
  onClose: () => void;
  onDone: () => Promise<void>;
}

interface Values {
  date: string;
  clock: string;
  isNextMorning: boolean;
  durationMinutes: number | null;
}

/** A concert of an evening. */
const USUAL: Values = { date: '', clock: '20:00', isNextMorning: false, durationMinutes: 120 };

const valuesOf = (occurrence?: Occurrence): Values =>
  occurrence
    ? {
        date: occurrence.date,
        clock: clockOfMinute(occurrence.startsMinute),
        isNextMorning: occurrence.startsMinute >= UNITS.days,
        durationMinutes: occurrence.durationMinutes,
      }
    : { ...USUAL, date: addDays(todayIn(), 7) };

export function OccurrenceForm({ list, occurrence, onClose, onDone }: OccurrenceFormProps) {
  const form = useForm<Values>(valuesOf(occurrence), async (values) => {
    const { date, durationMinutes } = values;
    const startsMinute = minuteOfClock(values.clock, values.isNextMorning);
    const times = { date, startsMinute, durationMinutes };
    if (occurrence)
      await api.put(`${list}/${occurrence.id}`, { ...times, isWithdrawn: occurrence.isWithdrawn });
    else await api.post(list, times);
    say(t.common.saved);
    onClose();
    await onDone();
  });
  const { values, set, errorsOf } = form;
  const element = useFocusFirst<HTMLFormElement>();
  return html`
    <${Dialog} title=${occurrence ? t.products.changeTime : t.products.addTime} onClose=${onClose}>
      <form ref=${element} onSubmit=${form.submit}>
        ${occurrence?.hasTickets && html`<p class="notice">${t.products.startIsFixed}</p>`}
        <div class="columns">
          <${TextField} label=${t.products.date} type="date" required value=${values.date} errors=${errorsOf('date')} onInput=${(date: string) => set({ date })} />
          <${TextField} label=${t.products.startsAt} type="time" required value=${values.clock} errors=${errorsOf('startsMinute')} onInput=${(clock: string) => set({ clock })} />
        </div>
        <${CheckField} label=${t.products.afterMidnight} isOn=${values.isNextMorning} onChange=${(isNextMorning: boolean) => set({ isNextMorning })} />
        <${LengthField} label=${t.products.lasts} value=${values.durationMinutes} errors=${errorsOf('durationMinutes')} onInput=${(minutes: number | null) => set({ durationMinutes: minutes })} />
        <${Problem} problem=${form.problem} />
        <footer class="dialog-foot">
          <button type="button" class="button" onClick=${onClose}>${t.common.cancel}</button>
          <button type="submit" class="button primary" disabled=${form.isSending}>${t.common.save}</button>
        </footer>
      </form>
    <//>
  `;
}
