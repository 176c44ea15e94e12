/** Query strings and headers: what the document offers, filled in sensibly, and then some of it wrong. */

import type { Parameter } from '../document.ts';
import { KIND_OF, viewOf } from '../known.ts';
import type { Asking } from './addresses.ts';
import {
  ACCEPTS,
  encoded,
  HOSTILE_DATES,
  HOSTILE_FIELDS,
  HOSTILE_IDS,
  HOSTILE_NUMBERS,
  HOSTILE_TIMES,
  hostileText,
} from './hostile-values.ts';

const isNeeded = ({ name }: Parameter) => name === 'partySize' || name === 'date';

export function queryFor(asking: Asking, isHostile: boolean): string {
  const { chances, operation } = asking;
  const own = operation.parameters.filter((parameter) => parameter.in === 'query');
  const isAvailability = operation.path.endsWith('/availability');
  const chosen = own.filter(
    (one) =>
      one.required || (isAvailability && isNeeded(one)) || chances.happens(isAvailability ? 0.12 : 0.2),
  );
  const pairs = chosen.map(({ name, schema }): [string, string] => [name, plausible(asking, name, schema)]);
  if (isHostile) {
    const victim = chances.maybe(own);
    if (victim) pairs.push([victim.name, hostileFor(asking, victim)]);
    if (!victim || chances.happens(0.3)) pairs.push([hostileText(chances), hostileText(chances)]);
  }
  if (pairs.length === 0) return '';
  const text = pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
  return `?${isHostile && chances.happens(0.05) ? `${text}&%&=&[]=%ff&a[b]=c` : text}`;
}

// biome-ignore lint/suspicious/noExplicitAny: a JSON schema.
function plausible(asking: Asking, name: string, schema: any): string {
  const { chances, known, caller } = asking;
  const kind =
    name === 'operatorBookingId'
      ? 'operator bookings'
      : name === 'bookingIds'
        ? 'order bookings'
        : KIND_OF[name];
  if (kind) return chances.maybe(known.in(`${viewOf(caller)} ${kind}`)) ?? chances.uuid();
  if (name === 'fields')
    return chances.pick(['id', 'id,name', 'products(compositeId)', 'times(time,type)', 'name']);
  if (schema.format === 'date' || /DateTime$|since|until/.test(name))
    return moment(asking, schema.format !== 'date');
  if (schema.format === 'clock-time') return chances.pick(['12:00', '18:30', '19:30', '23:45']);
  if (schema.enum) return String(chances.pick(schema.enum));
  if (schema.type === 'array') return plausible(asking, '', schema.items);
  if (schema.type === 'boolean') return chances.pick(['true', 'false']);
  if (schema.type === 'integer' || schema.type === 'number') {
    const least = schema.minimum ?? 0;
    return String(Math.min(schema.maximum ?? 20, least + chances.below(name === 'radius' ? 50_000 : 4)));
  }
  return chances.pick([
    'London',
    'Soho',
    'grill',
    'Grill & Garden',
    'dinner',
    'jazz',
    'restaurant',
    'terrace',
  ]);
}

function moment({ chances }: Asking, hasTime: boolean): string {
  const day = Temporal.Now.plainDateISO('UTC').add({ days: chances.below(120) });
  return hasTime ? `${day}T${chances.pick(['18:00', '00:00', '23:30'])}:00Z` : day.toString();
}

function hostileFor({ chances }: Asking, { name, schema }: Parameter): string {
  if (name === 'fields') return chances.pick(HOSTILE_FIELDS);
  if (chances.happens(0.3)) return hostileText(chances);
  if (schema.format === 'clock-time') return chances.pick(HOSTILE_TIMES);
  if (/date|since|until|from|to/i.test(name)) return chances.pick(HOSTILE_DATES);
  if (/id$/i.test(name) || name === 'cursor') return chances.pick(HOSTILE_IDS);
  if (schema.type === 'integer' || schema.type === 'number') return String(chances.pick(HOSTILE_NUMBERS));
  return 'x'.repeat(chances.pick([0, 1, 101, 201, 3000]));
}

/** No control characters and nothing beyond Latin-1: the client would not send them, and raw sockets have tests. */
const headerText = (text: string) =>
  Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[^\x20-\x7e\xa0-\xff]/g, '')
    .slice(0, 4000);

const HEADERS = [
  'x-correlation-id',
  'x-partner-reference',
  'if-none-match',
  'if-match',
  'if-modified-since',
  'idempotency-key',
  'x-booking-source',
  'range',
  'accept-encoding',
  'accept-language',
  'x-forwarded-for',
  'x-http-method-override',
  'cookie',
  'origin',
  'expect-ct',
];

const HEADER_VALUES = [
  ...['other-partner', 'nobody', '"json-x"', 'W/"', '*', 'bytes=0-1', 'gzip'],
  ...['Basic Og==', 'Bearer', 'Bearer a.b.c'],
];

export function headersFor(asking: Asking, isHostile: boolean): Record<string, string> {
  const { chances, operation, moreHeaders = [] } = asking;
  const headers: Record<string, string> = {};
  if (operation.path === '/mcp') headers.accept = 'application/json, text/event-stream';
  else if (chances.happens(0.15)) headers.accept = chances.pick(ACCEPTS.slice(0, 3));
  const takes = (name: string) => operation.parameters.some((one) => one.name === name);
  // Few keys, so that some come back with the same body and some with another.
  if (takes('Idempotency-Key') && chances.happens(0.3))
    headers['idempotency-key'] = `key-${chances.below(400)}`;
  if (takes('X-Booking-Source') && chances.happens(0.3))
    headers['x-booking-source'] = chances.pick(['email', 'phone', 'api', 'portal']);
  if (!isHostile) return headers;
  for (let left = 1 + chances.below(3); left > 0; left -= 1) {
    const name = chances.pick([...HEADERS, ...moreHeaders]);
    headers[name] = headerText(chances.happens(0.1) ? chances.pick(HEADER_VALUES) : hostileText(chances));
  }
  if (chances.happens(0.4)) headers.accept = chances.pick(ACCEPTS);
  return headers;
}
