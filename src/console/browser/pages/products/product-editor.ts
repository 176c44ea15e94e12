import { html } from 'htm/preact';
import { api, path } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { useLeaveGuard } from '../../app/leave-guard.ts';
import { say } from '../../app/toasts.ts';
import { BackLink } from '../../components/back-link.ts';
import { Problem } from '../../components/notice.ts';
import { Section } from '../../components/section.ts';
import type { Context } from './context.ts';
import { bodyOf, type Draft, isRefused, type Product } from './draft.ts';
import { withoutEmpty } from './hours.ts';
import { PartnerView } from './partner-view.ts';
import { RemoveProduct } from './remove-product.ts';
import { sectionsOf } from './sections/sections.ts';

export interface ProductEditorProps {
  venueId: string;
  /** What it begins with. */
  start: Draft;
  /** As it is stored; undefined: it is new. */
  stored: { product: Product; etag: string | null } | undefined;
  context: Context;
  mayEdit: boolean;
  onClose: () => void;
  /** Back to the list, which is read again. */
  onDone: () => Promise<void>;
  onCopy: (product: Product) => void;
  /** Another person has changed it. */
  onReload: () => void;
}

export function ProductEditor(props: ProductEditorProps) {
  const { venueId, start, stored, context, mayEdit, onClose, onDone, onCopy, onReload } = props;
  const isNew = stored === undefined;
  const form = useForm<Draft>(start, async (values) => {
    const draft = { ...values, hours: { ...values.hours, weekly: withoutEmpty(values.hours.weekly) } };
    const list = path`/manage/venues/${venueId}/products`;
    if (isNew) await api.post(list, draft);
    else await api.put(`${list}/${encodeURIComponent(draft.key)}`, bodyOf(draft), { ifMatch: stored.etag });
    say(isNew ? t.products.created(draft.name) : t.common.saved);
    await onDone();
  });
  useLeaveGuard(mayEdit && form.isChanged && !form.isSending);
  const { values: draft, set, errorsOf } = form;
  const fields = { draft, set, errorsOf, context, isNew };
  return html`
    <header class="page-head">
      <${BackLink} label=${t.pages.products} isChanged=${mayEdit && form.isChanged} onBack=${onClose} />
      <h1>${isNew ? t.products.newProduct : start.name}</h1>
      <p>${!mayEdit ? t.shop.readOnly : isNew ? t.products.newText : t.products.changeText}</p>
    </header>
    <div class="beside">
      <form onSubmit=${form.submit} novalidate>
        <fieldset class="plain-set" disabled=${!mayEdit}>
          ${sectionsOf(fields).map(
            ({ title, summary, members, isFirst, fields: body }) => html`
              <${Section}
                key=${title}
                title=${title}
                summary=${summary}
                isOpen=${isFirst}
                isWrong=${isRefused(form.problem?.errors ?? {}, members)}
              >
                ${body}
              <//>
            `,
          )}
        </fieldset>
        <${Problem} problem=${form.problem} onReload=${onReload} />
        ${
          mayEdit &&
          html`
            <div class="editor-foot">
              <button type="submit" class="button primary" disabled=${form.isSending || (!isNew && !form.isChanged)}>
                ${isNew ? t.products.create : t.common.save}
              </button>
              ${
                form.isChanged &&
                !isNew &&
                html`<button type="button" class="button quiet" onClick=${() => form.reset(start)}>${t.common.discard}</button>`
              }
              ${
                stored &&
                html`
                  <span class="row push">
                    <button type="button" class="button quiet" onClick=${() => onCopy(stored.product)}>${t.products.duplicate}</button>
                    <${RemoveProduct} venueId=${venueId} product=${stored.product} etag=${stored.etag} onDone=${onDone} />
                  </span>
                `
              }
            </div>
          `
        }
      </form>
      <${PartnerView} draft=${draft} stored=${stored?.product} context=${context} />
    </div>
  `;
}
