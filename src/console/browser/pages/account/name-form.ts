import { html } from 'htm/preact';
import { api } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { type User, user } from '../../app/session.ts';
import { say } from '../../app/toasts.ts';
import { TextField } from '../../components/field.ts';
import { Problem } from '../../components/notice.ts';

export function NameForm() {
  const form = useForm({ name: user.value?.name ?? '' }, async ({ name }) => {
    const saved = await api.put<User>('/manage/account', { name });
    const who = user.peek();
    if (who) user.value = { ...who, name: saved.name };
    say(t.common.saved);
  });
  return html`
    <form onSubmit=${form.submit}>
      <${TextField}
        label=${t.account.name}
        autocomplete="name"
        required
        value=${form.values.name}
        errors=${form.errorsOf('name')}
        onInput=${(name: string) => form.set({ name })}
      />
      <${TextField} label=${t.account.email} hint=${t.ownAccount.emailHint} readonly value=${user.value?.email ?? ''} onInput=${() => {}} />
      <${Problem} problem=${form.problem} />
      <div class="row">
        <button type="submit" class="button primary" disabled=${form.isSending || !form.isChanged}>${t.common.save}</button>
      </div>
    </form>
  `;
}
