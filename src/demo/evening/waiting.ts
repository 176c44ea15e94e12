/** Who waits this evening: large parties, for which all tables that can be pushed together are taken until nine. */
import type { NewEntry } from '../../features/waitlist/seeding.ts';
import type { Clock } from '../../kernel/clock.ts';
import { newId } from '../../kernel/crypto.ts';
import { MS_PER_MINUTE, minuteOfDay } from '../../kernel/zone-time.ts';
import { type Place, startOf } from './plan.ts';

const PARTIES = [
  {
    from: '18:30',
    to: '20:00',
    adults: 10,
    name: ['Harriet', 'Lowe'],
    origin: 'phone',
    phone: '+44 7700 900417',
  },
  {
    from: '18:00',
    to: '19:30',
    adults: 12,
    name: ['Emeka', 'Obi'],
    origin: 'website',
    phone: '+44 7700 900538',
  },
  { from: '19:00', to: '20:00', adults: 10, name: ['Delphine', 'Roux'], origin: 'email', phone: null },
] as const;

/** Without those whose last start is over. */
export function waitingAt(clock: Clock, place: Place, today: string): NewEntry[] {
  const nowMs = clock().epochMilliseconds;
  return PARTIES.flatMap(({ from, to, adults, name, origin, phone }, index): NewEntry[] => {
    const [fromMinute, toMinute] = [minuteOfDay(from), minuteOfDay(to)];
    const endsMs = startOf(place, today, toMinute);
    if (endsMs <= nowMs) return [];
    const [firstName, lastName] = name;
    const email = `${firstName}.${lastName}@example.com`.toLowerCase();
    return [
      {
        id: newId(clock),
        partnerId: null,
        origin,
        clientId: 'demo',
        operatorId: place.operatorId,
        venueId: place.venueId,
        productId: place.productId,
        date: today,
        fromMinute,
        toMinute,
        endsAt: Temporal.Instant.fromEpochMilliseconds(endsMs),
        adults,
        children: 0,
        spaceId: null,
        partnerBookingId: null,
        guest: { firstName, lastName, email, phone, linkSecret: null },
        linkHash: null,
        createdAt: Temporal.Instant.fromEpochMilliseconds(
          nowMs - (PARTIES.length - index) * 20 * MS_PER_MINUTE,
        ),
      },
    ];
  });
}
