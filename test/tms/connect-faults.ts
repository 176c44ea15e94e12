/** Mistakes that makers of table systems make, planted in the reference server. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Call, Handle, Stay } from '../../examples/connect-server/server.ts';

type Stays = Map<string, Stay>;

export interface PlantedFault {
  /** What connect-check has to say of it. */
  sentence: RegExp;
  wrap: (handle: Handle, stays: Stays) => Handle;
}

const idOf = ({ path }: Call) => path.split('/')[2] ?? '';
const is = (call: Call, method: string, root: string) =>
  call.method === method && call.path.startsWith(`/${root}`);
const without = (call: Call, header: string): Call => ({
  ...call,
  headers: { ...call.headers, [header]: undefined },
});

/** Another answer to one kind of call. */
const answering =
  (
    method: string,
    root: string,
    change: (answer: Answer, call: Call, stays: Stays) => Answer | Promise<Answer>,
  ) =>
  (handle: Handle, stays: Stays): Handle =>
  async (call) => {
    const answer = await handle(call);
    return is(call, method, root) ? change(answer, call, stays) : answer;
  };

/** Other members in what is answered with success. */
const altering = (method: string, root: string, change: (body: Record<string, unknown>) => object) =>
  answering(method, root, (answer) =>
    answer.status < 300 ? { ...answer, body: change(answer.body as Record<string, unknown>) } : answer,
  );

/** Another call in place of the one that came. */
const receiving =
  (method: string, root: string, change: (call: Call, stays: Stays) => Call) =>
  (handle: Handle, stays: Stays): Handle =>
  (call) =>
    handle(is(call, method, root) ? change(call, stays) : call);

interface WireSlot {
  start: string;
  time: string;
  state: string;
}
const withSlots = (change: (slot: WireSlot) => WireSlot) =>
  altering('POST', 'availability', (body) => ({
    ...body,
    days: (body.days as { slots: WireSlot[] }[]).map((day) => ({ ...day, slots: day.slots.map(change) })),
  }));

const refusing =
  (change: (body: object) => Partial<Answer>) =>
  (handle: Handle): Handle =>
  async (call) => {
    const answer = await handle(call);
    const isRefusal = answer.status === 409 || answer.status === 404;
    return isRefusal ? { ...answer, ...change(answer.body as object) } : answer;
  };

const halfAnHourLater = (start: string) => new Date(Date.parse(start) + 30 * 60_000).toISOString();
const NEVER_MS = Date.now() + 1e12;

export const PLANTED: Record<string, PlantedFault> = {
  'a repeated PUT books anew': {
    sentence: /sent a second time, made another booking: find the booking by our id first/,
    wrap: receiving('PUT', 'bookings', (call, stays) => {
      if (call.headers['if-none-match']) stays.delete(idOf(call));
      return call;
    }),
  },
  'a repeated PUT is answered with 500': {
    sentence: /PUT \/bookings\/\{id\}, sent a second time, answered 500: answer 200/,
    wrap: (handle, stays) => (call) =>
      is(call, 'PUT', 'bookings') && call.headers['if-none-match'] && stays.has(idOf(call))
        ? { status: 500 }
        : handle(call),
  },
  'If-None-Match is ignored': {
    sentence: /with `If-None-Match: \*` changed a booking that was there: answer with it as it is/,
    wrap: receiving('PUT', 'bookings', (call) => without(call, 'if-none-match')),
  },
  'an amendment creates': {
    sentence: /with `If-Match: \*` made a booking that was not there: .*refuse an unknown id with 404/,
    wrap: receiving('PUT', 'bookings', (call) => without(call, 'if-match')),
  },
  'an amended booking gets another reference': {
    sentence: /gave the booking another reference: a booking that is changed keeps its reference/,
    wrap: receiving('PUT', 'bookings', (call, stays) => {
      const known = stays.get(idOf(call));
      if (call.headers['if-match'] && known) known.reference = randomUUID();
      return call;
    }),
  },
  'a second DELETE is answered with 404': {
    sentence: /DELETE .* a second time, answered 404 \(not-found\): answer 204/,
    wrap: (handle, stays) => (call) =>
      is(call, 'DELETE', 'bookings') && !stays.has(idOf(call))
        ? { status: 404, body: { reason: 'not-found' } }
        : handle(call),
  },
  'a second DELETE is answered with 500': {
    sentence: /DELETE .* a second time, answered 500: answer 204/,
    wrap: (handle, stays) => (call) =>
      is(call, 'DELETE', 'bookings') && !stays.has(idOf(call)) ? { status: 500 } : handle(call),
  },
  'a removed booking is still there': {
    sentence: /still has a booking after DELETE: answer 404 with the reason not-found/,
    wrap: (handle) => (call) => (is(call, 'DELETE', 'bookings') ? { status: 204 } : handle(call)),
  },
  'a booking gets another start than asked for': {
    sentence: /answered with the start .* was asked for: book that start or refuse it/,
    wrap: altering('PUT', 'bookings', (body) => ({ ...body, start: halfAnHourLater(String(body.start)) })),
  },
  'starts have no offset': {
    sentence: /has the start ".*" without an offset: write it as RFC 3339 does/,
    wrap: withSlots((slot) => ({ ...slot, start: slot.start.slice(0, 19) })),
  },
  'starts are in another zone': {
    sentence: /but clocks in Europe\/London show .*: reckon in the time zone of the venue/,
    wrap: withSlots((slot) => ({ ...slot, start: `${slot.start.slice(0, 19)}+05:00` })),
  },
  'the last place is sold again': {
    sentence:
      /took a booking for a start that availability has as taken: count places and book in one transaction/,
    wrap: (handle, stays) => async (call) => {
      const honest = await handle(call);
      if (!is(call, 'PUT', 'bookings') || (honest.body as { reason?: string })?.reason !== 'taken')
        return honest;
      const others = new Map(stays);
      stays.clear();
      const answer = await handle(call);
      for (const [id, stay] of others) stays.set(id, stay);
      return answer;
    },
  },
  'the last place is sold to several at once': {
    sentence: /sold the last place \d times when asked at once: count places and book in one transaction/,
    wrap: (handle, stays) => async (call) => {
      if (!is(call, 'PUT', 'bookings')) return handle(call);
      const seen = new Map(stays);
      await sleep(20);
      const [since, id] = [new Map(stays), idOf(call)];
      stays.clear();
      for (const [known, stay] of seen) stays.set(known, stay);
      const answer = await handle(call);
      for (const [known, stay] of since) if (known !== id) stays.set(known, stay);
      return answer;
    },
  },
  'availability does not know of bookings': {
    sentence:
      /offers a start as free that PUT refuses with 409 \(taken\): reckon availability from the bookings/,
    wrap: withSlots((slot) => ({ ...slot, state: 'free' })),
  },
  'a refusal has no reason': {
    sentence: /answered 40\d without a `reason`: add one of closed, taken/,
    wrap: refusing(() => ({ body: { title: 'No' } })),
  },
  'a refusal has a reason of its own': {
    sentence: /with the reason "sold-out", which connect does not have: use one of its list/,
    wrap: refusing((body) => ({ body: { ...body, reason: 'sold-out' } })),
  },
  'a refusal is no problem': {
    sentence: /as application\/json: set the content type application\/problem\+json for refusals/,
    wrap: refusing(() => ({ headers: { 'content-type': 'application/json' } })),
  },
  'a time that is no start is accepted': {
    sentence: /which is no start, was accepted: refuse it as not-a-start/,
    wrap: (handle) => async (call) => {
      const answer = await handle(call);
      const { reason } = (answer.body ?? {}) as { reason?: string };
      const { start, date, time, party } = (call.body ?? {}) as Record<string, unknown>;
      const booking = { id: idOf(call), reference: 'R', start, date, time, party, durationMinutes: 60 };
      return reason === 'not-a-start' ? { status: 201, body: booking } : answer;
    },
  },
  'an unknown product is closed': {
    sentence: /for a product that does not exist answered 409 \(closed\): refuse it as no-such-product/,
    wrap: refusing((body) =>
      (body as { reason: string }).reason === 'no-such-product' ? { body: { reason: 'closed' } } : {},
    ),
  },
  'a hold keeps no place': {
    sentence: /PUT \/holds\/\{id\} keeps no place: a hold counts like a booking until it ends/,
    wrap: answering('PUT', 'holds', (answer, call, stays) => {
      stays.delete(idOf(call));
      return answer;
    }),
  },
  'a hold never ends': {
    sentence: /PUT \/holds\/\{id\} never ends: after `expiresAt` the place is free/,
    wrap: answering('PUT', 'holds', (answer, call, stays) => {
      const hold = stays.get(idOf(call));
      if (hold) hold.expiresMs = NEVER_MS;
      return answer;
    }),
  },
  'a hold stays beside its booking': {
    sentence: /leaves the hold there beside the booking: end the hold in the same transaction/,
    wrap: answering('PUT', 'bookings', (answer, call, stays) => {
      const booking = stays.get(idOf(call));
      if (booking && (call.body as { holdId?: string }).holdId)
        stays.set(randomUUID(), { ...booking, expiresMs: NEVER_MS });
      return answer;
    }),
  },
  'a hold cannot be extended': {
    sentence: /PUT \/holds\/\{id\} with `If-Match: \*` answered 410 \(hold-ended\): let the hold end later/,
    wrap: (handle) => (call) =>
      is(call, 'PUT', 'holds') && call.headers['if-match']
        ? { status: 410, body: { reason: 'hold-ended' } }
        : handle(call),
  },
  'the cursor of changes stays behind': {
    sentence: /named bookings again that had not changed since its cursor: move the cursor/,
    wrap: answering('GET', 'changes', (answer, { query }) => {
      const body = answer.body as { cursor: string };
      return { ...answer, body: { ...body, cursor: query.get('after') ?? body.cursor } };
    }),
  },
  'changes leave out bookings': {
    sentence: /GET \/changes left out 1 of 3 bookings made after its cursor: name every booking/,
    wrap: altering('GET', 'changes', (body) => ({
      ...body,
      bookingIds: (body.bookingIds as string[]).slice(1),
    })),
  },
  'pages overlap': {
    sentence: /GET \/venues has harbour-kitchen on two pages: sort by something that stays/,
    wrap: (handle) => async (call) => {
      const answer = await handle(call);
      if (!is(call, 'GET', 'venues') || !call.query.has('cursor')) return answer;
      const first = (await handle({ ...call, query: new URLSearchParams() })).body as { venues: object[] };
      const second = answer.body as { venues: object[] };
      return { ...answer, body: { ...second, venues: [...first.venues, ...second.venues] } };
    },
  },
  'pages leave out a venue': {
    sentence: /says that there are 2 venues and its pages have 1: let no page skip any/,
    wrap: altering('GET', 'venues', (body) => ({ ...body, next: null })),
  },
  'no token is needed': {
    sentence: /without a token answered 404 \(not-found\): answer 401 to every call without one/,
    wrap: (handle) => (call) =>
      handle({ ...call, headers: { ...call.headers, authorization: 'Bearer secret' } }),
  },
  'a page of HTML is sent with 200': {
    sentence: /POST \/availability answered 200 with a body that is not JSON \(text\/html\): send JSON/,
    wrap: answering('POST', 'availability', () => ({
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: '<h1>It works!</h1>',
    })),
  },
  'answers are slow': {
    sentence: /GET \/venues took 2\.\d s: answer within 2 s/,
    wrap: answering('GET', 'venues', async (answer, { query }) => {
      if (!query.has('cursor')) await sleep(2100);
      return answer;
    }),
  },
  'answers have the wrong content type': {
    sentence: /GET \/venues answered 200 as text\/plain: set the content type application\/json/,
    wrap: answering('GET', 'venues', (answer) => ({ ...answer, headers: { 'content-type': 'text/plain' } })),
  },
  'a booking gets another id': {
    sentence: /answered with the id "B-1": keep the id of the path, and give your own as `reference`/,
    wrap: altering('PUT', 'bookings', (body) => ({ ...body, id: 'B-1' })),
  },
  'children are lost': {
    sentence: /answered with a party of 1 where 1 adult and 1 child were asked for: keep adults and children/,
    wrap: altering('PUT', 'bookings', (body) => ({ ...body, party: { adults: 1, children: 0 } })),
  },
  'the guest is lost': {
    sentence: /does not have the guest's email, phone: store the guest and show it/,
    wrap: altering('GET', 'bookings', (body) => ({
      ...body,
      guest: { ...(body.guest as object), email: null, phone: null },
    })),
  },
  'a member is missing': {
    sentence:
      /answered what cannot be used\. The answer is not a booking.* Answer as docs\/connect\.md shows it/,
    wrap: altering('PUT', 'bookings', ({ reference: _reference, ...body }) => body),
  },
  'calls are redirected': {
    sentence: /GET \/venues answered 301: do not redirect; give us the address that answers/,
    wrap: (handle) => (call) =>
      is(call, 'GET', 'venues') ? { status: 301, headers: { location: '/v2/venues' } } : handle(call),
  },
};
