/**
 * The backend of the booking widget, which keeps the credentials. It trusts nothing that the browser sends: places to
 * choose and the guest's hold go out signed and come back signed, and amounts never come from there.
 */
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import * as booking from './booking.ts';

const PORT = Number(process.env.PORT ?? 4001);
const WIDGET_URL = process.env.WIDGET_URL ?? `http://127.0.0.1:${PORT}/`;
/** Set it, or guests lose sight of their bookings when this program starts again. */
const SECRET = process.env.SESSION_SECRET ?? randomBytes(32).toString('hex');
const MAX_BODY_BYTES = 10_000;
/** For how long what was signed is believed: a place that was found, and the hold in the cookie. */
const LIFETIME_SECONDS = { choice: 60 * 60, hold: 24 * 60 * 60 };
type Purpose = keyof typeof LIFETIME_SECONDS;

const macOf = (purpose: Purpose, text: string) =>
  createHmac('sha256', SECRET).update(`${purpose}.${text}`).digest();

function sign(purpose: Purpose, value: unknown): string {
  const until = Date.now() + LIFETIME_SECONDS[purpose] * 1000;
  const text = Buffer.from(JSON.stringify({ value, until })).toString('base64url');
  return `${text}.${macOf(purpose, text).toString('base64url')}`;
}

/** Undefined unless it was signed here, for this purpose and not too long ago. */
function unsigned<Value>(purpose: Purpose, signed = ''): Value | undefined {
  const [text = '', mac = ''] = signed.split('.');
  const [sent, expected] = [Buffer.from(mac, 'base64url'), macOf(purpose, text)];
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return undefined;
  const { value, until } = JSON.parse(Buffer.from(text, 'base64url').toString());
  return Date.now() < until ? value : undefined;
}

interface Answer {
  body: object;
  /** What the cookie remembers from now on; null: nothing. Absent: it stays as it is. */
  holdId?: string | null;
}

async function answer(action: string, fields: booking.Fields, holdId: string | undefined): Promise<Answer> {
  if (action === 'search') {
    const found = await booking.search(fields);
    return {
      body: { places: found.map(({ place, shown }) => ({ ...shown, choice: sign('choice', place) })) },
    };
  }
  if (action === 'hold') return choose(fields, holdId);
  if (holdId === undefined) return { body: {} };
  if (fields.holdId && fields.holdId !== holdId)
    throw new booking.Refusal('You have chosen another table in another window. Please reload the page.');
  if (action === 'forget') return { body: {}, holdId: null };
  if (action === 'release' && (await booking.release(holdId))) return { body: {}, holdId: null };
  if (action === 'book') await booking.book(holdId, fields);
  if (action === 'cancel') await booking.cancel(holdId);
  const url = action === 'pay' ? await booking.pay(holdId, fields, WIDGET_URL) : null;
  return url ? { body: { url } } : shown(holdId);
}

async function choose({ choice }: booking.Fields, before: string | undefined): Promise<Answer> {
  const place = unsigned<booking.Place>('choice', choice);
  if (!place) throw new booking.Refusal('Please choose a time again.', true);
  const chosen = await shown(await booking.hold(place));
  // A guest keeps one table at a time. One that cannot be given back now ends by itself.
  if (before && before !== chosen.holdId) await booking.release(before).catch(() => {});
  return chosen;
}

async function shown(holdId: string): Promise<Answer> {
  return { body: { ...(await booking.stateOf(holdId)), now: new Date().toISOString() }, holdId };
}

async function fieldsOf(request: IncomingMessage): Promise<booking.Fields> {
  // No other site can send JSON here: its browser would ask first, and gets no permission.
  if (request.method !== 'POST' || request.headers['content-type'] !== 'application/json')
    throw new booking.Refusal('Please reload the page.');
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
    if (text.length > MAX_BODY_BYTES) throw new booking.Refusal('That is too long.');
  }
  const sent = Object.entries(JSON.parse(text) as object);
  return Object.fromEntries(sent.map(([name, value]) => [name, String(value).trim()]));
}

const page = readFileSync(join(import.meta.dirname, 'index.html'), 'utf8');
/** The page runs its own script and styles and nothing else. */
const sourceOf = (tag: string) => {
  const [, content = ''] = new RegExp(`<${tag}>(.*)</${tag}>`, 's').exec(page) ?? [];
  return `${tag}-src 'sha256-${hash('sha256', content, 'base64')}'`;
};
const POLICY = [
  "default-src 'none'",
  sourceOf('style'),
  sourceOf('script'),
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
const PAGE_HEADERS = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': POLICY };
const COOKIE = `HttpOnly; SameSite=Lax; Path=/${WIDGET_URL.startsWith('https:') ? '; Secure' : ''}`;
const cookieOf = (holdId: string | null) =>
  holdId === null
    ? `hold=; Max-Age=0; ${COOKIE}`
    : `hold=${sign('hold', holdId)}; Max-Age=${LIFETIME_SECONDS.hold}; ${COOKIE}`;

const server = createServer(async (request, response) => {
  const [, action] = /^\/api\/(\w+)$/.exec(request.url ?? '') ?? [];
  if (!action) return response.writeHead(200, PAGE_HEADERS).end(page);
  const holdId = unsigned<string>('hold', /(?:^|; )hold=([^;]*)/.exec(request.headers.cookie ?? '')?.[1]);
  /** The cookie is sent only if it changes: an answer that comes late must not undo what another window did. */
  const send = (status: number, body: object, next: string | null = holdId ?? null) => {
    if (next !== (holdId ?? null)) response.setHeader('Set-Cookie', cookieOf(next));
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  };
  try {
    const { body, holdId: next } = await answer(action, await fieldsOf(request), holdId);
    send(200, body, next);
  } catch (error) {
    const { message, isLost } = booking.inWords(error);
    send(409, { message, isLost }, isLost && action !== 'hold' ? null : undefined);
  }
});
server.listen(PORT, '127.0.0.1', () => console.log(`Book a table at ${WIDGET_URL}`));
