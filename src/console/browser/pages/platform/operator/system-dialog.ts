import { html } from 'htm/preact';
import type { PlatformHealth } from '../../../../../features/health/schema.ts';
import type { System } from '../../../../../features/operators/schema.ts';
import { api, path } from '../../../app/api.ts';
import { useForm } from '../../../app/form.ts';
import { t } from '../../../app/language.ts';
import { useLoad } from '../../../app/load.ts';
import { Dialog } from '../../../components/dialog.ts';
import { FormFoot } from '../../../components/edit-dialog.ts';
import { TextField } from '../../../components/field.ts';
import { PairsField } from './pairs-field.ts';
import { type Pair, pairsOf, readSetting, valuesOf } from './setting-values.ts';

interface Props {
  base: string;
  /** Absent: another system is added. */
  system?: System;
  onClose: () => void;
  onSaved: () => Promise<void>;
}

/** Lets the operator use a system, or changes what the system has to know about it. */
export function SystemDialog({ base, system, onClose, onSaved }: Props) {
  const known = useLoad(() => api.get<PlatformHealth>('/manage/health'), []);
  const form = useForm(
    { tms: system?.tms ?? '', pairs: pairsOf(system?.settings ?? {}) },
    async ({ tms, pairs }) => {
      await api.put(`${base}${path`/${tms}`}`, { settings: valuesOf(pairs, readSetting) });
      onClose();
      await onSaved();
    },
  );
  const { values, set } = form;
  return html`
    <${Dialog} title=${system ? t.systemSettings.settingsOf(system.tms) : t.systemSettings.add} onClose=${onClose}>
      <form onSubmit=${form.submit}>
        ${
          !system &&
          html`<${TextField}
              label=${t.systemSettings.system}
              hint=${t.systemSettings.systemHint}
              required
              list="known-systems"
              value=${values.tms}
              onInput=${(tms: string) => set({ tms })}
            />
            <datalist id="known-systems">
              ${known.data?.systems.map(({ tms }) => html`<option key=${tms} value=${tms} />`)}
            </datalist>`
        }
        <fieldset class="plain form">
          <legend>${t.systemSettings.settings}</legend>
          <p class="small quiet">${t.systemSettings.settingsHint}</p>
          <${PairsField} pairs=${values.pairs} onChange=${(pairs: Pair[]) => set({ pairs })} />
        </fieldset>
        <${FormFoot} form=${form} onClose=${onClose} />
      </form>
    <//>
  `;
}
