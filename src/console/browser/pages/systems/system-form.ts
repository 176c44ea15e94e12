import { html } from 'htm/preact';
import type { Protocol, SystemOverview } from '../../../../features/systems/schema.ts';
import { api, path } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { type FieldValue, fieldsOf, objectIn } from '../../app/schema-form.ts';
import { say } from '../../app/toasts.ts';
import { SelectField } from '../../components/field.ts';
import { Loading, Problem } from '../../components/notice.ts';
import { SchemaFields } from '../../components/schema-fields.ts';

export interface SystemFormProps {
  base: string;
  /** Slugs of those that the operator has already. */
  used: readonly string[];
  onSaved: () => Promise<void>;
}

const BUILT_IN = ['house', 'tickets'] as const;

interface Choosable {
  systems: SystemOverview[];
  protocols: Protocol[];
}

/** For the platform: the operator uses one more system. */
export function SystemForm({ base, used, onSaved }: SystemFormProps) {
  const loaded = useLoad(async (): Promise<Choosable> => {
    const [systems, protocols] = await Promise.all([
      api.get<{ data: SystemOverview[] }>('/manage/systems'),
      api.get<{ data: Protocol[] }>('/manage/protocols'),
    ]);
    return { systems: systems.data, protocols: protocols.data };
  }, []);
  const form = useForm<{ tms: string; settings: Record<string, FieldValue> }>(
    { tms: '', settings: {} },
    async ({ tms, settings }) => {
      await api.put(`${base}${path`/${tms}`}`, { settings: objectIn(fieldsFor(loaded.data, tms), settings) });
      say(t.common.saved);
      form.reset({ tms: '', settings: {} });
      await onSaved();
    },
  );
  const { values, set } = form;
  return html`
    <section class="panel">
      <h2>${t.systems.add}</h2>
      <${Loading} loaded=${loaded}>
        ${(found: Choosable) => html`
          <form onSubmit=${form.submit}>
            <${SelectField}
              label=${t.systems.slug}
              hint=${t.systems.slugHint}
              required
              value=${values.tms}
              choices=${choicesOf(found.systems, used)}
              onChange=${(tms: string) => set({ tms, settings: {} })}
            />
            <${SchemaFields}
              fields=${fieldsFor(found, values.tms)}
              values=${values.settings}
              errorsOf=${(name: string) => form.errorsOf(`settings.${name}`)}
              onChange=${(settings: Record<string, FieldValue>) => set({ settings })}
            />
            <${Problem} problem=${form.problem} />
            <div>
              <button type="submit" class="button primary" disabled=${form.isSending || !values.tms}>${t.common.save}</button>
            </div>
          </form>
        `}
      <//>
    </section>
  `;
}

function choicesOf(systems: readonly SystemOverview[], used: readonly string[]) {
  const builtIn = BUILT_IN.map((value) => ({ value, label: t.systems.names[value] }));
  const added = systems.map(({ slug, name }) => ({ value: slug, label: `${name} (${slug})` }));
  return [
    { value: '', label: t.systems.choose },
    ...[...builtIn, ...added].filter(({ value }) => !used.includes(value)),
  ];
}

function fieldsFor(found: Choosable | undefined, tms: string) {
  const system = found?.systems.find(({ slug }) => slug === tms);
  const protocol = found?.protocols.find(({ name }) => name === system?.protocol);
  return protocol ? fieldsOf(protocol.accountSettings) : [];
}
