import { type Static, Type } from 'typebox';
import { operatorId } from '../../http/manage-route.ts';
import { label, moment, nameFilter, PartnerSummary, partnerId } from '../../http/validation/manage-fields.ts';
import { pageQuery } from '../../http/validation/paging.ts';
import { named, nullable, optional, PATTERN_MESSAGE } from '../../http/validation/schema-helpers.ts';

export const Partner = Type.Object(
  {
    id: Type.Integer(),
    reference: Type.String({ description: 'What agents name the partner by' }),
    name: Type.String(),
    isMarketplace: Type.Boolean({ description: 'Whether venues are linked to it whole, on its own terms' }),
    createdAt: moment('When it was added'),
  },
  named('Partner', 'Who distributes venues'),
);
export type Partner = Static<typeof Partner>;

const allowSimilarName = Type.Optional(
  Type.Boolean({ description: 'It really is another partner, though its name is almost the same' }),
);

const reference = Type.String({
  pattern: '^[\\x21-\\x7e]{1,100}$',
  [PATTERN_MESSAGE]: 'must be 1 to 100 visible ASCII characters without spaces',
  description: 'What agents name it by; no other partner has it',
});

export const NewPartner = Type.Object(
  {
    reference,
    name: label('What people call it'),
    isMarketplace: Type.Optional(Type.Boolean()),
    allowSimilarName,
  },
  { additionalProperties: false, examples: [{ reference: 'city-guide', name: 'City Guide' }] },
);
export type NewPartner = Static<typeof NewPartner>;

export const PartnerChange = Type.Object(
  { reference, name: label('What people call it'), isMarketplace: Type.Boolean(), allowSimilarName },
  {
    additionalProperties: false,
    examples: [{ reference: 'city-guide', name: 'City Guide', isMarketplace: false }],
  },
);
export type PartnerChange = Static<typeof PartnerChange>;

export const PartnerQuery = Type.Object({ ...pageQuery, name: nameFilter });
export type PartnerQuery = Static<typeof PartnerQuery>;

export const partnerPath = Type.Object({ partnerId });

export const Association = Type.Object(
  {
    partner: PartnerSummary,
    isSuspended: Type.Boolean({ description: 'It still sees its venues, but cannot book' }),
    source: nullable(Type.String(), {
      description: 'What the operator’s systems call it; null: it cannot book until that is said',
    }),
  },
  named('PartnerAssociation', 'What an operator has to do with a partner'),
);
export type Association = Static<typeof Association>;

export const AssociationChange = Type.Object(
  {
    isSuspended: Type.Boolean(),
    source: optional(
      label('What the operator’s systems call the partner', 100),
      'Needed when they begin to deal with each other; left out or null: as it is',
    ),
  },
  { additionalProperties: false, examples: [{ isSuspended: false, source: 'CITYGUIDE' }] },
);
export type AssociationChange = Static<typeof AssociationChange>;

export const associationPath = Type.Object({ operatorId, partnerId });
export type AssociationPath = Static<typeof associationPath>;

export const PageOnly = Type.Object({ ...pageQuery });
