import { type Static, type TSchema, Type } from 'typebox';
import { named, nullable, oneOf } from '../../../http/validation/schema-helpers.ts';
import { AmendmentBody, BookingBody, PreorderChoice, words } from '../create/body.ts';
import { BOOKING_SOURCES } from '../record.ts';

/** What a venue or its operator could do to a booking, for partners that test how they receive it. */

export const SIMULATED_STATUSES = ['pending', 'in_progress', 'confirmed', 'cancelled'] as const;

const amendable = AmendmentBody.properties;
const clearable = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema));

export const SimulatedChanges = Type.Object(
  {
    status: Type.Optional(
      oneOf(SIMULATED_STATUSES, {
        description: '`confirmed` takes a place in the system of the venue, the others give it back',
      }),
    ),
    date: Type.Optional(Type.String({ format: 'date', description: 'Trading day' })),
    time: Type.Optional(Type.String({ format: 'clock-time', description: 'Local time `HH:MM`' })),
    partySize: Type.Optional(amendable.partySize),
    duration: clearable(
      Type.Integer({ minimum: 1, maximum: 1440, description: 'Minutes; null: left to the venue' }),
    ),
    compositeId: Type.Optional(
      Type.String({ maxLength: 400, description: 'Another product of the same venue' }),
    ),
    productName: Type.Optional(words('Changes nothing: a product keeps its name', 200)),
    notes: clearable(words('What the guest wishes', 2000)),
    reference: clearable(words('The number that the system of the venue gave it', 100)),
    source: Type.Optional(oneOf(BOOKING_SOURCES)),
    firstName: Type.Optional(amendable.firstName),
    lastName: Type.Optional(amendable.lastName),
    email: amendable.email,
    phone: BookingBody.properties.phone,
    actualGuests: clearable(Type.Integer({ minimum: 0, maximum: 1000, description: 'How many came' })),
    actualSpend: clearable(
      Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'What they spent, in pence' }),
    ),
    preorders: Type.Optional(PreorderChoice),
    preorderMenus: Type.Optional(PreorderChoice.properties.menus),
  },
  {
    additionalProperties: false,
    ...named('SimulatedChanges', 'What happens to the booking first; empty: nothing but a new `lastUpdate`'),
  },
);
export type SimulatedChanges = Static<typeof SimulatedChanges>;
