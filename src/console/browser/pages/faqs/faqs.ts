import { html } from 'htm/preact';
import { useRef } from 'preact/hooks';
import type { SiteFaqs } from '../../../../features/faqs/schema.ts';
import { path } from '../../app/api.ts';
import { sayRefusal, useDocument } from '../../app/document.ts';
import { t } from '../../app/language.ts';
import { replaced, without } from '../../app/order.ts';
import { useReorder } from '../../app/reorder.ts';
import type { PageProps } from '../../app/router.ts';
import { address, setQuery } from '../../app/router.ts';
import { may, operatorOf } from '../../app/session.ts';
import { say } from '../../app/toasts.ts';
import { Icon } from '../../components/icon.ts';
import { Empty, Loading } from '../../components/notice.ts';
import { FaqEntry } from './faq-entry.ts';
import { FaqForm } from './faq-form.ts';
import { type Faq, keysOf } from './faq-keys.ts';

const NEW = 'new';
const open = (which: string | number | null) => setQuery({ edit: which }, { replace: which === null });

/** Questions that guests ask, with answers that partners show on their sites. */
export default function Faqs({ params }: PageProps) {
  const venueId = params.venueId ?? '';
  const document = useDocument<SiteFaqs>(path`/manage/venues/${venueId}/site-faqs`);
  const faqs = document.data?.data ?? [];
  const latest = useRef(faqs);
  latest.current = faqs;
  const mayEdit = may(operatorOf(venueId), 'manager');
  const edited = mayEdit ? address.value.query.get('edit') : null;
  const save = (next: Faq[]) => document.save(next).catch(sayRefusal);
  const order = useReorder<Faq>(faqs, save);

  function remove(at: number): void {
    const gone = faqs[at];
    if (!gone) return;
    save(without(faqs, at));
    say(t.faqs.removed, () => document.save(latest.current.toSpliced(at, 0, gone)));
  }
  async function keep(at: number, faq: Faq): Promise<void> {
    await document.save(at < faqs.length ? replaced(faqs, at, faq) : [...faqs, faq]);
    open(null);
  }
  const form = (at: number, faq: Faq) => html`
    <${FaqForm} faq=${faq} onSave=${(next: Faq) => keep(at, next)} onCancel=${() => open(null)} />
  `;
  const addButton =
    mayEdit &&
    html`
    <button type="button" class="button primary" onClick=${() => open(NEW)}><${Icon} name="plus" /> ${t.faqs.add}</button>
  `;

  return html`
    <div class="page narrow">
      <header class="page-head">
        <h1>${t.pages.faqs}</h1>
        ${faqs.length > 0 && edited !== NEW && addButton}
        <p>${t.faqs.about}</p>
      </header>
      <${Loading} loaded=${document}>
        ${() => {
          if (faqs.length === 0 && edited !== NEW) {
            return html`<${Empty} title=${t.faqs.empty} text=${t.faqs.emptyText}>${addButton}<//>`;
          }
          const keys = keysOf(order.shown);
          return html`
            <ol class="entries" data-places>
              ${order.shown.map((faq, index) =>
                edited === String(index)
                  ? html`<li class="entry" key="form">${form(index, faq)}</li>`
                  : html`
                      <${FaqEntry}
                        key=${keys[index]}
                        faq=${faq}
                        index=${index}
                        count=${faqs.length}
                        onEdit=${mayEdit && (() => open(index))}
                        onRemove=${() => remove(index)}
                        onMove=${order.onMove}
                        onDrop=${order.onDrop}
                      />
                    `,
              )}
              ${edited === NEW && html`<li class="entry" key="form">${form(faqs.length, { question: '', answer: '' })}</li>`}
            </ol>
          `;
        }}
      <//>
    </div>
  `;
}
