import { html } from 'htm/preact';
import { api } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { chooseLanguage, LANGUAGES, type Language, language, t } from '../../app/language.ts';
import { type User, user } from '../../app/session.ts';
import { say } from '../../app/toasts.ts';
import { SelectField, TextField } from '../../components/field.ts';
import { Problem } from '../../components/notice.ts';
import { NotificationsForm } from './notifications-form.ts';
import { OwnRoles } from './own-roles.ts';
import { PasswordForm } from './password-form.ts';

/** The signed-in person: everything here is their own. */
export default function Account() {
  return html`
    <div class="page account-page">
      <header class="page-head"><h1>${t.pages.account}</h1></header>
      <section class="panel">
        <h2>${t.ownAccount.you}</h2>
        <${NameForm} />
      </section>
      <section class="panel">
        <h2>${t.ownAccount.roles}</h2>
        <${OwnRoles} />
      </section>
      <section class="panel">
        <h2>${t.ownAccount.mails}</h2>
        <${NotificationsForm} />
      </section>
      <section class="panel">
        <h2>${t.ownAccount.language}</h2>
        <${SelectField}
          label=${t.ownAccount.language}
          hint=${t.ownAccount.languageText}
          value=${language}
          choices=${Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
          onChange=${(chosen: string) => chooseLanguage(chosen as Language)}
        />
      </section>
      <section class="panel">
        <h2>${t.ownAccount.password}</h2>
        <${PasswordForm} />
      </section>
    </div>
  `;
}

function NameForm() {
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
