import { html } from 'htm/preact';
import type { Association } from '../../../../../features/partners/schema.ts';
import { api, path } from '../../../app/api.ts';
import { useForm } from '../../../app/form.ts';
import { t } from '../../../app/language.ts';
import { useLoad } from '../../../app/load.ts';
import { loadAll } from '../../../app/load-all.ts';
import { type PartnerPlace, partners } from '../../../app/places.ts';
import { Dialog } from '../../../components/dialog.ts';
import { FormFoot } from '../../../components/edit-dialog.ts';
import { SelectField, TextField } from '../../../components/field.ts';
import { Loading } from '../../../components/notice.ts';

interface Props {
  operatorId: string | number;
  onClose: () => void;
  onSaved: () => Promise<void>;
}

/** Lets an operator begin to deal with a partner, under the name that its systems have for it. */
export function AssociationDialog({ operatorId, ...rest }: Props) {
  const base = path`/manage/operators/${operatorId}/partners`;
  const loaded = useLoad(async () => {
    const known = new Set((await loadAll<Association>(base)).map(({ partner }) => partner.id));
    return partners.peek().filter(({ id }) => !known.has(id));
  }, [base]);
  return html`
    <${Dialog} title=${t.associations.add} onClose=${rest.onClose}>
      <${Loading} loaded=${loaded}>
        ${(others: PartnerPlace[]) =>
          others.length === 0
            ? html`<p>${t.associations.allAdded}</p>`
            : html`<${AssociationForm} base=${base} others=${others} ...${rest} />`}
      <//>
    <//>
  `;
}

interface FormProps extends Pick<Props, 'onClose' | 'onSaved'> {
  base: string;
  others: readonly PartnerPlace[];
}

function AssociationForm({ base, others, onClose, onSaved }: FormProps) {
  const nameOf = (partnerId: string) => others.find(({ id }) => String(id) === partnerId)?.name ?? '';
  const first = String(others[0]?.id ?? '');
  const form = useForm({ partnerId: first, source: nameOf(first) }, async ({ partnerId, source }) => {
    await api.put(`${base}${path`/${partnerId}`}`, { isSuspended: false, source });
    onClose();
    await onSaved();
  });
  const { values, set } = form;
  return html`
    <form onSubmit=${form.submit}>
      <${SelectField}
        label=${t.frame.partner}
        value=${values.partnerId}
        choices=${others.map(({ id, name }) => ({ value: String(id), label: name }))}
        onChange=${(partnerId: string) => set({ partnerId, source: nameOf(partnerId) })}
      />
      <${TextField}
        label=${t.associations.source}
        hint=${t.associations.sourceHint}
        required
        value=${values.source}
        errors=${form.errorsOf('source')}
        onInput=${(source: string) => set({ source })}
      />
      <${FormFoot} form=${form} action=${t.common.add} onClose=${onClose} />
    </form>
  `;
}
