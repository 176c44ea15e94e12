/** What guests are told, in every language. */
import type { Language, Moment } from './languages.ts';

export const GUEST_MAIL_KINDS = [
  'confirmation',
  'change',
  'cancellation',
  'reminder',
  'enquiry',
  'rejection',
] as const;
export type GuestMailKind = (typeof GUEST_MAIL_KINDS)[number];

export interface GuestTexts {
  subject: Record<GuestMailKind, (venue: string, when: Moment) => string>;
  opening: Record<GuestMailKind, string>;
  /** Without a name where none is known. */
  greeting(name: string): string;
  labels: Record<'date' | 'time' | 'guests' | 'venue' | 'product' | 'area' | 'address' | 'reference', string>;
  guests(count: number, children: number): string;
  time(time: string, end: string): string;
  /** Before what the venue says of this one booking. */
  message(venue: string): string;
  canReply: string;
  cannotReply: string;
}

const english: GuestTexts = {
  subject: {
    confirmation: (venue, { date, time }) => `Your booking at ${venue}: ${date}, ${time}`,
    change: (venue, { date, time }) => `Changed: your booking at ${venue}, ${date}, ${time}`,
    cancellation: (venue, { date }) => `Cancelled: your booking at ${venue}, ${date}`,
    reminder: (venue, { date, time }) => `Reminder: ${venue}, ${date}, ${time}`,
    enquiry: (venue, { date }) => `Your enquiry at ${venue}: ${date}`,
    rejection: (venue, { date }) => `Your enquiry at ${venue}: not possible on ${date}`,
  },
  opening: {
    confirmation: 'Your booking is confirmed.',
    change: 'Your booking has changed. This is how it is now:',
    cancellation: 'Your booking is cancelled.',
    reminder: 'We look forward to seeing you soon.',
    enquiry:
      'We have received your enquiry. It is not a booking yet: we will write again once it is decided.',
    rejection: 'We are sorry: we cannot take this booking.',
  },
  greeting: (name) => (name === '' ? 'Hello,' : `Dear ${name},`),
  labels: {
    date: 'Date',
    time: 'Time',
    guests: 'Guests',
    venue: 'Venue',
    product: 'Booked',
    area: 'Area',
    address: 'Address',
    reference: 'Reference',
  },
  guests: (count, children) => (children === 0 ? `${count}` : `${count}, of whom children: ${children}`),
  time: (time, end) => `${time} to ${end}`,
  message: (venue) => `${venue} writes:`,
  canReply: 'You can answer this mail.',
  cannotReply: 'Answers to this mail are not read.',
};

const german: GuestTexts = {
  subject: {
    confirmation: (venue, { date, time }) => `Ihre Buchung bei ${venue}: ${date}, ${time} Uhr`,
    change: (venue, { date, time }) => `Geändert: Ihre Buchung bei ${venue}, ${date}, ${time} Uhr`,
    cancellation: (venue, { date }) => `Storniert: Ihre Buchung bei ${venue}, ${date}`,
    reminder: (venue, { date, time }) => `Erinnerung: ${venue}, ${date}, ${time} Uhr`,
    enquiry: (venue, { date }) => `Ihre Anfrage bei ${venue}: ${date}`,
    rejection: (venue, { date }) => `Ihre Anfrage bei ${venue}: ${date} nicht möglich`,
  },
  opening: {
    confirmation: 'Ihre Buchung ist bestätigt.',
    change: 'Ihre Buchung hat sich geändert. So lautet sie jetzt:',
    cancellation: 'Ihre Buchung ist storniert.',
    reminder: 'Wir freuen uns auf Ihren Besuch.',
    enquiry:
      'Wir haben Ihre Anfrage erhalten. Sie ist noch keine Buchung: Wir schreiben Ihnen, sobald sie entschieden ist.',
    rejection: 'Leider können wir diese Buchung nicht annehmen.',
  },
  greeting: (name) => (name === '' ? 'Guten Tag,' : `Guten Tag ${name},`),
  labels: {
    date: 'Datum',
    time: 'Uhrzeit',
    guests: 'Gäste',
    venue: 'Ort',
    product: 'Gebucht',
    area: 'Bereich',
    address: 'Adresse',
    reference: 'Buchungsnummer',
  },
  guests: (count, children) => (children === 0 ? `${count}` : `${count}, davon Kinder: ${children}`),
  time: (time, end) => `${time} bis ${end} Uhr`,
  message: (venue) => `${venue} schreibt:`,
  canReply: 'Sie können auf diese E-Mail antworten.',
  cannotReply: 'Antworten auf diese E-Mail werden nicht gelesen.',
};

const french: GuestTexts = {
  subject: {
    confirmation: (venue, { date, time }) => `Votre réservation chez ${venue} : ${date}, ${time}`,
    change: (venue, { date, time }) => `Modifiée : votre réservation chez ${venue}, ${date}, ${time}`,
    cancellation: (venue, { date }) => `Annulée : votre réservation chez ${venue}, ${date}`,
    reminder: (venue, { date, time }) => `Rappel : ${venue}, ${date}, ${time}`,
    enquiry: (venue, { date }) => `Votre demande chez ${venue} : ${date}`,
    rejection: (venue, { date }) => `Votre demande chez ${venue} : impossible le ${date}`,
  },
  opening: {
    confirmation: 'Votre réservation est confirmée.',
    change: 'Votre réservation a été modifiée. La voici à présent :',
    cancellation: 'Votre réservation est annulée.',
    reminder: 'Nous nous réjouissons de vous accueillir bientôt.',
    enquiry:
      'Nous avons reçu votre demande. Ce n’est pas encore une réservation : nous vous écrirons dès que nous aurons décidé.',
    rejection: 'Nous sommes désolés : nous ne pouvons pas accepter cette réservation.',
  },
  greeting: (name) => (name === '' ? 'Bonjour,' : `Bonjour ${name},`),
  labels: {
    date: 'Date',
    time: 'Heure',
    guests: 'Personnes',
    venue: 'Lieu',
    product: 'Réservation',
    area: 'Espace',
    address: 'Adresse',
    reference: 'Référence',
  },
  guests: (count, children) => (children === 0 ? `${count}` : `${count}, dont enfants : ${children}`),
  time: (time, end) => `de ${time} à ${end}`,
  message: (venue) => `${venue} vous écrit :`,
  canReply: 'Vous pouvez répondre à ce courriel.',
  cannotReply: 'Les réponses à ce courriel ne sont pas lues.',
};

export const GUEST_TEXTS: Record<Language, GuestTexts> = { en: english, de: german, fr: french };
