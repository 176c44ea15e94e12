import { type Static, Type } from 'typebox';
import { CommaList, Defaulted } from '../../http/validation/query-schema.ts';

const clock = (description: string) => Type.Optional(Type.String({ format: 'clock-time', description }));
const filter = (description: string) => Type.Optional(Type.Boolean({ description }));
const moment = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 60, description }));

/** In one question or one booking. */
export const MOST_GUESTS = 1000;

export const AvailabilityQuery = Type.Object({
  partySize: Type.Integer({ minimum: 1, maximum: MOST_GUESTS, description: 'Adults' }),
  children: Defaulted(
    Type.Integer({
      minimum: 0,
      maximum: MOST_GUESTS,
      default: 0,
      description: 'Children, who need seats as well',
    }),
  ),
  date: Type.Optional(
    Type.String({ format: 'date', description: 'Trading day; needed unless `startDateTime` is given' }),
  ),
  time: clock('Only starts within an hour of this local time'),
  duration: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1440, description: 'Wished stay, in minutes' }),
  ),
  startTime: clock('Earliest start, local time'),
  endTime: clock('Latest start, local time; before `startTime` it is after midnight'),
  startDateTime: moment('Earliest start as an instant with UTC offset; needed unless `date` is given'),
  endDateTime: moment('Latest start as an instant with UTC offset, at most 48 hours after `startDateTime`'),
  minimumSpend: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'Most that the space may demand, in pence',
    }),
  ),
  under18s: filter('Spaces that welcome guests under 18, or those that do not'),
  occasionTypes: CommaList(Type.String({ minLength: 1, maxLength: 100 }), {
    minItems: 1,
    maxItems: 20,
    description: 'Occasions separated by commas; a space must take all of them',
  }),
  promotedEvents: filter('Spaces that take promoted events, or those that do not'),
  accessibility: filter('Spaces that are step-free, or those that are not'),
  servesFood: filter('Spaces where food is served, or those where it is not'),
  includeUnavailable: Defaulted(
    Type.Boolean({ default: false, description: 'Also return starts that cannot be had, with the reasons' }),
  ),
  fields: Type.Optional(
    Type.String({ description: 'What to return, for example `times(time,type,product(spaces(id)))`' }),
  ),
});

export type AvailabilityQuery = Static<typeof AvailabilityQuery>;
