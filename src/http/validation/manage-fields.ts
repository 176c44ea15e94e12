/** What several schemas of this feature are written in. */
import { Type } from 'typebox';
import { integerId } from '../manage-route.ts';
import { named, nameText, PATTERN_MESSAGE } from './schema-helpers.ts';

export const label = (description: string, maxLength = 150) => nameText(description, maxLength);

export const partnerId = integerId('Id of the partner', 1);

export const slug = (description: string) =>
  Type.String({
    pattern: '^[a-z0-9][a-z0-9-]{0,49}$',
    [PATTERN_MESSAGE]: 'must be 1 to 50 lower-case letters, digits and dashes',
    description,
  });

/** A segment of composite ids. */
export const segment = (description: string, example: string) =>
  Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._~-]{0,99}$',
    [PATTERN_MESSAGE]: 'must be 1 to 100 letters, digits, dots, dashes, "_" or "~"',
    description,
    examples: [example],
  });

export const moment = (description: string) => Type.String({ format: 'date-time', description });

export const PartnerSummary = Type.Object(
  { id: Type.Integer(), reference: Type.String(), name: Type.String() },
  named('PartnerSummary', 'Which partner'),
);

export const nameFilter = Type.Optional(
  Type.String({ minLength: 1, maxLength: 150, description: 'Only those whose name contains this' }),
);
