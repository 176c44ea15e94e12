/** A space as its form holds it: lists are typed as texts. */
import type { ManagedSpace, SpaceInput } from '../../../../features/layout/space-schema.ts';

export type Band = SpaceInput['policies']['minimumSpend'][number];
export type Capacities = ManagedSpace['capacities'];
export type CapacityLayout = keyof Capacities;

export const CAPACITY_LAYOUTS: readonly CapacityLayout[] = [
  'seated',
  'standing',
  'boardroom',
  'theatre',
  'cabaret',
  'classroom',
  'uShape',
  'banquet',
  'reception',
];

export interface SpaceValues {
  name: string;
  description: string;
  floorLocation: string;
  facilities: string;
  capacities: Capacities;
  minimumSpend: readonly Band[];
  occasionTypes: string;
  under18s: boolean;
  promotedEvents: boolean;
  accessibility: boolean;
  servesFood: boolean;
  zoneId: string;
}

export const NEW_SPACE: SpaceValues = {
  name: '',
  description: '',
  floorLocation: '',
  facilities: '',
  capacities: {},
  minimumSpend: [],
  occasionTypes: '',
  under18s: true,
  promotedEvents: false,
  accessibility: false,
  servesFood: true,
  zoneId: '',
};

export const valuesOf = ({ policies, ...space }: ManagedSpace): SpaceValues => ({
  name: space.name,
  description: space.description ?? '',
  floorLocation: space.floorLocation ?? '',
  facilities: space.facilities.join(', '),
  capacities: space.capacities,
  minimumSpend: policies.minimumSpend,
  occasionTypes: policies.occasionTypes.join(', '),
  under18s: policies.under18s,
  promotedEvents: policies.promotedEvents,
  accessibility: policies.accessibility,
  servesFood: policies.servesFood,
  zoneId: String(space.zoneIds[0] ?? ''),
});

const textOrNull = (text: string) => (text.trim() === '' ? null : text.trim());

/** `Bar, Lift` as two words. */
const wordsOf = (text: string) => [
  ...new Set(
    text
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  ),
];

export const bodyOfSpace = (values: SpaceValues): SpaceInput => ({
  name: values.name.trim(),
  description: textOrNull(values.description),
  floorLocation: textOrNull(values.floorLocation),
  facilities: wordsOf(values.facilities),
  capacities: values.capacities,
  policies: {
    minimumSpend: [...values.minimumSpend],
    occasionTypes: wordsOf(values.occasionTypes),
    under18s: values.under18s,
    promotedEvents: values.promotedEvents,
    accessibility: values.accessibility,
    servesFood: values.servesFood,
  },
  zoneIds: values.zoneId === '' ? [] : [Number(values.zoneId)],
});
