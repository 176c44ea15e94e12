import { type Static, Type } from 'typebox';
import { PARTNER_ROLES, ROLES } from '../../http/auth/actor.ts';
import { partnerId } from '../../http/validation/manage-fields.ts';
import {
  EMAIL,
  named,
  nameText,
  nullable,
  oneOf,
  optional,
  published,
} from '../../http/validation/schema-helpers.ts';

const instant = (description: string) => Type.String({ format: 'date-time', description });
const uuid = () => Type.String({ format: 'uuid' });
const role = oneOf(ROLES, { description: 'Each may do what the ones before it may' });

const RoleAtOperator = Type.Object(
  { operatorId: Type.Integer(), role },
  named('RoleAtOperator', 'What a person may do at one operator'),
);

const partnerRole = oneOf(PARTNER_ROLES, { description: 'What they may do there' });

const RoleAtPartner = Type.Object(
  { partnerId: Type.Integer(), name: Type.String({ description: 'Of the partner' }), role: partnerRole },
  named('RoleAtPartner', 'What a person may do at one partner'),
);

export const User = Type.Object(
  {
    id: uuid(),
    email: Type.String(EMAIL),
    name: Type.String(),
    isVerified: Type.Boolean({ description: 'Whether the address is known to be theirs; needed to sign in' }),
    isDisabled: Type.Boolean({ description: 'Switched off: cannot sign in' }),
    isPlatform: Type.Boolean({ description: 'Runs the platform' }),
    roles: Type.Array(RoleAtOperator),
    partners: Type.Array(RoleAtPartner),
    createdAt: instant('When the account was made'),
  },
  named('User', 'A person who can sign in'),
);
export type User = Static<typeof User>;

export const Member = Type.Object(
  {
    id: uuid(),
    email: Type.String(EMAIL),
    name: Type.String(),
    role,
    isVerified: Type.Boolean(),
    isDisabled: Type.Boolean({ description: 'Switched off by the platform' }),
  },
  named('Member', 'A user, as an operator sees those who work for it'),
);
export type Member = Static<typeof Member>;

export const PartnerMember = Type.Object(
  {
    id: uuid(),
    email: Type.String(EMAIL),
    name: Type.String(),
    role: partnerRole,
    isVerified: Type.Boolean(),
    isDisabled: Type.Boolean({ description: 'Switched off by the platform' }),
  },
  named('PartnerMember', 'A user, as a partner sees those who work for it'),
);
export type PartnerMember = Static<typeof PartnerMember>;

export const Session = Type.Object(
  { createdAt: instant('When you signed in'), expiresAt: instant('When it ends by itself'), user: User },
  named('Session', 'The time between signing in and signing out'),
);
export type Session = Static<typeof Session>;

export const NewSession = Type.Object(
  {
    token: nullable(Type.String(), {
      description: 'Send it as `Authorization: Bearer`; it is not shown again. Null: it is in the cookie',
    }),
    expiresAt: instant('When it ends by itself'),
    user: User,
  },
  named('NewSession', 'A session that has begun'),
);
export type NewSession = Static<typeof NewSession>;

export const Invite = Type.Object(
  {
    id: uuid(),
    email: Type.String(EMAIL),
    operatorId: nullable(Type.Integer({ description: 'Where; null: at a partner, or the platform alone' })),
    partnerId: nullable(Type.Integer({ description: 'Where; null: at an operator, or the platform alone' })),
    role: nullable(oneOf([...ROLES, ...PARTNER_ROLES], { description: 'What they may do there' })),
    isPlatform: Type.Boolean({ description: 'Whether it lets them run the platform' }),
    createdAt: instant('When it was sent'),
    expiresAt: instant('Until when it can be accepted'),
    acceptedAt: nullable(instant('Null: not accepted yet')),
  },
  named('Invite', 'An invitation to work for an operator, a partner or the platform'),
);
export type Invite = Static<typeof Invite>;

// What comes in. Addresses, passwords, roles and operators have problems of their own, so schemas let them pass.

const closed = { additionalProperties: false };
const email = Type.String({
  maxLength: 1000,
  description: 'Email address',
  examples: ['ada@lamp.example'],
  ...EMAIL,
});
const name = nameText('What the person is called', 200);
const password = Type.String({
  maxLength: 1000,
  description: 'From 12 to 200 characters, and hard to guess',
});
const token = Type.String({ maxLength: 200, description: 'From the mail' });
const anyRole = Type.String({
  maxLength: 50,
  description: 'What they may do',
  ...published({ enum: ROLES }),
});
const anyPlaceRole = Type.String({
  maxLength: 50,
  description: 'What they may do there',
  ...published({ enum: [...ROLES, ...PARTNER_ROLES] }),
});
const anyPartnerRole = Type.String({
  maxLength: 50,
  description: 'What they may do; `developer` if it is left out',
  ...published({ enum: PARTNER_ROLES }),
});
const anyOperator = Type.Integer({ description: 'Id of the operator' });

const examples = (...values: object[]) => ({ ...closed, examples: values });
const PASSWORD = 'lanterns over quiet water';

export const SignInBody = Type.Object(
  {
    email,
    password: Type.String({ maxLength: 1000 }),
    cookie: Type.Optional(
      Type.Boolean({ description: 'For a page of this service: keep the token in a cookie' }),
    ),
  },
  examples({ email: 'owner@lamp.example', password: 'demo-password-please-change' }),
);

export const EmailBody = Type.Object({ email }, examples({ email: 'ada@lamp.example' }));

export const TokenBody = Type.Object(
  { token },
  examples({ token: 'pP1uRkX0o6n7v3b1n4FqS0cJt9y2mLwE5aHdZgVxQeI' }),
);

export const ResetBody = Type.Object(
  { token, password },
  examples({ token: 'pP1uRkX0o6n7v3b1n4FqS0cJt9y2mLwE5aHdZgVxQeI', password: PASSWORD }),
);

export const AcceptBody = Type.Object(
  { token, name: Type.Optional(name), password: Type.Optional(password) },
  examples({ token: 'pP1uRkX0o6n7v3b1n4FqS0cJt9y2mLwE5aHdZgVxQeI', name: 'Ada Lamp', password: PASSWORD }),
);
export type AcceptBody = Static<typeof AcceptBody>;

export const NewUserBody = Type.Object(
  {
    email,
    name,
    password,
    isPlatform: Type.Optional(Type.Boolean()),
    roles: Type.Optional(
      Type.Array(Type.Object({ operatorId: anyOperator, role: anyRole }, closed), { maxItems: 100 }),
    ),
  },
  examples({
    email: 'ada@lamp.example',
    name: 'Ada Lamp',
    password: PASSWORD,
    roles: [{ operatorId: 1, role: 'manager' }],
  }),
);
export type NewUserBody = Static<typeof NewUserBody>;

export const UserBody = Type.Object(
  { name, email, isDisabled: Type.Boolean(), isPlatform: Type.Boolean() },
  examples({ name: 'Ada Lamp', email: 'ada@lamp.example', isDisabled: false, isPlatform: false }),
);
export type UserBody = Static<typeof UserBody>;

export const RoleBody = Type.Object({ role: anyRole }, examples({ role: 'manager' }));

export const OperatorInviteBody = Type.Object(
  { email, role: anyRole },
  examples({ email: 'ada@lamp.example', role: 'manager' }),
);

export const PartnerInviteBody = Type.Object(
  { email, role: Type.Optional(anyPartnerRole) },
  examples({ email: 'dev@cityguide.example', role: 'developer' }),
);
export type PartnerInviteBody = Static<typeof PartnerInviteBody>;

export const PlatformInviteBody = Type.Object(
  {
    email,
    operatorId: nullable(anyOperator),
    partnerId: optional(partnerId, 'Instead of an operator'),
    role: nullable(anyPlaceRole),
    isPlatform: Type.Boolean(),
  },
  examples(
    { email: 'ada@lamp.example', operatorId: 1, role: 'owner', isPlatform: false },
    { email: 'dev@cityguide.example', operatorId: null, partnerId: 1, role: 'developer', isPlatform: false },
  ),
);
export type PlatformInviteBody = Static<typeof PlatformInviteBody>;

export const AccountBody = Type.Object({ name }, examples({ name: 'Ada Lamp' }));

export const PasswordBody = Type.Object(
  { currentPassword: Type.String({ maxLength: 1000 }), newPassword: password },
  examples({ currentPassword: 'demo-password-please-change', newPassword: PASSWORD }),
);

export const userExample: User = {
  id: '019a8a11-2f6c-7c1e-9d1a-3b52f0c4a7e1',
  email: 'ada@lamp.example',
  name: 'Ada Lamp',
  isVerified: true,
  isDisabled: false,
  isPlatform: false,
  roles: [{ operatorId: 1, role: 'manager' }],
  partners: [],
  createdAt: '2026-11-14T18:02:11.482Z',
};

export const memberExample: Member = {
  id: userExample.id,
  email: userExample.email,
  name: userExample.name,
  role: 'manager',
  isVerified: true,
  isDisabled: false,
};

export const sessionExample: Session = {
  createdAt: '2026-11-14T18:05:00.000Z',
  expiresAt: '2026-11-15T06:05:00.000Z',
  user: userExample,
};

export const newSessionExample: NewSession = {
  token: 'mts_pP1uRkX0o6n7v3b1n4FqS0cJt9y2mLwE5aHdZgVxQeI',
  expiresAt: sessionExample.expiresAt,
  user: userExample,
};

export const inviteExample: Invite = {
  id: '019a8a12-07f3-7a55-8c39-6f0c1d2e9b44',
  email: 'ada@lamp.example',
  operatorId: 1,
  partnerId: null,
  role: 'manager',
  isPlatform: false,
  createdAt: '2026-11-14T17:40:00.000Z',
  expiresAt: '2026-11-21T17:40:00.000Z',
  acceptedAt: null,
};

export const partnerMemberExample: PartnerMember = {
  id: userExample.id,
  email: 'dev@cityguide.example',
  name: 'Dev Guide',
  role: 'developer',
  isVerified: true,
  isDisabled: false,
};

export const partnerInviteExample: Invite = {
  ...inviteExample,
  email: 'dev@cityguide.example',
  operatorId: null,
  partnerId: 1,
  role: 'developer',
};
