import { html } from 'htm/preact';
import type { Layout } from '../../../../features/layout/schema.ts';
import type { ManagedVenue, VenueHours } from '../../../../features/venues/manage/venue-schema.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import { Icon } from '../../components/icon.ts';
import { Loading } from '../../components/notice.ts';

interface Step {
  name: 'layout' | 'hours' | 'products' | 'partner' | 'booking';
  href: string;
  isDone: boolean;
}

async function readSteps(venue: ManagedVenue): Promise<Step[]> {
  const own = path`/manage/venues/${venue.id}`;
  const operator = path`/manage/operators/${venue.operatorId}`;
  const [layout, hours, products, partners, bookings] = await Promise.all([
    venue.tms === 'house' ? api.get<Layout>(`${own}/layout`) : undefined,
    api.get<VenueHours>(`${own}/hours`),
    api.get<{ data: unknown[] }>(`${own}/products`),
    api.get<Page<unknown>>(`${operator}/partners`, { pageSize: 1 }),
    api.get<Page<unknown>>(`${operator}/bookings`, { venueId: venue.id, pageSize: 1 }),
  ]);
  const at = (page: string) => `${path`/console/venues/${venue.id}`}/${page}`;
  return [
    ...(layout ? [{ name: 'layout' as const, href: at('layout'), isDone: layout.tables.length > 0 }] : []),
    { name: 'hours', href: at('calendar?tab=hours'), isDone: hours.weekly.length > 0 },
    { name: 'products', href: at('products'), isDone: products.data.length > 0 },
    {
      name: 'partner',
      href: path`/console/operators/${venue.operatorId}/partners`,
      isDone: partners.meta.totalItems > 0,
    },
    { name: 'booking', href: at('tonight'), isDone: bookings.meta.totalItems > 0 },
  ];
}

/** What a new venue needs before it can be booked, in the order in which it is best done. */
export function FirstSteps({ venue }: { venue: ManagedVenue }) {
  const loaded = useLoad(() => readSteps(venue), [venue.id]);
  return html`
    <${Loading} loaded=${loaded}>
      ${(steps: Step[]) => {
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
