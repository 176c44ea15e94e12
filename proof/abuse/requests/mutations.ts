/** What is done to a good body: to its values while they are values, and to its bytes afterwards. */

import type { Chances } from '../chances.ts';
import type { Json } from './bodies.ts';
import {
  GZIP_BOMB,
  HOSTILE_DATES,
  HOSTILE_IDS,
  HOSTILE_LITERALS,
  HOSTILE_NUMBERS,
  HOSTILE_POINTERS,
  HOSTILE_TIMES,
  hostileLogic,
  hostileText,
  MEDIA_TYPES,
} from './hostile-values.ts';

export interface SentBody {
  type: string;
  bytes: Buffer;
  encoding?: string;
}

/** Stands in a value until it is text, and is then replaced by what no value can be written as. */
const RAW = '\u2060raw\u2060';

/** Changes one to three places of the value, and returns it. */
export function bent(chances: Chances, value: Json): Json {
  const holder = { value };
  for (let left = 1 + chances.below(3); left > 0; left -= 1) bendOnce(chances, holder);
  return holder.value;
}

function bendOnce(chances: Chances, holder: { value: Json }): void {
  let parent: Json = holder;
  let key: string | number = 'value';
  // Down to a place at random, stopping on the way more often the deeper it is.
  while (isBranch(parent[key]) && chances.happens(0.8)) {
    const keys: string[] = Object.keys(parent[key]);
    if (keys.length === 0) break;
    parent = parent[key];
    key = chances.pick(keys);
  }
  const current = parent[key];
  const isMember = parent !== holder;
  switch (chances.below(8)) {
    case 0:
      if (isMember && !Array.isArray(parent)) delete parent[key];
      return;
    case 1:
      if (isBranch(current) && !Array.isArray(current))
        current[chances.pick(ODD_NAMES)] = hostileValue(chances);
      else parent[key] = hostileValue(chances);
      return;
    case 2:
      parent[key] = Array.isArray(current) ? manyOf(chances, current) : [current];
      return;
    case 3:
      parent[key] = typeof current === 'string' ? longer(chances, current) : JSON.stringify(current);
      return;
    default:
      parent[key] = likelyHostile(chances, current, String(key));
  }
}

const isBranch = (value: Json) => typeof value === 'object' && value !== null;

const ODD_NAMES = [
  'constructor',
  'toString',
  '',
  'id',
  'partnerId',
  'a'.repeat(5000),
  '\u0000',
  '\ud800',
  'then',
  'length',
];

function manyOf(chances: Chances, list: Json[]): Json[] {
  const times = chances.pick([0, 2, 51, 501, 10_000]);
  return times === 0 ? [] : Array.from({ length: times }, () => list[0] ?? {});
}

function longer(chances: Chances, text: string): string {
  const length = chances.pick([
    0, 1, 99, 100, 101, 150, 151, 254, 255, 256, 1000, 1001, 20_000, 20_001, 60_000,
  ]);
  return (text || 'x').repeat(Math.ceil(length / (text.length || 1))).slice(0, length);
}

/** Of the kind that stands there, so that it gets past the first look. */
function likelyHostile(chances: Chances, current: Json, key: string): Json {
  if (chances.happens(0.25)) return hostileValue(chances);
  if (/date|since|from$|until|to$/i.test(key)) return chances.pick(HOSTILE_DATES);
  if (/time|opens|closes/i.test(key)) return chances.pick(HOSTILE_TIMES);
  if (key === 'path') return chances.pick(HOSTILE_POINTERS);
  if (key === 'op') return chances.pick(['test', 'move', 'copy', 'remove', 'add', 'replace', 'REPLACE']);
  if (/id$|ids$/i.test(key)) return chances.pick(HOSTILE_IDS);
  if (/when|scope|condition/i.test(key)) return hostileLogic(chances.pick([1, 7, 8, 9, 30, 200, 1500]));
  if (typeof current === 'number') return chances.pick(HOSTILE_NUMBERS);
  return hostileText(chances);
}

function hostileValue(chances: Chances): Json {
  switch (chances.below(9)) {
    case 0:
      return null;
    case 1:
      return chances.pick([true, false]);
    case 2:
      return chances.pick(HOSTILE_NUMBERS);
    case 3:
      return chances.pick([[], {}, [[]], [null], { a: {} }]);
    case 4:
      return hostileLogic(chances.pick([3, 9, 100, 1000]));
    case 5:
      return RAW;
    case 6:
      return chances.pick(HOSTILE_DATES);
    default:
      return hostileText(chances);
  }
}

/** The body as bytes; what stands for a literal that no value has becomes that literal. */
export function written(chances: Chances, value: Json, type: string): SentBody {
  const text = JSON.stringify(value) ?? '';
  const literal = () =>
    chances.happens(0.3) ? '{"__proto__":{"isAdmin":true}}' : chances.pick(HOSTILE_LITERALS);
  return { type, bytes: Buffer.from(text.replaceAll(`"${RAW}"`, literal)) };
}

export function spoilt(chances: Chances, body: SentBody): SentBody {
  const { bytes } = body;
  const text = bytes.toString();
  const as = (changed: string | Buffer): SentBody => ({ ...body, bytes: Buffer.from(changed as string) });
  switch (chances.below(12)) {
    case 0:
      return as(bytes.subarray(0, chances.below(bytes.length + 1)));
    case 1:
      return as(
        Buffer.concat([
          bytes.subarray(0, bytes.length / 2),
          Buffer.from([0xff, 0xc0]),
          bytes.subarray(bytes.length / 2),
        ]),
      );
    case 2:
      return as(text.replace('{', '{"__proto__":{"isAdmin":true},'));
    case 3:
      return as(text.replace(/\{("[^"]+"):/, '{$1:null,$1:'));
    case 4:
      return { ...body, type: chances.pick(MEDIA_TYPES) };
    case 5:
      return {
        ...body,
        bytes: GZIP_BOMB,
        encoding: chances.pick(['gzip', 'deflate', 'br', 'gzip, gzip', 'identity']),
      };
    case 6:
      return as(`\ufeff${text}`);
    case 7:
      return as('['.repeat(chances.pick([10, 100, 40_000])));
    case 8:
      return as(Buffer.from(text, 'utf16le'));
    case 9:
      return as(chances.pick(['', 'null', '0', '""', '[]', '{}', 'undefined', '{}{}']));
    case 10:
      return as(text.replace(/:"([^"]*)"/, ':"\\u0000\\ud800$1"'));
    default:
      return chances.happens(0.05) ? as(`{"a":"${'x'.repeat(2 * 1024 * 1024)}"}`) : as(`${text} `.repeat(2));
  }
}
