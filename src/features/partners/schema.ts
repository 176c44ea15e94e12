import { type Static, Type } from 'typebox';
import { integerId, operatorId, venueId } from '../../http/manage-route.ts';
import {
  label,
  moment,
  nameFilter,
  PartnerSummary,
  partnerId,
  segment,
  slug,
} from '../../http/validation/manage-fields.ts';
import { pageQuery } from '../../http/validation/paging.ts';
import {
  named,
  nullable,
  oneOf,
  optional,
  PATTERN_MESSAGE,
  published,
} from '../../http/validation/schema-helpers.ts';
import { DEPOSIT_TERMS } from '../venues/service.ts';

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
      description: 'Its name in the operator’s systems; null: it has no source there and cannot book',
    }),
  },
  named('PartnerAssociation', 'The association of an operator with a partner'),
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

export const PartnerCategory = Type.Object(
  {
    id: Type.Integer(),
    slug: Type.String(),
    name: Type.String(),
    partnerIds: Type.Array(Type.Integer(), { description: 'Who is in it' }),
  },
  named('PartnerCategory', 'Partners that an operator treats alike; rules are aimed at it'),
);
export type PartnerCategory = Static<typeof PartnerCategory>;

/** Of an operator, and in one of them. */
export const MOST_CATEGORIES = 200;
export const MOST_MEMBERS = 1000;

export const PartnerCategories = Type.Object({ data: Type.Array(PartnerCategory) });

export const NewPartnerCategory = Type.Object(
  {
    slug: slug('Unlike that of any other category of the operator'),
    name: label('What people call it'),
    partnerIds: Type.Array(partnerId, {
      maxItems: MOST_MEMBERS,
      uniqueItems: true,
      description: 'Who is in it',
    }),
  },
  {
    additionalProperties: false,
    examples: [{ slug: 'concierges', name: 'Hotel concierges', partnerIds: [3] }],
  },
);
export type NewPartnerCategory = Static<typeof NewPartnerCategory>;

export const categoryPath = Type.Object({ operatorId, categoryId: integerId('Id of the category', 1) });
export type CategoryPath = Static<typeof categoryPath>;

export const Source = Type.Object(
  {
    id: Type.Integer(),
    operatorId: Type.Integer(),
    name: Type.String({ description: 'As it stands in the operator’s systems' }),
    partnerId: nullable(Type.Integer(), {
      description: 'The partner whose bookings carry this name; null: not assigned to a partner yet',
    }),
    partner: nullable(PartnerSummary, {
      description: 'The same partner, with its name',
    }),
  },
  named('PartnerSource', 'What the systems of an operator call the origin of bookings'),
);
export type Source = Static<typeof Source>;

const linkedTo = nullable(partnerId, {
  description: 'The partner whose bookings carry it; null: not assigned to a partner yet',
});

export const NewSource = Type.Object(
  { name: label('As it stands in the operator’s systems', 100), partnerId: linkedTo },
  { additionalProperties: false, examples: [{ name: 'CITYGUIDE', partnerId: 3 }] },
);
/** Stands for both: what a source is made of, and what it is changed to. */
export type NewSource = Static<typeof NewSource>;

export const Resolution = Type.Object(
  { partnerId },
  { additionalProperties: false, examples: [{ partnerId: 3 }] },
);

export const SourceQuery = Type.Object({
  ...pageQuery,
  isResolved: Type.Optional(
    Type.Boolean({
      description: 'True: only sources that are assigned to a partner; false: only the others',
    }),
  ),
});
export type SourceQuery = Static<typeof SourceQuery>;

export const sourcePath = Type.Object({ operatorId, sourceId: integerId('Id of the source', 1) });
export type SourcePath = Static<typeof sourcePath>;

export const COMPANY_MODES = ['none', 'single', 'list'] as const;

/** Which of the two writes mails to guests. */
const GUEST_MAILS = ['partner', 'venue'] as const;

export const Mapping = Type.Object(
  {
    partnerId: Type.Integer(),
    venueId: Type.String(),
    venueName: Type.String(),
    company: Type.Object(
      {
        mode: oneOf(COMPANY_MODES),
        names: Type.Array(Type.String()),
      },
      {
        description:
          'The company in whose name the partner books: none, always the same one, or one of a list',
      },
    ),
    maxPartySize: nullable(Type.Integer({ minimum: 1 }), {
      description: 'The largest party that is accepted from the partner; null: it has no limit of its own',
    }),
    isRequestOnly: Type.Boolean({ description: 'The partner can enquire, but not book' }),
    guestMails: oneOf(GUEST_MAILS, {
      description:
        'Who writes to the guests of its bookings: the partner, or the venue with the mails that it has set',
    }),
    deposit: oneOf(DEPOSIT_TERMS, {
      description:
        'How deposits come in: the partner takes them and says so with `depositAmount`, or the guest pays here and the booking is confirmed by it',
    }),
    productKeys: Type.Array(Type.String(), {
      description: 'What it may sell there: the last segments of the ids of products',
    }),
  },
  named('VenueMapping', 'What a partner may distribute of a venue, and on which terms'),
);
export type Mapping = Static<typeof Mapping>;

const productKey = segment('The last segment of the id of a product', 'dinner');

/** Which modes and names there can be has a code of its own; these bounds only keep nonsense out. */
const Company = Type.Object(
  {
    mode: Type.String({ maxLength: 100, ...published({ enum: COMPANY_MODES }) }),
    names: Type.Array(Type.String({ maxLength: 10_000, format: 'name' }), {
      maxItems: 10_000,
      description: 'None, exactly one, or 1 to 500, as the mode says; each of 1 to 150 characters',
    }),
  },
  { additionalProperties: false },
);
export type Company = Static<typeof Company>;

export const MappingChange = Type.Object(
  {
    company: Company,
    maxPartySize: nullable(Type.Integer({ minimum: 1, maximum: 32_767 })),
    isRequestOnly: Type.Boolean(),
    guestMails: Type.Optional(
      oneOf(GUEST_MAILS, { description: 'Absent: as it is; `partner` in a new mapping' }),
    ),
    deposit: Type.Optional(
      oneOf(DEPOSIT_TERMS, { description: 'Absent: as it is; `declared` in a new mapping' }),
    ),
    productKeys: Type.Array(productKey, { maxItems: 500, uniqueItems: true }),
  },
  {
    additionalProperties: false,
    examples: [
      {
        company: { mode: 'list', names: ['Arden & Sons', 'Northgate Legal'] },
        maxPartySize: 8,
        isRequestOnly: false,
        guestMails: 'venue',
        deposit: 'declared',
        productKeys: ['lunch', 'dinner'],
      },
    ],
  },
);
export type MappingChange = Static<typeof MappingChange>;

export const ProductChoice = Type.Object(
  { productKey },
  { additionalProperties: false, examples: [{ productKey: 'dinner' }] },
);

export const mappingPath = Type.Object({ partnerId, venueId });
export type MappingPath = Static<typeof mappingPath>;
export const productPath = Type.Object({ partnerId, venueId, productKey });

export const MappingQuery = Type.Object({
  ...pageQuery,
  operatorId: Type.Optional(integerId('Only venues of this operator', 1)),
});
export type MappingQuery = Static<typeof MappingQuery>;
