import { type Static, Type } from 'typebox';
import { integerId } from '../../http/manage-paths.ts';
import { CLOCK_TIME, CLOSING_TIME, named, nullable, optional } from '../../http/schema-words.ts';

/** In all that a stay can cross it stays a number that payments can be made of. */
const MAX_AMOUNT = 10_000_000;

/** What they are is checked later: times that cannot be used have a code of their own. */
export const times = {
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
export const amount = Type.Integer({
  minimum: 0,
  maximum: MAX_AMOUNT,
  description: 'Least spend, in pence; 0: nothing is asked',
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
