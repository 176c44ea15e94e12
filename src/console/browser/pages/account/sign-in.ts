import { html } from 'htm/preact';
import { ApiProblem } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { signIn, user } from '../../app/session.ts';
import { sayProblem } from '../../app/toasts.ts';
import { TextField } from '../../components/field.ts';
import { Problem } from '../../components/notice.ts';
import { Card } from './card.ts';

/** Shown in place of any page while the session is missing, so that its address stays. */
export default function SignIn() {
  const form = useForm({ email: '', password: '' }, async ({ email, password }) => {
    await signIn(email, password);
    // Browsers keep a secure cookie from https or their own machine alone.
    if (!user.peek()) sayProblem(new ApiProblem(400, { title: t.account.cookieRefused }));
  });
  const { values, set, errorsOf } = form;
  return html`
    <${Card} title=${t.account.signIn}>
      <form onSubmit=${form.submit}>
        <${TextField}
          label=${t.account.email}
          type="email"
          autocomplete="username"
          autofocus
          required
          value=${values.email}
          errors=${errorsOf('email')}
          onInput=${(email: string) => set({ email })}
        />
        <${TextField}
          label=${t.account.password}
          type="password"
          autocomplete="current-password"
          required
          value=${values.password}
          errors=${errorsOf('password')}
          onInput=${(password: string) => set({ password })}
        />
        <${Problem} problem=${form.problem} />
        <button type="submit" class="button primary whole" disabled=${form.isSending}>${t.account.signIn}</button>
      </form>
      <p><a href="/console/forgot">${t.account.forgot}</a></p>
    <//>
  `;
}
