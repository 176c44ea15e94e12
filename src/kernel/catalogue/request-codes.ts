import type { CodeList } from './entry.ts';

export const requestCodes = {
  'VALID-N-001': {
    status: 400,
    title: 'Request not valid',
    meaning:
      'Something in the request is missing, malformed or contradictory; errors lists it field by field.',
    remedy: 'Correct the fields named in errors and send the request again.',
  },
  'FSEL-N-001': {
    status: 400,
    title: 'Unknown field selected',
    meaning: 'The fields parameter names a field that this answer does not have, or is not well formed.',
    remedy: 'Use field names of the reference, separated by commas, with sub-fields in parentheses.',
  },
  'RATE-R-001': {
    status: 429,
    title: 'Too many requests',
    meaning:
      'Your client has made more calls than one window allows; test deliveries have a limit of their own.',
    remedy: 'Wait for the time in Retry-After; X-RateLimit-Reset says when the next window begins.',
  },
  'WHK-N-001': {
    status: 404,
    title: 'Subscription not found',
    meaning: 'You have no webhook subscription with this id.',
    remedy: 'List your subscriptions and use a webhookId from there.',
  },
  'WHK-N-002': {
    status: 400,
    title: 'Callback address not usable',
    meaning: 'callbackUrl is not an absolute HTTPS address, or does not lead to a public host.',
    remedy:
      'Send an https address that can be reached from the internet. While you develop, a sandbox that only its own machine reaches also takes http and that machine, as does a node with WEBHOOK_ALLOW_LOOPBACK=true.',
  },
  'WHK-N-003': {
    status: 409,
    title: 'Callback address used already',
    meaning: 'Another subscription of yours delivers to the same address.',
    remedy: 'Change that subscription, or use another address.',
  },
  'WHK-N-004': {
    status: 409,
    title: 'No further subscriptions',
    meaning: 'You have ten subscriptions, paused ones included, and that is the most there can be.',
    remedy: 'Delete one, or widen the event types of one you have.',
  },
  'WHK-N-005': {
    status: 400,
    title: 'Unknown event type',
    meaning: 'eventTypes or eventType contains something that is never sent.',
    remedy:
      'Use booking.updated, message.received, venue.updated, hold.expired or waitlist.offered; tests can also send webhook.ping.',
  },
  'WHK-N-006': {
    status: 422,
    title: 'Only pings in live',
    meaning: 'In the live environment a test may send nothing but webhook.ping.',
    remedy: 'Send webhook.ping here, and try the other events in the sandbox.',
  },
  'WHK-N-007': {
    status: 422,
    title: 'Fields do not go with the event',
    meaning: 'The test has fields that mean nothing for its event type, or lacks the booking they are about.',
    remedy: 'Leave those fields out; changes needs a bookingId.',
  },
  'SBOX-N-001': {
    status: 403,
    title: 'Not available in the sandbox',
    meaning:
      'The endpoint deals with external systems, and the sandbox has none but those on its own machine.',
    remedy: 'Use it in staging or live.',
  },
  'SBOX-N-004': {
    status: 400,
    title: 'Simulation not possible',
    meaning: 'The changes describe a booking that could not exist.',
    remedy: 'Change the booking to something that the venue could have accepted.',
  },
  'HTTP-N-403': {
    status: 403,
    title: 'Request from another site',
    meaning: 'Host is not a name of this service, or Origin is a page of another site.',
    remedy:
      'Call by the public address of the service, and from no page of another site. A proxy in front of it has to pass Host on.',
  },
  'HTTP-N-404': {
    status: 404,
    title: 'No such address',
    meaning: 'Nothing is served at this path; /docs lists everything that is served.',
    remedy: 'Check the path against the reference at /docs; ids in it are percent-encoded.',
  },
  'HTTP-N-405': {
    status: 405,
    title: 'Method not allowed here',
    meaning: 'The path exists, but does not take this HTTP method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  'HTTP-N-406': {
    status: 406,
    title: 'No format you accept',
    meaning: 'The Accept header rules out every format in which this can be answered.',
    remedy: 'Accept application/json or text/toon.',
  },
  'HTTP-N-412': {
    status: 412,
    title: 'Changed in the meantime',
    meaning:
      'If-Match names a version that is not, or no longer, the current one, or something changed after the date in If-Unmodified-Since.',
    remedy: 'Read it again, apply your change to what you find, and send the new ETag.',
  },
  'HTTP-N-413': {
    status: 413,
    title: 'Body too large',
    meaning:
      'The body of the request is larger than is taken here: 64 kB, 1 MB under /manage, and more at a few addresses that say so.',
    remedy: 'Send less at once.',
  },
  'HTTP-N-414': {
    status: 414,
    title: 'Address too long',
    meaning: 'The path and query of the request have more than 16 KiB.',
    remedy: 'Shorten the path and the query; no address of this interface needs that much.',
  },
  'HTTP-N-415': {
    status: 415,
    title: 'Body in an unknown format',
    meaning: 'The Content-Type of the request is missing or is not JSON in UTF-8 without compression.',
    remedy: 'Send the body as application/json.',
  },
  'HTTP-N-416': {
    status: 416,
    title: 'Range beyond the file',
    meaning: 'The part that Range names begins after the end of the file.',
    remedy: 'Content-Range says how long the file is; request a part of that, or all of it.',
  },
  'HTTP-N-431': {
    status: 431,
    title: 'Headers too large',
    meaning:
      'The headers of the request are more than 1,000, or have more than 32 KiB together with its address.',
    remedy: 'Leave out headers that mean nothing here, cookies above all.',
  },
  'HTTP-R-500': {
    status: 500,
    title: 'Our mistake',
    meaning: 'Something went wrong on our side that we had not foreseen.',
    remedy: 'Try again; if it stays, tell us the X-Correlation-ID of the answer.',
  },
  'HTTP-R-503': {
    status: 503,
    title: 'Too busy at the moment',
    meaning:
      'This node has more to do than it can do in time, or is not ready to serve. Nothing was changed, unless isOutcomeKnown is false.',
    remedy:
      'Repeat the request after the time in Retry-After. Where isOutcomeKnown is false, look first, or send it under the same Idempotency-Key.',
  },
} as const satisfies CodeList;
