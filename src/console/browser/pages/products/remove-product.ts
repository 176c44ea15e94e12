import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { api, path } from '../../app/api.ts';
import { sayRefusal } from '../../app/document.ts';
import { t } from '../../app/language.ts';
import { say } from '../../app/toasts.ts';
import { Confirm } from '../../components/dialog.ts';
import { Icon } from '../../components/icon.ts';
import type { Product } from './draft.ts';

export interface RemoveProductProps {
  venueId: string;
  product: Product;
  etag: string | null;
  onDone: () => Promise<void>;
}

/** Asks first: what partners and rules say about it goes with it. */
export function RemoveProduct({ venueId, product, etag, onDone }: RemoveProductProps) {
  const [isAsked, setAsked] = useState(false);
  async function remove(): Promise<void> {
    setAsked(false);
    try {
      await api.remove(path`/manage/venues/${venueId}/products/${product.key}`, { ifMatch: etag });
      say(t.common.removed);
      await onDone();
    } catch (error) {
      sayRefusal(error);
    }
  }
  return html`
    <button type="button" class="button danger" onClick=${() => setAsked(true)}><${Icon} name="trash" /> ${t.common.remove}</button>
    ${
      isAsked &&
      html`
        <${Confirm}
          title=${t.menus.removeTitle(product.name)}
          text=${t.products.removeText}
          action=${t.common.remove}
          onConfirm=${remove}
          onClose=${() => setAsked(false)}
        />
      `
    }
  `;
}
