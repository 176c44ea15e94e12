/** Mails to people who work for an operator: of single bookings, and of the day. */
import { type Letter, oneLine } from '../mail/service.ts';
import { dayIn, type Language, momentIn } from './languages.ts';
import { layOut, type Part } from './layout.ts';
import type { PeopleKind, Reader, VenueDay } from './people-store.ts';

/** What people are told of a booking, as it was then. */
export interface PeopleNotice {
  kind: PeopleKind;
  operatorId: number;
  /** The client or user that made the change, who is not told. */
  madeBy: string | null;
  venueName: string;
  productName: string;
  timeZone: string;
  startsAt: string;
  guests: number;
  name: string;
  /** The partner's name at the operator, or how it came to the house. */
  from: string;
  notes: string | null;
  reference: string | null;
}

interface PeopleTexts {
  subject: Record<PeopleKind, string>;
  labels: Record<
    'date' | 'time' | 'guests' | 'name' | 'venue' | 'product' | 'from' | 'notes' | 'reference',
    string
  >;
  summary(operator: string, day: string): string;
  bookings(count: number, guests: number): string;
  enquiries(count: number): string;
  why: string;
}

const TEXTS: Record<Language, PeopleTexts> = {
  en: {
    subject: { newBooking: 'New booking', enquiry: 'New enquiry', cancellation: 'Cancelled' },
    labels: {
      date: 'Date',
      time: 'Time',
      guests: 'Guests',
      name: 'Name',
      venue: 'Venue',
      product: 'Booked',
      from: 'From',
      notes: 'Notes',
      reference: 'Reference',
    },
    summary: (operator, day) => `${operator}: ${day}`,
    bookings: (count, guests) => `${count} bookings, ${guests} guests`,
    enquiries: (count) => `${count} enquiries wait for an answer`,
    why: 'You get this mail because you have asked for it in the notifications of your account, where you can also end it.',
  },
  de: {
    subject: { newBooking: 'Neue Buchung', enquiry: 'Neue Anfrage', cancellation: 'Storniert' },
    labels: {
      date: 'Datum',
      time: 'Uhrzeit',
      guests: 'Gäste',
      name: 'Name',
      venue: 'Ort',
      product: 'Gebucht',
      from: 'Von',
      notes: 'Anmerkungen',
      reference: 'Buchungsnummer',
    },
    summary: (operator, day) => `${operator}: ${day}`,
    bookings: (count, guests) => `${count} Buchungen, ${guests} Gäste`,
    enquiries: (count) => `${count} Anfragen warten auf Antwort`,
    why: 'Sie erhalten diese E-Mail, weil Sie sie in den Benachrichtigungen Ihres Kontos gewünscht haben; dort können Sie sie auch abbestellen.',
  },
  fr: {
    subject: { newBooking: 'Nouvelle réservation', enquiry: 'Nouvelle demande', cancellation: 'Annulée' },
    labels: {
      date: 'Date',
      time: 'Heure',
      guests: 'Personnes',
      name: 'Nom',
      venue: 'Lieu',
      product: 'Réservation',
      from: 'De',
      notes: 'Remarques',
      reference: 'Référence',
    },
    summary: (operator, day) => `${operator} : ${day}`,
    bookings: (count, guests) => `${count} réservations, ${guests} personnes`,
    enquiries: (count) => `${count} demandes attendent une réponse`,
    why: 'Vous recevez ce courriel parce que vous l’avez demandé dans les notifications de votre compte, où vous pouvez aussi y mettre fin.',
  },
};

export function peopleLetter(notice: PeopleNotice, { email, language }: Reader): Letter {
  const { labels, subject: subjects, why } = TEXTS[language];
  const { date, time } = momentIn(language, notice.timeZone, Temporal.Instant.from(notice.startsAt));
  const subject = oneLine(
    `${subjects[notice.kind]}: ${notice.venueName}, ${date}, ${time} (${notice.guests})`,
  );
  const rows: [string, string | null][] = [
    [labels.date, date],
    [labels.time, time],
    [labels.guests, String(notice.guests)],
    [labels.name, oneLine(notice.name)],
    [labels.venue, oneLine(notice.venueName)],
    [labels.product, oneLine(notice.productName)],
    [labels.from, oneLine(notice.from)],
    [labels.notes, notice.notes],
    [labels.reference, notice.reference],
  ];
  const known = rows.filter((row): row is [string, string] => row[1] !== null && row[1] !== '');
  const parts: Part[] = [{ heading: subjects[notice.kind] }, { rows: known }, { note: why }];
  return { to: email, subject, ...layOut(language, subject, parts) };
}

export interface Summary {
  operatorName: string;
  day: string;
  venues: readonly VenueDay[];
}

export function summaryLetter({ operatorName, day, venues }: Summary, { email, language }: Reader): Letter {
  const texts = TEXTS[language];
  const subject = oneLine(texts.summary(operatorName, dayIn(language, day)));
  const rows = venues.map(({ name, bookings, guests, enquiries }): [string, string] => [
    oneLine(name),
    [texts.bookings(bookings, guests), ...(enquiries === 0 ? [] : [texts.enquiries(enquiries)])].join('; '),
  ]);
  const parts: Part[] = [{ heading: subject }, { rows }, { note: texts.why }];
  return { to: email, subject, ...layOut(language, subject, parts) };
}
