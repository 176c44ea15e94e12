/** From the moment that a venue is taken from a partner until somebody gives it back, that partner sells nothing there. */
import { MAPPING } from '../actors/mapper.ts';
import type { Evidence } from '../evidence.ts';
import { isDone } from '../journal.ts';
import { CREATE, firstAttempts, venueIn } from './bookings.ts';

const PARTNER_CLIENT = 'storm-mapped-reader';

export function checkMappings({ entries }: Evidence): string[] {
  const first = firstAttempts(entries);
  const given = entries.filter(({ route, status }) => route === `PUT ${MAPPING}` && (status ?? 0) < 400);
  const taken = entries.filter((entry) => entry.route === `DELETE ${MAPPING}` && isDone(entry));
  return taken.flatMap((ending) => {
    const venue = decodeURIComponent(ending.path.split('/').at(-1) ?? '');
    const until = Math.min(
      ...given.filter(({ path, told }) => path === ending.path && told > ending.told).map(({ sent }) => sent),
    );
    return entries
      .filter(
        (entry) =>
          entry.route === CREATE &&
          entry.client === PARTNER_CLIENT &&
          isDone(entry) &&
          venueIn(entry.path) === venue &&
          (first.get(entry.mark ?? 0) ?? 0) > ending.told &&
          entry.told < until,
      )
      .map(({ mark }) => `booking ${mark} was sold at ${venue} after the mapping was withdrawn`);
  });
}
