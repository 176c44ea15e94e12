/** Words that the schemas of what operators keep about their venues are written in. */
import { type TProperties, Type } from 'typebox';
import { integerId } from '../../../http/manage-route.ts';
import { CLOCK_TIME, CLOSING_TIME, nameText, optional } from '../../../http/validation/schema-helpers.ts';
import type { Weekday } from '../../../kernel/zone-time.ts';
import { MAX_PERIODS } from '../hours/check.ts';

export const WeekdaySchema = Type.Integer({
  minimum: 1,
  maximum: 7,
  description: '1 is Monday, 7 is Sunday',
});

/** A million pounds. */
const MAX_PENCE = 100_000_000;
export const MAX_SMALLINT = 32_767;

/** What is sent is taken whole or not at all. */
export const closed = { additionalProperties: false } as const;

export const label = (description: string, maxLength = 200) => nameText(description, maxLength);

export const prose = (description: string, maxLength = 5000) => Type.String({ maxLength, description });

export const number = (description: string, minimum: number, maximum: number) =>
  Type.Integer({ minimum, maximum, description });

export const price = (description: string) => number(`${description}, in pence`, 0, MAX_PENCE);

/** One segment of a composite id. */
export const segment = (description: string) =>
  Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._~-]{0,99}$',
    'x-message': 'must be letters, digits and . _ ~ -, 100 at most, beginning with a letter or digit',
    description,
  });

export const slug = (description: string) =>
  Type.String({
    pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
    maxLength: 100,
    'x-message': 'must be lower-case letters and digits, joined by single hyphens',
    description,
  });

/** Numbers of things of the same venue. */
export const ids = (description: string) =>
  Type.Array(integerId('Id', 1), { maxItems: 200, uniqueItems: true, description });

export const weekdays = Type.Unsafe<Weekday[]>(
  Type.Array(WeekdaySchema, { minItems: 1, maxItems: 7, uniqueItems: true }),
);

/** As it is read: nothing is left out. */
export const whole = <Properties extends TProperties>(properties: Properties) =>
  Type.Required(Type.Object(properties)).properties;

/** Null counts as left out, also in the store. */
export function given<Sent extends object>(sent: Sent): Given<Sent> {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null)) as Given<Sent>;
}

type Given<Sent> = { [Key in keyof Sent]: Exclude<Sent[Key], null> };

/** Times are checked where their order is: all of it is `VENUE-N-006`. */
const Period = Type.Object(
  {
    opens: Type.String({ maxLength: 10, description: 'Local time, `HH:MM`', ...CLOCK_TIME }),
    closes: Type.String({
      maxLength: 10,
      description: 'Local time, `HH:MM` or `24:00`; before `opens` it is on the next day',
      ...CLOSING_TIME,
    }),
  },
  closed,
);

/** Ten a day are plenty, and a thousand days of them can be stored at once. */
const periods = (description: string) => Type.Array(Period, { maxItems: MAX_PERIODS, description });

export const HoursBody = Type.Object(
  {
    weekly: Type.Array(Type.Object({ weekdays, periods: periods('In any order, apart') }, closed), {
      maxItems: 28,
      description: 'A weekday that is not named is closed',
    }),
    exceptions: Type.Optional(
      Type.Array(
        Type.Object(
          {
            date: Type.String({ format: 'date', description: 'Trading day' }),
            periods: periods('Instead of the weekly ones; none: closed'),
            reason: optional(prose('Why', 500)),
          },
          closed,
        ),
        { maxItems: 1000, description: 'Dates on which the weekly hours do not hold' },
      ),
    ),
  },
  {
    ...closed,
    description: 'When it trades, by trading days in local time',
    examples: [
      {
        weekly: [{ weekdays: [5, 6], periods: [{ opens: '12:00', closes: '01:00' }] }],
        exceptions: [{ date: '2026-12-25', periods: [], reason: 'Christmas Day' }],
      },
    ],
  },
);
