import { type Static, Type } from 'typebox';
import { integerId, venueId } from '../../http/manage-route.ts';
import { partnerId, segment } from '../../http/validation/manage-fields.ts';
import { pageQuery } from '../../http/validation/paging.ts';
import { named, nullable, oneOf, published } from '../../http/validation/schema-helpers.ts';

export const COMPANY_MODES = ['none', 'single', 'list'] as const;

export const Mapping = Type.Object(
  {
    partnerId: Type.Integer(),
    venueId: Type.String(),
    company: Type.Object(
      {
        mode: oneOf(COMPANY_MODES),
        names: Type.Array(Type.String()),
      },
      { description: 'In whose name the partner books: nobody’s, always one, or one of a list' },
    ),
    maxPartySize: nullable(Type.Integer({ minimum: 1 }), {
      description: 'The largest party that is taken from it; null: as from everybody',
    }),
    isRequestOnly: Type.Boolean({ description: 'It can enquire, but not book' }),
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
    productKeys: Type.Array(productKey, { maxItems: 500, uniqueItems: true }),
  },
  {
    additionalProperties: false,
    examples: [
      {
        company: { mode: 'list', names: ['Arden & Sons', 'Northgate Legal'] },
        maxPartySize: 8,
        isRequestOnly: false,
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
