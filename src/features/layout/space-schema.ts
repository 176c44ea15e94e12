import { type Static, Type } from 'typebox';
import { integerId, MAX_INTEGER } from '../../http/manage-paths.ts';
import { named, nameText, nullable, optional } from '../../http/schema-words.ts';
import { CAPACITY_LAYOUTS, type CapacityLayout } from '../venues/document.ts';
import { closed, weekdays } from '../venues/manage-words.ts';
import { ids } from './schema.ts';
import { amount, times } from './spend-schema.ts';

const word = Type.String({ minLength: 1, maxLength: 100 });
const words = (description: string) => Type.Array(word, { maxItems: 100, uniqueItems: true, description });

const guests = Type.Integer({ minimum: 0, maximum: MAX_INTEGER });
const Capacity = Type.Object({ min: guests, max: guests }, closed);
const Capacities = Type.Object(
  Object.fromEntries(CAPACITY_LAYOUTS.map((layout) => [layout, Type.Optional(Capacity)])) as Record<
    CapacityLayout,
    ReturnType<typeof Type.Optional<typeof Capacity>>
  >,
  { ...closed, ...named('Capacities', 'Guests by how the space is laid out; absent: it is not laid out so') },
);

const Band = Type.Object({ weekdays, ...times, amount }, closed);

const Policies = Type.Object(
  {
    minimumSpend: Type.Array(Band, {
      maxItems: 50,
      description: 'Week by week; no two bands hold at a time on one weekday',
    }),
    occasionTypes: words('Occasions that are welcome'),
    under18s: Type.Boolean({ description: 'Guests under 18 are welcome' }),
    promotedEvents: Type.Boolean({ description: 'Events that are advertised to the public are welcome' }),
    accessibility: Type.Boolean({ description: 'Step-free access' }),
    servesFood: Type.Boolean(),
  },
  { ...closed, ...named('ManagedSpacePolicies', 'What the space asks for and allows') },
);

const name = nameText('What it is called', 200);
const description = Type.String({ maxLength: 5000 });
const floorLocation = Type.String({ maxLength: 200, examples: ['First floor'] });
const facilities = words('What there is in it');
const zoneIds = Type.Array(ids.zoneId, {
  maxItems: 20,
  uniqueItems: true,
  description: 'Where its guests sit: one zone or none on `house`, none on other systems',
});

/** As little as it takes, and a place to sit. */
const spaceExample = {
  name: 'The Copper Room',
  capacities: { seated: { min: 10, max: 28 } },
  policies: {
    minimumSpend: [{ weekdays: [5, 6], startTime: '18:00', endTime: '23:00', amount: 80_000 }],
    occasionTypes: ['birthday', 'corporate-dinner'],
    under18s: true,
    promotedEvents: false,
    accessibility: true,
    servesFood: true,
  },
  zoneIds: [1012],
};

export const SpaceInput = Type.Object(
  {
    name,
    description: optional(description),
    floorLocation: optional(floorLocation),
    facilities: optional(facilities),
    capacities: optional(Capacities),
    policies: Policies,
    zoneIds: optional(zoneIds),
  },
  { ...closed, examples: [spaceExample] },
);
export type SpaceInput = Static<typeof SpaceInput>;

export const spaceId = integerId('Id of the space', 101);

export const ManagedSpace = Type.Object(
  {
    id: spaceId,
    name,
    description: nullable(description),
    floorLocation: nullable(floorLocation),
    facilities,
    capacities: Capacities,
    policies: Policies,
    zoneIds,
  },
  named('ManagedSpace', 'A room or area that can be booked as such, as its operator keeps it'),
);
export type ManagedSpace = Static<typeof ManagedSpace>;
