import { html } from 'htm/preact';
import { api, path } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { say } from '../../app/toasts.ts';
import { TextField } from '../../components/field.ts';
import { Problem } from '../../components/notice.ts';
import { objectOf, type Pair, Pairs } from './pairs.ts';

/** For the platform: the operator uses one more system, or one with other settings. */
export function SystemForm({ base, onSaved }: { base: string; onSaved: () => Promise<void> }) {
  const form = useForm<{ tms: string; pairs: Pair[] }>({ tms: '', pairs: [] }, async ({ tms, pairs }) => {
    await api.put(`${base}${path`/${tms.trim()}`}`, { settings: objectOf(pairs) });
    say(t.common.saved);
    form.reset({ tms: '', pairs: [] });
    await onSaved();
  });
  const { values, set } = form;
  return html`
    <section class="panel">
      <h2>${t.systems.add}</h2>
      <form onSubmit=${form.submit}>
        <${TextField}
          label=${t.systems.slug}
          hint=${t.systems.slugHint}
          required
          value=${values.tms}
          errors=${form.errorsOf('tms')}
          onInput=${(tms: string) => set({ tms })}
        />
        <fieldset class="plain form">
          <legend>${t.systems.settings}</legend>
          <${Pairs} pairs=${values.pairs} onChange=${(pairs: Pair[]) => set({ pairs })} />
        </fieldset>
        <${Problem} problem=${form.problem} />
        <div>
          <button type="submit" class="button primary" disabled=${form.isSending}>${t.common.save}</button>
        </div>
      </form>
    </section>
  `;
}
