import { html } from 'htm/preact';
import type { ManagedVenue } from '../../../../features/venues/manage/venue-schema.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { Icon } from '../../components/icon.ts';
import { Loading } from '../../components/notice.ts';
import { readSteps, type VenueStep } from '../../components/venue/venue-steps.ts';

/** What a new venue needs before it can be booked, in the order in which it is best done. */
export function FirstSteps({ venue }: { venue: ManagedVenue }) {
  const loaded = useLoad(() => readSteps(venue), [venue.id]);
  return html`
    <${Loading} loaded=${loaded}>
      ${(steps: VenueStep[]) => {
        const next = steps.find(({ isDone }) => !isDone);
        return html`
          <ol class="first-steps">
            ${steps.map(
              (step, index) => html`
                <li key=${step.name} class=${step.isDone ? 'is-done' : ''}>
                  <span class="step-mark">${step.isDone ? html`<${Icon} name="check" size=${16} />` : index + 1}</span>
                  <div>
                    <p><strong>${t.venues.steps[step.name].title}</strong> ${step.isDone && html`<span class="visually-hidden">${t.venues.stepDone}</span>`}</p>
                    <p class="quiet small">${t.venues.steps[step.name].text}</p>
                  </div>
                  <a class=${step === next ? 'button small primary' : 'button small'} href=${step.href}>${t.venues.steps[step.name].action}</a>
                </li>
              `,
            )}
          </ol>
        `;
      }}
    <//>
  `;
}
