import { type Static, Type } from 'typebox';
import { label, moment, nameFilter } from '../../http/validation/manage-fields.ts';
import { pageQuery } from '../../http/validation/paging.ts';
import { EMAIL, named, nullable } from '../../http/validation/schema-helpers.ts';

const SETTINGS = {
  contactEmail: 'Address to which the platform writes; null: none is set',
  bookingReplyTo: 'Where partners answer messages about bookings that name no address of their own',
  defaultTimeZone: 'The IANA time zone of most venues, for information',
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

/** Apart from the settings, which are replaced as a whole: money must not go elsewhere because one was left out. */
export const PaymentAccount = Type.Object(
  {
    account: nullable(
      Type.String({
        pattern: '^acct_[A-Za-z0-9]{1,64}$',
        'x-message': 'must be an account at the payment provider, such as acct_1PgSHuB7WZ01zgkW, or null',
        description: "Its account at the payment provider; null: its money goes to the platform's own",
      }),
    ),
  },
  {
    additionalProperties: false,
    ...named('PaymentAccount', 'Where the money of an operator goes'),
    examples: [{ account: 'acct_1PgSHuB7WZ01zgkW' }],
  },
);
export type PaymentAccount = Static<typeof PaymentAccount>;

export const OperatorQuery = Type.Object({ ...pageQuery, name: nameFilter });
export type OperatorQuery = Static<typeof OperatorQuery>;
