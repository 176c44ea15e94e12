import { html } from 'htm/preact';
import { api } from '../../../app/api.ts';
import { useForm } from '../../../app/form.ts';
import { t } from '../../../app/language.ts';
import { say } from '../../../app/toasts.ts';
import { Dialog } from '../../../components/dialog.ts';
import { FormFoot } from '../../../components/edit-dialog.ts';
import { TextField } from '../../../components/field.ts';
import { type Place, rolesOf } from './place.ts';
import { firstPlace, PlaceFields } from './place-fields.ts';

/** An account with a password that was chosen for the person; usually an invite is better. */
export function NewUser({ onClose, onSaved }: { onClose: () => void; onSaved: () => Promise<void> }) {
  const form = useForm(
    { name: '', email: '', password: '', place: firstPlace() },
    async ({ place, ...account }) => {
      await api.post('/manage/users', { ...account, ...rolesOf(place) });
      say(t.users.created(account.email));
      await onSaved();
    },
  );
  const { values, set, errorsOf } = form;
  return html`
    <${Dialog} title=${t.users.add} onClose=${onClose}>
      <form onSubmit=${form.submit}>
        <p>${t.users.addText}</p>
        <${TextField} label=${t.common.name} required value=${values.name} errors=${errorsOf('name')} onInput=${(name: string) => set({ name })} />
        <${TextField}
          label=${t.people.email}
          type="email"
          required
          autocomplete="off"
          value=${values.email}
          errors=${errorsOf('email')}
          onInput=${(email: string) => set({ email })}
        />
        <${TextField}
          label=${t.account.password}
          hint=${t.account.passwordHint}
          type="password"
          required
          autocomplete="new-password"
          value=${values.password}
          errors=${errorsOf('password')}
          onInput=${(password: string) => set({ password })}
        />
        <${PlaceFields}
          kinds=${['operator', 'platform']}
          place=${values.place}
          onChange=${(changes: Partial<Place>) => set({ place: { ...values.place, ...changes } })}
        />
        <${FormFoot} form=${form} action=${t.users.add} onClose=${onClose} />
      </form>
    <//>
  `;
}
