import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Layout } from '../../../../features/layout/schema.ts';
import type { ManagedSpace } from '../../../../features/layout/space-schema.ts';
import { api, path } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { say, sayProblem } from '../../app/toasts.ts';
import { Confirm } from '../../components/dialog.ts';
import { CheckField, SelectField, TextArea, TextField } from '../../components/field.ts';
import { Problem } from '../../components/notice.ts';
import { CapacityFields } from './capacity-fields.ts';
import { bodyOfSpace, NEW_SPACE, type SpaceValues, valuesOf } from './space-values.ts';
import { SpendBands } from './spend-bands.ts';

export interface SpaceFormProps {
  venueId: string;
  /** Absent: a new one. */
  space?: ManagedSpace;
  zones: Layout['zones'];
  isManager: boolean;
  onDone: () => Promise<void>;
}

const CHECKS = ['servesFood', 'under18s', 'accessibility', 'promotedEvents'] as const;

export function SpaceForm({ venueId, space, zones, isManager, onDone }: SpaceFormProps) {
  const all = path`/manage/venues/${venueId}/spaces`;
  const [isRemoving, setRemoving] = useState(false);
  const form = useForm<SpaceValues>(space ? valuesOf(space) : NEW_SPACE, async (values) => {
    const body = bodyOfSpace(values);
    if (space) {
      const { etag } = await api.getTagged<ManagedSpace>(`${all}/${space.id}`);
      await api.put(`${all}/${space.id}`, body, { ifMatch: etag });
    } else await api.post(all, body);
    say(t.common.saved);
    await onDone();
  });
  const remove = async () => {
    setRemoving(false);
    try {
      await api.remove(`${all}/${space?.id}`);
      say(t.common.removed);
      await onDone();
    } catch (error) {
      sayProblem(error);
    }
  };
  const { values, set, errorsOf } = form;
  const text = (
    field: 'name' | 'floorLocation' | 'facilities' | 'occasionTypes',
    label: string,
    hint?: string,
    error: string = field,
  ) => html`
    <${TextField} label=${label} hint=${hint} value=${values[field]} errors=${errorsOf(error)} onInput=${(value: string) => set({ [field]: value })} />
  `;
  return html`
    <form onSubmit=${form.submit}>
      <fieldset class="field-group" disabled=${!isManager}>
        ${text('name', t.common.name)} ${text('floorLocation', t.layout.where, t.layout.whereHint)}
        <${TextArea}
          label=${t.layout.description}
          value=${values.description}
          errors=${errorsOf('description')}
          onInput=${(description: string) => set({ description })}
        />
        ${
          zones.length > 0 &&
          html`<${SelectField}
            label=${t.layout.zone}
            hint=${t.layout.zoneHint}
            value=${values.zoneId}
            choices=${[{ value: '', label: t.common.none }, ...zones.map(({ id, name }) => ({ value: String(id), label: name }))]}
            onChange=${(zoneId: string) => set({ zoneId })}
          />`
        }
        <${CapacityFields} capacities=${values.capacities} onChange=${(capacities: SpaceValues['capacities']) => set({ capacities })} />
        <${SpendBands} bands=${values.minimumSpend} onChange=${(minimumSpend: SpaceValues['minimumSpend']) => set({ minimumSpend })} />
        ${text('facilities', t.layout.facilities, t.layout.commas)}
        ${text('occasionTypes', t.layout.occasions, t.layout.commas, 'policies.occasionTypes')}
        <div class="form">
          ${CHECKS.map(
            (name) =>
              html`<${CheckField} key=${name} label=${t.layout.policies[name]} isOn=${values[name]} onChange=${(isOn: boolean) => set({ [name]: isOn })} />`,
          )}
        </div>
      </fieldset>
      <${Problem} problem=${form.problem} />
      ${
        isManager &&
        html`<footer class="dialog-foot">
          ${space && html`<button type="button" class="button danger" onClick=${() => setRemoving(true)}>${t.common.remove}</button>`}
          <button type="submit" class="button primary" disabled=${form.isSending}>${space ? t.common.save : t.common.add}</button>
        </footer>`
      }
    </form>
    ${
      isRemoving &&
      html`<${Confirm}
        title=${t.layout.removeSpace(space?.name ?? '')}
        text=${t.layout.removeSpaceText}
        action=${t.common.remove}
        onConfirm=${remove}
        onClose=${() => setRemoving(false)}
      />`
    }
  `;
}
