import type { CodeList } from './entry.ts';

export const availabilityCodes = {
  'AVAIL-N-001': {
    status: 404,
    title: 'No such product at this venue',
    meaning: 'The venue exists, but the last segment of the composite id names no product of it.',
    remedy: 'Read the venue again and take compositeId from its products.',
  },
  'AVAIL-N-002': {
    status: 403,
    title: 'Venue not set up for you',
    meaning: 'Your arrangement with the operator of this venue is missing or suspended.',
    remedy: 'Ask the operator to set up or resume the arrangement; until then offer other venues.',
  },
  'AVAIL-N-003': {
    status: 404,
    title: 'Nothing to book for you here',
    meaning: 'The venue is mapped to you, but none of its products is.',
    remedy: 'Ask the operator to map at least one product of this venue to you.',
  },
  'AVAIL-N-004': {
    status: 422,
    title: 'Closed on that date',
    meaning: 'The venue does not trade on the requested day.',
    remedy: 'Choose another day; opening_times of the venue shows the regular ones.',
  },
  'AVAIL-N-005': {
    status: 409,
    title: 'Slot not available',
    meaning: 'The slot is taken, cannot be confirmed at once, or does not exist at that time.',
    remedy:
      'Take one of nearestTimes or at most largestPartySize where they are given; else read availability again and book one of its slots. Where enquiryPossible is true, type "request" asks the operator.',
  },
  'AVAIL-N-006': {
    status: 422,
    title: 'Duration out of bounds',
    meaning: 'The product cannot be booked for that long, or for that short a time.',
    remedy: 'Keep duration between minDuration and maxDuration of the slot, in steps of durationInterval.',
  },
  'AVAIL-N-007': {
    status: 400,
    title: 'Too short notice',
    meaning: 'The start lies closer to the present than the product or a rule of the operator allows.',
    remedy: 'Choose a later start.',
  },
  'AVAIL-N-008': {
    status: 400,
    title: 'Too far ahead',
    meaning: 'The date lies beyond the last day that can be booked yet.',
    remedy: 'Choose an earlier date, or try again when it has come nearer.',
  },
  'AVAIL-N-009': {
    status: 400,
    title: 'Two different times in one request',
    meaning: 'startDateTime says something else than date, startTime or endTime in the same request.',
    remedy: 'Send one of the two forms, or make them agree in the time zone of the venue.',
  },
  'AVAIL-N-010': {
    status: 400,
    title: 'Window cannot be used',
    meaning:
      'A bound of the window lacks its UTC offset, the end stands without a start or before it, or the window is longer than 48 hours.',
    remedy:
      'Send startDateTime, and endDateTime after it, both with an offset or Z and at most 48 hours apart.',
  },
  'AVAIL-R-001': {
    status: 503,
    title: 'Venue system is limiting us',
    meaning: 'The table management system takes no further availability checks for the moment.',
    remedy: 'Repeat the request after the time in Retry-After.',
  },
  'OPRUL-N-001': {
    status: 422,
    title: 'Date switched off by the operator',
    meaning: 'The operator takes no bookings of this kind on that very date.',
    remedy: 'Choose another date.',
  },
  'OPRUL-N-002': {
    status: 422,
    title: 'Date lies in a range that is switched off',
    meaning: 'The operator has taken a range of dates out of sale, and the requested one is among them.',
    remedy: 'Choose a date before or after that range; operatorAvailabilityRules of the venue shows it.',
  },
  'OPRUL-N-003': {
    status: 422,
    title: 'Day switched off every week',
    meaning: 'A recurring rule of the operator takes this weekday out of sale.',
    remedy: 'Choose another day of the week.',
  },
  'OPRUL-N-004': {
    status: 422,
    title: 'Time of day switched off',
    meaning: 'The operator takes no bookings that start in this part of the day.',
    remedy: 'Choose another time on the same day.',
  },
  'OPRUL-N-005': {
    status: 404,
    title: 'Availability rule not found',
    meaning: 'No availability rule has this id among those you may see.',
    remedy: 'List the rules of the venue and use an id from there.',
  },
  'OPRUL-N-006': {
    status: 409,
    title: 'Scope already contains this value',
    meaning: 'The value is in the scope of the rule already.',
    remedy: 'Nothing needs to be added; read the rule to see its scope.',
  },
  'OPRUL-N-007': {
    status: 404,
    title: 'Scope entry not found',
    meaning: 'The scope of the rule has no such entry, or names a thing that does not exist.',
    remedy: 'Read the rule and name one of the entries it has.',
  },
  'OPRUL-N-008': {
    status: 422,
    title: 'Product kept for others',
    meaning: 'A rule of the operator reserves this product for other partners or for another purpose.',
    remedy: 'Offer another product of the venue.',
  },
  'OPRUL-N-009': {
    status: 422,
    title: 'Space blocked by the operator',
    meaning: 'A rule of the operator takes the requested space out of sale at that time.',
    remedy: 'Choose another space, or send the booking without spaceId.',
  },
  'OPRUL-N-010': {
    status: 400,
    title: 'Rule too fine for a marketplace channel',
    meaning: 'On a marketplace channel a rule can only hide booking types for whole weekdays.',
    remedy: 'Reduce the rule to whole weekdays and booking types.',
  },
  'OPRUL-N-011': {
    status: 409,
    title: 'Setup belongs to the venue system',
    meaning:
      'The rule would replace something on the marketplace that the table management system looks after.',
    remedy: 'Make the rule narrower, or set replaceCollinsManaged to true to replace it knowingly.',
  },
  'OPRUL-N-012': {
    status: 422,
    title: 'Marketplace channel not ready',
    meaning: 'The marketplace channel is switched off for this venue or not linked to it.',
    remedy: 'Switch the channel on and link the venue first.',
  },
  'OPRUL-N-013': {
    status: 400,
    title: 'Rule expression refused',
    meaning:
      'The expression is malformed, uses an operator or a fact that rules do not have, is too large, or refers to something unknown.',
    remedy: 'Correct the part named in detail; at most 8 levels, 64 nodes and lists of 200 are possible.',
  },
  'OPRUL-N-014': {
    status: 404,
    title: 'Scope refers to nothing',
    meaning: 'A channel category, partner or venue named in the scope does not exist.',
    remedy: 'Use ids of existing categories, partners and venues.',
  },
  'OPRUL-N-015': {
    status: 400,
    title: 'Marketplace rules have no scope',
    meaning: 'A rule for the marketplace holds for the whole channel and cannot be given a scope.',
    remedy: 'Leave the scope out.',
  },
} as const satisfies CodeList;
