/**
 * An evening to look at: Soho Grill as it is at the moment of the first start, with what was and what is to come. It is
 * for people who open the console; tests and benchmarks have a demo without bookings.
 */

import type { Tx } from '../../db/database.ts';
import { announcementOf } from '../../features/bookings/change.ts';
import { writeMessage } from '../../features/bookings/messages.ts';
import type { BookingRecord } from '../../features/bookings/record.ts';
import { createEvents } from '../../features/events/service.ts';
import type { OperatorDocument } from '../../features/venues/transfer/document.ts';
import { writeDemoEntries } from '../../features/waitlist/seeding.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Keyring } from '../../kernel/crypto.ts';
import { localOf, MS_PER_MINUTE, minuteOfDay } from '../../kernel/zone-time.ts';
import { dayAt, type Habit, otherDays } from './days.ts';
import { type Place, placeOf } from './plan.ts';
import { createRandom } from './random.ts';
import { enquiries, tonightAt } from './tonight.ts';
import { lateParty, outcomeAt } from './visits.ts';
import { waitingAt } from './waiting.ts';
import { type Decided, writeBookings } from './write.ts';

const SEED = 1889;

export interface EveningOptions {
  clock: Clock;
  encryptionKeys: Keyring;
}

export async function seedEvening(
  tx: Tx,
  operator: OperatorDocument,
  { clock, encryptionKeys }: EveningOptions,
): Promise<void> {
  const nowMs = clock().epochMilliseconds;
  const [grill, garden] = [
    placeIn(operator, 'soho-grill', 'dinner'),
    placeIn(operator, 'garden-room', 'brunch'),
  ];
  const today = localOf(grill.document.timeZone, nowMs).date;
  const random = createRandom(SEED);
  const habits = [grillHabit(grill), gardenHabit(garden)];
  const tonight = tonightAt(random, grill, today, nowMs);
  const late = lateParty(tonight, nowMs);
  const planned = [
    ...tonight,
    ...enquiries(random, grill, today, nowMs),
    ...dayAt(random, gardenHabit(garden), today, nowMs),
    ...otherDays(random, habits, today, nowMs),
  ];
  const decided = planned.map(
    (each): Decided => ({
      planned: each,
      ...outcomeAt(each, nowMs, { isLate: each === late }),
    }),
  );
  const records = await writeBookings(tx, encryptionKeys, decided);
  const events = createEvents({ clock, encryptionKeys });
  // What is over is not told any more.
  const current = records.filter(({ date }) => date >= today);
  await events.append(tx, ...current.map(announcementOf));
  await writeDemoEntries(tx, encryptionKeys, waitingAt(clock, grill, today));
  for (const { name, text } of MESSAGES) {
    const booking = current.find(({ guest, date }) => guest?.lastName === name && date === today);
    if (!booking) continue;
    const sentAt = messageTime(booking, nowMs);
    await writeMessage(tx, { clock: () => sentAt, encryptionKeys, events }, booking, { text, replyTo: null });
  }
}

/** What the house wrote about bookings of this evening, by the name of the guest. */
const MESSAGES = [
  {
    name: 'Shah',
    text: 'We have kept a booth by the window for them. The kitchen has a vegetarian main tonight: celeriac from the coals.',
  },
  {
    name: 'Dubois',
    text: 'Two tables are pushed together for the eight. Would you ask whether they want the grill feast? We need to know by noon.',
  },
];

/** Some hours before the visit, and after it was booked. */
function messageTime({ createdAt, startsAt }: BookingRecord, nowMs: number): Temporal.Instant {
  const wanted = Math.min(nowMs - 10 * MS_PER_MINUTE, startsAt.epochMilliseconds - 9 * 60 * MS_PER_MINUTE);
  return Temporal.Instant.fromEpochMilliseconds(
    Math.max(wanted, createdAt.epochMilliseconds + 5 * MS_PER_MINUTE),
  );
}

function placeIn(operator: OperatorDocument, resourceId: string, key: string): Place {
  const document = operator.venues.find((venue) => venue.resourceId === resourceId);
  if (!document) throw new Error(`${operator.name} has no venue ${resourceId}.`);
  return placeOf(operator, document, key);
}

const grillHabit = (place: Place): Habit => ({
  place,
  quiet: [6, 9],
  busy: [9, 11],
  coming: [9, 13],
  firstMinute: minuteOfDay('17:00'),
  busiestMinute: minuteOfDay('19:30'),
  lastMinute: minuteOfDay('23:00'),
  channels: [
    ['demo-partner', 34],
    ['other-partner', 16],
    ['phone', 20],
    ['website', 14],
    ['email', 6],
    ['walk_in', 10],
  ],
  spendPerGuestPence: [3400, 7600],
  depositPerGuestPence: 1000,
});

const gardenHabit = (place: Place): Habit => ({
  place,
  quiet: [2, 3],
  busy: [3, 4],
  coming: [2, 5],
  firstMinute: minuteOfDay('09:30'),
  busiestMinute: minuteOfDay('11:30'),
  lastMinute: minuteOfDay('16:00'),
  channels: [
    ['demo-partner', 45],
    ['phone', 20],
    ['website', 25],
    ['walk_in', 10],
  ],
  spendPerGuestPence: [1600, 3400],
  depositPerGuestPence: 1000,
  packageIds: [111, 112],
});
