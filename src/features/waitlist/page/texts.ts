import type { Language } from '../../notifications/service.ts';
import type { EntryStatus } from '../store.ts';

export interface PageTexts {
  state: Record<Exclude<EntryStatus, 'offered'>, string>;
  offered(until: string): string;
  take: string;
  leave: string;
  date: string;
  time: string;
  guests: string;
  booked: string;
  address: string;
  endedTitle: string;
  ended: string;
  /** What was offered cannot be booked; the venue has to be asked. */
  refused: string;
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
    take: 'Take it',
    leave: 'Take me off the list',
    date: 'Date',
    time: 'Time',
    guests: 'Guests',
    booked: 'For',
    address: 'Address',
    endedTitle: 'This link has ended',
    ended: 'There is nothing here any more. Please ask the venue if you still need a place.',
    refused: 'This could not be booked. Please ask the venue.',
  },
  de: {
    state: {
      waiting: 'Sie stehen auf der Warteliste. Wir schreiben Ihnen, sobald ein Platz frei wird.',
      booked: 'Ihre Buchung ist bestätigt. Wir freuen uns auf Ihren Besuch.',
      expired: 'Das ist vorbei: Der Platz wurde nicht rechtzeitig angenommen, oder die Zeit ist um.',
      removed: 'Sie stehen nicht mehr auf der Warteliste.',
    },
    offered: (until) => `Ein Platz ist frei. Wir halten ihn bis ${until} Uhr für Sie.`,
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
    refused: 'Das konnte nicht gebucht werden. Bitte fragen Sie beim Lokal nach.',
  },
  fr: {
    state: {
      waiting: 'Vous êtes sur la liste d’attente. Nous vous écrirons dès qu’une place se libère.',
      booked: 'Votre réservation est confirmée. Nous nous réjouissons de vous accueillir.',
      expired: 'C’est terminé : la place n’a pas été prise à temps, ou l’heure est passée.',
      removed: 'Vous n’êtes plus sur la liste d’attente.',
    },
    offered: (until) => `Une place est libre. Nous la gardons pour vous jusqu’à ${until}.`,
    take: 'La prendre',
    leave: 'Me retirer de la liste',
    date: 'Date',
    time: 'Heure',
    guests: 'Personnes',
    booked: 'Pour',
    address: 'Adresse',
    endedTitle: 'Ce lien n’est plus valable',
    ended: 'Il n’y a plus rien ici. Si vous cherchez encore une place, demandez à l’établissement.',
    refused: 'La réservation n’a pas pu être faite. Demandez à l’établissement.',
  },
};

/** Of a person of whom nothing else is known. */
export function preferredLanguage(acceptLanguage: string | undefined): Language {
  const first = acceptLanguage?.trim().slice(0, 2).toLowerCase();
  return first === 'de' || first === 'fr' ? first : 'en';
}
