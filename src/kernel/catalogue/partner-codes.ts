import type { CodeList } from './entry.ts';

export const partnerCodes = {
  'PMAP-N-001': {
    status: 403,
    title: 'Venue not mapped to you',
    meaning: 'The venue exists, but its operator does not distribute it through you.',
    remedy: 'Use venues that GET /venues lists for you, or ask the operator for a mapping.',
  },
  'PMAP-N-002': {
    status: 403,
    title: 'Product not mapped to you',
    meaning: 'You distribute the venue, but not this product of it.',
    remedy: 'Use products that the venue lists for you, or ask the operator for a mapping.',
  },
  'PMAP-N-003': {
    status: 403,
    title: 'Not your booking',
    meaning: 'The booking or order belongs to another partner.',
    remedy: 'Use ids of bookings that you made.',
  },
  'PMAP-N-004': {
    status: 404,
    title: 'Partner not found',
    meaning: 'No partner has this id.',
    remedy: 'List the partners and use an id from there.',
  },
  'PMAP-N-005': {
    status: 404,
    title: 'No mapping to replace',
    meaning: 'The product mapping that this request would replace does not exist.',
    remedy: 'Create the mapping instead.',
  },
  'PMAP-N-006': {
    status: 409,
    title: 'Product mapped already',
    meaning: 'This product is mapped to the partner already.',
    remedy: 'Nothing needs to be added; replace the mapping to change it.',
  },
  'PMAP-N-007': {
    status: 404,
    title: 'Source mapping not found',
    meaning: 'The partner has no source mapping with this id.',
    remedy: 'List the source mappings of the partner.',
  },
  'PMAP-N-008': {
    status: 409,
    title: 'Source exists already',
    meaning: 'The partner has a source of this name at the operator already.',
    remedy: 'Use the existing source, or choose another name.',
  },
  'PMAP-N-009': {
    status: 409,
    title: 'Source belongs to another partner',
    meaning: 'The source is linked to another partner and cannot serve two.',
    remedy: 'Unlink it there first, or choose another source.',
  },
  'PMAP-N-010': {
    status: 404,
    title: 'Source not found',
    meaning: 'The operator has no source with this id.',
    remedy: 'List the sources of the operator.',
  },
  'PMAP-N-011': {
    status: 422,
    title: 'Source not resolved yet',
    meaning: 'The source is not assigned to a partner yet.',
    remedy: 'Assign the source to a partner first.',
  },
  'PMAP-N-012': {
    status: 409,
    title: 'Source resolved already',
    meaning: 'The source is assigned to a partner already.',
    remedy: 'Use PUT to assign it to another one.',
  },
  'PMAP-N-013': {
    status: 400,
    title: 'Company settings cannot be used',
    meaning: 'The mode is none of none, single and list, or there are too many or too long names.',
    remedy: 'Send one of the three modes and at most 500 names of at most 150 characters each.',
  },
  'PMAP-N-014': {
    status: 409,
    title: 'A similar partner exists',
    meaning: 'A partner with almost the same name is there already.',
    remedy: 'Use that partner, or send allowSimilarName if it really is another one.',
  },
  'PMAP-N-015': {
    status: 422,
    title: 'No mapping on marketplaces',
    meaning: 'Products of a marketplace channel are not mapped one by one.',
    remedy: 'Change what the channel shows with availability rules.',
  },
  'OPRTR-N-001': {
    status: 404,
    title: 'Operator not found',
    meaning: 'No operator has this id.',
    remedy: 'List the operators and use an id from there.',
  },
  'OPRTR-N-002': {
    status: 403,
    title: 'Belongs to another operator',
    meaning: 'You act for one operator, and this is the property of another.',
    remedy: 'Use ids of your own operator.',
  },
  'OPRTR-N-003': {
    status: 400,
    title: 'Partner source required',
    meaning: 'The operator has to say under which source the bookings of the partner enter its system.',
    remedy: 'Send the partner source with the request.',
  },
  'OPRTR-N-004': {
    status: 409,
    title: 'Operator exists already',
    meaning: 'There is an operator of this name already.',
    remedy: 'Use that operator, or choose another name.',
  },
  'OPRTR-N-005': {
    status: 409,
    title: 'Operator cannot be deleted',
    meaning: 'The operator still has venues, bookings or users.',
    remedy: 'Close or move what belongs to the operator first.',
  },
  'OPRTR-N-006': {
    status: 400,
    title: 'Operator configuration cannot be used',
    meaning: 'A setting of the operator is unknown or has a value that it cannot have.',
    remedy: 'Correct the setting that detail names.',
  },
  'OPRTR-N-007': {
    status: 409,
    title: 'Credentials exist already',
    meaning: 'The operator has credentials for this table management system already.',
    remedy: 'Replace them instead of adding a second set.',
  },
  'OPRTR-N-008': {
    status: 404,
    title: 'Credentials not found',
    meaning: 'The operator has no credentials for this table management system.',
    remedy: 'Store the credentials first.',
  },
  'OPRTR-N-009': {
    status: 400,
    title: 'Credentials do not work',
    meaning: 'The credentials are incomplete, or the table management system refuses them.',
    remedy: 'Check them at the system and send them again.',
  },
  'OPRTR-N-010': {
    status: 409,
    title: 'Catalogue not reviewed',
    meaning:
      'A catalogue is applied only after a dry run that has ended well and is at most 24 hours old; reviewedRunId names none.',
    remedy: 'Start a run with dryRun=true, look at its differences, and send its id as reviewedRunId.',
  },
  'MANDT-N-001': {
    status: 403,
    title: 'Beyond the mandate',
    meaning: 'Your client has a mandate, and the request exceeds the limit that `limit` names.',
    remedy:
      'Send a request within the mandate, which GET /mandate shows, or ask those who gave it for another mandate.',
  },
  'MANDT-N-002': {
    status: 409,
    title: 'To be confirmed by a person',
    meaning:
      'The mandate of your client requires that a person confirms this request. Nothing was booked, held or changed.',
    remedy:
      'Show detail to the person. If they say yes, send the same request again with confirmationToken, before expiresAt.',
  },
  'OPRTR-N-011': {
    status: 409,
    title: 'Catalogue is being read',
    meaning: 'Another run for the same operator and system has not ended yet.',
    remedy: 'Wait until it has; GET …/catalogue shows its progress.',
  },
} as const satisfies CodeList;
