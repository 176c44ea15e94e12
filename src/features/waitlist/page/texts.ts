import type { Language } from '../../notifications/service.ts';
import type { EntryStatus } from '../store.ts';

/** Why a place that was offered could not be booked. */
export type Refusal = 'deposit' | 'other';

export interface PageTexts {
  state: Record<Exclude<EntryStatus, 'offered'>, string>;
  offered(until: string): string;
  /** Booked, but not confirmed before it is paid. */
  unpaid: string;
  cancelled: string;
  take: string;
  leave: string;
  date: string;
  time: string;
  guests: string;
  booked: string;
  address: string;
  endedTitle: string;
  ended: string;
  failedTitle: string;
  failed: string;
  refusal: Record<Refusal, string>;
}

export const PAGE_TEXTS: Record<Language, PageTexts> = {
  en: {
    state: {
      waiting: 'You are on the waiting list. We will write to you as soon as a place is free.',
      booked: 'Your booking is confirmed. We look forward to seeing you.',
      expired: 'This has ended: the place was not taken in time, or the time is over.',
      removed: 'You are no longer on the waiting list.',
    },
    offered: (until) => `A place is free. We keep it for you until ${until}.`,
    unpaid: 'Your place is kept until it is paid. Whoever took the booking tells you how to pay.',
    cancelled: 'Your booking was cancelled.',
    take: 'Take it',
    leave: 'Take me off the list',
    date: 'Date',
    time: 'Time',
    guests: 'Guests',
    booked: 'For',
    address: 'Address',
    endedTitle: 'This link has ended',
    ended: 'There is nothing here any more. Please ask the venue if you still need a place.',
    failedTitle: 'This did not work',
    failed: 'Please try again in a moment.',
    refusal: {
      deposit: 'A deposit has to be paid first. Please ask whoever put you on the list, or the venue.',
      other: 'This could not be booked. Please ask the venue.',
    },
  },
  de: {
    state: {
      waiting: 'Sie stehen auf der Warteliste. Wir schreiben Ihnen, sobald ein Platz frei wird.',
      booked: 'Ihre Buchung ist bestätigt. Wir freuen uns auf Ihren Besuch.',
      expired: 'Das ist vorbei: Der Platz wurde nicht rechtzeitig angenommen, oder die Zeit ist um.',
      removed: 'Sie stehen nicht mehr auf der Warteliste.',
    },
    offered: (until) => `Ein Platz ist frei. Wir halten ihn bis ${until} Uhr für Sie.`,
    unpaid:
      'Ihr Platz wird gehalten, bis er bezahlt ist. Wie Sie bezahlen, sagt Ihnen, wer die Buchung angenommen hat.',
    cancelled: 'Ihre Buchung wurde storniert.',
    take: 'Annehmen',
    leave: 'Von der Liste streichen',
    date: 'Datum',
    time: 'Uhrzeit',
    guests: 'Gäste',
    booked: 'Für',
    address: 'Adresse',
    endedTitle: 'Dieser Link gilt nicht mehr',
    ended:
      'Hier ist nichts mehr zu sehen. Wenn Sie noch einen Platz brauchen, fragen Sie bitte beim Lokal nach.',
    failedTitle: 'Das hat nicht geklappt',
    failed: 'Bitte versuchen Sie es gleich noch einmal.',
    refusal: {
      deposit:
        'Zuerst ist eine Anzahlung zu leisten. Bitte fragen Sie dort nach, wo Sie sich angemeldet haben, oder beim Lokal.',
      other: 'Das konnte nicht gebucht werden. Bitte fragen Sie beim Lokal nach.',
    },
  },
  fr: {
    state: {
      waiting: 'Vous êtes sur la liste d’attente. Nous vous écrirons dès qu’une place se libère.',
      booked: 'Votre réservation est confirmée. Nous nous réjouissons de vous accueillir.',
      expired: 'C’est terminé : la place n’a pas été prise à temps, ou l’heure est passée.',
      removed: 'Vous n’êtes plus sur la liste d’attente.',
    },
    offered: (until) => `Une place est libre. Nous la gardons pour vous jusqu’à ${until}.`,
    unpaid:
      'Votre place est gardée jusqu’au paiement. Ceux qui ont pris la réservation vous disent comment payer.',
    cancelled: 'Votre réservation a été annulée.',
    take: 'La prendre',
    leave: 'Me retirer de la liste',
    date: 'Date',
    time: 'Heure',
    guests: 'Personnes',
    booked: 'Pour',
    address: 'Adresse',
    endedTitle: 'Ce lien n’est plus valable',
    ended: 'Il n’y a plus rien ici. Si vous cherchez encore une place, demandez à l’établissement.',
    failedTitle: 'Cela n’a pas marché',
    failed: 'Réessayez dans un instant.',
    refusal: {
      deposit:
        'Il faut d’abord verser un acompte. Adressez-vous à ceux qui vous ont mis sur la liste, ou à l’établissement.',
      other: 'La réservation n’a pas pu être faite. Demandez à l’établissement.',
    },
  },
};

/** Of a person of whom nothing else is known. */
export function preferredLanguage(acceptLanguage: string | undefined): Language {
  const first = acceptLanguage?.trim().slice(0, 2).toLowerCase();
  return first === 'de' || first === 'fr' ? first : 'en';
}
