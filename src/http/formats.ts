import Format from 'typebox/format';
import { isPlainName } from '../kernel/plain-name.ts';
import { instantOf, isClockTime, isDate, isDateTime } from '../kernel/rfc3339.ts';

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
