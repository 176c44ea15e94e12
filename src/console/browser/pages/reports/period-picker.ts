import { html } from 'htm/preact';
import { t } from '../../app/language.ts';
import { setQuery } from '../../app/router.ts';
import { TextField } from '../../components/field.ts';
import { DEFAULT_PERIOD, PERIODS, type Period, type PeriodName } from './periods.ts';

/** Which days are counted. */
export const PeriodPicker = ({ period }: { period: Period & { name: PeriodName } }) => html`
  <div class="report-period">
    <div class="segments" role="group" aria-label=${t.reports.period}>
      ${PERIODS.map(
        (name) => html`
          <button
            key=${name}
            type="button"
            class="button"
            aria-pressed=${name === period.name}
            onClick=${() => choose(name, period)}
          >
            ${t.reports.periods[name]}
          </button>
        `,
      )}
    </div>
    ${
      period.name === 'own' &&
      html`
        <div class="row">
          <${TextField}
            label=${t.reports.from}
            type="date"
            max=${period.to}
            value=${period.from}
            onChange=${changed('from', period)}
            onInput=${() => {}}
          />
          <${TextField}
            label=${t.reports.to}
            type="date"
            min=${period.from}
            value=${period.to}
            onChange=${changed('to', period)}
            onInput=${() => {}}
          />
        </div>
      `
    }
  </div>
`;

function choose(name: PeriodName, { from, to }: Period): void {
  setQuery({
    period: name === DEFAULT_PERIOD ? null : name,
    from: name === 'own' ? from : null,
    to: name === 'own' ? to : null,
  });
}

const changed =
  (end: 'from' | 'to', { from, to }: Period) =>
  (event: Event) => {
    const { value } = event.currentTarget as HTMLInputElement;
    if (value !== '') setQuery({ period: 'own', from, to, [end]: value });
  };
