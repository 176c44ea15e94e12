import { type Static, Type } from 'typebox';
import { integerId, operatorId } from '../../http/manage-route.ts';
import { label, partnerId, slug } from '../../http/validation/manage-fields.ts';
import { named } from '../../http/validation/schema-helpers.ts';

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
