import { type Static, Type } from 'typebox';
import { operatorId } from '../../http/manage-route.ts';
import { moment, segment } from '../../http/validation/manage-fields.ts';
import { named, nullable, oneOf } from '../../http/validation/schema-helpers.ts';
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
