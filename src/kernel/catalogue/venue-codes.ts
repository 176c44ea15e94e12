import type { CodeList } from './entry.ts';

export const venueCodes = {
  'VENUE-N-001': {
    status: 404,
    title: 'Venue not found',
    meaning: 'No venue has this id.',
    remedy: 'Check the three segments of the id against a fresh read of GET /venues.',
  },
  'VENUE-N-002': {
    status: 404,
    title: 'No such product at this venue',
    meaning: 'The venue exists, but it has no product with this id.',
    remedy: 'Read the venue again and take compositeId from its products.',
  },
  'VENUE-N-003': {
    status: 404,
    title: 'Zone not found',
    meaning: 'The venue system has no zone with this id.',
    remedy: 'List the zones of the venue and use one of them.',
  },
  'VENUE-N-004': {
    status: 404,
    title: 'Space not found',
    meaning: 'The venue has no space with this id.',
    remedy: 'Use an id from the spaces of the venue.',
  },
  'VENUE-N-005': {
    status: 422,
    title: 'Zone cannot be removed',
    meaning: 'The space needs its zone: something that can be booked still depends on it.',
    remedy: 'Give the space another zone, or take it out of its products first.',
  },
  'VENUE-N-006': {
    status: 400,
    title: 'Time range cannot be used',
    meaning: 'The range ends before it begins, is empty, or is no time at all.',
    remedy: 'Send a start and a later end.',
  },
  'VENUE-N-007': {
    status: 409,
    title: 'Minimum-spend windows overlap',
    meaning: 'Another minimum spend already holds for part of this window.',
    remedy: 'Shorten the window, or change the one that is there.',
  },
  'VENUE-N-008': {
    status: 400,
    title: 'Wrong number of zones',
    meaning: 'The table management system of this venue requires another number of zones for one space.',
    remedy: 'Send as many zone ids as detail says.',
  },
  'VENUE-N-009': {
    status: 409,
    title: 'Venue has closed',
    meaning:
      'The venue is no longer open for bookings. Bookings made earlier can still be read and cancelled.',
    remedy: 'Take the venue out of your offer.',
  },
  'VENUE-N-010': {
    status: 409,
    title: 'Rules are being changed',
    meaning: 'Another change of the booking rules of this operator is being applied at this moment.',
    remedy: 'Repeat the request after the time in Retry-After.',
    isRetryable: true,
  },
  'VENUE-N-011': {
    status: 422,
    title: 'Media file refused',
    meaning: 'The file is too large, of a kind that is not shown, or not what its type says.',
    remedy: 'Send a picture of the size and type that detail names.',
  },
  'VENUE-N-012': {
    status: 422,
    title: 'Upload not finished',
    meaning: 'The file was announced, but not all of it has arrived.',
    remedy: 'Upload the file again from the start.',
  },
} as const satisfies CodeList;
