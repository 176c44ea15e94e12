import { html } from 'htm/preact';
import { chooseLanguage, LANGUAGES, type Language, language, t } from '../../app/language.ts';
import { SelectField } from '../../components/field.ts';
import { NameForm } from './name-form.ts';
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
