import { html } from 'htm/preact';
import type { Mapping, MappingChange } from '../../../../../features/partners/schema.ts';
import type { ManagedProduct } from '../../../../../features/venues/manage/product-schema.ts';
import { act } from '../../../app/act.ts';
import { api } from '../../../app/api.ts';
import { useForm } from '../../../app/form.ts';
import { t } from '../../../app/language.ts';
import { say } from '../../../app/toasts.ts';
import { FormFoot } from '../../../components/edit-dialog.ts';
import { CheckField, SelectField, TextArea, TextField } from '../../../components/field.ts';
import { changeOf, formOf } from './mapping-values.ts';

interface Props {
  at: string;
  mapping: Mapping | null;
  ifMatch: string | null;
  products: readonly ManagedProduct[];
  partner: string;
  venueName: string;
  readAgain: () => void;
  onClose: () => void;
  onChanged: () => Promise<void>;
}

/** The terms of a mapping. A new one begins with all products. */
export function MappingForm({
  at,
  mapping,
  ifMatch,
  products,
  partner,
  venueName,
  readAgain,
  onClose,
  onChanged,
}: Props) {
  const keys = products.map(({ key }) => key);
  const form = useForm(formOf(mapping, keys), async (values) => {
    await api.put(at, changeOf(values), { ifMatch });
    say(mapping ? t.common.saved : t.mappings.mapped(venueName, partner));
    onClose();
    await onChanged();
  });
  const remove = async () => {
    if (!mapping) return;
    const { company, maxPartySize, isRequestOnly, guestMails, deposit, productKeys } = mapping;
    const before: MappingChange = { company, maxPartySize, isRequestOnly, guestMails, deposit, productKeys };
    const undo = async () => {
      await api.put(at, before);
      await onChanged();
    };
    onClose();
    await act(() => api.remove(at, { ifMatch }), t.mappings.removed(venueName, partner), undo);
    await onChanged();
  };
  const { values, set, errorsOf } = form;
  const toggle = (key: string, isOn: boolean) =>
    set({ productKeys: keys.filter((each) => (each === key ? isOn : values.productKeys.includes(each))) });
  return html`
    <form onSubmit=${form.submit}>
      <fieldset class="plain">
        <legend>${t.mappings.productsLegend}</legend>
        ${products.length === 0 && html`<p class="quiet">${t.mappings.noProducts}</p>`}
        ${products.map(
          ({ key, name }) => html`
            <${CheckField} key=${key} label=${name} isOn=${values.productKeys.includes(key)} onChange=${(isOn: boolean) => toggle(key, isOn)} />
          `,
        )}
        ${
          products.length > 1 &&
          html`<div class="row">
            <button type="button" class="button small" onClick=${() => set({ productKeys: keys })}>${t.common.all}</button>
            <button type="button" class="button small" onClick=${() => set({ productKeys: [] })}>${t.common.none}</button>
          </div>`
        }
      </fieldset>
      <${TextField}
        label=${t.mappings.maxPartySize}
        hint=${t.mappings.maxPartySizeHint}
        type="number"
        min="1"
        value=${values.maxPartySize}
        errors=${errorsOf('maxPartySize')}
        onInput=${(maxPartySize: string) => set({ maxPartySize })}
      />
      <${CheckField} label=${t.mappings.isRequestOnly} isOn=${values.isRequestOnly} onChange=${(isRequestOnly: boolean) => set({ isRequestOnly })} />
      <${SelectField}
        label=${t.mappings.guestMails}
        value=${values.guestMails}
        choices=${Object.entries(t.mappings.guestMailsBy).map(([value, label]) => ({ value, label }))}
        onChange=${(guestMails: Mapping['guestMails']) => set({ guestMails })}
      />
      <${SelectField}
        label=${t.mappings.deposit}
        value=${values.deposit}
        choices=${Object.entries(t.mappings.deposits).map(([value, label]) => ({ value, label }))}
        onChange=${(deposit: Mapping['deposit']) => set({ deposit })}
      />
      <${SelectField}
        label=${t.mappings.company}
        value=${values.mode}
        choices=${Object.entries(t.mappings.companyModes).map(([value, label]) => ({ value, label }))}
        errors=${errorsOf('company.mode')}
        onChange=${(mode: Mapping['company']['mode']) => set({ mode })}
      />
      ${
        values.mode !== 'none' &&
        html`<${TextArea}
          label=${values.mode === 'single' ? t.mappings.companyName : t.mappings.companyNames}
          hint=${values.mode === 'list' ? t.mappings.companyNamesHint : undefined}
          rows=${values.mode === 'single' ? 1 : 6}
          value=${values.names}
          errors=${errorsOf('company.names')}
          onInput=${(names: string) => set({ names })}
        />`
      }
      ${
        mapping &&
        html`<div>
          <button type="button" class="button danger" onClick=${remove}>${t.mappings.remove}</button>
        </div>`
      }
      <${FormFoot} form=${form} action=${mapping ? t.common.save : t.mappings.map} onClose=${onClose} readAgain=${readAgain} />
    </form>
  `;
}
