import { html } from 'htm/preact';
import type { AccountForm, System } from '../../../../features/systems/schema.ts';
import { api } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { type FieldValue, fieldsOf, objectIn, type SchemaField } from '../../app/schema-form.ts';
import { say } from '../../app/toasts.ts';
import { Dialog } from '../../components/dialog.ts';
import { Loading, Problem } from '../../components/notice.ts';
import { SchemaFields } from '../../components/schema-fields.ts';
import { objectOf, type Pair, Pairs } from './pairs.ts';

export interface SettingsDialogProps {
  /** Of the system. */
  at: string;
  name: string;
  onClose: () => void;
  onSaved: () => Promise<void>;
}

interface Found {
  fields: SchemaField[] | null;
  system: System;
  etag: string | null;
}

/** What a system has to know about the operator besides credentials. */
export function SettingsDialog({ at, name, onClose, onSaved }: SettingsDialogProps) {
  const loaded = useLoad(async (): Promise<Found> => {
    const [form, { data, etag }] = await Promise.all([
      api.get<AccountForm>(`${at}/form`),
      api.getTagged<System>(at),
    ]);
    return { fields: form.settings && fieldsOf(form.settings), system: data, etag };
  }, [at]);
  return html`
    <${Dialog} title=${t.systems.settingsOf(name)} onClose=${onClose}>
      <${Loading} loaded=${loaded}>
        ${(found: Found) => html`<${SettingsForm} at=${at} found=${found} onSaved=${onSaved} />`}
      <//>
    <//>
  `;
}

function SettingsForm({ at, found, onSaved }: { at: string; found: Found; onSaved: () => Promise<void> }) {
  const { fields, system, etag } = found;
  const pairs = Object.entries(system.settings).map(([key, value]): Pair => [key, String(value)]);
  const form = useForm({ settings: { ...system.settings }, pairs }, async (typed) => {
    const settings = fields ? objectIn(fields, typed.settings) : objectOf(typed.pairs);
    await api.put(at, { settings }, { ifMatch: etag });
    say(t.common.saved);
    await onSaved();
  });
  return html`
    <form onSubmit=${form.submit}>
      ${
        fields
          ? html`<${SchemaFields}
              fields=${fields}
              values=${form.values.settings}
              errorsOf=${(field: string) => form.errorsOf(`settings.${field}`)}
              onChange=${(settings: Record<string, FieldValue>) => form.set({ settings })}
            />`
          : html`<${Pairs} pairs=${form.values.pairs} onChange=${(next: Pair[]) => form.set({ pairs: next })} />`
      }
      ${fields?.length === 0 && html`<p>${t.systems.noSettings}</p>`}
      <${Problem} problem=${form.problem} />
      <footer class="dialog-foot">
        <button type="submit" class="button primary" disabled=${form.isSending}>${t.common.save}</button>
      </footer>
    </form>
  `;
}
