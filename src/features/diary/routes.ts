import type { FastifyReply, FastifyRequest } from 'fastify';
import { actorOf } from '../../http/auth/identify.ts';
import { credentialOf } from '../../http/auth/session-cookie.ts';
import {
  acceptedEncoding,
  assertAccepted,
  formatOf,
  render,
  sendRendered,
} from '../../http/format/render.ts';
import { venuePath } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { Diary, DiaryQuery, diaryExample, StreamQuery, streamExample } from './schema.ts';
import type { Diaries, RenderedDiary } from './service.ts';

const TAG = 'Manage: diary';
const ONE = '/manage/venues/:venueId/diary';

export interface DiaryRouteDeps {
  diaries: Diaries;
  /** Throws a problem when the caller of a request may not, or no longer, read the diaries of the venue. */
  assertAllowed(request: FastifyRequest): Promise<void>;
}

export function diaryRoutes(app: App, { diaries, assertAllowed }: DiaryRouteDeps): void {
  app.addHook('preClose', async () => diaries.close());

  app.get(
    ONE,
    {
      config: { access: 'manage:staff', problems: ['VENUE-N-001'], example: diaryExample },
      schema: {
        operationId: 'getDiary',
        tags: [TAG],
        summary: 'Read the diary of a trading day',
        description:
          'Tables, bookings, open enquiries, blocks, closures and covers by quarter of an hour. Cancelled and rejected bookings are left out. Then open the stream with `position` as `lastEventId`: nothing is missed in between.',
        params: venuePath,
        querystring: DiaryQuery,
        response: { 200: Diary },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      const diary = await diaries.get(request.params.venueId, request.query.date);
      if (format === 'json') return sendDiary(request, reply, diary);
      const document = JSON.parse(diary.body.toString());
      return sendRendered(request, reply, { ...render(document, format), etag: diary.etag });
    },
  );

  app.get(
    `${ONE}/stream`,
    {
      config: {
        access: 'manage:staff',
        problems: ['VENUE-N-001', 'RATE-R-001'],
        isEndless: true,
      },
      schema: {
        operationId: 'streamDiary',
        tags: [TAG],
        summary: 'Follow the diary of a trading day',
        description:
          'Server-sent events, one for each thing that changes: `booking`, `block` and `closure` with the entry as the diary has it, `booking.removed`, `block.removed` and `closure.removed` with its `id`, `venue` when the layout or anything else about the venue has changed, and `reset` when the position is too old or unknown. After `venue` and `reset` read the diary again; the stream goes on. A comment every 15 seconds keeps the connection open. The same event may come twice.',
        params: venuePath,
        querystring: StreamQuery,
        response: {
          200: {
            description: 'Events for as long as the connection lasts',
            content: { 'text/event-stream': { schema: { type: 'string' }, example: streamExample } },
          },
        },
      },
    },
    async (request, reply) => {
      assertAccepted(request, 'text/event-stream');
      const { venueId } = request.params;
      const { date, lastEventId } = request.query;
      await diaries.assertVenue(venueId);
      reply.headers({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        // Proxies of some makers would collect the events.
        'x-accel-buffering': 'no',
      });
      if (request.method === 'HEAD') return reply.send('');
      const header = request.headers['last-event-id']?.toString();
      const stream = diaries.openStream({
        venueId,
        date,
        lastEventId: header || lastEventId,
        actorId: actorOf(request).id,
        checkKey: `${credentialOf(request.headers).authorization} ${venueId}`,
        assertAllowed: () => assertAllowed(request),
      });
      return (reply as FastifyReply).send(stream);
    },
  );
}

async function sendDiary(request: FastifyRequest, reply: FastifyReply, diary: RenderedDiary) {
  const encoding = acceptedEncoding(request, diary.body);
  if (encoding !== undefined) await diary.forms.make(encoding);
  return sendRendered(request, reply, diary, (wanted) => diary.forms.get(wanted));
}
