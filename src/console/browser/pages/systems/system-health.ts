import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { SystemHealth as Health, SystemTest } from '../../../../features/systems/schema.ts';
import { api } from '../../app/api.ts';
import { ago, number } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { sayProblem } from '../../app/toasts.ts';
import { Icon } from '../../components/icon.ts';
import { Loading } from '../../components/notice.ts';

const TONES = {
  working: 'good',
  failing: 'bad',
  resting: 'bad',
  unused: 'info',
  not_connected: 'bad',
} as const;

export interface SystemHealthProps {
  /** Of the system. */
  at: string;
  mayTest: boolean;
}

/** How calls of the operator's account go, and a way to make one now. */
export function SystemHealth({ at, mayTest }: SystemHealthProps) {
  const loaded = useLoad(() => api.get<Health>(`${at}/health`), [at]);
  const [tested, setTested] = useState<SystemTest | 'under-way'>();
  const test = async () => {
    setTested('under-way');
    try {
      setTested(await api.post<SystemTest>(`${at}/test`, {}));
      await loaded.reload();
    } catch (error) {
      setTested(undefined);
      sayProblem(error);
    }
  };
  return html`
    <section class="system-health">
      <h3>${t.systems.health}</h3>
      <${Loading} loaded=${loaded}>${(health: Health) => html`<${Figures} health=${health} />`}<//>
      ${
        mayTest &&
        html`<div class="row">
          <button type="button" class="button small" disabled=${tested === 'under-way'} onClick=${test}>
            ${t.systems.test}
          </button>
          <span role="status">${tested && html`<${TestAnswer} answer=${tested} />`}</span>
        </div>`
      }
    </section>
  `;
}

function TestAnswer({ answer }: { answer: SystemTest | 'under-way' }) {
  if (answer === 'under-way') return html`<span class="quiet">${t.systems.testing}</span>`;
  const { ok, tookMs, problem } = answer;
  return html`
    <span class=${`tag ${ok ? 'good' : 'bad'}`}><${Icon} name=${ok ? 'check' : 'warning'} size=${14} />
      ${ok ? t.systems.testWorked(number(tookMs)) : t.systems.testFailed}</span>
    ${problem}
  `;
}

function Figures({ health }: { health: Health }) {
  const { state, lastCallAt, lastHour, lastDay, errors } = health;
  const tone = TONES[state];
  return html`
    <p>
      <span class=${`tag ${tone}`}>
        <${Icon} name=${tone === 'bad' ? 'warning' : 'check'} size=${14} /> ${t.systems.healthStates[state]}
      </span>
      <span class="small quiet"> ${lastCallAt ? t.systems.lastCall(ago(lastCallAt)) : t.systems.noCalls}</span>
    </p>
    ${
      lastDay.calls > 0 &&
      html`<div class="table-wrap" tabindex="0" role="region" aria-label=${t.systems.health}>
        <table>
          <thead>
            <tr>
              <th>${t.systems.span}</th>
              <th class="number">${t.systems.calls}</th>
              <th class="number">${t.systems.refused}</th>
              <th class="number">${t.systems.failed}</th>
              <th class="number">${t.systems.inDoubt}</th>
              <th class="number">${t.systems.usually}</th>
              <th class="number">${t.systems.slowest}</th>
            </tr>
          </thead>
          <tbody>
            <${Row} name=${t.systems.lastHour} sums=${lastHour} />
            <${Row} name=${t.systems.lastDay} sums=${lastDay} />
          </tbody>
        </table>
      </div>`
    }
    ${
      errors.length > 0 &&
      html`<details>
        <summary>${t.systems.errors(errors.length)}</summary>
        <ul class="attempts">
          ${errors.map(
            ({ at, operation, problem }) => html`
              <li key=${at + operation}>
                <span class="quiet">${ago(at)}</span>
                <span>${t.systems.operations[operation as keyof typeof t.systems.operations] ?? operation}</span>
                <span>${problem}</span>
              </li>
            `,
          )}
        </ul>
      </details>`
    }
  `;
}

const milliseconds = (value: number | null) => (value === null ? '–' : t.systems.milliseconds(number(value)));

const Row = ({ name, sums }: { name: string; sums: Health['lastDay'] }) => html`
  <tr>
    <td>${name}</td>
    <td class="number">${number(sums.calls)}</td>
    <td class="number">${number(sums.refused)}</td>
    <td class="number">${number(sums.failed)}</td>
    <td class="number">${number(sums.inDoubt)}</td>
    <td class="number">${milliseconds(sums.p50Ms)}</td>
    <td class="number">${milliseconds(sums.p95Ms)}</td>
  </tr>
`;
