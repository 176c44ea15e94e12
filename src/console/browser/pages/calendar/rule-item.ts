import { html } from 'htm/preact';
import type { ManagedRule } from '../../../../features/availability/operator-rules/schema.ts';
import { api, path } from '../../app/api.ts';
import { longDate, weekdays } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { say, sayProblem } from '../../app/toasts.ts';
import { CheckField } from '../../components/field.ts';
import { Icon } from '../../components/icon.ts';
import { draftOf, valuesOfRule } from './rule-values.ts';
import { namesOf, type SaleChoices } from './sale-choices.ts';

export interface RuleItemProps {
  venueId: string;
  rule: ManagedRule;
  choices: SaleChoices;
  isManager: boolean;
  onOpen: () => void;
  onChanged: () => Promise<void>;
}

/** When it holds, in words. */
function whenText({ definition }: ManagedRule): string {
  const { startDate, endDate, dates, startTime, endTime } = definition;
  const names = weekdays('long');
  const days =
    definition.weekdays?.map((day) => names[day - 1]).join(', ') ?? dates?.map(longDate).join(', ');
  return [
    days,
    startDate && t.calendar.fromDay(longDate(startDate)),
    endDate && t.calendar.untilDay(longDate(endDate)),
    startTime && endTime && t.calendar.period(startTime, endTime),
  ]
    .filter(Boolean)
    .join(', ');
}

export function RuleItem({ venueId, rule, choices, isManager, onOpen, onChanged }: RuleItemProps) {
  const all = path`/manage/venues/${venueId}/availability-rules`;
  const what = rule.productKey
    ? namesOf(choices.products, [rule.productKey])
    : rule.spaceId
      ? namesOf(choices.spaces, [rule.spaceId])
      : t.calendar.everything;
  const aimed = [
    ...(rule.partnerIds ? [namesOf(choices.partners, rule.partnerIds)] : []),
    ...(rule.categoryIds ? [namesOf(choices.categories, rule.categoryIds)] : []),
  ].join(', ');
  const isForAll = rule.partnerIds === null && rule.categoryIds === null;
  const who =
    rule.channel === 'marketplace'
      ? t.calendar.onMarketplace
      : isForAll
        ? t.calendar.forEveryone
        : rule.effect === 'reserve'
          ? t.calendar.onlyFor(aimed)
          : t.calendar.notFor(aimed);
  const attempt = async (work: () => Promise<unknown>, text: string, undo?: () => Promise<unknown>) => {
    try {
      await work();
      await onChanged();
      say(text, undo);
    } catch (error) {
      sayProblem(error);
    }
  };
  const toggle = (isActive: boolean) =>
    attempt(
      () => api.put(`${all}/${encodeURIComponent(rule.id)}`, { ...draftOf(valuesOfRule(rule)), isActive }),
      isActive ? t.calendar.ruleOn : t.calendar.ruleOff,
    );
  const remove = () =>
    attempt(
      () => api.remove(`${all}/${encodeURIComponent(rule.id)}`),
      t.common.removed,
      async () => {
        await api.post(all, draftOf(valuesOfRule(rule)));
        await onChanged();
      },
    );
  return html`
    <li class=${rule.isActive ? 'sale-rule' : 'sale-rule is-off'}>
      <div>
        <p><strong>${whenText(rule)}</strong></p>
        <p>${what}: ${who}</p>
        ${rule.scope != null && html`<p class="small quiet">${t.calendar.narrowed}</p>`}
        ${rule.definition.reason && html`<p class="small quiet">${rule.definition.reason}</p>`}
      </div>
      ${
        isManager
          ? html`<div class="row">
              <${CheckField} kind="switch" label=${rule.isActive ? t.calendar.on : t.calendar.off} isOn=${rule.isActive} onChange=${toggle} />
              <button type="button" class="button quiet icon-only" aria-label=${t.common.edit} onClick=${onOpen}><${Icon} name="edit" /></button>
              <button type="button" class="button quiet icon-only" aria-label=${t.common.remove} onClick=${remove}><${Icon} name="trash" /></button>
            </div>`
          : html`<span class="tag">${rule.isActive ? t.calendar.on : t.calendar.off}</span>`
      }
    </li>
  `;
}
