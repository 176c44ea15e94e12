import { html } from 'htm/preact';
import type { ClientWithSecret } from '../../../../../features/clients/schema.ts';
import { api } from '../../../app/api.ts';
import { useForm } from '../../../app/form.ts';
import { t } from '../../../app/language.ts';
import { operators, partners } from '../../../app/places.ts';
import { Dialog } from '../../../components/dialog.ts';
import { FormFoot } from '../../../components/edit-dialog.ts';
import { SelectField, TextField } from '../../../components/field.ts';
import { KINDS, type Kind, SCOPES_OF, type Scope } from './kinds.ts';
import { ScopeFields } from './scope-fields.ts';

interface Props {
  onClose: () => void;
  onCreated: (client: ClientWithSecret) => Promise<void>;
}

const scopesOf = (kind: Kind): Scope[] => (kind === 'platform' ? [] : [...SCOPES_OF[kind]]);

/** Another program that may call. Its first secret is shown once it is there. */
export function NewClient({ onClose, onCreated }: Props) {
  const form = useForm(
    {
      kind: 'partner' as Kind,
      id: '',
      partnerId: String(partners.value[0]?.id ?? ''),
      operatorId: String(operators.value[0]?.id ?? ''),
      scopes: scopesOf('partner'),
    },
    async ({ kind, id, partnerId, operatorId, scopes }) =>
      onCreated(
        await api.post<ClientWithSecret>('/manage/clients', {
          kind,
          ...(id !== '' && { id }),
          ...(kind === 'partner' && { partnerId: Number(partnerId) }),
          ...(kind === 'operator' && { operatorId: Number(operatorId) }),
          ...(kind !== 'platform' && { scopes }),
        }),
      ),
  );
  const { values, set, errorsOf } = form;
  const placeField = (
    name: 'partnerId' | 'operatorId',
    label: string,
    places: readonly { id: number; name: string }[],
  ) => html`
    <${SelectField}
      label=${label}
      value=${values[name]}
      choices=${places.map((place) => ({ value: String(place.id), label: place.name }))}
      errors=${errorsOf(name)}
      onChange=${(value: string) => set({ [name]: value })}
    />
  `;
  return html`
    <${Dialog} title=${t.clients.add} onClose=${onClose}>
      <form onSubmit=${form.submit}>
        <${SelectField}
          label=${t.clients.kind}
          value=${values.kind}
          choices=${KINDS.map((value) => ({ value, label: t.clients.kinds[value] }))}
          onChange=${(kind: Kind) => set({ kind, scopes: scopesOf(kind) })}
        />
        ${values.kind === 'partner' && placeField('partnerId', t.frame.partner, partners.value)}
        ${values.kind === 'operator' && placeField('operatorId', t.frame.operator, operators.value)}
        <${TextField}
          label=${t.clients.id}
          hint=${t.clients.idHint}
          value=${values.id}
          errors=${errorsOf('id')}
          onInput=${(id: string) => set({ id })}
        />
        <${ScopeFields} kind=${values.kind} scopes=${values.scopes} onChange=${(scopes: Scope[]) => set({ scopes })} />
        <${FormFoot} form=${form} action=${t.clients.add} onClose=${onClose} />
      </form>
    <//>
  `;
}
