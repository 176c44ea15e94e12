import { html } from 'htm/preact';
import { money } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { DragHandle } from '../../components/drag-handle.ts';
import { Icon } from '../../components/icon.ts';
import type { ItemDraft } from './drafts.ts';
import { ItemFields } from './item-fields.ts';
import { courseName, wordName } from './words.ts';

export interface ItemEntryProps {
  item: ItemDraft;
  index: number;
  count: number;
  mayEdit: boolean;
  isOpen: boolean;
  onToggle: () => void;
  errorsOf: (field: string) => string[];
  onChange: (item: ItemDraft) => void;
  onRemove: () => void;
  onMove: (from: number, to: number) => void;
  onDrop: () => void;
}

/** A dish in a line, and its form below when it is opened. */
export function ItemEntry(props: ItemEntryProps) {
  const { item, index, count, mayEdit, isOpen, onToggle, errorsOf, onChange, onRemove, onMove, onDrop } =
    props;
  const name = item.name || t.menus.newDish;
  return html`
    <li class="entry wraps" data-place=${index}>
      ${mayEdit && html`<${DragHandle} name=${name} index=${index} count=${count} onMove=${onMove} onDrop=${onDrop} />`}
      <div class="entry-body">
        <h3>${name}</h3>
        <p class="row small">
          <span class="tag">${courseName(item.type)}</span>
          <span>${money(item.pricePence ?? 0)}</span>
          <span class="quiet">${[...item.dietTypes, ...item.allergens].map(wordName).join(', ')}</span>
          ${(item.options?.length ?? 0) > 0 && html`<span class="quiet">${t.menus.choices(item.options?.length ?? 0)}</span>`}
        </p>
      </div>
      ${
        mayEdit &&
        html`
          <div class="entry-actions">
            <button type="button" class="button quiet icon-only" aria-expanded=${String(isOpen)} aria-label=${t.menus.editDish(name)} title=${t.common.edit} onClick=${onToggle}>
              <${Icon} name=${isOpen ? 'down' : 'edit'} />
            </button>
            <button type="button" class="button quiet icon-only" aria-label=${t.menus.removeDish(name)} title=${t.common.remove} onClick=${onRemove}>
              <${Icon} name="trash" />
            </button>
          </div>
        `
      }
      ${mayEdit && isOpen && html`<${ItemFields} item=${item} errorsOf=${errorsOf} onChange=${onChange} />`}
    </li>
  `;
}
