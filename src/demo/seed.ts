import { inTransaction, type Sql, type Tx } from '../db/database.ts';
import { addUser } from '../features/accounts/service.ts';
import { createRule } from '../features/booking-rules/manage/storing.ts';
import { addSecret, allowAgent, createClient, createPartner } from '../features/identity/service.ts';
import { saveMandate } from '../features/mandates/service.ts';
import { saveNotificationChoices, saveVenueMails } from '../features/notifications/service.ts';
import { importOperator, mapVenue, saveVocabulary } from '../features/venues/service.ts';
import type { OperatorDocument } from '../features/venues/transfer/document.ts';
import { type Clock, nowOf } from '../kernel/clock.ts';
import { type Keyring, newId } from '../kernel/crypto.ts';
import { parseVenueId } from '../kernel/ids.ts';
import { systemOf } from '../tms/systems.ts';
import { clients, demoMappings, notificationChoices, partners, people, users, venueMails } from './access.ts';
import { bookingRules } from './booking-rules.ts';
import { seedEvening } from './evening/evening.ts';
import { demoOperators } from './operators.ts';
import { findEmails, hasOperators, lockSeeding } from './seed-store.ts';

export interface SeedOptions {
  /** Also makes people to sign in as, and bookings for them to see. Guests are encrypted with the key. */
  evening?: { encryptionKeys: Keyring } | undefined;
}

/** Fills an empty database with the demo data and says whether it did. A database with an operator is left alone. */
export async function seedDemo(sql: Sql, clock: Clock, { evening }: SeedOptions = {}): Promise<boolean> {
  return inTransaction(sql, async (tx) => {
    await lockSeeding(tx);
    if (await hasOperators(tx)) return false;
    const operators = await fill(tx, clock);
    const [first] = operators;
    if (!evening || !first) return true;
    for (const { role: _, ...person } of people) await addUser(tx, { clock }, person);
    await seedEvening(tx, first, { clock, ...evening });
    return true;
  });
}

/** The people of the demo who are there: a database of before they were part of it, or that has changed, lacks some. */
export async function findPeople(sql: Sql): Promise<typeof people> {
  const known = await findEmails(
    sql,
    people.map(({ email }) => email),
  );
  return people.filter(({ email }) => known.has(email));
}

/** Partners come before operators, whose rules name them; clients come after both. */
async function fill(tx: Tx, clock: Clock): Promise<OperatorDocument[]> {
  const today = clock().toZonedDateTimeISO('Europe/London').toPlainDate();
  const operators = demoOperators(today);
  await saveVocabulary(tx, { categories, venueTypes });
  for (const partner of partners) await createPartner(tx, partner);
  for (const operator of operators) await importOperator(tx, operator);
  for (const rule of bookingRules) await createRule(tx, clock, rule);
  for (const mapping of demoMappings(operators)) await mapVenue(tx, mapping);
  for (const [venueId, mails] of Object.entries(venueMails))
    await saveVenueMails(tx, parseVenueId(venueId), mails);
  await blockTonight(tx, clock, today);
  for (const user of users) {
    const { id, email } = await addUser(tx, { clock }, user);
    await saveNotificationChoices(tx, id, notificationChoices[email] ?? []);
  }
  for (const { client, secret, actsFor = [], mandate } of clients) {
    await createClient(tx, client);
    await addSecret(tx, client.id, { secret });
    for (const { id, reference } of partners) {
      if (actsFor.includes(reference)) await allowAgent(tx, client.id, id);
    }
    if (mandate) await saveMandate(tx, client.id, mandate);
  }
  return operators;
}

const SOHO_GRILL = parseVenueId('1|house|soho-grill');

/** The last seat at the counter of the Soho Grill, for this evening. */
async function blockTonight(tx: Tx, clock: Clock, today: Temporal.PlainDate): Promise<void> {
  const at = (time: string) =>
    today.toZonedDateTime({ timeZone: 'Europe/London', plainTime: time }).toInstant();
  await systemOf(SOHO_GRILL)?.desk?.blocks.insert(tx, SOHO_GRILL, {
    id: newId(clock),
    from: at('17:00'),
    to: at('23:00'),
    tableIds: [10_105],
    areaIds: null,
    zoneIds: null,
    reason: 'Broken stool, at the joiner’s',
    createdAt: nowOf(clock),
  });
}

/** The words that venues and products of the demo are described with. */

export const categories = [
  { id: 1, slug: 'dinner', name: 'Dinner' },
  { id: 2, slug: 'lunch', name: 'Lunch' },
  { id: 3, slug: 'brunch', name: 'Brunch' },
  { id: 4, slug: 'afternoon-tea', name: 'Afternoon tea' },
  { id: 5, slug: 'drinks', name: 'Drinks' },
  { id: 6, slug: 'private-hire', name: 'Private hire' },
  { id: 7, slug: 'tickets', name: 'Tickets' },
];

export const venueTypes = [
  { slug: 'restaurant', name: 'Restaurant' },
  { slug: 'bistro', name: 'Bistro' },
  { slug: 'brasserie', name: 'Brasserie' },
  { slug: 'cafe', name: 'Café' },
  { slug: 'tea-room', name: 'Tea room' },
  { slug: 'bakery', name: 'Bakery' },
  { slug: 'bar', name: 'Bar' },
  { slug: 'cocktail-bar', name: 'Cocktail bar' },
  { slug: 'wine-bar', name: 'Wine bar' },
  { slug: 'gastropub', name: 'Gastropub' },
  { slug: 'event', name: 'Event' },
  { slug: 'event-space', name: 'Event space' },
  { slug: 'live-music', name: 'Live music' },
  { slug: 'late-night', name: 'Open late' },
  { slug: 'rooftop', name: 'Rooftop' },
  { slug: 'waterside', name: 'By the water' },
  { slug: 'outdoor-seating', name: 'Outdoor seating' },
  { slug: 'private-dining', name: 'Private dining' },
  { slug: 'fine-dining', name: 'Fine dining' },
  { slug: 'steakhouse', name: 'Steakhouse' },
  { slug: 'seafood', name: 'Seafood' },
  { slug: 'sunday-roast', name: 'Sunday roast' },
  { slug: 'natural-wine', name: 'Natural wine' },
  { slug: 'vegan-friendly', name: 'Vegan friendly' },
  { slug: 'halal-options', name: 'Halal options' },
  { slug: 'family-friendly', name: 'Family friendly' },
  { slug: 'dog-friendly', name: 'Dog friendly' },
  { slug: 'wheelchair-accessible', name: 'Wheelchair accessible' },
];
