import { html } from 'htm/preact';
import { t } from '../../app/language.ts';
import type { Diary } from './evening.ts';

/** The diary with the bookings of one product: dinner without the private room. */
export function onlyProduct(diary: Diary, productId: string | null): Diary {
  if (productId === null) return diary;
  const isOfProduct = ({ product }: Diary['bookings'][number]) => product.id === productId;
  return {
    ...diary,
    bookings: diary.bookings.filter(isOfProduct),
    enquiries: diary.enquiries.filter(isOfProduct),
  };
}

interface ProductFilterProps {
  diary: Diary | undefined;
  chosen: string | null;
  onChoose: (productId: string | null) => void;
}

/** Shown where the day has bookings of several products. */
export function ProductFilter({ diary, chosen, onChoose }: ProductFilterProps) {
  const all = [...(diary?.bookings ?? []), ...(diary?.enquiries ?? [])];
  const products = new Map(all.map(({ product }) => [product.id, product.name]));
  if (products.size < 2 && chosen === null) return null;
  return html`
    <select
      aria-label=${t.tonight.product}
      value=${chosen ?? ''}
      onChange=${(event: Event) => onChoose((event.currentTarget as HTMLSelectElement).value || null)}
    >
      <option value="" selected=${chosen === null}>${t.tonight.allProducts}</option>
      ${[...products].map(([id, name]) => html`<option key=${id} value=${id} selected=${id === chosen}>${name}</option>`)}
    </select>
  `;
}
