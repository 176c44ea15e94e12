import { html } from 'htm/preact';
import { addDays, shortDate } from '../app/format.ts';
import { t } from '../app/language.ts';
import { Icon } from './icon.ts';

export interface DayPickerProps {
  date: string;
  today: string;
  onChoose: (date: string) => void;
}

/** The day that a page is about: the one before, the one after, any from the calendar of the browser, and back. */
export const DayPicker = ({ date, today, onChoose }: DayPickerProps) => html`
  <div class="row days">
    <button type="button" class="button icon-only" aria-label=${t.tonight.dayBefore} onClick=${() => onChoose(addDays(date, -1))}><${Icon} name="left" /></button>
    <label class="day">
      <span>${shortDate(date)}</span>
      <input type="date" aria-label=${t.tonight.date} value=${date} onChange=${(event: Event) => onChoose((event.currentTarget as HTMLInputElement).value || today)} />
    </label>
    <button type="button" class="button icon-only" aria-label=${t.tonight.dayAfter} onClick=${() => onChoose(addDays(date, 1))}><${Icon} name="right" /></button>
    ${date !== today && html`<button type="button" class="button" onClick=${() => onChoose(today)}>${t.tonight.today}</button>`}
  </div>
`;
