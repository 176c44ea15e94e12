import { html } from 'htm/preact';
import type { ManagedRule } from '../../../../features/availability/operator-rules/schema.ts';
import { api, path } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { todayIn } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { venue } from '../../app/places.ts';
import { say } from '../../app/toasts.ts';
import { CheckField, SelectField, TextField } from '../../components/field.ts';
import { Problem } from '../../components/notice.ts';
import { WeekdayPicker } from '../../components/weekday-picker.ts';
import { DAY_KINDS, type DayKind, draftOf, newRule, type RuleValues, valuesOfRule } from './rule-values.ts';
import type { Named, SaleChoices } from './sale-choices.ts';

export interface RuleFormProps {
  venueId: string;
  /** Absent: a new one. */
  rule?: ManagedRule;
  choices: SaleChoices;
  onDone: () => Promise<void>;
}

export function RuleForm({ venueId, rule, choices, onDone }: RuleFormProps) {
  const all = path`/manage/venues/${venueId}/availability-rules`;
  const start = rule ? valuesOfRule(rule) : newRule(todayIn(venue.value?.timeZone));
  const form = useForm<RuleValues>(start, async (values) => {
    if (rule) {
      const one = `${all}/${encodeURIComponent(rule.id)}`;
      const { etag } = await api.getTagged<ManagedRule>(one);
      await api.put(one, draftOf(values), { ifMatch: etag });
    } else await api.post(all, draftOf(values));
    say(t.common.saved);
    await onDone();
  });
  const { values, set, errorsOf } = form;
  const text = (
    field: 'startDate' | 'endDate' | 'startTime' | 'endTime' | 'dates' | 'reason',
    type: string,
    label: string,
    hint?: string,
  ) => html`
    <${TextField} type=${type} label=${label} hint=${hint} value=${values[field]} errors=${errorsOf(`definition.${field}`)} onInput=${(value: string) => set({ [field]: value })} />
  `;
  const optional = <Id extends string | number>(items: readonly Named<Id>[]) => [
    { value: '', label: t.calendar.everything },
    ...items.map(({ id, name }) => ({ value: String(id), label: name })),
  ];
  const aims = (label: string, items: readonly Named<number>[], field: 'partnerIds' | 'categoryIds') =>
    items.length > 0 &&
    html`<fieldset class="field-group">
      <legend>${label}</legend>
      ${items.map(
        ({ id, name }) => html`<${CheckField}
          key=${id}
          label=${name}
          isOn=${values[field].includes(id)}
          onChange=${(isOn: boolean) => set({ [field]: isOn ? [...values[field], id] : values[field].filter((one) => one !== id) })}
        />`,
      )}
    </fieldset>`;
  return html`
    <form onSubmit=${form.submit}>
      <${SelectField}
        label=${t.calendar.onDays}
        value=${values.days}
        choices=${DAY_KINDS.map((kind) => ({ value: kind, label: t.calendar.dayKinds[kind] }))}
        onChange=${(days: string) => set({ days: days as DayKind })}
      />
      ${values.days === 'weekdays' && html`<${WeekdayPicker} label=${t.calendar.weekdays} chosen=${values.weekdays} onChange=${(weekdays: number[]) => set({ weekdays })} />`}
      ${values.days === 'dates' && text('dates', 'text', t.calendar.dates, t.calendar.datesHint)}
      ${
        (values.days === 'range' || values.days === 'weekdays') &&
        html`<div class="field-pair">${text('startDate', 'date', t.calendar.firstDay)} ${text('endDate', 'date', t.calendar.lastDay)}</div>`
      }
      ${values.days !== 'every' && html`<${CheckField} label=${t.calendar.onlyTimes} isOn=${values.hasTimes} onChange=${(hasTimes: boolean) => set({ hasTimes })} />`}
      ${
        (values.hasTimes || values.days === 'every') &&
        html`<div class="field-pair">${text('startTime', 'time', t.calendar.from)} ${text('endTime', 'time', t.calendar.to)}</div>`
      }
      <${SelectField} label=${t.calendar.product} value=${values.productKey} errors=${errorsOf('productKey')} choices=${optional(choices.products)} onChange=${(productKey: string) => set({ productKey })} />
      ${
        choices.spaces.length > 0 &&
        html`<${SelectField} label=${t.calendar.space} value=${values.spaceId} errors=${errorsOf('spaceId')} choices=${optional(choices.spaces)} onChange=${(spaceId: string) => set({ spaceId })} />`
      }
      <${SelectField}
        label=${t.calendar.effect}
        value=${values.effect}
        choices=${(['disable', 'reserve'] as const).map((value) => ({ value, label: t.calendar.effects[value] }))}
        onChange=${(effect: string) => set({ effect: effect as RuleValues['effect'] })}
      />
      <${SelectField}
        label=${t.calendar.channel}
        value=${values.channel}
        choices=${(['all', 'marketplace'] as const).map((value) => ({ value, label: t.calendar.channels[value] }))}
        onChange=${(channel: string) => set({ channel: channel as RuleValues['channel'] })}
      />
      ${values.channel === 'all' && html`<p class="quiet small">${t.calendar.aimHint}</p>`}
      ${values.channel === 'all' && aims(t.calendar.partners, choices.partners, 'partnerIds')}
      ${values.channel === 'all' && aims(t.calendar.categories, choices.categories, 'categoryIds')}
      ${text('reason', 'text', t.calendar.why)}
      <${Problem} problem=${form.problem} />
      <footer class="dialog-foot">
        <button type="submit" class="button primary" disabled=${form.isSending}>${t.common.save}</button>
      </footer>
    </form>
  `;
}
