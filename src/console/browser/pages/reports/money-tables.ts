import { html } from 'htm/preact';
import { momentOf, money, shortDate } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { type Difference, type Group, hasCorrections, type MoneyGrouping, type Sums } from './sums.ts';

/** The sums of the whole period, a row for each currency. */
export const MoneyTotals = ({ totals }: { totals: readonly Sums[] }) =>
  totals.map((sums) => {
    const amount = (pence: number) => money(pence, sums.currency);
    const shown = [
      [t.money.taken, amount(sums.takenPence)],
      [t.money.refunded, amount(sums.refundedPence)],
      ...(sums.correctedPence === 0 ? [] : [[t.money.corrected, amount(sums.correctedPence)]]),
      [t.money.net, amount(sums.netPence)],
    ];
    return html`
      <dl class="totals" key=${sums.currency}>
        ${shown.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}
      </dl>
    `;
  });

export function MoneyTable({ groups, by }: { groups: readonly Group[]; by: MoneyGrouping }) {
  const isCorrected = hasCorrections(groups);
  const cell = (pence: number, currency: string) => html`<td class="number">${money(pence, currency)}</td>`;
  return html`
    <div class="table-wrap money-table" tabindex="0" role="region" aria-label=${t.reports.table}>
      <table>
        <thead>
          <tr>
            <th>${t.money.groupings[by]}</th>
            <th class="number">${t.money.taken}</th>
            <th class="number">${t.money.refunded}</th>
            ${isCorrected && html`<th class="number">${t.money.corrected}</th>`}
            <th class="number">${t.money.net}</th>
          </tr>
        </thead>
        <tbody>
          ${groups.map(
            ({ key, name, currency, takenPence, refundedPence, correctedPence, netPence }) => html`
              <tr key=${`${key} ${currency}`}>
                <th scope="row">${by === 'day' ? shortDate(key) : name}</th>
                ${cell(takenPence, currency)} ${cell(refundedPence, currency)}
                ${isCorrected && cell(correctedPence, currency)} ${cell(netPence, currency)}
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}

/** Where our books and those of the provider are not the same. */
export const Differences = ({ differences }: { differences: readonly Difference[] }) => html`
  <section class="panel">
    <h2>${t.money.differences}</h2>
    ${
      differences.length === 0
        ? html`<p class="quiet">${t.money.noDifferences}</p>`
        : html`
            <p>${t.money.differencesText}</p>
            <div class="table-wrap" tabindex="0" role="region" aria-label=${t.money.differences}>
              <table>
                <thead>
                  <tr>
                    <th>${t.money.difference}</th>
                    <th>${t.money.reference}</th>
                    <th class="number">${t.money.here}</th>
                    <th class="number">${t.money.there}</th>
                    <th>${t.money.found}</th>
                  </tr>
                </thead>
                <tbody>${differences.map((difference) => html`<${DifferenceRow} key=${difference.reference} ...${difference} />`)}</tbody>
              </table>
            </div>
          `
    }
  </section>
`;

const DifferenceRow = ({ kind, reference, ledgerPence, providerPence, currency, foundAt }: Difference) => {
  const amount = (pence: number | null) => (pence === null ? '–' : money(pence, currency));
  return html`
    <tr>
      <th scope="row">${t.money.kinds[kind]}</th>
      <td><code>${reference}</code></td>
      <td class="number">${amount(ledgerPence)}</td>
      <td class="number">${amount(providerPence)}</td>
      <td>${momentOf(foundAt)}</td>
    </tr>
  `;
};
