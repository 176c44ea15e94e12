import { html } from 'htm/preact';
import type { Credentials, System } from '../../../../../features/operators/schema.ts';
import { ApiProblem, api, path } from '../../../app/api.ts';
import { useForm } from '../../../app/form.ts';
import { momentOf } from '../../../app/format.ts';
import { t } from '../../../app/language.ts';
import { useLoad } from '../../../app/load.ts';
import { say } from '../../../app/toasts.ts';
import { Dialog } from '../../../components/dialog.ts';
import { FormFoot } from '../../../components/edit-dialog.ts';
import { Loading } from '../../../components/notice.ts';
import { PairsField } from './pairs-field.ts';
import { type Pair, valuesOf } from './setting-values.ts';

interface Props {
  base: string;
  system: System;
  onClose: () => void;
  onSaved: () => Promise<void>;
}

/** What the system lets the operator in with. The values are never shown again, so all are typed anew. */
export function CredentialsDialog({ base, system, ...rest }: Props) {
  const at = `${base}${path`/${system.tms}`}/credentials`;
  const loaded = useLoad(async () => {
    if (!system.hasCredentials) return null;
    return api.get<Credentials>(at).catch((error) => {
      if (error instanceof ApiProblem && error.status === 404) return null;
      throw error;
    });
  }, [at]);
  return html`
    <${Dialog} title=${t.systemSettings.credentialsOf(system.tms)} onClose=${rest.onClose}>
      <${Loading} loaded=${loaded}>
        ${(stored: Credentials | null) => html`<${CredentialsForm} at=${at} stored=${stored} ...${rest} />`}
      <//>
    <//>
  `;
}

interface FormProps extends Pick<Props, 'onClose' | 'onSaved'> {
  at: string;
  stored: Credentials | null;
}

function CredentialsForm({ at, stored, onClose, onSaved }: FormProps) {
  const names = stored?.fieldNames ?? [''];
  const form = useForm({ pairs: names.map((name): Pair => ({ name, value: '' })) }, async ({ pairs }) => {
    const body = { fields: valuesOf(pairs, (typed) => typed) };
    await (stored ? api.put(at, body) : api.post(at, body));
    say(t.common.saved);
    onClose();
    await onSaved();
  });
  return html`
    <form onSubmit=${form.submit}>
      <p>${stored ? t.systemSettings.storedAt(momentOf(stored.updatedAt)) : t.systemSettings.credentialsText}</p>
      <${PairsField} type="password" pairs=${form.values.pairs} onChange=${(pairs: Pair[]) => form.set({ pairs })} />
      <${FormFoot} form=${form} onClose=${onClose} />
    </form>
  `;
}
