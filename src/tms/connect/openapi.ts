/** docs/connect.openapi.json: the protocol for those who generate servers and clients. */
import type { TSchema } from 'typebox';
import { EXAMPLES } from './examples.ts';
import * as schema from './schema.ts';

const SHAPES: readonly TSchema[] = [
  schema.Party,
  schema.Hours,
  schema.Product,
  schema.Venue,
  schema.VenuesPage,
  schema.AvailabilityRequest,
  schema.SlotBody,
  schema.Availability,
  schema.Guest,
  schema.BookingBody,
  schema.Booking,
  schema.HoldBody,
  schema.ExtensionBody,
  schema.Hold,
  schema.ChangesPageBody,
  schema.Notification,
  schema.Problem,
];
const titleOf = (shape: object) => ('title' in shape ? String(shape.title) : '');
const NAMES = new Set(SHAPES.map(titleOf));

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** A schema as JSON; what has a name of its own is referred to. */
function drawn(value: unknown, isTop: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => drawn(each, false));
  if (typeof value !== 'object' || value === null) return value;
  const title = titleOf(value);
  if (!isTop && NAMES.has(title) && 'properties' in value) return reference(title);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, drawn(member, false)]));
}

const json = (name: string) => ({
  'application/json': { schema: reference(name), ...(EXAMPLES[name] && { example: EXAMPLES[name] }) },
});
const body = (name: string) => ({ required: true, content: json(name) });
const answer = (description: string, name: string) => ({ description, content: json(name) });
const shared = (name: string) => ({ $ref: `#/components/responses/${name}` });
const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` });

const COMMON = { 401: shared('NoToken'), 429: shared('TooMany') };
const refusals = (...statuses: number[]) =>
  Object.fromEntries(statuses.map((status) => [status, shared('Refused')]));

const PATHS = {
  '/venues': {
    get: {
      operationId: 'listVenues',
      tags: ['Catalogue'],
      summary: 'Venues with their products, page by page',
      description: 'Read every night, and when an operator asks for it.',
      parameters: [parameter('cursor')],
      responses: { 200: answer('A page', 'VenuesPage'), ...COMMON },
    },
  },
  '/availability': {
    post: {
      operationId: 'getAvailability',
      tags: ['Bookings'],
      summary: 'What a party can have on some days',
      description: 'Asked while a guest looks: answer within two seconds.',
      requestBody: body('AvailabilityRequest'),
      responses: { 200: answer('Every day asked for', 'Availability'), ...refusals(409), ...COMMON },
    },
  },
  '/bookings/{bookingId}': {
    parameters: [parameter('bookingId')],
    put: {
      operationId: 'putBooking',
      tags: ['Bookings'],
      summary: 'Create or amend a booking',
      description:
        'With `If-None-Match: *` it is created; one that is there is answered as it is. With `If-Match: *` it is amended in one step; one that is not there is refused as `not-found`. With `holdId` the hold becomes the booking. Sent twice, it is done once.',
      parameters: [parameter('ifNoneMatch'), parameter('ifMatch')],
      requestBody: body('BookingRequest'),
      responses: {
        200: answer('It was there, or is amended', 'Booking'),
        201: answer('It is created', 'Booking'),
        ...refusals(404, 409, 410),
        ...COMMON,
      },
    },
    get: {
      operationId: 'getBooking',
      tags: ['Bookings'],
      summary: 'A booking as it is now',
      description: 'A booking that was cancelled, by us or by the venue, is `not-found`; so is a hold.',
      responses: { 200: answer('The booking', 'Booking'), ...refusals(404), ...COMMON },
    },
    delete: {
      operationId: 'deleteBooking',
      tags: ['Bookings'],
      summary: 'Cancel a booking',
      description: 'What is not there is answered with 204 as well. The id may be used again afterwards.',
      responses: { 204: { description: 'It is not there any more' }, ...refusals(409), ...COMMON },
    },
  },
  '/holds/{holdId}': {
    parameters: [parameter('holdId')],
    put: {
      operationId: 'putHold',
      tags: ['Holds'],
      summary: 'Keep a place for a while, or for longer',
      description:
        'Optional. A hold counts like a booking until `expiresAt`. Sent twice, it is the same hold. With `If-Match: *` the body is a `HoldExtension`, and a hold that has ended is refused as `hold-ended`.',
      parameters: [parameter('ifMatch')],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { anyOf: [reference('HoldRequest'), reference('HoldExtension')] },
            example: EXAMPLES.HoldRequest,
          },
        },
      },
      responses: {
        200: answer('It was there, or ends later', 'Hold'),
        201: answer('The place is kept', 'Hold'),
        ...refusals(409, 410),
        ...COMMON,
      },
    },
    delete: {
      operationId: 'deleteHold',
      tags: ['Holds'],
      summary: 'Give a place back',
      description: 'Optional. What is not held is answered with 204 as well; a booking stays.',
      responses: { 204: { description: 'It is not held any more' }, ...refusals(409), ...COMMON },
    },
  },
  '/changes': {
    get: {
      operationId: 'listChanges',
      tags: ['Changes'],
      summary: 'Bookings that may have changed',
      description:
        'Optional. Asked every few seconds. Without `after`: nothing but a cursor that stands for now. We ask for each booking, so order and repetition do not matter; leaving one out does.',
      parameters: [parameter('after')],
      responses: { 200: answer('A page', 'ChangesPage'), ...COMMON },
    },
  },
};

const PARAMETERS = {
  cursor: {
    name: 'cursor',
    in: 'query',
    description: '`next` of the page before; absent: the first page.',
    schema: { type: 'string' },
  },
  after: {
    name: 'after',
    in: 'query',
    description: '`cursor` of the page before; absent: from now on.',
    schema: { type: 'string' },
  },
  bookingId: {
    name: 'bookingId',
    in: 'path',
    required: true,
    description: 'Our id, a UUID.',
    schema: { type: 'string', format: 'uuid' },
  },
  holdId: {
    name: 'holdId',
    in: 'path',
    required: true,
    description: 'The id that the booking will have.',
    schema: { type: 'string', format: 'uuid' },
  },
  ifNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: '`*`: only create.',
    schema: { type: 'string', enum: ['*'] },
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    description: '`*`: only change what is there.',
    schema: { type: 'string', enum: ['*'] },
  },
};

const problem = (description: string, example: object) => ({
  description,
  content: { 'application/problem+json': { schema: reference('Problem'), example } },
});

const RESPONSES = {
  Refused: problem('It is not done; `reason` says why', EXAMPLES.Problem as object),
  NoToken: { description: 'The token is missing, wrong or has expired; nothing is done' },
  TooMany: {
    description: 'Too many calls; nothing is done',
    headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } },
  },
};

const NOTIFICATION = {
  post: {
    operationId: 'notifyOfChanges',
    tags: ['Changes'],
    summary: 'Tell us of changes at once',
    description:
      'Optional; you call us, at `POST /connect/{operatorId}/{slug}/changes`. Signed after Standard Webhooks with the secret of the account, at most five minutes ago.',
    parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
      name,
      in: 'header',
      required: true,
      description: 'As Standard Webhooks has it.',
      schema: { type: 'string' },
    })),
    requestBody: body('Notification'),
    responses: {
      '2XX': { description: 'Taken; we ask for the bookings' },
      '4XX': { description: 'Not signed with the secret of the account, or too old' },
    },
  },
};

export function connectDocument(): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'connect',
      version: '1.0.0',
      description:
        'What the server of a table system answers so that Maitred can sell its venues. The guide is docs/connect.md; `npm run connect-check -- URL` tries a server.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'https://your-system.test/connect', description: 'Yours' }],
    security: [{ token: [] }],
    tags: [
      { name: 'Catalogue', description: 'What can be booked' },
      { name: 'Bookings', description: 'Required of every server' },
      { name: 'Holds', description: 'Optional' },
      { name: 'Changes', description: 'Optional: what happens to bookings at the venue' },
    ],
    paths: PATHS,
    webhooks: { bookingsChanged: NOTIFICATION },
    components: {
      schemas: Object.fromEntries(SHAPES.map((shape) => [titleOf(shape), drawn(shape, true)])),
      parameters: PARAMETERS,
      responses: RESPONSES,
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description:
            'One that you issue for each operator, or one of your token address (client credentials).',
        },
      },
    },
  };
}
