import { html } from 'htm/preact';
import { t } from '../../app/language.ts';
import { KINDS } from './kinds.ts';

/** Which mail a guest gets, and when. */
export const MailTimes = ({ reminderHours }: { reminderHours: number | null }) => html`
  <section class="panel">
    <h2>${t.mails.when}</h2>
    <p>${t.mails.whoGetsThem}</p>
    <dl class="shop-facts">
      ${KINDS.map(
        (kind) => html`
          <div>
            <dt>${t.mails.kinds[kind]}</dt>
            <dd>${kind === 'reminder' ? t.mails.whenReminded(reminderHours) : t.mails.sentWhen[kind]}</dd>
          </div>
        `,
      )}
    </dl>
    <p class="quiet small">${t.mails.notTold}</p>
  </section>
`;
