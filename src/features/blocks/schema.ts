import { type Static, Type } from 'typebox';
import { integerId, venueId } from '../../http/manage-route.ts';
import { pageQuery } from '../../http/validation/paging.ts';
import { named, nullable, optional } from '../../http/validation/schema-helpers.ts';
import { LOCAL_DATE_TIME } from '../../kernel/local-time.ts';

const MAX_NAMED = 500;
const MAX_REASON = 500;

const localTime = (description: string) =>
  Type.String({
    pattern: `^${LOCAL_DATE_TIME}$`,
    'x-message': 'must be a local date and time such as 2026-12-05T19:30',
    description,
  });
const ids = (description: string, example: number) =>
  Type.Array(integerId('Id', example), { minItems: 1, maxItems: MAX_NAMED, uniqueItems: true, description });

const from = localTime('When it begins, on the clocks of the venue');
const to = localTime('When it ends; the moment itself is free again');
const tableIds = ids('Tables', 101101);
const areaIds = ids('Areas, with all their tables, also those that are added later', 10111);
const zoneIds = ids('Zones, with all their tables, also those that are added later', 1011);
const reason = Type.String({ maxLength: MAX_REASON, description: 'For the staff; no partner sees it' });

export const BlockBody = Type.Object(
  {
    from,
    to,
    tableIds: optional(tableIds, 'Tables; one of the three lists is needed, and no more than one'),
    areaIds: optional(areaIds),
    zoneIds: optional(zoneIds),
    reason: optional(reason),
  },
  {
    additionalProperties: false,
    ...named('NewBlock', 'Tables that are to take no new bookings for a time'),
    examples: [
      { from: '2026-12-05T18:00', to: '2026-12-05T23:00', tableIds: [101101], reason: 'Wobbly leg' },
    ],
  },
);
export type BlockBody = Static<typeof BlockBody>;

const blockFields = {
  id: Type.String({ format: 'uuid' }),
  from,
  to,
  tableIds: nullable(tableIds),
  areaIds: nullable(areaIds),
  zoneIds: nullable(zoneIds),
  tables: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() }), {
    description: 'All tables that are blocked by it',
  }),
  reason: nullable(reason),
  createdAt: Type.String({ format: 'date-time' }),
};

export const Block = Type.Object(blockFields, named('Block', 'Tables that take no new bookings for a time'));
export type Block = Static<typeof Block>;

const BlockedBooking = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    start: Type.String({ format: 'date-time', description: 'When the party gets its tables, local time' }),
    end: Type.String({ format: 'date-time', description: 'When it leaves them, local time' }),
    guests: Type.Integer(),
    tables: Type.Array(Type.String()),
    guestName: nullable(Type.String({ description: 'Null: the guest was forgotten, or gave no name' })),
  },
  named('BlockedBooking', 'A booking that has a table of the block, and keeps it'),
);

export const BlockWithBookings = Type.Object(
  {
    ...blockFields,
    bookings: Type.Array(BlockedBooking, { description: 'The first 200 bookings inside it' }),
    bookingCount: Type.Integer({ description: 'All of them' }),
  },
  named('BlockWithBookings', 'A block, and the bookings inside it, which stay where they are'),
);
export type BlockWithBookings = Static<typeof BlockWithBookings>;

export const blockExample: Block = {
  id: '019a8a11-2f6c-7c1e-9d1a-3b52f0c4a7e3',
  from: '2026-12-05T18:00',
  to: '2026-12-05T23:00',
  tableIds: [101101],
  areaIds: null,
  zoneIds: null,
  tables: [{ id: 101101, name: 'W1' }],
  reason: 'Wobbly leg',
  createdAt: '2026-12-05T16:20:11.004Z',
};

export const blockWithBookingsExample: BlockWithBookings = {
  ...blockExample,
  bookings: [
    {
      id: '019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60',
      start: '2026-12-05T19:30:00+00:00',
      end: '2026-12-05T21:00:00+00:00',
      guests: 2,
      tables: ['W1'],
      guestName: 'Ada Lovelace',
    },
  ],
  bookingCount: 1,
};

const day = (description: string) => Type.Optional(Type.String({ format: 'date', description }));

export const BlockQuery = Type.Object({
  ...pageQuery,
  from: day('Only what lasts until this day of the venue, or longer'),
  to: day('Only what begins on this day or before'),
});
export type BlockQuery = Static<typeof BlockQuery>;

export const BlockPath = Type.Object({
  venueId,
  blockId: Type.String({ description: 'Id of the block', examples: [blockExample.id] }),
});
