import { html } from 'htm/preact';
import { api } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { address, go } from '../../app/router.ts';
import { say } from '../../app/toasts.ts';
import { TextField } from '../../components/field.ts';
import { Problem } from '../../components/notice.ts';
import { Card, tokenIn } from './card.ts';

export default function Reset() {
  const form = useForm({ password: '' }, async ({ password }) => {
    await api.post('/manage/password-resets/confirm', { token: tokenIn(address.peek().hash), password });
    say(t.account.passwordSet);
    go('/console', { replace: true });
  });
  return html`
    <${Card} title=${t.pages.reset}>
      <form onSubmit=${form.submit}>
        <${TextField}
          label=${t.account.newPassword}
          hint=${t.account.passwordHint}
          type="password"
          autocomplete="new-password"
          required
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
