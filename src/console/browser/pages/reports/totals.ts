import { html } from 'htm/preact';
import { money, number, percent } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { type Figures, measureOf } from './days.ts';

/** The sums of the whole period. */
export function Totals({ figures, currency }: { figures: Figures; currency: string }) {
  const rate = measureOf(figures, 'noShowRate');
  const shown = [
    [t.reports.covers, number(figures.covers)],
    [t.reports.bookings, number(figures.bookings)],
    [t.reports.noShowRate, rate === null ? '–' : percent(rate)],
    [t.reports.cancellations, number(figures.cancellations)],
    [t.reports.leadTime, figures.leadDays === null ? '–' : t.reports.days(number(figures.leadDays))],
    // The table has the pence.
    [
      t.reports.spend,
      money(Math.round(figures.spendPence / 100) * 100, currency).replace(/[.,]00(?=\D*$)/, ''),
    ],
  ];
  return html`
    <dl class="totals">
      ${shown.map(
        ([name, value]) => html`
          <div key=${name}>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>
        `,
      )}
    </dl>
  `;
}
