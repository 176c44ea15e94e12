import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { api } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { address, go } from '../../app/router.ts';
import { say } from '../../app/toasts.ts';
import { TextField } from '../../components/field.ts';
import { Problem } from '../../components/notice.ts';
import { Card, tokenIn } from './card.ts';

/** A button, not at once: programs that look into mails open links, and the token can be used once. */
export default function Verify() {
  const token = tokenIn(address.value.hash);
  const [isSent, setSent] = useState(false);
  const verify = useForm({}, async () => {
    await api.post('/manage/email-verifications', { token });
    say(t.account.verified);
    go('/console', { replace: true });
  });
  const again = useForm({ email: '' }, async ({ email }) => {
    await api.post('/manage/email-verifications/resend', { email });
    setSent(true);
  });
  return html`
    <${Card} title=${t.pages.verify}>
      <form onSubmit=${verify.submit}>
        <p>${t.account.verifyText}</p>
        <${Problem} problem=${verify.problem} />
        <button type="submit" class="button primary whole" disabled=${verify.isSending}>${t.account.confirmAddress}</button>
      </form>
      ${
        verify.problem &&
        html`
          <form onSubmit=${again.submit}>
            <${TextField}
              label=${t.account.email}
              type="email"
              required
              value=${again.values.email}
              errors=${again.errorsOf('email')}
              onInput=${(email: string) => again.set({ email })}
            />
            <${Problem} problem=${again.problem} />
            <button type="submit" class="button whole" disabled=${again.isSending || isSent}>
              ${isSent ? t.account.verificationSent : t.account.newLink}
            </button>
          </form>
        `
      }
    <//>
  `;
}
