import { html } from 'htm/preact';
import type { MoneyReport } from '../../../../features/reports/money-schema.ts';
import { api, path, queryText } from '../../app/api.ts';
import { longDate, money, shortDate, todayIn } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { venues } from '../../app/places.ts';
import type { PageProps } from '../../app/router.ts';
import { address, setQuery } from '../../app/router.ts';
import { may } from '../../app/session.ts';
import { Icon } from '../../components/icon.ts';
import { Empty, Loading } from '../../components/notice.ts';
import { Chart } from './chart.ts';
import { daysOf, extremesOf } from './days.ts';
import { Differences, MoneyTable, MoneyTotals } from './money-tables.ts';
import { PaymentAccount } from './payment-account.ts';
import { PeriodPicker } from './period-picker.ts';
import { type Period, periodOf } from './periods.ts';
import { groupsBy, MONEY_GROUPINGS, type MoneyGrouping, netByDay } from './sums.ts';

/** What was taken from guests and given back, what is open, and whether the books of the provider say the same. */
export default function Money({ params: { operatorId = '' } }: PageProps) {
  const { query } = address.value;
  const { name, from, to } = periodOf(query, todayIn(venues.value[0]?.timeZone));
  const by = MONEY_GROUPINGS.find((each) => each === query.get('by')) ?? 'day';
  const all = path`/manage/operators/${operatorId}/reports`;
  const report = useLoad(() => api.get<MoneyReport>(`${all}/money`, { from, to }), [all, from, to]);
  return html`
    <div class="page">
      <div class="page-head">
        <h1>${t.pages.money}</h1>
        <p>${t.money.about(longDate(from), longDate(to))}</p>
      </div>
      <${PeriodPicker} period=${{ name, from, to }} />
      <${Loading} loaded=${report}>${(data: MoneyReport) => html`<${Figures} report=${data} by=${by} />`}<//>
      <section class="panel">
        <header>
          <div>
            <h2>${t.money.csv}</h2>
            <p class="small quiet">${t.money.csvText}</p>
          </div>
          <a class="button" href=${`${all}/money.csv${queryText({ from, to })}`} download><${Icon} name="out" size=${16} /> ${t.reports.download}</a>
        </header>
      </section>
      ${may(Number(operatorId), 'owner') && html`<${PaymentAccount} operatorId=${operatorId} />`}
    </div>
  `;
}

function Figures({ report, by }: { report: MoneyReport; by: MoneyGrouping }) {
  const groups = groupsBy(report, by);
  const [first] = report.totals;
  return html`
    <${MoneyTotals} totals=${report.totals} />
    ${
      groups.length === 0
        ? html`<${Empty} title=${t.money.none} text=${t.money.noneText} />`
        : html`
            <div class="segments" role="group" aria-label=${t.reports.groupBy}>
              ${MONEY_GROUPINGS.map(
                (each) => html`
                  <button key=${each} type="button" class="button" aria-pressed=${each === by} onClick=${() => setQuery({ by: each === 'day' ? null : each })}>
                    ${t.money.groupings[each]}
                  </button>
                `,
              )}
            </div>
            ${by === 'day' && report.totals.length === 1 && html`<${NetChart} report=${report} currency=${first?.currency ?? 'GBP'} />`}
            <${MoneyTable} groups=${groups} by=${by} />
          `
    }
    <${Open} report=${report} currency=${first?.currency ?? venues.value[0]?.currency ?? 'GBP'} />
    <${Differences} differences=${report.differences} />
  `;
}

function NetChart({ report, currency }: { report: MoneyReport & Period; currency: string }) {
  const days = daysOf(report.from, report.to);
  const labels = days.map(shortDate);
  const values = netByDay(report.days, days, currency);
  const extremes = extremesOf(values);
  const format = (pence: number) => money(pence, currency).replace(/[.,]00(?=\D*$)/, '');
  const told = (at: { value: number; index: number }) => [format(at.value), labels[at.index] ?? ''] as const;
  const text = extremes
    ? t.reports.chartText(t.money.net, ...told(extremes.highest), ...told(extremes.lowest))
    : t.money.net;
  return html`<${Chart} title=${t.money.net} text=${text} labels=${labels} values=${values} format=${format} kind="bars" />`;
}

/** As it is now, whatever the period. */
function Open({ report: { open, declared }, currency }: { report: MoneyReport; currency: string }) {
  const rows = [
    [t.money.refundsOwed, t.money.refundsOwedText, open.refundsOwed, open.refundsOwedPence],
    [t.money.inDoubt, t.money.inDoubtText, open.paymentsInDoubt, open.paymentsInDoubtPence],
    [t.money.declared, t.money.declaredText, declared.bookings, declared.depositPence],
  ] as const;
  return html`
    <section class="panel">
      <h2>${t.money.open}</h2>
      <ul class="money">
        ${rows.map(
          ([name, text, count, pence]) => html`
            <li key=${name}>
              <span>${name} <span class="small quiet">${text}</span></span>
              <span>${count === 0 ? t.common.none : t.money.countAnd(count, money(pence, currency))}</span>
            </li>
          `,
        )}
      </ul>
    </section>
  `;
}
