/** An availability rule as its form holds it. Which type it has follows from what is filled in. */
import type { ManagedRule, RuleDraft } from '../../../../features/availability/operator-rules/schema.ts';

export const DAY_KINDS = ['every', 'weekdays', 'range', 'dates'] as const;
export type DayKind = (typeof DAY_KINDS)[number];

export interface RuleValues {
  days: DayKind;
  weekdays: number[];
  startDate: string;
  endDate: string;
  /** Separated by commas or blanks. */
  dates: string;
  hasTimes: boolean;
  startTime: string;
  endTime: string;
  reason: string;
  effect: ManagedRule['effect'];
  channel: ManagedRule['channel'];
  productKey: string;
  spaceId: string;
  partnerIds: number[];
  categoryIds: number[];
  isActive: boolean;
  /** An expression that other tools have written; kept as it is. */
  scope: unknown;
}

export const newRule = (today: string): RuleValues => ({
  days: 'weekdays',
  weekdays: [5, 6],
  startDate: '',
  endDate: '',
  dates: today,
  hasTimes: true,
  startTime: '19:00',
  endTime: '21:00',
  reason: '',
  effect: 'disable',
  channel: 'all',
  productKey: '',
  spaceId: '',
  partnerIds: [],
  categoryIds: [],
  isActive: true,
  scope: null,
});

const KIND_OF: Record<ManagedRule['type'], DayKind> = {
  time_based: 'every',
  recurring: 'weekdays',
  recurring_with_time: 'weekdays',
  date_range: 'range',
  date_range_with_time: 'range',
  specific_dates: 'dates',
  specific_dates_with_time: 'dates',
};

export const valuesOfRule = (rule: ManagedRule): RuleValues => ({
  days: KIND_OF[rule.type],
  weekdays: [...(rule.definition.weekdays ?? [])],
  startDate: rule.definition.startDate ?? '',
  endDate: rule.definition.endDate ?? '',
  dates: (rule.definition.dates ?? []).join(', '),
  hasTimes: rule.definition.startTime !== undefined,
  startTime: rule.definition.startTime ?? '19:00',
  endTime: rule.definition.endTime ?? '21:00',
  reason: rule.definition.reason ?? '',
  effect: rule.effect,
  channel: rule.channel,
  productKey: rule.productKey ?? '',
  spaceId: String(rule.spaceId ?? ''),
  partnerIds: [...(rule.partnerIds ?? [])],
  categoryIds: [...(rule.categoryIds ?? [])],
  isActive: rule.isActive,
  scope: rule.scope ?? null,
});

const TYPES: Record<DayKind, readonly [plain: ManagedRule['type'], timed: ManagedRule['type']]> = {
  every: ['time_based', 'time_based'],
  weekdays: ['recurring', 'recurring_with_time'],
  range: ['date_range', 'date_range_with_time'],
  dates: ['specific_dates', 'specific_dates_with_time'],
};

const datesOf = (text: string) => [...new Set(text.split(/[\s,;]+/).filter((date) => date !== ''))].sort();

export function draftOf(values: RuleValues): RuleDraft {
  const { days, startDate, endDate, startTime, endTime, reason } = values;
  const isTimed = values.hasTimes || days === 'every';
  const [plain, timed] = TYPES[days];
  const takesRange = days === 'range' || days === 'weekdays';
  return {
    type: isTimed ? timed : plain,
    definition: {
      ...(days === 'weekdays' && {
        weekdays: values.weekdays as NonNullable<RuleDraft['definition']['weekdays']>,
      }),
      ...(days === 'dates' && { dates: datesOf(values.dates) }),
      ...(takesRange && startDate !== '' && { startDate }),
      ...(takesRange && endDate !== '' && { endDate }),
      ...(isTimed && { startTime, endTime }),
      ...(reason.trim() !== '' && { reason: reason.trim() }),
    },
    effect: values.effect,
    channel: values.channel,
    productKey: values.productKey === '' ? null : values.productKey,
    spaceId: values.spaceId === '' ? null : Number(values.spaceId),
    partnerIds: values.partnerIds.length === 0 ? null : values.partnerIds,
    categoryIds: values.categoryIds.length === 0 ? null : values.categoryIds,
    isActive: values.isActive,
    scope: values.scope,
  };
}
