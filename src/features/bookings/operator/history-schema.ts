import { type Static, Type } from 'typebox';
import { named, oneOf } from '../../../http/validation/schema-helpers.ts';

const HistoryChange = Type.Object(
  {
    field: Type.String({ description: 'As the booking calls it, such as `time`' }),
    before: Type.Unknown({ description: 'Null: it was not there' }),
    after: Type.Unknown({ description: 'Null: it is gone' }),
  },
  named('HistoryChange', 'A field before and after'),
);
export type HistoryChange = Static<typeof HistoryChange>;

const HistoryEntry = Type.Object(
  {
    at: Type.String({ format: 'date-time' }),
    by: Type.Object(
      {
        kind: oneOf(['user', 'client', 'partner', 'system'] as const, {
          description:
            '`system`: it happened by itself, such as a visit that ended, or the venue did it in its own system, which `name` then says',
        }),
        name: Type.String({ description: 'What they were called then' }),
      },
      named('HistoryActor', 'Who did it'),
    ),
    action: Type.String({
      description:
        'What was done: `create`, `amend`, `cancel`, `complete`, `payment`, `refund`, or an action of the operator such as `move`, `visit`, `message`',
    }),
    changes: Type.Array(HistoryChange, {
      description: 'Empty where it is not known any more, or the action has none',
    }),
  },
  named('HistoryEntry', 'Something that happened to a booking'),
);
export type HistoryEntry = Static<typeof HistoryEntry>;

export const BookingHistory = Type.Object(
  { data: Type.Array(HistoryEntry, { description: 'The oldest first; of very many the latest' }) },
  named('BookingHistory', 'What happened to a booking'),
);

export const historyExample: Static<typeof BookingHistory> = {
  data: [
    {
      at: '2026-11-14T18:02:11.482Z',
      by: { kind: 'partner', name: 'Demo Partner' },
      action: 'create',
      changes: [{ field: 'time', before: null, after: '19:30' }],
    },
    {
      at: '2026-11-15T10:40:02.511Z',
      by: { kind: 'user', name: 'Anna Weber' },
      action: 'move',
      changes: [{ field: 'tables', before: ['12'], after: ['4'] }],
    },
  ],
};
