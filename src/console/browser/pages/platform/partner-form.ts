import { html } from 'htm/preact';
import type { Partner } from '../../../../features/partners/schema.ts';
import { api, path } from '../../app/api.ts';
import { dataName } from '../../app/data-name.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { say } from '../../app/toasts.ts';
import { type Edited, FormFoot } from '../../components/edit-dialog.ts';
import { CheckField, TextField } from '../../components/field.ts';

interface Props extends Partial<Edited<Partner>> {
  onClose: () => void;
  onSaved: () => Promise<void>;
}

/** The refusal of a name that is almost that of another partner. */
const SIMILAR_NAME = 'PMAP-N-014';

/** A new partner, or another name, reference or kind of one. */
export function PartnerForm({ data, ifMatch, readAgain, onClose, onSaved }: Props) {
  const form = useForm(
    {
      name: data?.name ?? '',
      reference: data?.reference ?? '',
      isMarketplace: data?.isMarketplace ?? false,
      allowSimilarName: false,
    },
    async (values) => {
      const body = { ...values, reference: values.reference || dataName(values.name) };
      await (data
        ? api.put(path`/manage/partners/${data.id}`, body, { ifMatch })
        : api.post('/manage/partners', body));
      say(t.common.saved);
      await onSaved();
    },
  );
  const { values, set, errorsOf } = form;
  return html`
    <form onSubmit=${form.submit}>
      <${TextField} label=${t.common.name} required value=${values.name} errors=${errorsOf('name')} onInput=${(name: string) => set({ name })} />
      <${TextField}
        label=${t.partnersAll.referenceLabel}
        hint=${t.partnersAll.referenceHint}
        placeholder=${dataName(values.name)}
        value=${values.reference}
        errors=${errorsOf('reference')}
        onInput=${(reference: string) => set({ reference })}
      />
      <${CheckField}
        label=${t.partnersAll.isMarketplace}
        isOn=${values.isMarketplace}
        onChange=${(isMarketplace: boolean) => set({ isMarketplace })}
      />
      ${
        (form.problem?.code === SIMILAR_NAME || values.allowSimilarName) &&
        html`<${CheckField}
          label=${t.partnersAll.allowSimilarName}
          isOn=${values.allowSimilarName}
          onChange=${(allowSimilarName: boolean) => set({ allowSimilarName })}
        />`
      }
      <${FormFoot} form=${form} onClose=${onClose} readAgain=${readAgain} />
    </form>
  `;
}
