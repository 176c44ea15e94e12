import type { SpaceRecord } from '../venues/service.ts';
import type { AvailabilityQuery } from './query.ts';

/** Whether a space has the policies that were wished for, apart from its minimum spend, which depends on the hour. */
export function hasWishedPolicies({ policies }: SpaceRecord, query: AvailabilityQuery): boolean {
  const wishes = ['under18s', 'promotedEvents', 'accessibility', 'servesFood'] as const;
  return (
    wishes.every((name) => query[name] === undefined || query[name] === policies[name]) &&
    (query.occasionTypes ?? []).every((occasion) => policies.occasionTypes.includes(occasion))
  );
}

export function asksForSpaces(query: AvailabilityQuery): boolean {
  const { under18s, promotedEvents, accessibility, servesFood, occasionTypes, minimumSpend } = query;
  return [under18s, promotedEvents, accessibility, servesFood, occasionTypes, minimumSpend].some(
    (wish) => wish !== undefined,
  );
}
