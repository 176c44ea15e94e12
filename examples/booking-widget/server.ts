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
const DAY_SECONDS = 24 * 60 * 60;

const macOf = (text: string) => createHmac('sha256', SECRET).update(text).digest();

function sign(value: unknown): string {
  const text = Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${text}.${macOf(text).toString('base64url')}`;
}

/** Undefined unless it was signed here. */
function unsigned<Value>(signed = ''): Value | undefined {
  const [text = '', mac = ''] = signed.split('.');
  const [sent, expected] = [Buffer.from(mac, 'base64url'), macOf(text)];
  const isOurs = sent.length === expected.length && timingSafeEqual(sent, expected);
  return isOurs ? JSON.parse(Buffer.from(text, 'base64url').toString()) : undefined;
}

interface Answer {
  body: object;
  /** What the cookie remembers from now on. */
  holdId?: string | undefined;
}

async function answer(action: string, fields: booking.Fields, holdId: string | undefined): Promise<Answer> {
  if (action === 'search') {
    const found = await booking.search(fields);
    return { body: { places: found.map(({ place, shown }) => ({ ...shown, choice: sign(place) })) }, holdId };
  }
  if (action === 'hold') {
    const place = unsigned<booking.Place>(fields.choice);
    if (!place) throw new booking.Refusal('Please choose a time again.', true);
    return shown(await booking.hold(place));
  }
  if (holdId === undefined) return { body: {} };
  if (action === 'forget') return { body: {} };
  if (action === 'release') {
    await booking.release(holdId);
    return { body: {} };
  }
  if (action === 'book') await booking.book(holdId, fields);
  if (action === 'cancel') await booking.cancel(holdId);
  const url = action === 'pay' ? await booking.pay(holdId, fields, WIDGET_URL) : null;
  return url ? { body: { url }, holdId } : shown(holdId);
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

const server = createServer(async (request, response) => {
  const [, action] = /^\/api\/(\w+)$/.exec(request.url ?? '') ?? [];
  if (!action) return response.writeHead(200, PAGE_HEADERS).end(page);
  const holdId = unsigned<string>(/(?:^|; )hold=([^;]*)/.exec(request.headers.cookie ?? '')?.[1]);
  const send = (status: number, body: object, next: string | undefined) => {
    const cookie = next ? `hold=${sign(next)}; Max-Age=${DAY_SECONDS}` : 'hold=; Max-Age=0';
    response.writeHead(status, { 'Content-Type': 'application/json', 'Set-Cookie': `${cookie}; ${COOKIE}` });
    response.end(JSON.stringify(body));
  };
  try {
    const { body, holdId: next } = await answer(action, await fieldsOf(request), holdId);
    send(200, body, next);
  } catch (error) {
    const { message, isLost } = booking.inWords(error);
    send(409, { message, isLost }, isLost ? undefined : holdId);
  }
});
server.listen(PORT, '127.0.0.1', () => console.log(`Book a table at ${WIDGET_URL}`));
