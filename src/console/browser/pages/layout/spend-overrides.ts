import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { SpendOverride } from '../../../../features/layout/space-schema.ts';
import { api, path } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { addDays, longDate, money, todayIn } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { venue } from '../../app/places.ts';
import { say, sayProblem } from '../../app/toasts.ts';
import { MoneyField } from '../../components/amount-field.ts';
import { TextField } from '../../components/field.ts';
import { Icon } from '../../components/icon.ts';
import { Loading, Problem } from '../../components/notice.ts';

export interface SpendOverridesProps {
  venueId: string;
  spaceId: number;
  isManager: boolean;
}

type Values = Omit<SpendOverride, 'id' | 'reason'> & { reason: string };

/** What is spent at least on single dates. */
export function SpendOverrides({ venueId, spaceId, isManager }: SpendOverridesProps) {
  const all = path`/manage/venues/${venueId}/spaces/${spaceId}/minimum-spend-overrides`;
  const loaded = useLoad(() => api.get<{ data: SpendOverride[] }>(all), [venueId, spaceId]);
  const [edited, setEdited] = useState<SpendOverride | 'new'>();
  const today = todayIn(venue.value?.timeZone);
  const remove = async ({ id, ...override }: SpendOverride) => {
    try {
      await api.remove(`${all}/${id}`);
      await loaded.reload();
      say(t.common.removed, async () => {
        await api.post(all, override);
        await loaded.reload();
      });
    } catch (error) {
      sayProblem(error);
    }
  };
  const done = async () => {
    setEdited(undefined);
    await loaded.reload();
  };
  return html`
    <section class="form">
      <h3>${t.layout.overrides}</h3>
      <p class="quiet small">${t.layout.overridesText}</p>
      <${Loading} loaded=${loaded}>
        ${({ data }: { data: SpendOverride[] }) => html`
          <ul class="override-list">
            ${data
              .filter(({ endDate }) => endDate >= today)
              .map(
                (override) => html`
                  <li key=${override.id}>
                    <div>
                      <strong>${override.startDate === override.endDate ? longDate(override.startDate) : t.layout.range(longDate(override.startDate), longDate(override.endDate))}</strong>
                      <p class="small">${t.layout.overrideSummary(override.startTime, override.endTime, money(override.amount, venue.value?.currency))} ${override.reason}</p>
                    </div>
                    ${
                      isManager &&
                      html`<button type="button" class="button quiet icon-only" aria-label=${t.common.edit} onClick=${() => setEdited(override)}><${Icon} name="edit" size=${16} /></button>
                        <button type="button" class="button quiet icon-only" aria-label=${t.common.remove} onClick=${() => remove(override)}><${Icon} name="trash" size=${16} /></button>`
                    }
                  </li>
                `,
              )}
          </ul>
        `}
      <//>
      ${edited !== undefined && html`<${OverrideForm} key=${edited === 'new' ? 'new' : edited.id} all=${all} override=${edited === 'new' ? undefined : edited} today=${today} onDone=${done} onCancel=${() => setEdited(undefined)} />`}
      ${
        isManager &&
        edited === undefined &&
        html`<button type="button" class="button" onClick=${() => setEdited('new')}><${Icon} name="plus" size=${16} /> ${t.layout.addOverride}</button>`
      }
    </section>
  `;
}

interface OverrideFormProps {
  all: string;
  override?: SpendOverride;
  today: string;
  onDone: () => Promise<void>;
  onCancel: () => void;
}

function OverrideForm({ all, override, today, onDone, onCancel }: OverrideFormProps) {
  const start: Values = override
    ? { ...override, reason: override.reason ?? '' }
    : {
        startDate: addDays(today, 1),
        endDate: addDays(today, 1),
        startTime: '12:00',
        endTime: '23:59',
        amount: 100_000,
        reason: '',
      };
  const form = useForm<Values>(start, async ({ startDate, endDate, startTime, endTime, amount, reason }) => {
    const body = {
      startDate,
      endDate,
      startTime,
      endTime,
      amount,
      reason: reason.trim() === '' ? null : reason,
    };
    if (override) await api.put(`${all}/${override.id}`, body);
    else await api.post(all, body);
    say(t.common.saved);
    await onDone();
  });
  const field = (
    name: 'startDate' | 'endDate' | 'startTime' | 'endTime' | 'reason',
    type: string,
    label: string,
  ) => html`
    <${TextField} type=${type} label=${label} value=${form.values[name]} errors=${form.errorsOf(name)} onInput=${(value: string) => form.set({ [name]: value })} />
  `;
  return html`
    <form class="panel" onSubmit=${form.submit}>
      <div class="field-pair">
        ${field('startDate', 'date', t.layout.firstDay)} ${field('endDate', 'date', t.layout.lastDay)}
        ${field('startTime', 'time', t.layout.from)} ${field('endTime', 'time', t.layout.to)}
      </div>
      <${MoneyField} label=${t.layout.amount} value=${form.values.amount} errors=${form.errorsOf('amount')} onInput=${(amount: number | null) => form.set({ amount: amount ?? 0 })} />
      ${field('reason', 'text', t.layout.reason)}
      <${Problem} problem=${form.problem} />
      <footer class="dialog-foot">
        <button type="button" class="button" onClick=${onCancel}>${t.common.cancel}</button>
        <button type="submit" class="button primary" disabled=${form.isSending}>${t.common.save}</button>
      </footer>
    </form>
  `;
}
