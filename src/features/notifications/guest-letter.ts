/** A mail to the guest of a booking, as it was at one moment. */
import { type Letter, oneLine } from '../mail/service.ts';
import { GUEST_TEXTS, type GuestMailKind, type GuestTexts } from './guest-texts.ts';
import { type CalendarEntry, calendarOf } from './ics.ts';
import { type Language, languageOf, momentIn } from './languages.ts';
import { layOut, type Part } from './layout.ts';

/** What the mail tells, sealed while it waits: later changes of the booking have mails of their own. */
export interface GuestNotice {
  kind: GuestMailKind;
  bookingId: string;
  to: string;
  name: string;
  venue: { id: string; name: string; address: string; countryCode: string; timeZone: string };
  productName: string;
  area: string | null;
  reference: string | null;
  startsAt: string;
  durationMinutes: number;
  guests: number;
  children: number;
  /** What the venue says of this booking, such as why it is cancelled. */
  message: string | null;
  /** Null: the guest has no entry for it. */
  calendar: Pick<CalendarEntry, 'state' | 'sequence'> | null;
  toldAt: string;
}

/** What the venue has set. */
export interface VenueMails {
  replyTo: string | null;
  reminderHours: number | null;
  sentence: string | null;
  language: Language | null;
}

export const NO_MAILS_SET: VenueMails = {
  replyTo: null,
  reminderHours: null,
  sentence: null,
  language: null,
};

export interface LetterOptions {
  language?: Language;
  /** Our own address. */
  sender: string;
}

export function guestLetter(
  notice: GuestNotice,
  settings: VenueMails,
  { sender, language = settings.language ?? languageOf(notice.venue.countryCode) }: LetterOptions,
): Letter {
  const { venue, kind } = notice;
  const texts = GUEST_TEXTS[language];
  const starts = momentIn(language, venue.timeZone, Temporal.Instant.from(notice.startsAt));
  const subject = oneLine(texts.subject[kind](venue.name, starts));
  const parts: Part[] = [
    { paragraph: texts.greeting(greetable(notice.name)) },
    { paragraph: texts.opening[kind] },
    ...(notice.message === null
      ? []
      : [{ paragraph: `${texts.message(venue.name)}\n${notice.message.trim()}` }]),
    { rows: rowsOf(notice, texts, language) },
    ...(settings.sentence === null ? [] : [{ paragraph: settings.sentence }]),
    { paragraph: venue.name },
    { note: settings.replyTo === null ? texts.cannotReply : texts.canReply },
  ];
  const { text, html } = layOut(language, subject, parts);
  const calendar = notice.calendar && entryOf(notice, notice.calendar, settings.replyTo ?? sender);
  return {
    to: notice.to,
    subject,
    text,
    html,
    fromName: venue.name,
    ...(settings.replyTo !== null && { replyTo: settings.replyTo }),
    ...(calendar && { calendar: calendarOf({ ...calendar, description: text }) }),
  };
}

function rowsOf(notice: GuestNotice, texts: GuestTexts, language: Language): [string, string][] {
  const { labels } = texts;
  const { venue, area, reference } = notice;
  const startsAt = Temporal.Instant.from(notice.startsAt);
  const starts = momentIn(language, venue.timeZone, startsAt);
  const ends = momentIn(language, venue.timeZone, startsAt.add({ minutes: notice.durationMinutes }));
  return [
    [labels.date, starts.date],
    [labels.time, texts.time(starts.time, ends.time)],
    [labels.guests, texts.guests(notice.guests, notice.children)],
    [labels.venue, oneLine(venue.name)],
    [labels.product, oneLine(notice.productName)],
    ...(area === null ? [] : ([[labels.area, oneLine(area)]] as [string, string][])),
    ...(venue.address === '' ? [] : ([[labels.address, oneLine(venue.address)]] as [string, string][])),
    ...(reference === null ? [] : ([[labels.reference, oneLine(reference)]] as [string, string][])),
  ];
}

function entryOf(
  notice: GuestNotice,
  calendar: NonNullable<GuestNotice['calendar']>,
  organizer: string,
): Omit<CalendarEntry, 'description'> {
  const { venue } = notice;
  return {
    ...calendar,
    bookingId: notice.bookingId,
    stamp: Temporal.Instant.from(notice.toldAt),
    startsAt: Temporal.Instant.from(notice.startsAt),
    durationMinutes: notice.durationMinutes,
    timeZone: venue.timeZone,
    summary: venue.name,
    location: [venue.name, venue.address].filter((part) => part !== '').join(', '),
    organizer: { name: venue.name, email: organizer },
    attendee: { name: notice.name, email: notice.to },
  };
}

/** Empty for a name with a link in it: booking with another person's address would send advertisements in our name. */
export function greetable(name: string): string {
  const line = oneLine(name);
  return /:\/\/|www\.|@/i.test(line) ? '' : line;
}
