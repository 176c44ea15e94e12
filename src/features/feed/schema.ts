import { type Static, Type } from 'typebox';
import { venueId } from '../../http/manage-route.ts';
import { moment } from '../../http/validation/manage-fields.ts';
import { pageQuery } from '../../http/validation/paging.ts';
import { named, nullable } from '../../http/validation/schema-helpers.ts';

export const PartnerFeed = Type.Object(
  {
    venueId: Type.String(),
    venueName: Type.String(),
    productId: Type.String(),
    productName: Type.String(),
    url: nullable(Type.String(), { description: 'Of the index; null: there is none yet' }),
    isOwn: Type.Boolean({ description: 'Made for this partner alone, since its offer differs' }),
    isActive: Type.Boolean({ description: 'False: there is none yet, or the venue is closed' }),
    isCurrent: Type.Boolean({ description: 'Whether the files show every change of the venue up to now' }),
    madeAt: nullable(moment('When the index was last made')),
    changedAt: nullable(moment('When a file last changed')),
    fileCount: Type.Integer({ description: 'Days that have a file; those without an open start have none' }),
  },
  named('PartnerFeed', 'The availability feed of a product, as a partner reads it'),
);
export type PartnerFeed = Static<typeof PartnerFeed>;

export const FeedQuery = Type.Object({ ...pageQuery, venueId: Type.Optional(venueId) });
export type FeedQuery = Static<typeof FeedQuery>;
