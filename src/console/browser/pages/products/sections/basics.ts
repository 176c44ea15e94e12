import { html } from 'htm/preact';
import { freeName } from '../../../app/data-name.ts';
import { t } from '../../../app/language.ts';
import { SelectField, TextField } from '../../../components/field.ts';
import type { SectionFieldsProps } from './section-props.ts';

export interface BasicsFieldsProps extends SectionFieldsProps {
  isNew: boolean;
}

export function BasicsFields({ draft, set, errorsOf, context, isNew }: BasicsFieldsProps) {
  const taken = context.products.map(({ key }) => key);
  const categories = [
    { value: '', label: t.common.none },
    ...context.categories.map(({ slug, name }) => ({ value: slug, label: name })),
  ];
  /** The key follows the name until it has been written by hand. */
  const rename = (name: string) => {
    const isOwn = draft.key !== freeName(draft.name, taken);
    set(isNew && !isOwn ? { name, key: freeName(name, taken) } : { name });
  };
  return html`
    <div class="columns">
      <${TextField} label=${t.common.name} hint=${t.products.nameHint} maxlength="200" value=${draft.name} errors=${errorsOf('name')} onInput=${rename} />
      <${SelectField} label=${t.products.category} hint=${t.products.categoryHint} value=${draft.category ?? ''} choices=${categories} errors=${errorsOf('category')} onChange=${(slug: string) => set({ category: slug || null })} />
    </div>
    <details class="more">
      <summary>${t.products.moreNames}</summary>
      <div class="columns">
        <${TextField} label=${t.products.key} hint=${isNew ? t.products.keyHint : t.products.keyFixed} readonly=${!isNew} value=${draft.key} errors=${errorsOf('key')} onInput=${(key: string) => set({ key })} />
        <${TextField} label=${t.menus.slug} hint=${t.products.slugHint} value=${draft.slug} errors=${errorsOf('slug')} onInput=${(slug: string) => set({ slug: slug || null })} />
      </div>
    </details>
  `;
}
