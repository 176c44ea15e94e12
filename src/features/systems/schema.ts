import { type Static, Type } from 'typebox';
import { operatorId } from '../../http/manage-route.ts';
import { label, moment, segment, slug } from '../../http/validation/manage-fields.ts';
import { named, nullable, oneOf } from '../../http/validation/schema-helpers.ts';
import { CAPABILITIES } from '../../tms/contract.ts';
import { DEFAULT_RESILIENCE } from '../../tms/resilience.ts';

const jsonSchema = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

export const Protocol = Type.Object(
  {
    name: Type.String(),
    settings: jsonSchema('JSON schema of the settings of a system'),
    accountSettings: jsonSchema("JSON schema of the settings of an operator's account at it"),
    credentials: jsonSchema('JSON schema of what the system lets an operator in with'),
  },
  named('SystemProtocol', 'A protocol for systems, with the schemas of its settings and credentials'),
);
export type Protocol = Static<typeof Protocol>;
export const Protocols = Type.Object({ data: Type.Array(Protocol) });

export const platformSystemPath = Type.Object({
  slug: slug('The system, as the second segment of ids names it'),
});

const { readTimeoutMs, writeTimeoutMs, maxConcurrent, maxQueued } = DEFAULT_RESILIENCE;
const limit = (minimum: number, maximum: number, standard: number, description: string) =>
  Type.Integer({ minimum, maximum, description: `${description}; ${standard} unless it is set` });
const LIMITS = {
  readTimeoutMs: limit(100, 30_000, readTimeoutMs, 'How long it may take to look something up'),
  writeTimeoutMs: limit(100, 30_000, writeTimeoutMs, 'How long it may take to book, amend or cancel'),
  maxConcurrent: limit(1, 200, maxConcurrent, 'Calls of a node at a time, for shoppers and buyers each'),
  maxQueued: limit(0, 1000, maxQueued, 'Calls of a node that wait for one of these to end'),
};

const Limits = Type.Object(LIMITS, named('SystemLimits', 'Limits of the calls to a system'));

const SettingValue = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);
export type SettingValue = Static<typeof SettingValue>;

const system = {
  slug: Type.String({ description: 'The second segment of the ids of venues that are kept there' }),
  protocol: Type.String({ description: 'How it is spoken to' }),
  name: Type.String({ description: 'For people' }),
  settings: Type.Record(Type.String(), SettingValue, { description: 'As its protocol requires them' }),
  limits: Limits,
  version: Type.Integer({ description: 'How often it was stored' }),
  createdAt: moment('When it was added'),
  updatedAt: moment('When it was stored'),
};

export const PlatformSystem = Type.Object(
  system,
  named('PlatformSystem', 'A system that the platform has added'),
);
export type PlatformSystem = Static<typeof PlatformSystem>;

export const SystemOverview = Type.Object(
  {
    ...system,
    isConnected: Type.Boolean({
      description: 'False: its protocol is not there, or its settings no longer fit; it cannot be used',
    }),
    capability: nullable(oneOf(CAPABILITIES), { description: 'What guests get from it' }),
    operators: Type.Integer({ description: 'How many use it' }),
  },
  named('SystemOverview', 'A system that the platform has added, and whether it can be used'),
);
export type SystemOverview = Static<typeof SystemOverview>;
export const SystemOverviews = Type.Object({ data: Type.Array(SystemOverview) });

/** What its protocol says of settings is checked by the service. */
export const PlatformSystemChange = Type.Object(
  {
    protocol: Type.String({ maxLength: 50, description: 'The name of one of the protocols' }),
    name: label('For people'),
    settings: Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
      description: 'As the protocol requires them',
    }),
    limits: Type.Optional(Type.Partial(Limits, { additionalProperties: false })),
  },
  {
    additionalProperties: false,
    examples: [
      {
        protocol: 'connect',
        name: 'Tablebook',
        settings: { url: 'https://api.tablebook.example' },
        limits: { readTimeoutMs: 1500 },
      },
    ],
  },
);
export type PlatformSystemChange = Static<typeof PlatformSystemChange>;

const tms = segment('The system, as the second segment of ids names it', 'house');
export const systemPath = Type.Object({ operatorId, tms });
export type SystemPath = Static<typeof systemPath>;

export const System = Type.Object(
  {
    tms: Type.String({ description: 'The second segment of the ids of venues that are kept there' }),
    name: nullable(Type.String(), { description: 'For people; null: it is built in or not connected' }),
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

/** What a form for an account has to ask for. */
export const AccountForm = Type.Object(
  {
    settings: nullable(Protocol.properties.accountSettings),
    credentials: nullable(Protocol.properties.credentials),
  },
  named('SystemAccountForm', 'What an account at the system consists of; null: anything'),
);
export type AccountForm = Static<typeof AccountForm>;

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

export const SystemTest = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the system can be reached and lets the account in' }),
    tookMs: Type.Integer({ minimum: 0 }),
    problem: Type.Optional(Type.String({ description: 'What went wrong, in a sentence' })),
  },
  named('SystemTest', 'What came of a call with the account as it is stored'),
);
export type SystemTest = Static<typeof SystemTest>;

const count = (description: string) => Type.Integer({ minimum: 0, description });
const milliseconds = (description: string) =>
  nullable(Type.Integer({ minimum: 0 }), { description: `${description}; null: there were no calls` });

const sums = {
  calls: count('That the system was reached with, or could not be'),
  refused: count('That it said no to, such as a table that is taken'),
  failed: count('That certainly had no effect: no answer, an answer that cannot be read, too many calls'),
  inDoubt: count('Of which it is not known whether they had an effect; these are looked up later'),
  p50Ms: milliseconds('Half of them took at most this'),
  p95Ms: milliseconds('Nineteen in twenty took at most this'),
  maxMs: milliseconds('The longest'),
};
export const CallSums = Type.Object(sums, named('SystemCalls', 'Calls of a system, added up'));
export type CallSums = Static<typeof CallSums>;

const SYSTEM_STATES = ['working', 'failing', 'resting', 'unused', 'not_connected'] as const;

export const SystemHealth = Type.Object(
  {
    tms: Type.String(),
    state: oneOf(SYSTEM_STATES, {
      description:
        '`failing`: of the calls of the last ten minutes more than half failed. `resting`: at least one node does not call the system for a moment because it has been failing, whichever operator that was for. `unused`: there was no call within a day. `not_connected`: no protocol or settings that fit',
    }),
    restingOn: count('So many nodes do not call the system for a moment'),
    lastCallAt: nullable(moment('Of the operator, within a day')),
    lastHour: CallSums,
    lastDay: CallSums,
    operations: Type.Array(Type.Object({ operation: Type.String(), ...sums }), {
      description: 'Calls of the last day, by operation',
    }),
    minutes: Type.Array(
      Type.Object({ at: moment('When it began'), calls: count('All'), failed: count('Failed or in doubt') }),
      { description: 'Of the last hour, those with calls' },
    ),
    errors: Type.Array(
      Type.Object({
        at: moment('The last of its minute'),
        operation: Type.String(),
        problem: Type.String({ description: 'In a sentence that has nothing of guests or credentials' }),
      }),
      { description: 'The latest twenty of the last day' },
    ),
  },
  named('SystemHealth', "How an operator's account at a system is"),
);
export type SystemHealth = Static<typeof SystemHealth>;
