import { html } from 'htm/preact';
import type { Source } from '../../../../../features/partners/schema.ts';
import { api, path } from '../../../app/api.ts';
import { useForm } from '../../../app/form.ts';
import { t } from '../../../app/language.ts';
import { partners } from '../../../app/places.ts';
import { type Edited, FormFoot } from '../../../components/edit-dialog.ts';
import { SelectField, TextField } from '../../../components/field.ts';

interface Props extends Partial<Edited<Source>> {
  base: string;
  onClose: () => void;
  onSaved: () => Promise<void>;
}

/** A name in the operator's systems, and the partner whose bookings carry it. */
export function SourceForm({ base, data, ifMatch, readAgain, onClose, onSaved }: Props) {
  const form = useForm(
    { name: data?.name ?? '', partnerId: String(data?.partnerId ?? '') },
    async (values) => {
      const body = {
        name: values.name,
        partnerId: values.partnerId === '' ? null : Number(values.partnerId),
      };
      await (data ? api.put(`${base}${path`/${data.id}`}`, body, { ifMatch }) : api.post(base, body));
      await onSaved();
    },
  );
  const { values, set } = form;
  return html`
    <form onSubmit=${form.submit}>
      <${TextField}
        label=${t.sources.name}
        hint=${t.sources.nameHint}
        required
        value=${values.name}
        errors=${form.errorsOf('name')}
        onInput=${(name: string) => set({ name })}
      />
      <${SelectField}
        label=${t.sources.partner}
        value=${values.partnerId}
        choices=${[
          { value: '', label: t.sources.unknown },
          ...partners.value.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        errors=${form.errorsOf('partnerId')}
        onChange=${(partnerId: string) => set({ partnerId })}
      />
      <${FormFoot} form=${form} onClose=${onClose} readAgain=${readAgain} />
    </form>
  `;
}
