import Format from 'typebox/format';
import { problem } from '../../kernel/problem.ts';
import { isTimeZone } from '../venues/venue-check.ts';
import type { OperatorSettings } from './operator-schema.ts';

interface Setting {
  isValid(text: string): boolean;
  /** Completes a sentence that starts with the name of the setting. */
  message: string;
}

const email: Setting = {
  isValid: (text) => Format.Test('email', text),
  message: 'must be an email address or null',
};
const timeZone: Setting = { isValid: isTimeZone, message: 'must be an IANA time zone or null' };

const SETTINGS: Record<keyof OperatorSettings, Setting> = {
  contactEmail: email,
  bookingReplyTo: email,
  defaultTimeZone: timeZone,
};

/** Throws `OPRTR-N-006` on the first setting that is unknown or impossible; what is not said is null. */
export function settingsIn(sent: Readonly<Record<string, unknown>>): OperatorSettings {
  const unknown = Object.keys(sent).find((name) => !Object.hasOwn(SETTINGS, name));
  if (unknown !== undefined)
    throw problem('OPRTR-N-006', { detail: `There is no setting ${JSON.stringify(unknown.slice(0, 100))}.` });
  return {
    contactEmail: valueIn(sent, 'contactEmail'),
    bookingReplyTo: valueIn(sent, 'bookingReplyTo'),
    defaultTimeZone: valueIn(sent, 'defaultTimeZone'),
  };
}

function valueIn(sent: Readonly<Record<string, unknown>>, name: keyof OperatorSettings): string | null {
  const value = sent[name] ?? null;
  if (value === null) return null;
  const { isValid, message } = SETTINGS[name];
  if (typeof value === 'string' && isValid(value)) return value;
  throw problem('OPRTR-N-006', { detail: `${name} ${message}.` });
}
