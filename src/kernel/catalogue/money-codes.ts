import type { CodeList } from './entry.ts';

/** Holds, the waiting list and payments. */
export const moneyCodes = {
  'HOLD-N-001': {
    status: 404,
    title: 'Hold not found',
    meaning: 'You have no hold with this id.',
    remedy: 'Check the id; holds can be read by the partner that made them, for seven days.',
  },
  'HOLD-N-002': {
    status: 410,
    title: 'Hold has ended',
    meaning: 'The hold has expired, was released, or was used by a booking.',
    remedy: 'Read availability again and make a new hold; a booking that used it is named in bookingId.',
  },
  'HOLD-N-003': {
    status: 422,
    title: 'Hold is for something else',
    meaning:
      'The product, start, party, duration or space differs from what is held, or the offerToken is not that of the hold.',
    remedy: 'Send exactly what was held, or make a new hold for this booking.',
  },
  'HOLD-N-004': {
    status: 409,
    title: 'Too many holds',
    meaning: 'You have as many open holds at this venue as a partner may have.',
    remedy: 'Use or release some of them, or wait until they expire.',
  },
  'HOLD-N-005': {
    status: 422,
    title: 'Places cannot be held here',
    meaning: 'The table management system of the venue cannot keep a place for a while.',
    remedy: 'Book without a hold.',
  },
  'HOLD-N-006': {
    status: 409,
    title: 'Hold was extended before',
    meaning: 'A hold can be extended once, and this one was.',
    remedy: 'Use it before it expires, or make a new hold.',
  },
  'WAIT-N-001': {
    status: 404,
    title: 'Waiting list entry not found',
    meaning: 'You have no entry with this id on a waiting list.',
    remedy: 'Check the id; entries can be read by the partner that made them.',
  },
  'WAIT-N-002': {
    status: 409,
    title: 'Waiting list is full',
    meaning: 'You have as many entries on the waiting list of this venue as a partner may have.',
    remedy: 'Remove entries that are no longer needed.',
  },
  'WAIT-N-003': {
    status: 409,
    title: 'Not possible for this entry',
    meaning:
      'The entry has a status in which this cannot be done: it does not wait, or nothing is offered to it.',
    remedy: 'Read the entry and act on the status it has now.',
  },
  'PAYM-N-001': {
    status: 402,
    title: 'Payment declined',
    meaning: 'The payment provider or the bank of the guest declined the payment; detail says why.',
    remedy: 'Ask the guest for another way to pay; nothing was taken.',
  },
  'PAYM-N-002': {
    status: 402,
    title: 'Authentication needed',
    meaning:
      'The bank requires that the guest authenticates, and the request said that the guest is not present.',
    remedy: 'Begin the payment without offSession, and let the guest complete it.',
  },
  'PAYM-N-003': {
    status: 422,
    title: 'No payment provider',
    meaning: 'No payment provider is connected, so that payments cannot be taken here.',
    remedy: 'Take the payment yourself where the operator accepts that, or let the guest pay at the venue.',
  },
  'PAYM-N-004': {
    status: 409,
    title: 'Amount has changed',
    meaning: 'The amount that was sent is not what the option costs now.',
    remedy: 'Read the payment options again and show the guest the new amount.',
  },
  'PAYM-R-001': {
    status: 503,
    title: 'Payment provider away',
    meaning: 'The payment provider cannot be reached; nothing was charged.',
    remedy: 'Try again after the time in Retry-After, with the same Idempotency-Key.',
  },
} as const satisfies CodeList;
