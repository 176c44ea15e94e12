import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { api } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { TextField } from '../../components/field.ts';
import { Problem } from '../../components/notice.ts';
import { Card } from './card.ts';

export default function Forgot() {
  const [isSent, setSent] = useState(false);
  const form = useForm({ email: '' }, async ({ email }) => {
    await api.post('/manage/password-resets', { email });
    setSent(true);
  });
  return html`
    <${Card} title=${t.pages.forgot}>
      ${
        isSent
          ? html`<p role="status">${t.account.resetSent}</p>`
          : html`
              <form onSubmit=${form.submit}>
                <p>${t.account.forgotText}</p>
                <${TextField}
                  label=${t.account.email}
                  type="email"
                  autocomplete="username"
                  required
                  value=${form.values.email}
                  errors=${form.errorsOf('email')}
                  onInput=${(email: string) => form.set({ email })}
                />
                <${Problem} problem=${form.problem} />
                <button type="submit" class="button primary whole" disabled=${form.isSending}>${t.account.sendLink}</button>
              </form>
            `
      }
      <p><a href="/console">${t.account.signIn}</a></p>
    <//>
  `;
}
