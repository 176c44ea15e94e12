import { html } from 'htm/preact';
import type { PartnerCategory } from '../../../../features/partners/schema.ts';
import { api, path } from '../../app/api.ts';
import { dataName } from '../../app/data-name.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { say } from '../../app/toasts.ts';
import { Dialog } from '../../components/dialog.ts';
import { CheckField, TextField } from '../../components/field.ts';
import { Problem } from '../../components/notice.ts';

export interface PartnerName {
  id: number;
  name: string;
}

export interface CategoryFormProps {
  at: string;
  partners: readonly PartnerName[];
  /** Absent: a new one. */
  category?: PartnerCategory;
  etag?: string | null;
  onClose: () => void;
  onSaved: () => Promise<void>;
}

/** The name of a category and who is in it. */
export function CategoryForm({ at, partners, category, etag, onClose, onSaved }: CategoryFormProps) {
  const form = useForm(
    { name: category?.name ?? '', slug: category?.slug ?? '', partnerIds: category?.partnerIds ?? [] },
    async ({ name, slug, partnerIds }) => {
      const body = { name, slug: slug || dataName(name), partnerIds };
      if (category) await api.put(`${at}${path`/${category.id}`}`, body, { ifMatch: etag });
      else await api.post(at, body);
      say(t.common.saved);
      await onSaved();
    },
  );
  const { values, set } = form;
  return html`
    <${Dialog} title=${category?.name ?? t.operatorPartners.addCategory} onClose=${onClose}>
      <form onSubmit=${form.submit}>
        <${TextField}
          label=${t.common.name}
          required
          value=${values.name}
          errors=${form.errorsOf('name')}
          onInput=${(name: string) => set({ name })}
        />
        <${TextField}
          label=${t.operatorPartners.slug}
          hint=${t.operatorPartners.slugHint}
          placeholder=${dataName(values.name)}
          value=${values.slug}
          errors=${form.errorsOf('slug')}
          onInput=${(slug: string) => set({ slug })}
        />
        <fieldset class="plain">
          <legend>${t.pages.partners}</legend>
          ${partners.map(
            ({ id, name }) => html`<${CheckField}
              key=${id}
              label=${name}
              isOn=${values.partnerIds.includes(id)}
              onChange=${(isOn: boolean) =>
                set({
                  partnerIds: isOn
                    ? [...values.partnerIds, id]
                    : values.partnerIds.filter((each) => each !== id),
                })}
            />`,
          )}
        </fieldset>
        <${Problem} problem=${form.problem} />
        <footer class="dialog-foot">
          <button type="button" class="button" onClick=${onClose}>${t.common.cancel}</button>
          <button type="submit" class="button primary" disabled=${form.isSending}>${t.common.save}</button>
        </footer>
      </form>
    <//>
  `;
}
