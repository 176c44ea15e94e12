import { html } from 'htm/preact';
import { weekdays } from '../../../app/format.ts';
import { EVERY_DAY, type Weekday } from '../draft.ts';
import { Chips } from './chips.ts';

export interface WeekdayChipsProps {
  label: string;
  days: readonly Weekday[];
  onToggle: (day: Weekday) => void;
  hint?: string;
  errors?: readonly string[];
}

export function WeekdayChips({ days, ...rest }: WeekdayChipsProps) {
  const [short, long] = [weekdays('short'), weekdays('long')];
  const choices = EVERY_DAY.map((value) => ({
    value,
    label: short[value - 1] ?? '',
    title: long[value - 1] ?? '',
  }));
  return html`<${Chips} choices=${choices} chosen=${days} ...${rest} />`;
}
