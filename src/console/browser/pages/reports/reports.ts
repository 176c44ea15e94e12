import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { CoversReport } from '../../../../features/reports/schema.ts';
import { api, path, queryText } from '../../app/api.ts';
import { longDate, money, number, percent, shortDate, todayIn } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { venues } from '../../app/places.ts';
import { address, type PageProps, setQuery } from '../../app/router.ts';
import { may } from '../../app/session.ts';
import { CheckField } from '../../components/field.ts';
import { Icon } from '../../components/icon.ts';
import { Empty, Loading } from '../../components/notice.ts';
import { Chart } from './chart.ts';
import { CoversTable } from './covers-table.ts';
import {
  daysOf,
  extremesOf,
  type Figures,
  MEASURES,
  type Measure,
  measureOf,
  type Row,
  seriesOf,
} from './days.ts';
import { PeriodPicker } from './period-picker.ts';
import { type Period, periodOf } from './periods.ts';

const GROUPINGS = ['day', 'venue', 'product', 'partner', 'origin'] as const;
type Grouping = (typeof GROUPINGS)[number];

/** Covers, no-shows, lead time and spend by date of the visit. */
export default function Reports({ params: { operatorId = '' } }: PageProps) {
  const { query } = address.value;
  const period = periodOf(query, todayIn(venues.value[0]?.timeZone));
  const by = GROUPINGS.find((each) => each === query.get('by')) ?? 'day';
  // One operator, one currency: sums over several would mean nothing.
  const currency = venues.value[0]?.currency ?? 'GBP';
  const { from, to } = period;
  const venueId = query.get('venue') ?? undefined;
  const report = useLoad(
    () =>
      api.get<CoversReport>(path`/manage/operators/${operatorId}/reports/covers`, { from, to, by, venueId }),
    [operatorId, from, to, by, venueId],
  );
  return html`
    <div class="page">
      <div class="page-head">
        <h1>${t.pages.reports}</h1>
        <p>${t.reports.about(longDate(from), longDate(to))}</p>
      </div>
      <div class="row">
        <${PeriodPicker} period=${period} />
        ${
          venues.value.length > 1 &&
          html`<select
            class="venue-choice"
            aria-label=${t.reports.venue}
            value=${venueId ?? ''}
            onChange=${(event: Event) => setQuery({ venue: (event.currentTarget as HTMLSelectElement).value || null })}
          >
            <option value="">${t.frame.allVenues}</option>
            ${venues.value.map(({ id, name }) => html`<option key=${id} value=${id} selected=${id === venueId}>${name}</option>`)}
          </select>`
        }
      </div>
      <${Loading} loaded=${report}>
        ${(data: CoversReport) => html`
          <${Totals} figures=${data.totals} currency=${currency} />
          <${Groupings} by=${by} />
          ${
            data.rows.length === 0
              ? html`<${Empty} title=${t.reports.none} text=${t.reports.noneText} />`
              : html`
                  ${data.by === 'day' && html`<${Charts} rows=${data.rows} period=${data} currency=${currency} />`}
                  <${CoversTable} rows=${data.rows} by=${data.by} currency=${currency} />
                `
          }
        `}
      <//>
      <${Download} operatorId=${operatorId} from=${from} to=${to} />
    </div>
  `;
}

const Groupings = ({ by }: { by: Grouping }) => html`
  <div class="segments" role="group" aria-label=${t.reports.groupBy}>
    ${GROUPINGS.map(
      (each) => html`
        <button
          key=${each}
          type="button"
          class="button"
          aria-pressed=${each === by}
          onClick=${() => setQuery({ by: each === 'day' ? null : each })}
        >
          ${t.reports.groupings[each]}
        </button>
      `,
    )}
  </div>
`;

function Charts({ rows, period, currency }: { rows: readonly Row[]; period: Period; currency: string }) {
  const days = daysOf(period.from, period.to);
  const labels = days.map(shortDate);
  const formats: Record<Measure, (value: number) => string> = {
    covers: number,
    noShowRate: percent,
    leadDays: (value) => t.reports.days(number(value)),
    spend: (pence) => money(pence, currency).replace(/[.,]00(?=\D*$)/, ''),
  };
  return html`
    <div class="charts">
      ${MEASURES.map((measure) => {
        const values = seriesOf(rows, days, measure);
        const extremes = extremesOf(values);
        const format = formats[measure];
        const title = t.reports.measures[measure];
        const told = (at: { value: number; index: number }) =>
          [format(at.value), labels[at.index] ?? ''] as const;
        return html`<${Chart}
          key=${measure}
          title=${title}
          text=${extremes ? t.reports.chartText(title, ...told(extremes.highest), ...told(extremes.lowest)) : title}
          labels=${labels}
          values=${values}
          format=${format}
          kind=${measure === 'covers' || measure === 'spend' ? 'bars' : 'line'}
        />`;
      })}
    </div>
  `;
}

/** The file comes from the service as it is; who may see guests says whether they are in it. */
function Download({ operatorId, from, to }: Period & { operatorId: string }) {
  const [hasGuests, setGuests] = useState(false);
  const mayHaveGuests = may(Number(operatorId), 'owner');
  const file = path`/manage/operators/${operatorId}/reports/bookings.csv`;
  return html`
    <section class="panel">
      <header>
        <div>
          <h2>${t.reports.csv}</h2>
          <p class="small quiet">${t.reports.csvText}</p>
        </div>
        <a class="button" href=${`${file}${queryText({ from, to, guests: hasGuests || null })}`} download>
          <${Icon} name="out" size=${16} /> ${t.reports.download}
        </a>
      </header>
      ${
        mayHaveGuests &&
        html`<${CheckField} label=${t.reports.withGuests} isOn=${hasGuests} onChange=${setGuests} />`
      }
    </section>
  `;
}

/** The sums of the whole period. */
function Totals({ figures, currency }: { figures: Figures; currency: string }) {
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
