import { type Static, Type } from 'typebox';
import { SCOPES } from '../../http/auth/caller.ts';
import { integerId, operatorId } from '../../http/manage-route.ts';
import { moment, partnerId, segment } from '../../http/validation/manage-fields.ts';
import { pageQuery } from '../../http/validation/paging.ts';
import { named, nullable, oneOf, optional } from '../../http/validation/schema-helpers.ts';

const KINDS = ['partner', 'agent', 'operator', 'platform'] as const;
const kind = oneOf(KINDS, { description: 'Whom it belongs to' });

const clientFields = {
  id: Type.String({ description: 'What it gets tokens with, together with a secret' }),
  kind,
  partnerId: nullable(Type.Integer(), { description: 'Whose it is, if it is a partner’s' }),
  operatorId: nullable(Type.Integer(), { description: 'Whose it is, if it is an operator’s' }),
  scopes: Type.Array(oneOf(SCOPES), { description: 'What it may do at most' }),
  isActive: Type.Boolean({ description: 'Otherwise it gets no tokens, and those it has do not work' }),
  hasMandate: Type.Boolean({ description: 'Whether a mandate limits what it does on behalf of others' }),
  createdAt: moment('When it was added'),
};
export const Client = Type.Object(clientFields, named('Client', 'A program that calls this service'));
export type Client = Static<typeof Client>;

const secretText = Type.String({ description: 'Shown this once: only its hash is kept' });

export const ClientWithSecret = Type.Object(
  { ...clientFields, secretId: Type.String(), secret: secretText },
  named('ClientWithSecret', 'A new client and its first secret'),
);
export type ClientWithSecret = Static<typeof ClientWithSecret>;

const scopes = Type.Array(oneOf(SCOPES), {
  minItems: 1,
  maxItems: SCOPES.length,
  uniqueItems: true,
  description: 'Of those that clients of its kind can have. The platform’s have all of them',
});

const clientId = segment('Id of the client', 'acme-booking');

export const NewClientBody = Type.Object(
  {
    id: Type.Optional(segment('Where it must be a certain one; otherwise a random one', 'acme-booking')),
    kind,
    partnerId: optional(partnerId, 'Needed for a partner’s, and only there'),
    operatorId: optional(operatorId, 'Needed for an operator’s, and only there'),
    scopes: Type.Optional(scopes),
  },
  { additionalProperties: false, examples: [{ kind: 'partner', partnerId: 3, id: 'city-guide-app' }] },
);
export type NewClientBody = Static<typeof NewClientBody>;

export const ClientChange = Type.Object(
  { isActive: Type.Boolean(), scopes },
  {
    additionalProperties: false,
    examples: [{ isActive: true, scopes: ['venue:read', 'venue-booking:read'] }],
  },
);
export type ClientChange = Static<typeof ClientChange>;

export const ClientQuery = Type.Object({
  ...pageQuery,
  kind: Type.Optional(kind),
  partnerId: Type.Optional(integerId('Only those of this partner', 1)),
  operatorId: Type.Optional(integerId('Only those of this operator', 1)),
});
export type ClientQuery = Static<typeof ClientQuery>;

export const clientPath = Type.Object({ clientId });

export const ClientSecret = Type.Object(
  {
    id: Type.String(),
    createdAt: moment('When it was made'),
    expiresAt: nullable(moment('When it ends'), { description: 'Null: it has no end' }),
  },
  named('ClientSecret', 'A secret of a client, without the secret itself'),
);
export type ClientSecret = Static<typeof ClientSecret>;
export const ClientSecrets = Type.Object({ data: Type.Array(ClientSecret) });

const YEAR_SECONDS = 31_536_000;

export const NewSecretBody = Type.Object(
  {
    othersExpireInSeconds: optional(
      Type.Integer({ minimum: 0, maximum: YEAR_SECONDS }),
      'When the secrets that it has so far end; left out: they stay as they are',
    ),
    expiresAt: optional(Type.String({ format: 'date-time' }), 'When the new one ends; left out: never'),
  },
  { additionalProperties: false, examples: [{ othersExpireInSeconds: 86_400 }] },
);
export type NewSecretBody = Static<typeof NewSecretBody>;

export const NewClientSecret = Type.Object(
  {
    secretId: Type.String(),
    secret: secretText,
    expiresAt: nullable(moment('When it ends')),
  },
  named('NewClientSecret', 'A secret, the only time it is shown'),
);
export type NewClientSecret = Static<typeof NewClientSecret>;

export const secretPath = Type.Object({
  clientId,
  secretId: Type.String({ format: 'uuid', description: 'Id of the secret' }),
});

export const AllowedPartner = Type.Object(
  { partnerId },
  { additionalProperties: false, examples: [{ partnerId: 3 }] },
);
export const allowedPartnerPath = Type.Object({ clientId, partnerId });
