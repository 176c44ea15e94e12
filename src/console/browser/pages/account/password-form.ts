import { html } from 'htm/preact';
import { api } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { loadSession, user } from '../../app/session.ts';
import { say } from '../../app/toasts.ts';
import { TextField } from '../../components/field.ts';
import { Problem } from '../../components/notice.ts';
import { NewPasswordField } from './new-password-field.ts';

/** A new password ends all sessions: the form to sign in appears in place of the page. */
export function PasswordForm() {
  const form = useForm({ currentPassword: '', newPassword: '' }, async (values) => {
    await api.put('/manage/account/password', values);
    say(t.account.passwordSet);
    await loadSession();
  });
  return html`
    <form onSubmit=${form.submit}>
      <p>${t.ownAccount.passwordText}</p>
      <input class="visually-hidden" type="email" autocomplete="username" tabindex="-1" aria-hidden="true" readonly value=${user.value?.email ?? ''} />
      <${TextField}
        label=${t.ownAccount.currentPassword}
        type="password"
        autocomplete="current-password"
        required
        value=${form.values.currentPassword}
        errors=${form.errorsOf('currentPassword')}
        onInput=${(currentPassword: string) => form.set({ currentPassword })}
      />
      <${NewPasswordField}
        label=${t.account.newPassword}
        value=${form.values.newPassword}
        errors=${form.errorsOf('newPassword')}
        onInput=${(newPassword: string) => form.set({ newPassword })}
      />
      <${Problem} problem=${form.problem} />
      <div class="row">
        <button type="submit" class="button" disabled=${form.isSending}>${t.ownAccount.changePassword}</button>
      </div>
    </form>
  `;
}
