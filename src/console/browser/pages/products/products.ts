import { html } from 'htm/preact';
import { api, path, type Tagged } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { address, type PageProps, setQuery } from '../../app/router.ts';
import { may, operatorOf } from '../../app/session.ts';
import { Icon } from '../../components/icon.ts';
import { Empty, Loading } from '../../components/notice.ts';
import { type Context, readContext, systemOf } from './context.ts';
import { copyOf, draftOf, newDraft, type Product, TEMPLATES, type Template } from './draft.ts';
import { Occurrences } from './occurrences.ts';
import { ProductEditor } from './product-editor.ts';
import { ProductList } from './product-list.ts';

const isTemplate = (text: string): text is Template => Object.hasOwn(TEMPLATES, text);

/** What can be booked here: the list, or one of them in its form. */
export default function Products({ params }: PageProps) {
  const venueId = params.venueId ?? '';
  const { query } = address.value;
  const [opened, template, copied] = [query.get('product'), query.get('new'), query.get('copy')];
  const isEvent = systemOf(venueId) === 'tickets';
  const mayEdit = may(operatorOf(venueId), 'manager');
  const context = useLoad(() => readContext(venueId), [venueId]);
  const stored = useLoad(
    async (): Promise<Tagged<Product> | null> =>
      opened === null ? null : api.getTagged<Product>(path`/manage/venues/${venueId}/products/${opened}`),
    [venueId, opened],
  );
  const show = (changes: Parameters<typeof setQuery>[0]) => {
    setQuery({ product: null, new: null, copy: null, ...changes }, { replace: false });
    scrollTo(0, 0);
  };
  const done = async () => {
    await context.reload();
    show({});
  };

  function editor(all: Context) {
    const common = {
      venueId,
      context: all,
      mayEdit,
      onClose: () => show({}),
      onDone: done,
      onCopy: (product: Product) => show({ copy: product.key }),
      onReload: stored.reload,
    };
    if (opened !== null) {
      return html`
        <${Loading} loaded=${stored}>
          ${(found: Tagged<Product> | null) =>
            found?.data.key === opened &&
            html`
              <${ProductEditor}
                key=${found.etag}
                ...${common}
                start=${draftOf(found.data)}
                stored=${{ product: found.data, etag: found.etag }}
              />
            `}
        <//>
      `;
    }
    const taken = all.products.map(({ key }) => key);
    const original = all.products.find(({ key }) => key === copied);
    const name = template !== null && isTemplate(template) ? t.products.templates[template] : '';
    const start = original
      ? copyOf(original, t.products.copyOf(original.name), taken)
      : newDraft(template !== null && isTemplate(template) ? template : undefined, {
          tms: all.tms,
          name,
          categories: all.categories.map(({ slug }) => slug),
          taken,
          venueHours: all.venueHours,
        });
    return html`<${ProductEditor} key=${`${template} ${copied}`} ...${common} start=${start} />`;
  }

  const isEditing = opened !== null || (mayEdit && (template !== null || copied !== null));
  const choose = isEvent
    ? html`<div class="row"><button type="button" class="button" onClick=${() => show({ new: 'tickets' })}><${Icon} name="plus" /> ${t.products.addTicket}</button></div>`
    : html`<${Templates} onChoose=${(chosen: string) => show({ new: chosen })} />`;
  return html`
    <div class=${isEditing ? 'page' : 'page narrow'}>
      <${Loading} loaded=${context}>
        ${(all: Context) =>
          isEditing
            ? editor(all)
            : html`
              <header class="page-head">
                <h1>${isEvent ? t.products.ticketTypes : t.pages.products}</h1>
                <p>${isEvent ? t.products.aboutTickets : t.products.about}</p>
              </header>
              ${
                all.products.length === 0
                  ? html`<${Empty} title=${t.products.empty} text=${t.products.emptyText} />`
                  : html`<${ProductList} venueId=${venueId} context=${all} />`
              }
              ${mayEdit && choose}
              ${isEvent && html`<${Occurrences} venueId=${venueId} mayEdit=${mayEdit} />`}
            `}
      <//>
    </div>
  `;
}

/** Where a new product begins: most of its form is filled in already. */
const Templates = ({ onChoose }: { onChoose: (template: string) => void }) => html`
  <section class="panel">
    <h2>${t.products.add}</h2>
    <p class="quiet">${t.products.addText}</p>
    <div class="row">
      ${(Object.keys(TEMPLATES) as Template[]).map(
        (template) => html`
          <button type="button" class="button" key=${template} onClick=${() => onChoose(template)}>
            <${Icon} name="plus" size=${16} /> ${t.products.templates[template]}
          </button>
        `,
      )}
      <button type="button" class="button quiet" onClick=${() => onChoose('other')}>${t.products.blank}</button>
    </div>
  </section>
`;
