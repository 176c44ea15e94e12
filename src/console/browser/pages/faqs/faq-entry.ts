import { html } from 'htm/preact';
import { t } from '../../app/language.ts';
import { DragHandle } from '../../components/drag-handle.ts';
import { Icon } from '../../components/icon.ts';
import type { Faq } from './faq-keys.ts';

export interface FaqEntryProps {
  faq: Faq;
  index: number;
  count: number;
  /** False: only to be read. */
  onEdit: (() => void) | false;
  onRemove: () => void;
  onMove: (from: number, to: number) => void;
  onDrop: () => void;
}

/** As it was written: markdown is for the sites of partners. */
export const FaqEntry = ({ faq, index, count, onEdit, onRemove, onMove, onDrop }: FaqEntryProps) => html`
  <li class="entry" data-place=${index}>
    ${
      onEdit &&
      html`<${DragHandle} name=${faq.question} index=${index} count=${count} onMove=${onMove} onDrop=${onDrop} />`
    }
    <div class="entry-body">
      <h2>${faq.question}</h2>
      <p>${faq.answer}</p>
    </div>
    ${
      onEdit &&
      html`
        <div class="entry-actions">
          <button type="button" class="button quiet icon-only" aria-label=${t.faqs.edit(faq.question)} title=${t.common.edit} onClick=${onEdit}>
            <${Icon} name="edit" />
          </button>
          <button type="button" class="button quiet icon-only" aria-label=${t.faqs.remove(faq.question)} title=${t.common.remove} onClick=${onRemove}>
            <${Icon} name="trash" />
          </button>
        </div>
      `
    }
  </li>
`;
