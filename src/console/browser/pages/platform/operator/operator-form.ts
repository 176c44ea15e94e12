import { html } from 'htm/preact';
import type { Operator } from '../../../../../features/operators/schema.ts';
import { api, path } from '../../../app/api.ts';
import { useForm } from '../../../app/form.ts';
import { t } from '../../../app/language.ts';
import { say } from '../../../app/toasts.ts';
import { type Edited, FormFoot } from '../../../components/edit-dialog.ts';
import { TextField } from '../../../components/field.ts';

interface Props extends Partial<Edited<Operator>> {
  onClose: () => void;
  onSaved: (id: number) => Promise<void>;
}

const TIME_ZONES = Intl.supportedValuesOf('timeZone');

/** A new operator, or what is known of one. */
export function OperatorForm({ data, ifMatch, readAgain, onClose, onSaved }: Props) {
  const form = useForm(
    {
      name: data?.name ?? '',
      contactEmail: data?.settings.contactEmail ?? '',
      bookingReplyTo: data?.settings.bookingReplyTo ?? '',
      defaultTimeZone: data?.settings.defaultTimeZone ?? '',
    },
    async ({ name, ...settings }) => {
      const given = Object.entries(settings).map(([key, value]) => [key, value || null]);
      const body = { name, settings: Object.fromEntries(given) };
      const saved = data
        ? await api.put<Operator>(path`/manage/operators/${data.id}`, body, { ifMatch })
        : await api.post<Operator>('/manage/operators', body);
      say(t.common.saved);
      await onSaved(saved.id);
    },
  );
  const { values, set, errorsOf } = form;
  const errors = (name: keyof typeof values) => [...errorsOf(`settings.${name}`), ...errorsOf(name)];
  return html`
    <form onSubmit=${form.submit}>
      <${TextField} label=${t.common.name} required value=${values.name} errors=${errors('name')} onInput=${(name: string) => set({ name })} />
      <${TextField}
        label=${t.operators.contactEmail}
        hint=${t.operators.contactEmailHint}
        type="email"
        value=${values.contactEmail}
        errors=${errors('contactEmail')}
        onInput=${(contactEmail: string) => set({ contactEmail })}
      />
      <${TextField}
        label=${t.operators.bookingReplyTo}
        hint=${t.operators.bookingReplyToHint}
        type="email"
        value=${values.bookingReplyTo}
        errors=${errors('bookingReplyTo')}
        onInput=${(bookingReplyTo: string) => set({ bookingReplyTo })}
      />
      <${TextField}
        label=${t.operators.timeZone}
        hint=${t.operators.timeZoneHint}
        list="time-zones"
        value=${values.defaultTimeZone}
        errors=${errors('defaultTimeZone')}
        onInput=${(defaultTimeZone: string) => set({ defaultTimeZone })}
      />
      <datalist id="time-zones">${TIME_ZONES.map((zone) => html`<option key=${zone} value=${zone} />`)}</datalist>
      <${FormFoot} form=${form} onClose=${onClose} readAgain=${readAgain} />
    </form>
  `;
}
