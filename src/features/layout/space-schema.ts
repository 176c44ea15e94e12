import { type Static, Type } from 'typebox';
import { integerId, MAX_INTEGER } from '../../http/manage-route.ts';
import {
  CLOCK_TIME,
  CLOSING_TIME,
  named,
  nameText,
  nullable,
  optional,
} from '../../http/validation/schema-helpers.ts';
import { CAPACITY_LAYOUTS, type CapacityLayout, closed, weekdays } from '../venues/service.ts';
import { ids } from './schema.ts';

/** In all that a stay can cross it stays a number that payments can be made of. */
const MAX_AMOUNT = 10_000_000;

/** What they are is checked later: times that cannot be used have a code of their own. */
const times = {
  startTime: Type.String({
    maxLength: 20,
    description: 'Local time, `HH:MM`',
    examples: ['18:00'],
    ...CLOCK_TIME,
  }),
  endTime: Type.String({
    maxLength: 20,
    description:
      'Local time, `HH:MM`; before `startTime` it is on the next day, and a whole day ends at 24:00',
    examples: ['02:00'],
    ...CLOSING_TIME,
  }),
};
const amount = Type.Integer({
  minimum: 0,
  maximum: MAX_AMOUNT,
  description: 'Minimum spend, in pence; 0: none',
});

const dates = {
  startDate: Type.String({ format: 'date', description: 'First trading day' }),
  endDate: Type.String({ format: 'date', description: 'Last trading day' }),
};
const reason = Type.String({ maxLength: 300, description: 'For the house; partners do not see it' });

export const SpendOverrideInput = Type.Object(
  { ...dates, ...times, amount, reason: optional(reason) },
  {
    additionalProperties: false,
    examples: [
      {
        startDate: '2026-12-24',
        endDate: '2026-12-26',
        startTime: '12:00',
        endTime: '00:00',
        amount: 150_000,
        reason: 'Christmas',
      },
    ],
  },
);
export type SpendOverrideInput = Static<typeof SpendOverrideInput>;

export const overrideId = integerId('Id of the override', 7);

export const SpendOverride = Type.Object(
  { id: overrideId, ...dates, ...times, amount, reason: nullable(reason) },
  named(
    'MinimumSpendOverride',
    'What guests of a space spend at least on these trading days, in place of the weekly bands it meets',
  ),
);
export type SpendOverride = Static<typeof SpendOverride>;

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
  { ...closed, ...named('ManagedSpacePolicies', 'What the space requires and allows') },
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

export const managedSpaceExample: ManagedSpace = {
  id: 101,
  name: 'The Copper Room',
  description: 'A panelled room with a bar of its own.',
  floorLocation: 'First floor',
  facilities: ['Private bar', 'Lift'],
  capacities: { standing: { min: 20, max: 45 }, seated: { min: 10, max: 28 } },
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

export const spendOverrideExample: SpendOverride = {
  id: 7,
  startDate: '2026-12-24',
  endDate: '2026-12-26',
  startTime: '12:00',
  endTime: '00:00',
  amount: 150_000,
  reason: 'Christmas',
};
