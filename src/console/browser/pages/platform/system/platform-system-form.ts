import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { PlatformSystem, Protocol } from '../../../../../features/systems/schema.ts';
import { api, path } from '../../../app/api.ts';
import { useForm } from '../../../app/form.ts';
import { t } from '../../../app/language.ts';
import { useLoad } from '../../../app/load.ts';
import { type FieldValue, fieldsOf, objectIn } from '../../../app/schema-form.ts';
import { say, sayProblem } from '../../../app/toasts.ts';
import { Confirm } from '../../../components/dialog.ts';
import { SelectField, TextField } from '../../../components/field.ts';
import { Problem } from '../../../components/notice.ts';
import { SchemaFields } from '../../../components/schema-fields.ts';

export interface PlatformSystemFormProps {
  /** Absent: it is added. */
  system?: PlatformSystem;
  protocols: readonly Protocol[];
  onSaved: () => Promise<void>;
}

type LimitName = keyof typeof t.platformSystems.limitNames;

const LIMITS: readonly LimitName[] = ['readTimeoutMs', 'writeTimeoutMs', 'maxConcurrent', 'maxQueued'];

interface Typed {
  slug: string;
  name: string;
  protocol: string;
  settings: Record<string, FieldValue>;
  limits: Partial<Record<LimitName, string>>;
}

/** A system with its protocol, the settings that the protocol wants, and its limits. */
export function PlatformSystemForm({ system, protocols, onSaved }: PlatformSystemFormProps) {
  const [isAsking, setAsking] = useState(false);
  const at = (slug: string) => path`/manage/systems/${slug}`;
  const tagged = useLoad(
    async () => (system ? (await api.getTagged<PlatformSystem>(at(system.slug))).etag : null),
    [],
  );
  const fieldsFor = (name: string) => {
    const protocol = protocols.find((each) => each.name === name);
    return protocol ? fieldsOf(protocol.settings) : [];
  };
  const form = useForm<Typed>(startOf(system, protocols), async (typed) => {
    const { slug, name, protocol, settings } = typed;
    const body = {
      protocol,
      name,
      settings: objectIn(fieldsFor(protocol), settings),
      limits: limitsIn(typed),
    };
    const ifMatch = tagged.data;
    await api.put(at(slug.trim()), body, ifMatch ? { ifMatch } : {});
    say(t.common.saved);
    await onSaved();
  });
  const remove = async () => {
    setAsking(false);
    try {
      await api.remove(at(form.values.slug));
      say(t.common.removed);
      await onSaved();
    } catch (error) {
      sayProblem(error);
    }
  };
  const { values, set, errorsOf } = form;
  return html`
    <form onSubmit=${form.submit}>
      <${TextField} label=${t.common.name} required value=${values.name} errors=${errorsOf('name')} onInput=${(name: string) => set({ name })} />
      <${TextField}
        label=${t.platformSystems.slug}
        hint=${t.platformSystems.slugHint}
        required
        disabled=${system !== undefined}
        value=${values.slug}
        errors=${errorsOf('slug')}
        onInput=${(slug: string) => set({ slug })}
      />
      <${SelectField}
        label=${t.platformSystems.protocol}
        required
        value=${values.protocol}
        errors=${errorsOf('protocol')}
        choices=${protocols.map(({ name }) => ({ value: name, label: name }))}
        onChange=${(protocol: string) => set({ protocol, settings: {} })}
      />
      <fieldset class="plain form">
        <legend>${t.platformSystems.settings}</legend>
        <${SchemaFields}
          fields=${fieldsFor(values.protocol)}
          values=${values.settings}
          errorsOf=${(name: string) => errorsOf(`settings.${name}`)}
          onChange=${(settings: Record<string, FieldValue>) => set({ settings })}
        />
      </fieldset>
      <details>
        <summary>${t.platformSystems.limits}</summary>
        <div class="form">
          ${LIMITS.map(
            (name) => html`<${TextField}
              key=${name}
              label=${t.platformSystems.limitNames[name]}
              inputmode="numeric"
              value=${values.limits[name] ?? ''}
              errors=${errorsOf(`limits.${name}`)}
              onInput=${(value: string) => set({ limits: { ...values.limits, [name]: value } })}
            />`,
          )}
        </div>
      </details>
      <${Problem} problem=${form.problem} />
      <footer class="dialog-foot">
        ${
          system &&
          html`<button type="button" class="button danger" onClick=${() => setAsking(true)}>${t.platformSystems.delete}</button>`
        }
        <button type="submit" class="button primary" disabled=${form.isSending || tagged.isLoading}>${t.common.save}</button>
      </footer>
    </form>
    ${
      isAsking &&
      html`<${Confirm}
        title=${t.platformSystems.delete}
        text=${t.platformSystems.deleteText(values.name)}
        action=${t.platformSystems.delete}
        onConfirm=${remove}
        onClose=${() => setAsking(false)}
      />`
    }
  `;
}

function startOf(system: PlatformSystem | undefined, protocols: readonly Protocol[]): Typed {
  if (!system) return { slug: '', name: '', protocol: protocols[0]?.name ?? '', settings: {}, limits: {} };
  const limits = Object.fromEntries(LIMITS.map((name) => [name, String(system.limits[name])]));
  return { ...system, settings: { ...system.settings }, limits };
}

/** What is empty is as usual; what is no number is refused by the service. */
const limitsIn = ({ limits }: Typed) =>
  Object.fromEntries(
    Object.entries(limits)
      .filter(([, value]) => value.trim() !== '')
      .map(([name, value]) => [name, Number.isFinite(Number(value)) ? Number(value) : value]),
  );
