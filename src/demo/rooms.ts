import type { SpaceDocument } from '../features/venues/transfer/document.ts';
import { EVERY_DAY } from './hours.ts';

type Described = Pick<
  SpaceDocument,
  'id' | 'name' | 'description' | 'floorLocation' | 'facilities' | 'capacities'
>;

/** A room for hire on the usual terms: one minimum spend by day and one, half as much again, in the evening. */
export function room(
  described: Described,
  daytimeSpendPence: number,
  policies: Partial<SpaceDocument['policies']> = {},
): SpaceDocument {
  return {
    ...described,
    policies: {
      minimumSpend: [
        { weekdays: EVERY_DAY, startTime: '08:00', endTime: '17:00', amount: daytimeSpendPence },
        { weekdays: EVERY_DAY, startTime: '17:00', endTime: '02:00', amount: daytimeSpendPence * 1.5 },
      ],
      occasionTypes: ['birthday', 'anniversary', 'corporate-dinner', 'meeting'],
      under18s: true,
      promotedEvents: false,
      accessibility: true,
      servesFood: true,
      ...policies,
    },
  };
}
