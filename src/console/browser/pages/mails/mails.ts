import { html } from 'htm/preact';
import { path } from '../../app/api.ts';
import { useDocument } from '../../app/document.ts';
import { t } from '../../app/language.ts';
import type { PageProps } from '../../app/router.ts';
import { Loading } from '../../components/notice.ts';
import { KINDS } from './kinds.ts';
import { MailPreviewPanel } from './preview.ts';
import { MailSettingsForm, type Settings } from './settings-form.ts';

/** What guests are written by the venue itself. */
export default function Mails({ params }: PageProps) {
  const venueId = params.venueId ?? '';
  const settings = useDocument<Settings>(path`/manage/venues/${venueId}/mails`);
  return html`
    <div class="page">
      <header class="page-head">
        <h1>${t.pages.mails}</h1>
        <p>${t.mails.about}</p>
      </header>
      <div class="shop-halves">
        <div class="shop-stack">
          <${Loading} loaded=${settings}>
            ${(stored: { data: Settings; etag: string | null }) =>
              html`<${MailSettingsForm} key=${stored.etag} settings=${stored.data} onSave=${settings.save} />`}
          <//>
          <${MailTimes} reminderHours=${settings.data?.data.reminderHours ?? null} />
        </div>
        <${MailPreviewPanel} venueId=${venueId} version=${settings.data?.etag ?? ''} />
      </div>
    </div>
  `;
}

/** Which mail a guest gets, and when. */
const MailTimes = ({ reminderHours }: { reminderHours: number | null }) => html`
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
