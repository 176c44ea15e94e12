import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
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

/** Leads from page to page until a new venue has its first booking. */
export function NextStep() {
  const place = venue.value;
  const operatorId = place && operatorOf(place.id);
  const isShown =
    place !== undefined &&
    operatorId !== undefined &&
    place.closedAt === null &&
    may(operatorId, 'manager') &&
    !ready.has(place.id);
  const [next, setNext] = useState<Next>();
  useEffect(() => {
    if (!isShown) return;
    let isWanted = true;
    findNext(place).then(
      (found) => isWanted && setNext(found),
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [place?.id, isShown, address.value.path, writes.value]);
  if (!isShown || next?.venueId !== place.id) return null;
  const { title, action } = t.venues.steps[next.step.name];
  const isHere = next.step.href.split('?')[0] === address.value.path;
  return html`
    <aside class="next-step" aria-label=${t.venues.firstSteps}>
      <p>${t.venues.nextStep(next.index + 1, next.count)} <strong>${title}</strong></p>
      ${(!isHere || next.step.href.includes('?')) && html`<a class="button small primary" href=${next.step.href}>${action}</a>`}
      <a class="button small quiet" href=${`${path`/console/operators/${operatorId}/venues`}?steps=${encodeURIComponent(place.id)}`}>${t.venues.firstSteps}</a>
    </aside>
  `;
}
