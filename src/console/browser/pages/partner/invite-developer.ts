import { html } from 'htm/preact';
import { api } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { say } from '../../app/toasts.ts';
import { TextField } from '../../components/field.ts';
import { Problem } from '../../components/notice.ts';

/** Asks another developer to join, by mail. */
export function InviteDeveloper({ base, onSent }: { base: string; onSent: () => Promise<void> }) {
  const form = useForm({ email: '' }, async ({ email }) => {
    await api.post(`${base}/invites`, { email, role: 'developer' });
    say(t.people.invited(email));
    form.reset({ email: '' });
    await onSent();
  });
  return html`
    <section class="panel">
      <h2>${t.people.invite}</h2>
      <p class="quiet">${t.partnerPeople.roleText}</p>
      <form onSubmit=${form.submit}>
        <${TextField}
          label=${t.people.email}
          type="email"
          required
          autocomplete="off"
          value=${form.values.email}
          errors=${form.errorsOf('email')}
          onInput=${(email: string) => form.set({ email })}
        />
        <${Problem} problem=${form.problem} />
        <div>
          <button type="submit" class="button primary" disabled=${form.isSending}>${t.people.send}</button>
        </div>
      </form>
    </section>
  `;
}
