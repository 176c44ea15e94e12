import { type Static, Type } from 'typebox';
import { moment, partnerId } from '../../http/validation/manage-fields.ts';
import { Defaulted } from '../../http/validation/query-schema.ts';
import { named, nullable, PATTERN_MESSAGE } from '../../http/validation/schema-helpers.ts';

export const LoggedRequest = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    at: moment('When it arrived'),
    clientId: Type.String({ description: 'The client that called: one of the partner, or an agent' }),
    method: Type.String(),
    route: Type.String({ description: 'The pattern of the address, without the ids in it and the query' }),
    venueId: nullable(Type.String({ description: 'The venue that the address names; null: it names none' })),
    status: nullable(
      Type.Integer({ description: 'Of the answer; null: the caller disconnected before there was one' }),
    ),
    code: nullable(Type.String({ description: 'Of the problem that was answered; null: there was none' })),
    correlationId: nullable(
      Type.String({
        description:
          '`X-Correlation-ID` of the call and its answer; null where it had other characters than letters, digits and `._:/+=~-`',
      }),
    ),
    durationMs: Type.Number({ description: 'From the arrival of the call to the end of the answer' }),
  },
  named('LoggedRequest', 'One call and how it was answered'),
);
export type LoggedRequest = Static<typeof LoggedRequest>;

const Meta = Type.Object({
  nextCursor: nullable(
    Type.String({ format: 'uuid', description: 'The `cursor` of the next page; null: this is the last one' }),
  ),
});

export const LoggedRequests = Type.Object(
  { data: Type.Array(LoggedRequest, { description: 'The newest first' }), meta: Meta },
  named('LoggedRequests', 'A page of the request log'),
);
export type LoggedRequests = Static<typeof LoggedRequests>;

export const RequestsPath = Type.Object({ partnerId });

const filter = (description: string, maxLength: number) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }));

export const RequestsQuery = Type.Object({
  correlationId: filter('Only calls with this `X-Correlation-ID`', 128),
  status: Type.Optional(
    Type.String({
      pattern: '^[1-5](xx|\\d\\d)$',
      [PATTERN_MESSAGE]: 'must be a status such as 404, or a class of them such as 4xx',
      description: 'Only answers with this status, such as `404`, or of this class, such as `4xx`',
      examples: ['4xx'],
    }),
  ),
  code: filter('Only answers with this problem code', 20),
  method: Type.Optional(
    Type.String({ pattern: '^[A-Z]{1,20}$', description: 'Only calls by this method', examples: ['GET'] }),
  ),
  route: filter('Only calls of this pattern, such as `/venues/{venueId}`', 200),
  clientId: filter('Only calls of this client', 100),
  from: Type.Optional(moment('Only calls that arrived then or later')),
  to: Type.Optional(moment('Only calls that arrived before then')),
  limit: Defaulted(
    Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Entries on a page.' }),
  ),
  cursor: Type.Optional(
    Type.String({ format: 'uuid', description: '`nextCursor` of the page before this one' }),
  ),
});
export type RequestsQuery = Static<typeof RequestsQuery>;

export const requestsExample: LoggedRequests = {
  data: [
    {
      id: '019a8f2c-61d3-7c4e-9a10-5e3b7f20c8d1',
      at: '2026-11-15T10:41:07.283Z',
      clientId: 'demo-partner',
      method: 'POST',
      route: '/venues/{compositeId}/booking',
      venueId: '1|house|soho-grill',
      status: 409,
      code: 'AVAIL-N-005',
      correlationId: '7d1f0c52-3b8e-4a96-8c27-e50f9a4d6b13',
      durationMs: 8.4,
    },
  ],
  meta: { nextCursor: null },
};
