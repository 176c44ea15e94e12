import { html } from 'htm/preact';
import type { Credentials, System } from '../../../../features/systems/schema.ts';
import { ApiProblem, api } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { momentOf } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { say, sayProblem } from '../../app/toasts.ts';
import { Dialog } from '../../components/dialog.ts';
import { Loading, Problem } from '../../components/notice.ts';
import { objectOf, type Pair, Pairs } from './pairs.ts';

export interface CredentialsDialogProps {
  /** Of the system. */
  at: string;
  system: System;
  onClose: () => void;
  onSaved: () => Promise<void>;
}

/** What a system lets the operator in with. The values are sent and never shown again. */
export function CredentialsDialog({ at, system, onClose, onSaved }: CredentialsDialogProps) {
  const address = `${at}/credentials`;
  const loaded = useLoad(async () => {
    try {
      return await api.getTagged<Credentials>(address);
    } catch (error) {
      if (error instanceof ApiProblem && error.code === 'OPRTR-N-008') return { data: null, etag: null };
      throw error;
    }
  }, [address]);
  const stored = loaded.data?.data;
  const form = useForm<{ pairs: Pair[] }>({ pairs: [['', '']] }, async ({ pairs }) => {
    const body = { fields: objectOf(pairs) };
    if (stored) await api.put(address, body, { ifMatch: loaded.data?.etag });
    else await api.post(address, body);
    say(t.common.saved);
    await onSaved();
  });
  const remove = async () => {
    try {
      await api.remove(address, { ifMatch: loaded.data?.etag });
      say(t.common.removed);
      await onSaved();
    } catch (error) {
      sayProblem(error);
    }
  };
  return html`
    <${Dialog} title=${t.systems.credentialsOf(system.tms)} onClose=${onClose}>
      <${Loading} loaded=${loaded}>
        ${({ data }: { data: Credentials | null }) => html`
          <p>
            ${data ? t.systems.storedSince(data.fieldNames.join(', '), momentOf(data.updatedAt)) : t.systems.notStored}
          </p>
          <form onSubmit=${form.submit}>
            <p class="small quiet">${t.systems.allAtOnce}</p>
            <${Pairs} isSecret pairs=${form.values.pairs} onChange=${(pairs: Pair[]) => form.set({ pairs })} />
            <${Problem} problem=${form.problem} />
            <footer class="dialog-foot">
              ${
                data &&
                html`<button type="button" class="button danger" onClick=${remove}>${t.systems.removeCredentials}</button>`
              }
              <button type="submit" class="button primary" disabled=${form.isSending}>${t.common.save}</button>
            </footer>
          </form>
        `}
      <//>
    <//>
  `;
}
