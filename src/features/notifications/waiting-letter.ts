/** Mails to guests on a waiting list: that they are on it, and that a place is free for a while. */
import { type Letter, oneLine } from '../mail/service.ts';
import { greetable, type LetterOptions, type VenueMails } from './guest-letter.ts';
import { GUEST_TEXTS } from './guest-texts.ts';
import { dayIn, type Language, languageOf, type Moment, momentIn } from './languages.ts';
import { layOut } from './layout.ts';

/** What the mail tells, sealed while it waits. */
export interface WaitingNotice {
  kind: 'waiting' | 'offer';
  entryId: string;
  to: string;
  name: string;
  venue: { id: string; name: string; address: string; countryCode: string; timeZone: string };
  productName: string;
  date: string;
  /** The first and the last start that the guest would take, local time. */
  from: string;
  until: string;
  guests: number;
  children: number;
  /** The page on which the guest takes the place or leaves the list. */
  link: string;
  /** Of an offer. */
  offer: { startsAt: string; endsAt: string } | null;
}

interface WaitingTexts {
  waitingSubject(venue: string, date: string): string;
  offerSubject(venue: string, when: Moment): string;
  waiting: string;
  offer(ends: Moment): string;
  between(from: string, to: string): string;
  leave: string;
  take: string;
}

const TEXTS: Record<Language, WaitingTexts> = {
  en: {
    waitingSubject: (venue, date) => `You are on the waiting list of ${venue}: ${date}`,
    offerSubject: (venue, { date, time }) => `A place is free at ${venue}: ${date}, ${time}`,
    waiting:
      'You are on the waiting list. As soon as a place is free we keep it for you for a while and write to you.',
    offer: ({ time }) => `A place has become free. We keep it for you until ${time}.`,
    between: (from, to) => (from === to ? from : `between ${from} and ${to}`),
    leave: 'If you no longer need a place, please take yourself off the list here:',
    take: 'Take it, or take yourself off the list, here:',
  },
  de: {
    waitingSubject: (venue, date) => `Sie stehen auf der Warteliste von ${venue}: ${date}`,
    offerSubject: (venue, { date, time }) => `Bei ${venue} ist ein Platz frei: ${date}, ${time} Uhr`,
    waiting:
      'Sie stehen auf der Warteliste. Sobald ein Platz frei wird, halten wir ihn eine Weile für Sie und schreiben Ihnen.',
    offer: ({ time }) => `Es ist ein Platz frei geworden. Wir halten ihn bis ${time} Uhr für Sie.`,
    between: (from, to) => (from === to ? `${from} Uhr` : `zwischen ${from} und ${to} Uhr`),
    leave: 'Wenn Sie keinen Platz mehr brauchen, streichen Sie sich bitte hier von der Liste:',
    take: 'Nehmen Sie ihn hier an, oder streichen Sie sich von der Liste:',
  },
  fr: {
    waitingSubject: (venue, date) => `Vous êtes sur la liste d’attente de ${venue} : ${date}`,
    offerSubject: (venue, { date, time }) => `Une place s’est libérée chez ${venue} : ${date}, ${time}`,
    waiting:
      'Vous êtes sur la liste d’attente. Dès qu’une place se libère, nous la gardons un moment pour vous et vous écrivons.',
    offer: ({ time }) => `Une place s’est libérée. Nous la gardons pour vous jusqu’à ${time}.`,
    between: (from, to) => (from === to ? from : `entre ${from} et ${to}`),
    leave: 'Si vous n’avez plus besoin de place, retirez-vous de la liste ici :',
    take: 'Prenez-la, ou retirez-vous de la liste, ici :',
  },
};

export function waitingLetter(
  notice: WaitingNotice,
  settings: VenueMails,
  {
    language = settings.language ?? languageOf(notice.venue.countryCode),
  }: Pick<LetterOptions, 'language'> = {},
): Letter {
  const { venue, offer } = notice;
  const texts = TEXTS[language];
  const { greeting, labels, guests, canReply, cannotReply } = GUEST_TEXTS[language];
  const moment = (instant: string) => momentIn(language, venue.timeZone, Temporal.Instant.from(instant));
  const starts = offer && moment(offer.startsAt);
  const date = starts?.date ?? dayIn(language, notice.date);
  const subject = oneLine(
    starts ? texts.offerSubject(venue.name, starts) : texts.waitingSubject(venue.name, date),
  );
  const address: [string, string][] = venue.address === '' ? [] : [[labels.address, oneLine(venue.address)]];
  const { text, html } = layOut(language, subject, [
    { paragraph: greeting(greetable(notice.name)) },
    { paragraph: offer ? texts.offer(moment(offer.endsAt)) : texts.waiting },
    {
      rows: [
        [labels.date, date],
        [labels.time, starts?.time ?? texts.between(notice.from, notice.until)],
        [labels.guests, guests(notice.guests, notice.children)],
        [labels.venue, oneLine(venue.name)],
        [labels.product, oneLine(notice.productName)],
        ...address,
      ],
    },
    { paragraph: offer ? texts.take : texts.leave },
    { link: notice.link },
    ...(settings.sentence === null ? [] : [{ paragraph: settings.sentence }]),
    { paragraph: venue.name },
    { note: settings.replyTo === null ? cannotReply : canReply },
  ]);
  return {
    to: notice.to,
    subject,
    text,
    html,
    fromName: venue.name,
    ...(settings.replyTo !== null && { replyTo: settings.replyTo }),
  };
}
