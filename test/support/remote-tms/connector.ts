import { protocol } from '../../../src/tms/connect/protocol.ts';
import type { RemoteConnector, Settings, SystemFetch } from '../../../src/tms/remote.ts';

export const REMOTE_TOKEN = 'the-token-of-the-remote-system';
export const REMOTE_SECRET = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;

const send: SystemFetch = async (url, init) => {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
};

/** Our connector for a system that speaks `connect`, with one account for all operators. */
export function createRemote(baseUrl: string, slug = 'remote', settings: Settings = {}): RemoteConnector {
  return protocol.connect({
interface Reply {
  status: number;
  body: unknown;
  retryAfterSeconds: number;
}

/** A connector for the remote test system, written as one for a real system would be. */
export function createRemote(
  baseUrl: string,
  zone: string,
  slug = 'remote',
  ask: (url: string, init: RequestInit) => Promise<Response> = fetch,
): RemoteConnector {
  async function send(
    call: RemoteCall,
    method: string,
    path: string,
    draft?: unknown,
  ): Promise<Outcome<Reply>> {
    try {
      const response = await ask(`${baseUrl}${path}`, {
        method,
        signal: call.signal,
        ...(draft !== undefined && {
          body: JSON.stringify(draft),
          headers: { 'content-type': 'application/json' },
        }),
      });
      const text = await response.text();
      const retryAfterSeconds = Number(response.headers.get('retry-after') ?? 1);
      return judge({ status: response.status, body: parsed(text), retryAfterSeconds }, method);
    } catch (error) {
      return afterFailure(codeOf(error), method);
    }
  }

  function bookingIn({ status, body }: Reply): Outcome<SystemBooking> {
    if (status === 404) return refused('not-found');
    if (!Check(BookingAnswer, body)) return { kind: 'unknown', detail: 'The answer was not a booking.' };
    const { id, reference, date, minute, durationMinutes, guests, table, pricePence } = body as Static<
      typeof BookingAnswer
    >;
    const startMs = dayClock(zone, date).epochMsOf(minute) ?? Number.NaN;
    return ok({
      bookingId: id,
      reference,
      tables: table === null ? [] : [table],
      areaId: null,
      areaName: null,
      startMs,
      durationMinutes,
      guests,
      pricePerGuestPence: pricePence,
    });
  }

  const write = async (call: RemoteCall, method: string, request: PlaceRequest) => {
    const { bookingId, productId, date, minute, startMs, adults, children } = request;
    if (dayClock(zone, date).epochMsOf(minute) !== startMs) return refused('taken');
    const draft = { product: productId, date, minute, guests: adults + children };
    return then(await send(call, method, `/bookings/${encodeURIComponent(bookingId)}`, draft), bookingIn);
  };

  return {
    flavour: 'remote',
    slug,
    settings: { url: baseUrl, holds: true, changes: true, ...settings },
    findAccount: async () => ({
      settings: {},
      credentials: { token: REMOTE_TOKEN, webhookSecret: REMOTE_SECRET },
    }),
    fetch: send,
  });
}
