import { html } from 'htm/preact';
import type { ManagedPackage } from '../../../../features/venues/preorders/schema.ts';
import { api, path, type Tagged } from '../../app/api.ts';
import { useFocusFirst } from '../../app/focus.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { say } from '../../app/toasts.ts';
import { MoneyField } from '../../components/amount-field.ts';
import { Dialog } from '../../components/dialog.ts';
import { SelectField, TextArea, TextField } from '../../components/field.ts';
import { Loading, Problem } from '../../components/notice.ts';
import { draftOfPackage, newPackage, type PackageDraft, type Using } from './drafts.ts';
import { RemovePreorder } from './remove-preorder.ts';

export interface PackageFormProps {
  venueId: string;
  /** `new`, or its id. */
  packageId: string;
  users: readonly Using[];
  mayEdit: boolean;
  onClose: () => void;
  onDone: () => Promise<void>;
}

export function PackageForm(props: PackageFormProps) {
  const { venueId, packageId, onClose } = props;
  const isNew = packageId === 'new';
  const at = path`/manage/venues/${venueId}/packages/${packageId}`;
  const loaded = useLoad(async (): Promise<Tagged<PackageDraft>> => {
    if (isNew) return { data: newPackage(), etag: null };
    const { data, etag } = await api.getTagged<ManagedPackage>(at);
    return { data: draftOfPackage(data), etag };
  }, [at]);
  return html`
    <${Dialog} kind="drawer" title=${isNew ? t.menus.newPackage : t.menus.package} onClose=${onClose}>
      <${Loading} loaded=${loaded}>
        ${({ data, etag }: Tagged<PackageDraft>) => html`<${Fields} ...${props} isNew=${isNew} draft=${data} etag=${etag} at=${at} key=${etag} onReload=${loaded.reload} />`}
      <//>
    <//>
  `;
}

interface FieldsProps extends PackageFormProps {
  isNew: boolean;
  draft: PackageDraft;
  etag: string | null;
  at: string;
  onReload: () => void;
}

function Fields({ venueId, users, mayEdit, onDone, isNew, draft, etag, at, onReload }: FieldsProps) {
  const form = useForm<PackageDraft>(draft, async (values) => {
    if (isNew) await api.post(path`/manage/venues/${venueId}/packages`, values);
    else await api.put(at, values, { ifMatch: etag });
    say(t.common.saved);
    await onDone();
  });
  const { values, set, errorsOf } = form;
  const element = useFocusFirst<HTMLFormElement>();
  return html`
    <form ref=${element} onSubmit=${form.submit}>
      <fieldset class="plain-set" disabled=${!mayEdit}>
        <${TextField}
          label=${t.common.name}
          required
          value=${values.name}
          errors=${errorsOf('name')}
          onInput=${(name: string) => set({ name })}
        />
        <${TextArea}
          label=${t.menus.description}
          hint=${t.menus.descriptionHint}
          value=${values.description}
          errors=${errorsOf('description')}
          onInput=${(description: string) => set({ description: description || null })}
        />
        <div class="columns">
          <${MoneyField}
            label=${t.menus.price}
            required
            value=${values.pricePence}
            errors=${errorsOf('pricePence')}
            onInput=${(pricePence: number) => set({ pricePence })}
          />
          <${SelectField}
            label=${t.menus.per}
            value=${values.pricePer}
            choices=${[
              { value: 'guest', label: t.menus.perGuest },
              { value: 'booking', label: t.menus.perBooking },
            ]}
            onChange=${(pricePer: PackageDraft['pricePer']) => set({ pricePer })}
          />
        </div>
        <${TextField}
          label=${t.menus.slug}
          hint=${t.menus.slugHint}
          value=${values.slug}
          errors=${errorsOf('slug')}
          onInput=${(slug: string) => set({ slug: slug || null })}
        />
      </fieldset>
      <${Problem} problem=${form.problem} onReload=${onReload} />
      ${
        mayEdit &&
        html`
          <div class="row">
            <button type="submit" class="button primary" disabled=${form.isSending}>${t.common.save}</button>
            ${!isNew && html`<${RemovePreorder} name=${draft.name} at=${at} etag=${etag} users=${users} onDone=${onDone} />`}
          </div>
        `
      }
    </form>
  `;
}
