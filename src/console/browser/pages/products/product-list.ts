import { html } from 'htm/preact';
import { path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { Icon } from '../../components/icon.ts';
import type { Context } from './context.ts';
import type { Product } from './draft.ts';
import { depositText, guestsText, hoursLines, ticketsText } from './summaries.ts';

export interface ProductListProps {
  venueId: string;
  context: Context;
}

function tagsOf({ isWithdrawn, house, preOrderRequiredType, paymentRules }: Product): string[] {
  return [
    ...(isWithdrawn ? [t.products.isWithdrawn] : []),
    ...(house?.isRequestOnly ? [t.products.allOnRequest] : []),
    ...(preOrderRequiredType === 'none' ? [] : [t.products.preorders[preOrderRequiredType]]),
    ...paymentRules.slice(0, 1).map(depositText),
  ];
}

const lineOf = (product: Product): string =>
  [
    ...(product.tickets ? [ticketsText(product.tickets)] : hoursLines(product)),
    ...(product.house ? [guestsText(product.house, product.effective)] : []),
  ].join(' · ');

export const ProductList = ({ venueId, context }: ProductListProps) => html`
  <ul class="entries">
    ${context.products.map((product) => {
      const category = context.categories.find(({ slug }) => slug === product.category);
      return html`
        <li key=${product.key}>
          <a class="entry" href=${path`/console/venues/${venueId}/products?product=${product.key}`}>
            <div class="entry-body">
              <h2>${product.name}</h2>
              <p class="quiet">${lineOf(product)}</p>
              <p class="row small">
                ${category && html`<span class="tag info">${category.name}</span>`}
                ${tagsOf(product).map((tag) => html`<span class="tag">${tag}</span>`)}
              </p>
            </div>
            <${Icon} name="right" />
          </a>
        </li>
      `;
    })}
  </ul>
`;
