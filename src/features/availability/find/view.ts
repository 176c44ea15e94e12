import type { Candidate } from '../../venues/service.ts';
import { absentTypes, type RankedStart } from './ranking.ts';
import { type FoundTable, NEEDS, type TableQuestion } from './schema.ts';
import { slugOf } from './stages.ts';

/** A start as a caller, mostly a model, reads it: nothing that does not help to choose or to book. */
export function foundTable(start: RankedStart, question: TableQuestion): FoundTable {
  const { venueDay, day, slot, space, pricePence } = start;
  const { venue } = venueDay;
  const { deposit } = day.availability;
  const needs = NEEDS.filter((need) => isNeeded[need](start));
  return {
    compositeId: day.product.id,
    venue: venue.name,
    product: day.product.name,
    area: venue.area,
    city: venue.city,
    date: slot.date,
    time: slot.time,
    type: slot.type,
    ...(space && { spaceId: space.id, space: space.name }),
    ...(pricePence !== undefined && { price: pricePence }),
    ...(deposit && { deposit: deposit.total, currency: deposit.currency }),
    ...(needs.length > 0 && { needs }),
    why: reasonsFor(start, question),
  };
}

const isNeeded: Record<(typeof NEEDS)[number], (start: RankedStart) => boolean> = {
  preorder: ({ day }) => day.product.preOrderRequiredType !== 'none',
  company: ({ venueDay }) => (venueDay.venue.channel?.companyMode ?? 'none') !== 'none',
};

function reasonsFor(start: RankedStart, question: TableQuestion): string[] {
  const { venue, candidate } = start.venueDay;
  const absent = absentTypes(question, venue);
  const present = (question.types ?? []).map(slugOf).filter((slug) => !absent.includes(slug));
  return [
    ...timeReason(start, question),
    ...placeReason(start, question),
    ...present,
    ...absent.map((slug) => `not ${slug}`),
    ...(question.text === undefined ? [] : textReason(candidate)),
    ...(question.accessibility ? ['step-free'] : []),
    ...(question.maxPrice !== undefined && start.pricePence === undefined ? ['no set price'] : []),
  ];
}

function timeReason({ minutesLater }: RankedStart, { time }: TableQuestion): string[] {
  if (time === undefined) return [];
  if (minutesLater === 0) return ['on time'];
  return [`${lengthOf(Math.abs(minutesLater))} ${minutesLater > 0 ? 'later' : 'earlier'}`];
}

function lengthOf(minutes: number): string {
  return minutes % 60 === 0
    ? `${minutes / 60} h`
    : minutes < 60
      ? `${minutes} min`
      : hoursAndMinutes(minutes);
}

const hoursAndMinutes = (minutes: number) => `${Math.floor(minutes / 60)} h ${minutes % 60} min`;

function placeReason({ venueDay }: RankedStart, question: TableQuestion): string[] {
  const { venue, candidate } = venueDay;
  const { areas, near } = question;
  const away = candidate.metres === null ? undefined : distanceOf(candidate.metres);
  if (near) return [`${away} away`];
  if (areas === undefined) return [];
  if (candidate.isInAreas) return [`in ${venue.area}`];
  return [away === undefined ? `not in ${areas.join(', ')}` : `${away} from ${nameOf(areas)}`];
}

const nameOf = (areas: readonly string[]) => (areas.length === 1 ? (areas[0] ?? '') : 'the nearest area');

function distanceOf(metres: number): string {
  return metres < 950 ? `${Math.max(1, Math.round(metres / 50)) * 50} m` : `${(metres / 1000).toFixed(1)} km`;
}

const MOST_MATCHES = 3;

function textReason({ relevance, matches }: Candidate): string[] {
  return relevance > 0 ? matches.slice(0, MOST_MATCHES) : ['does not match the text'];
}
