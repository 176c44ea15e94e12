/** The languages that mails are written in, and how dates and times read in each. */

export const LANGUAGES = ['en', 'de', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

const BY_COUNTRY: Readonly<Record<string, Language>> = {
  DE: 'de',
  AT: 'de',
  CH: 'de',
  LI: 'de',
  FR: 'fr',
  MC: 'fr',
};

/** What is spoken where the venue is, as far as we speak it. */
export const languageOf = (countryCode: string): Language => BY_COUNTRY[countryCode.toUpperCase()] ?? 'en';

const LOCALES: Record<Language, string> = { en: 'en-GB', de: 'de-DE', fr: 'fr-FR' };

export interface Moment {
  /** As «Saturday 21 November 2026». */
  date: string;
  /** As «19:30». */
  time: string;
}

export function momentIn(language: Language, timeZone: string, at: Temporal.Instant): Moment {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(LOCALES[language], { ...options, timeZone }).format(at.epochMilliseconds);
  return { date: format({ dateStyle: 'full' }), time: format({ hour: '2-digit', minute: '2-digit' }) };
}

/** A day as such, wherever one is. */
export const dayIn = (language: Language, date: string): string =>
  new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'full', timeZone: 'UTC' }).format(
    Temporal.PlainDate.from(date).toZonedDateTime('UTC').epochMilliseconds,
  );
