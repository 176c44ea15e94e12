import type { Static } from 'typebox';
import { Type } from 'typebox';
import { callerOf } from '../../../http/auth/identify.ts';
import { formatOf, sendLive } from '../../../http/format/render.ts';
import type { App } from '../../../http/route.ts';
import { parseProductId } from '../../../kernel/ids.ts';
import type { ProblemCode } from '../../../kernel/problem.ts';
import { CREATING, ProductPath } from '../schema.ts';
import type { Bookings } from '../service.ts';
import {
  DEFAULT_TTL_SECONDS,
  ExtensionBody,
  HOLD_ACCESS,
  Hold,
  HoldBody,
  HoldHeaders,
  HoldPath,
  holdExample,
} from './schema.ts';

const TAG = ['Holds'];
const SYSTEM: readonly ProblemCode[] = ['BOOK-N-003', 'BOOK-N-009', 'BOOK-R-001', 'BOOK-R-002'];

export function holdRoutes(app: App, bookings: Bookings): void {
  const shared = { access: 'venue-booking:create', isLive: true, example: holdExample } as const;

  app.post(
    '/venues/:compositeId/holds',
    {
      config: { ...shared, problems: [...CREATING, 'HOLD-N-004', 'HOLD-N-005'] },
      schema: {
        operationId: 'createHold',
        tags: TAG,
        summary: 'Keep a place for a while',
        description:
          'Checked like a booking, except for what only the guest can say. Until it ends by clock, no other can have the place, and a booking with its `holdId` is made on the terms of `offer`. At most 20 are open at a time for a partner at a venue.',
        params: ProductPath,
        headers: HoldHeaders,
        body: HoldBody,
        response: { 201: Hold },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      const { ttlSeconds, ...body } = request.body;
      const hold = await bookings.makeHold(callerOf(request), {
        productId: parseProductId(request.params.compositeId),
        body,
        ttlSeconds: ttlSeconds ?? DEFAULT_TTL_SECONDS,
        idempotencyKey: keyOf(request.headers),
      });
      sendLive(reply.code(201), hold, format);
    },
  );

  app.get(
    '/venues/holds/:holdId',
    {
      config: { ...shared, problems: HOLD_ACCESS },
      schema: {
        operationId: 'getHold',
        tags: TAG,
        summary: 'Read a hold',
        description: 'A hold of yours, for seven days after it has ended.',
        params: HoldPath,
        response: { 200: Hold },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      sendLive(reply, await bookings.getHold(callerOf(request), request.params.holdId), format);
    },
  );

  app.post(
    '/venues/holds/:holdId/extend',
    {
      config: { ...shared, problems: [...HOLD_ACCESS, ...SYSTEM, 'HOLD-N-002', 'HOLD-N-006', 'AVAIL-N-005'] },
      schema: {
        operationId: 'extendHold',
        tags: TAG,
        summary: 'Keep a place for longer',
        description:
          'Once, from now on, and never for a shorter time than before. The offer stays the same; its token is a new one.',
        params: HoldPath,
        headers: HoldHeaders,
        body: ExtensionBody,
        response: { 200: Hold },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      const hold = await bookings.extendOwnHold(callerOf(request), {
        id: request.params.holdId,
        ttlSeconds: request.body?.ttlSeconds ?? DEFAULT_TTL_SECONDS,
        idempotencyKey: keyOf(request.headers),
      });
      sendLive(reply, hold, format);
    },
  );

  app.delete(
    '/venues/holds/:holdId',
    {
      config: {
        access: 'venue-booking:create',
        problems: [...HOLD_ACCESS, ...SYSTEM, 'HOLD-N-002', 'HTTP-N-413', 'HTTP-N-415'],
      },
      schema: {
        operationId: 'releaseHold',
        tags: TAG,
        summary: 'Give a place back',
        description: 'Done again, or once it has expired, it answers the same.',
        params: HoldPath,
        response: { 204: Type.Null({ description: 'Released' }) },
      },
    },
    async (request, reply) => {
      await bookings.releaseOwnHold(callerOf(request), request.params.holdId);
      return reply.code(204).send(null);
    },
  );
}

const keyOf = (headers: object) => (headers as Static<typeof HoldHeaders>)['idempotency-key'];
