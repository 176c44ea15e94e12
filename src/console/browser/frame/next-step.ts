import { signal } from '@preact/signals';
import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import { path, writes } from '../app/api.ts';
import { t } from '../app/language.ts';
import { venue } from '../app/places.ts';
import { address } from '../app/router.ts';
import { may, operatorOf } from '../app/session.ts';
import { isBooked, readSteps, type VenueStep } from '../components/venue/venue-steps.ts';

interface Next {
  venueId: string;
  step: VenueStep;
  index: number;
  count: number;
}

/** Venues that were found to be booked: nothing is asked about them again. */
const ready = new Set<string>();

async function findNext(place: { id: string; tms: string }): Promise<Next | undefined> {
  if (await isBooked(place.id)) {
    ready.add(place.id);
    return undefined;
  }
  const steps = await readSteps(place);
  const index = steps.findIndex(({ isDone }) => !isDone);
  const step = steps[index];
  return step && { venueId: place.id, step, index, count: steps.length };
}

const next = signal<Next | undefined>(undefined);

/** Looks for what the venue of the address needs next, on every page and after every change. */
export function useNextStep(): void {
  const place = venue.value;
  const isAsked =
    place !== undefined &&
    place.closedAt === null &&
    may(operatorOf(place.id), 'manager') &&
    !ready.has(place.id);
  useEffect(() => {
    if (!isAsked) {
      next.value = undefined;
      return;
    }
    let isWanted = true;
    findNext(place).then(
      (found) => {
        if (isWanted) next.value = found;
      },
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [place?.id, isAsked, address.value.path, writes.value]);
}

/** Leads from page to page until a new venue has its first booking. Beside the page, so that nothing on it moves. */
export function NextStep({ where }: { where: 'side' | 'top' }) {
  const found = next.value;
  if (!found || found.venueId !== venue.value?.id) return null;
  const { step, index, count, venueId } = found;
  const { title, action } = t.venues.steps[step.name];
  const isHere = step.href === address.value.path;
  const all = `${path`/console/operators/${operatorOf(venueId)}/venues`}?steps=${encodeURIComponent(venueId)}`;
  return html`
    <aside class=${`next-step at-${where}`} aria-label=${t.venues.firstSteps}>
      <p>${t.venues.nextStep(index + 1, count)} <strong>${title}</strong></p>
      ${!isHere && html`<a class="button small primary" href=${step.href}>${action}</a>`}
      <a class="button small quiet" href=${all}>${t.venues.firstSteps}</a>
    </aside>
  `;
}
