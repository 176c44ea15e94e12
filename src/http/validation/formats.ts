import Format from 'typebox/format';
import { instantOf, isClockTime, isDate, isDateTime } from '../../kernel/rfc3339.ts';

/**
 * Whether a name holds nothing that readers cannot see. Direction marks and zero-width characters make one name look
 * like another, or turn the text around it. Some scripts and emoji need a few of them in certain places: there they are
 * part of the spelling (after UAX 31, 2.3), anywhere else they are refused.
 */

/** Whose letters are joined or kept apart by U+200C and U+200D. */
const JOINING_SCRIPTS =
  'Arab Syrc Mand Nkoo Adlm Rohg Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt';
const LETTER = `[[${JOINING_SCRIPTS.split(' ')
  .map((script) => `\\p{scx=${script}}`)
  .join('')}]&&[\\p{L}\\p{M}]]`;
/** Silences the vowel of an Indic letter; with U+200D after it, also at the end of a word. */
const VIRAMA = '[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca]';

const PART_OF_SPELLING = new RegExp(
  [
    `(?<=${LETTER})[\\u200c\\u200d](?=${LETTER})`,
    `(?<=${VIRAMA})\\u200d`,
    // Emoji that are made of several, and marks that say how one is drawn.
    '(?<=[\\p{ExtPict}\\p{EMod}\\ufe0f])\\u200d(?=\\p{ExtPict})',
    '(?<=[\\p{Emoji}--[0-9#*]])[\\ufe0e\\ufe0f]',
    '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
    // Variants of one character, which family names in Japan tell apart.
    '(?<=\\p{scx=Hani})[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]',
    '(?<=\\p{scx=Mong})[\\u180b-\\u180f]',
  ].join('|'),
  'gv',
);

/** Direction marks are among those that Unicode calls ignorable by default. */
const INVISIBLE = /[\p{DI}\u2028\u2029\ufff9-\ufffb]/u;

export function isPlainName(text: string): boolean {
  return !INVISIBLE.test(text) || !INVISIBLE.test(text.replaceAll(PART_OF_SPELLING, ''));
}

interface TextFormat {
  isValid: (text: string) => boolean;
  /** Completes a sentence that starts with the name of the field. */
  message: string;
}

const MAX_EMAIL_LENGTH = 254;
const FIRST_STORABLE_MS = Date.parse('0001-01-01T00:00:00Z');
const FIRST_UNSTORABLE_MS = Date.UTC(10_000, 0, 1);

/** PostgreSQL has no year 0, and a year of five digits is written in a way that it does not read. */
function isStorableDate(text: string): boolean {
  return isDate(text) && !text.startsWith('0000');
}

function isStorableDateTime(text: string): boolean {
  if (!isDateTime(text)) return false;
  const { epochMilliseconds } = instantOf(text);
  return epochMilliseconds >= FIRST_STORABLE_MS && epochMilliseconds < FIRST_UNSTORABLE_MS;
}

/** The formats that schemas may name. Importing this file is what makes the validator know them. */
const formats: Record<string, TextFormat> = {
  date: { isValid: isStorableDate, message: 'must be a date such as 2026-01-31' },
  'date-time': {
    isValid: isStorableDateTime,
    message: 'must be a date and time with an offset, such as 2026-01-31T19:30:00Z',
  },
  'clock-time': { isValid: isClockTime, message: 'must be a time such as 19:30' },
  email: {
    isValid: (text) => text.length <= MAX_EMAIL_LENGTH && Format.IsEmail(text),
    message: 'must be an email address',
  },
  name: {
    isValid: isPlainName,
    message: 'must not have invisible characters, such as direction marks and zero-width spaces',
  },
  uuid: { isValid: Format.IsUuid, message: 'must be a UUID' },
};

for (const [name, { isValid }] of Object.entries(formats)) Format.Set(name, isValid);

export function formatMessage(name: string): string {
  return formats[name]?.message ?? `must be a valid ${name}`;
}
