import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { api } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { address, go } from '../../app/router.ts';
import { signIn } from '../../app/session.ts';
import { say } from '../../app/toasts.ts';
import { CheckField, TextField } from '../../components/field.ts';
import { Problem } from '../../components/notice.ts';
import { Card, tokenIn } from './card.ts';
import { NewPasswordField } from './new-password-field.ts';

/** A new account needs a name and a password; an account that is there keeps its own. */
export default function Invite() {
  const [hasAccount, setHasAccount] = useState(false);
  const form = useForm({ name: '', password: '' }, async (values) => {
    const token = tokenIn(address.peek().hash);
    const { email } = await api.post<{ email: string }>(
      '/manage/invites/accept',
      hasAccount ? { token } : { token, ...values },
    );
    // Who has just chosen a password need not type it again; if that fails, there is the form.
    const isIn =
      !hasAccount &&
      (await signIn(email, values.password).then(
        () => true,
        () => false,
      ));
    if (!isIn) say(t.account.inviteAccepted);
    go('/console', { replace: true });
  });
  return html`
    <${Card} title=${t.pages.invite}>
      <form onSubmit=${form.submit}>
        <p>${t.account.inviteText}</p>
        <${CheckField} label=${t.account.haveAccount} isOn=${hasAccount} onChange=${setHasAccount} />
        ${
          !hasAccount &&
          html`
            <${TextField}
              label=${t.account.name}
              autocomplete="name"
              required
              value=${form.values.name}
              errors=${form.errorsOf('name')}
              onInput=${(name: string) => form.set({ name })}
            />
            <${NewPasswordField}
              label=${t.account.password}
              value=${form.values.password}
              errors=${form.errorsOf('password')}
              onInput=${(password: string) => form.set({ password })}
            />
          `
        }
        <${Problem} problem=${form.problem} />
        <button type="submit" class="button primary whole" disabled=${form.isSending}>${t.account.accept}</button>
      </form>
    <//>
  `;
}
