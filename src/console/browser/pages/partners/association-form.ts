import { html } from 'htm/preact';
import type { Partner } from '../../../../features/partners/schema.ts';
import { api, path } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import { say } from '../../app/toasts.ts';
import { SelectField, TextField } from '../../components/field.ts';
import { Problem } from '../../components/notice.ts';

/** For the platform: the operator begins to deal with one more partner. */
export function AssociationForm({ base, onSaved }: { base: string; onSaved: () => Promise<void> }) {
  const all = useLoad(() => api.get<Page<Partner>>('/manage/partners', { pageSize: 100 }), []);
  const form = useForm({ partnerId: '', source: '' }, async ({ partnerId, source }) => {
    await api.put(`${base}${path`/partners/${partnerId}`}`, {
      isSuspended: false,
      ...(source.trim() && { source: source.trim() }),
    });
    say(t.common.saved);
    form.reset({ partnerId: '', source: '' });
    await onSaved();
  });
  return html`
    <section class="panel">
      <h2>${t.operatorPartners.add}</h2>
      <form onSubmit=${form.submit}>
        <div class="columns">
          <${SelectField}
            label=${t.operatorPartners.partner}
            required
            value=${form.values.partnerId}
            choices=${[
              { value: '', label: t.operatorPartners.choose },
              ...(all.data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
            onChange=${(partnerId: string) => form.set({ partnerId })}
          />
          <${TextField}
            label=${t.operatorPartners.source}
            hint=${t.operatorPartners.sourceHint}
            maxlength="100"
            value=${form.values.source}
            errors=${form.errorsOf('source')}
            onInput=${(source: string) => form.set({ source })}
          />
        </div>
        <${Problem} problem=${form.problem} />
        <div>
          <button type="submit" class="button primary" disabled=${form.isSending || form.values.partnerId === ''}>
            ${t.common.add}
          </button>
        </div>
      </form>
    </section>
  `;
}
