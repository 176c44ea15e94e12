import { type Static, Type } from 'typebox';
import { operatorId } from '../../http/manage-route.ts';
import { label, moment, nameFilter, segment } from '../../http/validation/manage-fields.ts';
import { pageQuery } from '../../http/validation/paging.ts';
import { EMAIL, named, nullable, oneOf } from '../../http/validation/schema-helpers.ts';
import { CAPABILITIES } from '../../tms/contract.ts';

const tms = segment('The system, as the second segment of ids names it', 'house');
export const systemPath = Type.Object({ operatorId, tms });
export type SystemPath = Static<typeof systemPath>;

const SettingValue = Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean()]);

export const System = Type.Object(
  {
    tms: Type.String({ description: 'The second segment of the ids of venues that are kept there' }),
    kind: nullable(oneOf(['built-in', 'remote'] as const), {
      description: 'Whether it is part of this service; null: no node is connected with it',
    }),
    capability: nullable(oneOf(CAPABILITIES), { description: 'What guests get from it' }),
    settings: Type.Record(Type.String(), SettingValue, {
      description: 'What the system has to know about the operator besides credentials',
    }),
    hasCredentials: Type.Boolean(),
  },
  named('OperatorSystem', 'A table management system that an operator runs on'),
);
export type System = Static<typeof System>;

export const Systems = Type.Object({ data: Type.Array(System) });

export const MOST_SETTINGS = 20;

/** Of how many and of what is in them the service says more than a schema could. */
export const SystemChange = Type.Object(
  {
    settings: Type.Optional(
      Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
        description: `At most ${MOST_SETTINGS} texts, numbers and booleans by name. A system that is built in has none.`,
      }),
    ),
  },
  { additionalProperties: false, examples: [{ settings: { region: 'eu' } }] },
);
export type SystemChange = Static<typeof SystemChange>;
export type SettingValue = Static<typeof SettingValue>;

export const Credentials = Type.Object(
  {
    tms: Type.String(),
    version: Type.Integer({ description: 'How often they were stored' }),
    fieldNames: Type.Array(Type.String(), { description: 'What is stored; the values are never shown' }),
    createdAt: moment('When there were none before'),
    updatedAt: moment('When these were stored'),
  },
  named('SystemCredentials', 'What a system lets the operator in with, without the secrets themselves'),
);
export type Credentials = Static<typeof Credentials>;

/** What cannot be credentials has a code of its own, so the service looks at them. */
export const NewCredentials = Type.Object(
  {
    fields: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Texts of 1 to 4000 characters by name: 1 to 20, in letters, digits and "_"',
    }),
  },
  { additionalProperties: false, examples: [{ fields: { apiKey: 'k-5e8f0c', restaurantGroup: '0815' } }] },
);
export type NewCredentials = Static<typeof NewCredentials>;

const SETTINGS = {
  contactEmail: 'Whom the platform writes to; null: nobody was named',
  bookingReplyTo: 'Where partners answer messages about bookings that name no address of their own',
  defaultTimeZone: 'The IANA time zone that most venues are in, for whoever adds one',
} as const;

export type OperatorSettings = Record<keyof typeof SETTINGS, string | null>;

const setting = (name: keyof typeof SETTINGS, options = {}) =>
  nullable(Type.String(options), { description: SETTINGS[name] });

export const Operator = Type.Object(
  {
    id: Type.Integer({ description: 'The first segment of the ids of its venues' }),
    name: Type.String(),
    settings: Type.Object({
      contactEmail: setting('contactEmail', EMAIL),
      bookingReplyTo: setting('bookingReplyTo', EMAIL),
      defaultTimeZone: setting('defaultTimeZone'),
    }),
    createdAt: moment('When it was added'),
  },
  named('Operator', 'Who runs venues'),
);
export type Operator = Static<typeof Operator>;

/** What is wrong with a setting has a code of its own, so the service looks at them. */
const unread = (name: keyof typeof SETTINGS) => Type.Optional(Type.Unknown({ description: SETTINGS[name] }));
const Settings = Type.Object(
  {
    contactEmail: unread('contactEmail'),
    bookingReplyTo: unread('bookingReplyTo'),
    defaultTimeZone: unread('defaultTimeZone'),
  },
  { description: 'What is left out is null' },
);

/** Numbering continues after the highest, so a higher one would leave too few for later operators. */
const HIGHEST_CHOSEN_ID = 1_000_000_000;

export const NewOperator = Type.Object(
  {
    id: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: HIGHEST_CHOSEN_ID,
        description:
          'Where it must be a certain one, that no operator ever had; otherwise the next that is free',
        examples: [7],
      }),
    ),
    name: label('Unlike that of any other operator'),
    settings: Type.Optional(Settings),
  },
  {
    additionalProperties: false,
    examples: [{ name: 'Lamplight Group', settings: { defaultTimeZone: 'Europe/London' } }],
  },
);
export type NewOperator = Static<typeof NewOperator>;

export const OperatorChange = Type.Object(
  { name: label('Unlike that of any other operator'), settings: Settings },
  {
    additionalProperties: false,
    examples: [{ name: 'Lamplight Group', settings: { contactEmail: 'office@lamplight.example' } }],
  },
);
export type OperatorChange = Static<typeof OperatorChange>;

export const OperatorQuery = Type.Object({ ...pageQuery, name: nameFilter });
export type OperatorQuery = Static<typeof OperatorQuery>;
