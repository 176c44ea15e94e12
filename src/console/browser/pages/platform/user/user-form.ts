import { html } from 'htm/preact';
import type { User } from '../../../../../features/accounts/schema.ts';
import { api } from '../../../app/api.ts';
import { useForm } from '../../../app/form.ts';
import { t } from '../../../app/language.ts';
import { say } from '../../../app/toasts.ts';
import { type Edited, FormFoot } from '../../../components/edit-dialog.ts';
import { CheckField, TextField } from '../../../components/field.ts';

interface Props extends Edited<User> {
  at: string;
  onClose: () => void;
  onSaved: () => Promise<void>;
}

/** Name and address of a person, and whether they run the platform. */
export function UserForm({ data, ifMatch, readAgain, at, onClose, onSaved }: Props) {
  const { name, email, isDisabled, isPlatform } = data;
  const form = useForm({ name, email, isDisabled, isPlatform }, async (values) => {
    await api.put(at, values, { ifMatch });
    say(t.common.saved);
    await onSaved();
  });
  const { values, set, errorsOf } = form;
  return html`
    <form onSubmit=${form.submit}>
      <${TextField} label=${t.common.name} required value=${values.name} errors=${errorsOf('name')} onInput=${(value: string) => set({ name: value })} />
      <${TextField}
        label=${t.people.email}
        type="email"
        required
        value=${values.email}
        errors=${errorsOf('email')}
        onInput=${(value: string) => set({ email: value })}
      />
      <${CheckField} label=${t.users.isDisabled} isOn=${values.isDisabled} onChange=${(isOn: boolean) => set({ isDisabled: isOn })} />
      <${CheckField} label=${t.users.isPlatform} isOn=${values.isPlatform} onChange=${(isOn: boolean) => set({ isPlatform: isOn })} />
      <${FormFoot} form=${form} onClose=${onClose} readAgain=${readAgain} />
    </form>
  `;
}
