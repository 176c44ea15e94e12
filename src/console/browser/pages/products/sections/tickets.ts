import { html } from 'htm/preact';
import { t } from '../../../app/language.ts';
import { LengthField, MoneyField, NumberField } from '../../../components/amount-field.ts';
import type { Tickets } from '../draft.ts';
import type { SectionFieldsProps } from './section-props.ts';

/** What a ticket costs, and how many there are. */
export function TicketFields({ draft, set, errorsOf }: SectionFieldsProps) {
  const { tickets } = draft;
  if (!tickets) return null;
  const put = (part: Partial<Tickets>) => set({ tickets: { ...tickets, ...part } });
  return html`
    <div class="columns">
      <${MoneyField} label=${t.products.ticketPrice} value=${tickets.pricePence} errors=${errorsOf('tickets.pricePence')} onInput=${(pence: number) => put({ pricePence: pence })} />
      <${NumberField} label=${t.products.capacity} hint=${t.products.capacityHint} min="0" value=${tickets.capacity} errors=${errorsOf('tickets.capacity')} onInput=${(capacity: number) => put({ capacity })} />
      <${NumberField} label=${t.products.minTickets} min="1" value=${tickets.minPerBooking} errors=${errorsOf('tickets.minPerBooking')} onInput=${(count: number) => put({ minPerBooking: count })} />
      <${NumberField} label=${t.products.maxTickets} min="1" value=${tickets.maxPerBooking} errors=${errorsOf('tickets.maxPerBooking')} onInput=${(count: number) => put({ maxPerBooking: count })} />
      <${NumberField} label=${t.products.salesOpen} hint=${t.products.salesOpenHint} min="0" value=${tickets.salesOpenDaysBefore} errors=${errorsOf('tickets.salesOpenDaysBefore')} onInput=${(days: number | null) => put({ salesOpenDaysBefore: days })} />
      <${LengthField} label=${t.products.salesClose} hint=${t.products.salesCloseHint} value=${tickets.salesCloseMinutesBefore} errors=${errorsOf('tickets.salesCloseMinutesBefore')} onInput=${(minutes: number | null) => put({ salesCloseMinutesBefore: minutes ?? 0 })} />
    </div>
  `;
}
