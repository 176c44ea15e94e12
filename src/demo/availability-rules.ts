import type { RulesByPlace } from './city.ts';
import { inDays } from './hours.ts';

/** How operator 4 groups its partners. */
export const partnerCategories = [
  { id: 401, slug: 'concierges', name: 'Hotel concierges', partners: ['other-partner'] },
  { id: 402, slug: 'booking-engines', name: 'Booking engines', partners: ['demo-partner'] },
];

/**
 * What the operators take away: a rule of every type, far enough ahead to be seen and never at Soho Grill.
 * Some are for `other-partner` or its category, which the demo partner must neither see nor feel; one takes a
 * space away and one keeps an hour for the concierges.
 */
export function availabilityRules(today: Temporal.PlainDate): RulesByPlace {
  const on = (days: number) => inDays(today, days);
  return {
    saltmarsh: [
      {
        type: 'date_range',
        definition: { startDate: on(40), endDate: on(46), reason: 'The kitchen is being refitted' },
      },
    ],
    'pepper-lane': [
      {
        type: 'time_based',
        definition: { startTime: '15:00', endTime: '17:00', reason: 'The staff eat' },
      },
    ],
    'juniper-and-rye|drinks': [
      {
        type: 'recurring_with_time',
        definition: {
          weekdays: [5, 6],
          startTime: '19:00',
          endTime: '21:00',
          reason: 'Kept for guests of the opera',
        },
      },
    ],
    'anatolia-fire|dinner': [
      {
        type: 'recurring',
        partners: ['other-partner'],
        definition: { weekdays: [6], reason: 'Saturdays are sold by our own site' },
      },
      {
        type: 'time_based',
        effect: 'reserve',
        partnerCategories: ['concierges'],
        definition: { startTime: '19:00', endTime: '20:00', reason: 'For guests of the Savoy and the Ritz' },
      },
      {
        type: 'recurring_with_time',
        partnerCategories: ['booking-engines'],
        definition: {
          weekdays: [5],
          startTime: '20:00',
          endTime: '21:00',
          reason: 'Regulars ring on Fridays',
        },
      },
      {
        type: 'recurring',
        partnerCategories: ['concierges'],
        definition: { weekdays: [7], reason: 'On Sundays the concierges have their own room' },
      },
    ],
    'tamarind-row|lunch': [
      { type: 'recurring', definition: { weekdays: [1], reason: 'No lunch on Mondays' } },
    ],
    'brasserie-voltige|table': [
      {
        type: 'specific_dates',
        definition: { dates: [on(21), on(49)], reason: 'Hired for a wedding' },
      },
    ],
    'ciel-de-belleville': [
      {
        type: 'specific_dates_with_time',
        definition: { dates: [on(14)], startTime: '17:00', endTime: '20:00', reason: 'A private tasting' },
      },
    ],
    'spreeblick|table': [
      {
        type: 'date_range_with_time',
        definition: {
          startDate: on(10),
          endDate: on(24),
          startTime: '20:00',
          endTime: '22:00',
          reason: 'Film evenings on the roof, under glass',
        },
      },
    ],
    'spreeblick|private-hire': [
      {
        type: 'date_range',
        spaceId: 502,
        definition: { startDate: on(30), endDate: on(36), reason: 'The floor is being sanded' },
      },
    ],
  };
}
