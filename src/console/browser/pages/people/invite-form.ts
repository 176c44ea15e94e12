import { html } from 'htm/preact';
import { api } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { say } from '../../app/toasts.ts';
import { TextField } from '../../components/field.ts';
import { Problem } from '../../components/notice.ts';
import { ROLES, type Role } from './members.ts';

/** Asks somebody to join, by mail. */
export function InviteForm({ base, onSent }: { base: string; onSent: () => Promise<void> }) {
  const form = useForm({ email: '', role: 'staff' as Role }, async (values) => {
    await api.post(`${base}/invites`, values);
    say(t.people.invited(values.email));
    form.reset({ email: '', role: values.role });
    await onSent();
  });
  const { values, set } = form;
  return html`
    <section class="panel">
      <h2>${t.people.invite}</h2>
      <form onSubmit=${form.submit}>
        <${TextField}
          label=${t.people.email}
          type="email"
          required
          autocomplete="off"
          value=${values.email}
          errors=${form.errorsOf('email')}
          onInput=${(email: string) => set({ email })}
        />
        <fieldset class="plain roles">
          <legend>${t.people.role}</legend>
          ${ROLES.map(
            (role) => html`
              <label key=${role} class="role">
                <input
                  type="radio"
                  name="role"
                  value=${role}
                  checked=${values.role === role}
                  onChange=${() => set({ role })}
                />
                <span><strong>${t.common.roles[role]}</strong><br /><span class="small">${t.people.roleTexts[role]}</span></span>
              </label>
            `,
          )}
        </fieldset>
        <${Problem} problem=${form.problem} />
        <div>
          <button type="submit" class="button primary" disabled=${form.isSending}>${t.people.send}</button>
        </div>
      </form>
    </section>
  `;
}
