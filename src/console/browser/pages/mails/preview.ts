import { html } from 'htm/preact';
import { useMemo } from 'preact/hooks';
import type { MailPreview } from '../../../../features/notifications/schema.ts';
import { api, path } from '../../app/api.ts';
import { LANGUAGES, t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { address, setQuery } from '../../app/router.ts';
import { SelectField } from '../../components/field.ts';
import { Icon } from '../../components/icon.ts';
import { Loading } from '../../components/notice.ts';
import { KINDS, kindOf } from './kinds.ts';

export interface MailPreviewPanelProps {
  venueId: string;
  /** Changes when the settings have been saved. */
  version: string;
}

/** A mail about a booking that is made up; nothing is sent. */
export function MailPreviewPanel({ venueId, version }: MailPreviewPanelProps) {
  const { query } = address.value;
  const kind = kindOf(query.get('kind'));
  const language = query.get('language') ?? '';
  const isPlain = query.get('as') === 'text';
  const preview = useLoad(
    () => api.get<MailPreview>(path`/manage/venues/${venueId}/mails/preview`, { kind, language }),
    [venueId, kind, language, version],
  );
  const languages = [
    { value: '', label: t.mails.languageOfVenue },
    ...Object.entries(LANGUAGES).map(([value, label]) => ({ value, label })),
  ];
  return html`
    <section class="panel mail-preview" aria-label=${t.mails.preview}>
      <h2>${t.mails.preview}</h2>
      <p class="quiet small">${t.mails.previewText}</p>
      <div class="columns">
        <${SelectField}
          label=${t.mails.which}
          value=${kind}
          choices=${KINDS.map((each) => ({ value: each, label: t.mails.kinds[each] }))}
          onChange=${(next: string) => setQuery({ kind: next === 'confirmation' ? null : next })}
        />
        <${SelectField}
          label=${t.mails.language}
          value=${language}
          choices=${languages}
          onChange=${(next: string) => setQuery({ language: next || null })}
        />
      </div>
      <div class="segments" role="group" aria-label=${t.mails.form}>
        ${[false, true].map(
          (plain) => html`
            <button type="button" class="button small" aria-pressed=${String(plain === isPlain)} onClick=${() => setQuery({ as: plain ? 'text' : null })}>
              ${plain ? t.mails.asText : t.mails.asLetter}
            </button>
          `,
        )}
      </div>
      <${Loading} loaded=${preview}>
        ${(mail: MailPreview) => html`
          <article class="mail">
            <p class="mail-subject">${mail.subject}</p>
            ${isPlain ? html`<pre class="mail-text">${mail.text}</pre>` : html`<${MailBody} source=${mail.html} />`}
            ${mail.ics !== null && html`<p class="mail-attached quiet small"><${Icon} name="calendar" size=${16} /> ${t.mails.attached}</p>`}
          </article>
        `}
      <//>
    </section>
  `;
}

/**
 * A mail as mail programs show it. Its markup never becomes part of the page: it is parsed apart from it, and what is
 * shown is the text of its paragraphs, headings and rows. Styles are taken out first, since the policy of the page
 * forbids them.
 */
function MailBody({ source }: { source: string }) {
  const parts = useMemo(() => {
    const parsed = new DOMParser().parseFromString(source.replace(/ style="[^"]*"/g, ''), 'text/html');
    return [...parsed.querySelectorAll('p, h2, table')];
  }, [source]);
  return html`<div class="mail-body">${parts.map(shown)}</div>`;
}

function shown(part: Element) {
  if (part.tagName === 'H2') return html`<h3>${part.textContent}</h3>`;
  if (part.tagName === 'P') return html`<p>${textOf(part)}</p>`;
  const rows = [...part.querySelectorAll('tr')];
  return html`
    <dl>
      ${rows.map((row) => html`<div><dt>${row.querySelector('th')?.textContent}</dt><dd>${textOf(row.querySelector('td'))}</dd></div>`)}
    </dl>
  `;
}

/** Line breaks are elements there and characters here. */
const textOf = (element: Element | null) =>
  [...(element?.childNodes ?? [])].map((node) => (node.nodeName === 'BR' ? '\n' : node.textContent)).join('');
