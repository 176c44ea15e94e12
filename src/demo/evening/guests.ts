/** The guests of the demo. Addresses and numbers are of ranges that belong to no one. */
import { plainName } from '../../features/bookings/guest-search/terms.ts';
import type { Guest } from '../../features/bookings/record.ts';
import type { Random } from './random.ts';

/** These come again and again. */
const REGULARS = `
Chidi Okafor, Léa Dubois, Marco Rossi, Priya Shah, Johanna Meyer, Astrid Lind, Kenji Watanabe, Aoife Brennan,
Samuel Adeyemi, Zofia Kowalska, Rhys Llewellyn, Fatima Al-Sayed, Carlos Mendoza, Hannah Weiss, Nikos Papadakis,
Mei Lin Chen, Olivia Hartley, Tomasz Wiśniewski, Ines Carvalho, Dario Bianchi, Amara Nwosu, Erik Sørensen,
Yasmin Rahman, Callum Fraser`;

const OTHERS = `
Grace Thompson, Mateo García, Siobhán O’Neill, Jürgen Schäfer, Camille Laurent, Haruto Tanaka, Ngozi Eze,
Viktor Novák, Elif Yılmaz, Lucas Moreau, Ava Robinson, Ravi Menon, Freya Andersen, Giulia Ferrari, Thabo Mokoena,
Emily Clarke, Andrei Popescu, Linnéa Berg, Hassan Karimi, Sofia Oliveira, Daniel Cohen, Nadia Petrova, Owen Hughes,
Min-jun Park, Beatriz Santos, Harry Whitfield, Leila Haddad, Pieter van den Berg, Anaïs Girard, Joseph Mbeki,
Charlotte Evans, Omar Farouk, Katarzyna Zielińska, Ben Ashworth, Thi Mai Nguyen, Florian Huber, Isla MacLeod,
Diego Fernández, Rebecca Levy, Sven Johansson, Aisha Bello, Paul Richter, Ewa Nowak, Jack Pemberton, Sana Malik,
Luca Conti, Marie-Claire Fontaine, George Athanasiou, Naomi Campbell-Reid, Kofi Mensah, Ruth Goldberg, Arjun Patel,
Matthias Vogel, Eleanor Vance, Tariq Aziz, Paloma Ruiz, William Sinclair, Ioana Ionescu, Björn Gustafsson,
Chloe Bennett, Femi Balogun, Margaux Petit, Stefan Keller, Jasmine Wong, Peter Lindqvist, Rosa Jiménez, Adam Kerr,
Lucía Navarro, Noah Steinberg, Hye-jin Kim, Gareth Pugh, Simone Baptiste, Oskar Nilsson, Farah Hussain, 美咲 田中,
Édouard Lefèvre, Molly Sutherland, Bogdan Ilić, Renata Costa, Theo Marchetti, Imogen Blake, Khalid Mansour,
Agnes Holm, Duncan Ross, Valentina Greco, Sean Gallagher, Maya Krishnan, Jonas Brandt, Alice Fairweather,
Tobias Winkler, Nia Griffiths, Pedro Almeida, Harriet Lowe, Emeka Obi, Claudia Neumann, Ivan Horvat, Zara Sheikh,
Philip Archer, Delphine Roux, Kwame Asante, Birgit Larsen, Rosie Carter, Gabriel Torres, Anneke de Vries`;

const namesIn = (text: string) => text.split(',').map((name) => name.trim());
const NAMES = [...namesIn(REGULARS), ...namesIn(OTHERS)];
const REGULAR_COUNT = namesIn(REGULARS).length;
const REGULAR_SHARE = 0.3;

/** For drama and examples, in four countries. */
const PHONES = [
  (number: string) => `+44 7700 900${number}`,
  (number: string) => `+44 20 7946 0${number}`,
  (number: string) => `+44 7700 900${number}`,
  (number: string) => `+49 30 23125 ${number}`,
];

/** The same person has the same address and number at every visit. */
export function guestNamed(name: string, said: Partial<Guest> = {}): Guest {
  const index = NAMES.indexOf(name);
  const [firstName = '', ...rest] = name.split(' ');
  const lastName = rest.join(' ');
  const local = [firstName, lastName].map(plainName).join('.');
  const isAscii = /^[a-z.]+$/.test(local);
  return {
    firstName,
    lastName,
    email: isAscii ? `${local}@example.com` : `guest.${index}@example.com`,
    phone: PHONES[index % PHONES.length]?.(String(100 + index)) ?? null,
    company: null,
    labels: [],
    comments: null,
    adminNotes: null,
    ...said,
  };
}

/** A walk-in leaves no name, or only one. */
export const guestAtTheDoor = (lastName: string | null): Guest => ({
  firstName: null,
  lastName,
  email: null,
  phone: null,
  company: null,
  labels: [],
  comments: null,
  adminNotes: null,
});

const NOTES: readonly Partial<Guest>[] = [
  { comments: 'Nut allergy, one of us.' },
  { comments: 'Birthday: a candle on the dessert, please.', labels: ['birthday'] },
  { comments: 'One guest in a wheelchair.', labels: ['wheelchair'] },
  { comments: 'High chair for a toddler.', labels: ['high chair'] },
  { comments: 'Two vegans.' },
  { comments: 'Coeliac, so no flour near the plate.' },
  { comments: 'It is our anniversary.', labels: ['anniversary'] },
  { comments: 'By the window, if you can.' },
  { adminNotes: 'Likes the corner. Brings his own wine; no corkage.', labels: ['regular'] },
  { comments: 'We have theatre tickets and must leave on time.' },
];
const NOTE_SHARE = 0.22;

export function anyGuest(random: Random): Guest {
  const last = random.chance(REGULAR_SHARE) ? REGULAR_COUNT : NAMES.length;
  const name = NAMES[random.integer(0, last - 1)] as string;
  return guestNamed(name, random.chance(NOTE_SHARE) ? random.pick(NOTES) : {});
}
