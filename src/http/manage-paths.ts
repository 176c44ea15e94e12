import { Type } from 'typebox';
import type { VenueId } from '../kernel/ids.ts';

/** What paths of `/manage` name. Spread them where a path names more. */

export const MAX_INTEGER = 2_147_483_647;

export const integerId = (description: string, example: number) =>
  Type.Integer({ minimum: 1, maximum: MAX_INTEGER, description, examples: [example] });

export const operatorId = integerId('Id of the operator: the first segment of the ids of its venues', 1);

/** The group is a positive integer of PostgreSQL, or nearly: none is that large. */
const VENUE_ID = '^([1-9]\\d{0,8}|1\\d{9}|20\\d{8})(\\|[A-Za-z0-9][A-Za-z0-9._~-]{0,99}){2}$';

export const venueId = Type.Unsafe<VenueId>(
  Type.String({
    pattern: VENUE_ID,
    'x-message': 'must be a venue id: group, system and resource joined by "|", such as 1|house|soho-grill',
    description: 'Id of the venue, percent-encoded',
    examples: ['1|house|soho-grill'],
  }),
);

export const operatorPath = Type.Object({ operatorId });
export const venuePath = Type.Object({ venueId });
