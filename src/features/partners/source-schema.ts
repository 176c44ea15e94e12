import { type Static, Type } from 'typebox';
import { integerId, operatorId } from '../../http/manage-route.ts';
import { label, PartnerSummary, partnerId } from '../../http/validation/manage-fields.ts';
import { pageQuery } from '../../http/validation/paging.ts';
import { named, nullable } from '../../http/validation/schema-helpers.ts';

export const Source = Type.Object(
  {
    id: Type.Integer(),
    operatorId: Type.Integer(),
    name: Type.String({ description: 'As it stands in the operator’s systems' }),
    partnerId: nullable(Type.Integer(), {
      description: 'Whose bookings carry this name; null: nobody has said yet',
    }),
    partner: nullable(PartnerSummary, {
      description: 'The same partner, with its name',
    }),
  },
  named('PartnerSource', 'What the systems of an operator call the origin of bookings'),
);
export type Source = Static<typeof Source>;

const linkedTo = nullable(partnerId, { description: 'Whose bookings carry it; null: that is not known yet' });

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
  isResolved: Type.Optional(Type.Boolean({ description: 'Only those whose partner is known, or is not' })),
});
export type SourceQuery = Static<typeof SourceQuery>;

export const sourcePath = Type.Object({ operatorId, sourceId: integerId('Id of the source', 1) });
export type SourcePath = Static<typeof sourcePath>;
