import { html } from 'htm/preact';
import { api } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { address, go } from '../../app/router.ts';
import { say } from '../../app/toasts.ts';
import { Problem } from '../../components/notice.ts';
import { Card, tokenIn } from './card.ts';
import { NewPasswordField } from './new-password-field.ts';

export default function Reset() {
  const form = useForm({ password: '' }, async ({ password }) => {
    await api.post('/manage/password-resets/confirm', { token: tokenIn(address.peek().hash), password });
    say(t.account.passwordSet);
    go('/console', { replace: true });
  });
  return html`
    <${Card} title=${t.pages.reset}>
      <form onSubmit=${form.submit}>
        <${NewPasswordField}
          label=${t.account.newPassword}
          value=${form.values.password}
          errors=${form.errorsOf('password')}
          onInput=${(password: string) => form.set({ password })}
        />
        <${Problem} problem=${form.problem} />
        <button type="submit" class="button primary whole" disabled=${form.isSending}>${t.account.setPassword}</button>
      </form>
      <p><a href="/console/forgot">${t.account.newLink}</a></p>
    <//>
  `;
}
