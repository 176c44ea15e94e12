import { html } from 'htm/preact';
import { t } from '../../app/language.ts';
import { Icon } from '../../components/icon.ts';
import { TEMPLATES, type Template } from './draft.ts';

/** Where a new product begins: most of its form is filled in already. */
export const Templates = ({ onChoose }: { onChoose: (template: string) => void }) => html`
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
