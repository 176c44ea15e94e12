import { html } from 'htm/preact';
import { path } from '../../../app/api.ts';
import { t } from '../../../app/language.ts';
import { toggled } from '../../../app/order.ts';
import { venueId } from '../../../app/places.ts';
import { SelectField } from '../../../components/field.ts';
import type { Draft } from '../draft.ts';
import { Chips } from './chips.ts';
import type { SectionFieldsProps } from './section-props.ts';

const REQUIREMENTS: Draft['preOrderRequiredType'][] = ['none', 'package', 'menu', 'packageAndMenu'];

/** What can be ordered ahead, and whether it must be. */
export function PreorderFields({ draft, set, errorsOf, context }: SectionFieldsProps) {
  const { packages, menus } = context;
  if (packages.length + menus.length === 0) {
    return html`
      <p class="quiet">${t.products.noPreorders}</p>
      <div class="row"><a class="button small" href=${path`/console/venues/${venueId.value ?? ''}/menus`}>${t.products.toMenus}</a></div>
    `;
  }
  return html`
    <${SelectField}
      label=${t.products.preorderRule}
      value=${draft.preOrderRequiredType}
      errors=${errorsOf('preOrderRequiredType')}
      choices=${REQUIREMENTS.map((value) => ({ value, label: t.products.preorders[value] }))}
      onChange=${(rule: Draft['preOrderRequiredType']) => set({ preOrderRequiredType: rule })}
    />
    ${
      packages.length > 0 &&
      html`
        <${Chips}
          label=${t.menus.packages}
          choices=${packages.map(({ id, name }) => ({ value: id, label: name }))}
          chosen=${draft.packageIds}
          errors=${errorsOf('packageIds')}
          onToggle=${(id: number) => set({ packageIds: toggled(draft.packageIds, id) })}
        />
      `
    }
    ${
      menus.length > 0 &&
      html`
        <${Chips}
          label=${t.menus.menus}
          choices=${menus.map(({ id, name }) => ({ value: id, label: name }))}
          chosen=${draft.menuIds}
          errors=${errorsOf('menuIds')}
          onToggle=${(id: number) => set({ menuIds: toggled(draft.menuIds, id) })}
        />
      `
    }
  `;
}
