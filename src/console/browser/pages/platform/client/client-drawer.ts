import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Client } from '../../../../../features/clients/schema.ts';
import { act } from '../../../app/act.ts';
import { api, path } from '../../../app/api.ts';
import { useForm } from '../../../app/form.ts';
import { t } from '../../../app/language.ts';
import { say } from '../../../app/toasts.ts';
import { MandateSection } from '../../../components/clients/mandate.ts';
import { Secrets } from '../../../components/clients/secrets.ts';
import { Confirm } from '../../../components/dialog.ts';
import { EditDialog, type Edited, FormFoot } from '../../../components/edit-dialog.ts';
import { CheckField } from '../../../components/field.ts';
import { AgentPartners } from './agent-partners.ts';
import type { Scope } from './kinds.ts';
import { ScopeFields } from './scope-fields.ts';

interface Props {
  clientId: string;
  onClose: () => void;
  onChanged: () => Promise<void>;
}

/** One client: its secrets, what it may do, and for whom an agent acts. */
export function ClientDrawer({ clientId, onClose, onChanged }: Props) {
  const at = path`/manage/clients/${clientId}`;
  const [isDeleting, setDeleting] = useState(false);
  const remove = async () => {
    setDeleting(false);
    if (!(await act(() => api.remove(at), t.platform.deleted(clientId)))) return;
    onClose();
    await onChanged();
  };
  return html`
    <${EditDialog} kind="drawer" title=${clientId} at=${at} onClose=${onClose}>
      ${(edited: Edited<Client>) => html`
        <${Secrets} base=${`${at}/secrets`} />
        ${edited.data.kind === 'agent' && html`<${AgentPartners} base=${`${at}/partners`} />`}
        ${
          isBooking(edited.data) &&
          html`<${MandateSection}
          at=${`${at}/mandate`}
          hasMandate=${edited.data.hasMandate}
          onChanged=${edited.readAgain}
        />`
        }
        <${ClientForm} ...${edited} at=${at} onClose=${onClose} onChanged=${onChanged} />
        <div>
          <button type="button" class="button danger" onClick=${() => setDeleting(true)}>${t.clients.delete}</button>
        </div>
        ${
          isDeleting &&
          html`<${Confirm}
            title=${t.platform.deleteOf(clientId)}
            text=${t.clients.deleteText(clientId)}
            action=${t.platform.delete}
            onConfirm=${remove}
            onClose=${() => setDeleting(false)}
          />`
        }
      `}
    <//>
  `;
}

/** Only clients of these kinds make bookings, and can have a mandate. */
const isBooking = ({ kind }: Client) => kind === 'partner' || kind === 'agent';

interface FormProps extends Edited<Client>, Pick<Props, 'onClose' | 'onChanged'> {
  at: string;
}

function ClientForm({ data, ifMatch, readAgain, at, onClose, onChanged }: FormProps) {
  const form = useForm({ isActive: data.isActive, scopes: data.scopes as Scope[] }, async (values) => {
    await api.put(at, values, { ifMatch });
    say(t.common.saved);
    onClose();
    await onChanged();
  });
  const { values, set } = form;
  return html`
    <form onSubmit=${form.submit}>
      <h3>${t.clients.access}</h3>
      <${CheckField} label=${t.clients.isActive} isOn=${values.isActive} onChange=${(isActive: boolean) => set({ isActive })} />
      <${ScopeFields} kind=${data.kind} scopes=${values.scopes} onChange=${(scopes: Scope[]) => set({ scopes })} />
      <${FormFoot} form=${form} onClose=${onClose} readAgain=${readAgain} />
    </form>
  `;
}
