import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import type { PlatformHealth } from '../../../../features/health/schema.ts';
import { api } from '../../app/api.ts';
import { timeIn } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { Icon } from '../../components/icon.ts';
import { Loading } from '../../components/notice.ts';
import { ToneTag } from '../../components/tone-tag.ts';
import { HealthDetails } from './health-details.ts';
import { PARTS, type Part, tonesOf } from './health-tones.ts';

const REFRESH_MS = 5_000;

/** How the platform is, at a glance; asked again every few seconds while it is looked at. */
export default function Health() {
  const loaded = useLoad(() => api.get<PlatformHealth>('/manage/health'), []);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && loaded.reload(), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return html`
    <div class="page">
      <div class="page-head">
        <h1>${t.pages.health}</h1>
        ${loaded.data && html`<p>${t.health.asOf(timeIn(loaded.data.at))}</p>`}
      </div>
      <${Loading} loaded=${loaded}>${(health: PlatformHealth) => html`<${Overview} health=${health} />`}<//>
    </div>
  `;
}

function Overview({ health }: { health: PlatformHealth }) {
  const tones = tonesOf(health);
  const troubled = PARTS.filter((part) => tones[part] !== 'good');
  const worst = troubled.some((part) => tones[part] === 'bad') ? 'refused' : 'warn';
  return html`
    <div class=${`notice ${troubled.length === 0 ? 'good' : worst}`} role="status">
      <${Icon} name=${troubled.length === 0 ? 'check' : 'warning'} />
      <p>
        <strong>
          ${troubled.length === 0 ? t.health.allWell : t.health.troubled(troubled.map((part) => t.health.parts[part]))}
        </strong>
      </p>
    </div>
    <div class="health">
      ${PARTS.map(
        (part: Part) => html`
          <section key=${part} class="panel">
            <header>
              <h2>${t.health.parts[part]}</h2>
              <${ToneTag} tone=${tones[part]} text=${t.health.tones[tones[part]]} />
            </header>
            <${HealthDetails} health=${health} part=${part} />
          </section>
        `,
      )}
    </div>
  `;
}
