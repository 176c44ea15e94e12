import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import { api } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { say } from '../../app/toasts.ts';
import { TextField } from '../field.ts';
import { Problem } from '../notice.ts';

interface Props {
  /** Address of the invites. */
  at: string;
  bodyOf: (email: string) => object;
  onSent: () => void;
  /** What the person is invited to. */
  children?: ComponentChildren;
}

/** Asks a person to join, by mail. */
export function InviteForm({ at, bodyOf, onSent, children }: Props) {
  const form = useForm({ email: '' }, async ({ email }) => {
    await api.post(at, bodyOf(email));
    say(t.people.invited(email));
    form.reset({ email: '' });
    onSent();
  });
  return html`
    <section class="panel">
      <h2>${t.people.invite}</h2>
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
        ${children}
        <${Problem} problem=${form.problem} />
        <div>
          <button type="submit" class="button primary" disabled=${form.isSending}>${t.people.send}</button>
        </div>
      </form>
    </section>
  `;
}
