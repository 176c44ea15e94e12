import { type Static, Type } from 'typebox';
import { CLOCK_TIME, named, nullable, pence, text } from '../../http/schema-words.ts';

export const Weekday = Type.Integer({ minimum: 1, maximum: 7, description: '1 is Monday, 7 is Sunday' });

const Capacity = Type.Object(
  { min: nullable(Type.Integer()), max: nullable(Type.Integer()) },
  named('Capacity', 'Guests in this layout; both null where the space is not laid out so'),
);

const MinimumSpend = Type.Object(
  {
    weekdays: Type.Array(Weekday),
    startTime: text('Local time, `HH:MM`', CLOCK_TIME),
    endTime: text('Local time, `HH:MM`; at or before `startTime` it is on the next day', CLOCK_TIME),
    amount: pence('Least spend for the band'),
  },
  named('MinimumSpend', 'What guests spend at least, within a band of the day'),
);

const SpacePolicies = Type.Object(
  {
    minimumSpend: Type.Array(MinimumSpend),
    occasionTypes: Type.Array(Type.String()),
    under18s: Type.Boolean({ description: 'Guests under 18 are welcome' }),
    promotedEvents: Type.Boolean({ description: 'Events that are advertised to the public are welcome' }),
    accessibility: Type.Boolean({ description: 'Step-free access' }),
    servesFood: Type.Boolean(),
  },
  named('SpacePolicies', 'What the space asks for and allows'),
);

export const Space = Type.Object(
  {
    id: Type.Integer({ description: 'Send it as `spaceId` when booking' }),
    spaceName: Type.String(),
    description: nullable(Type.String()),
    floorLocation: nullable(Type.String()),
    facilities: Type.Array(Type.String()),
    capacityStanding: Capacity,
    capacitySeated: Capacity,
    capacityCabaret: Capacity,
    capacityTheatre: Capacity,
    capacityBoardroom: Capacity,
    capacityClassroom: Capacity,
    capacityUShape: Capacity,
    capacityBanquet: Capacity,
    capacityReception: Capacity,
    policies: SpacePolicies,
  },
  named('Space', 'A room or area that can be booked as such'),
);

export type Space = Static<typeof Space>;
