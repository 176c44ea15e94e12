/** The evening of the day on which the sandbox is started first, written by hand so that it looks like one. */
import type { Guest } from '../../features/bookings/record.ts';
import { addDays, localOf, MS_PER_MINUTE, minuteOfDay } from '../../kernel/zone-time.ts';
import { walkInAt } from './days.ts';
import { guestAtTheDoor, guestNamed } from './guests.ts';
import { type Channel, createdBefore, habitsOf, type Place, type Planned, startOf } from './plan.ts';
import type { Random } from './random.ts';

interface Line {
  time: string;
  /** Names as the layout has them, joined with a plus. */
  tables: string;
  adults: number;
  children?: number;
  name: string;
  from: Channel;
  said?: Partial<Guest>;
  depositPence?: number;
  staysAway?: boolean;
  /** Minutes by which the party outstays its time. */
  staysOver?: number;
}

const LINES: readonly Line[] = [
  { time: '17:00', tables: 'D1', adults: 2, name: 'Agnes Holm', from: 'website' },
  { time: '17:15', tables: 'C1', adults: 2, name: 'Kenji Watanabe', from: 'demo-partner' },
  { time: '17:30', tables: 'W1', adults: 3, name: 'Hannah Weiss', from: 'phone', staysOver: 18 },
  { time: '17:45', tables: 'D11', adults: 4, name: 'Beatriz Santos', from: 'other-partner' },
  {
    time: '18:00',
    tables: 'W2',
    adults: 4,
    name: 'Astrid Lind',
    from: 'demo-partner',
    said: { comments: 'Nut allergy: one of us carries an EpiPen.', labels: ['allergy'] },
  },
  {
    time: '18:00',
    tables: 'D19',
    adults: 7,
    name: 'Samuel Adeyemi',
    from: 'phone',
    said: { adminNotes: 'Regular. Always the board at the back.', labels: ['regular'] },
  },
  {
    time: '18:15',
    tables: 'W5',
    adults: 6,
    name: 'Olivia Hartley',
    from: 'website',
    said: { comments: 'Mum turns seventy: could the cake come with the coffee?', labels: ['birthday'] },
  },
  {
    time: '18:30',
    tables: 'W3',
    adults: 3,
    children: 1,
    name: 'Ines Carvalho',
    from: 'phone',
    said: { comments: 'High chair, please.', labels: ['high chair'] },
    staysOver: 18,
  },
  { time: '18:30', tables: 'D2', adults: 2, name: 'Owen Hughes', from: 'demo-partner', staysOver: 18 },
  { time: '18:45', tables: 'D12', adults: 3, name: 'Adam Kerr', from: 'other-partner', staysAway: true },
  { time: '19:00', tables: 'C1', adults: 2, name: 'Camille Laurent', from: 'demo-partner' },
  { time: '19:00', tables: 'W4', adults: 2, name: 'Johanna Meyer', from: 'email' },
  {
    time: '19:00',
    tables: 'D9+D10',
    adults: 8,
    name: 'Léa Dubois',
    from: 'demo-partner',
    said: { comments: 'One bill, please.' },
    depositPence: 8000,
  },
  { time: '19:15', tables: 'W6', adults: 5, name: 'Chidi Okafor', from: 'phone' },
  { time: '19:15', tables: 'D1', adults: 2, name: 'Elif Yılmaz', from: 'demo-partner' },
  {
    time: '19:30',
    tables: 'W1',
    adults: 4,
    name: 'Diego Fernández',
    from: 'other-partner',
    depositPence: 4000,
  },
  { time: '19:30', tables: 'D5+D6', adults: 3, name: 'Rebecca Levy', from: 'website' },
  { time: '19:45', tables: 'C3', adults: 1, name: 'Erik Sørensen', from: 'demo-partner' },
  { time: '19:45', tables: 'D13', adults: 4, name: 'Jack Pemberton', from: 'phone' },
  {
    time: '20:00',
    tables: 'W2',
    adults: 4,
    name: 'Priya Shah',
    from: 'demo-partner',
    said: { comments: 'Two of us are vegetarian.' },
    depositPence: 4000,
  },
  {
    time: '20:00',
    tables: 'D4',
    adults: 2,
    name: 'Ruth Goldberg',
    from: 'phone',
    said: { comments: 'My husband uses a wheelchair.', labels: ['wheelchair'] },
  },
  {
    time: '20:00',
    tables: 'D17',
    adults: 6,
    name: 'Matthias Vogel',
    from: 'email',
    said: { comments: 'A business dinner; quiet, if possible.', company: 'Vogel & Partner' },
  },
  { time: '20:15', tables: 'C2', adults: 2, name: 'Aisha Bello', from: 'demo-partner' },
  { time: '20:15', tables: 'D11', adults: 3, children: 1, name: 'Rhys Llewellyn', from: 'website' },
  {
    time: '20:30',
    tables: 'W5',
    adults: 5,
    name: 'Tariq Aziz',
    from: 'other-partner',
    depositPence: 5000,
  },
  { time: '20:30', tables: 'W3', adults: 3, name: 'Marco Rossi', from: 'demo-partner' },
  {
    time: '20:30',
    tables: 'D2',
    adults: 2,
    name: 'Simone Baptiste',
    from: 'phone',
    said: { comments: 'It is our anniversary.', labels: ['anniversary'] },
  },
  { time: '21:00', tables: 'D14', adults: 3, name: '美咲 田中', from: 'demo-partner' },
  { time: '21:15', tables: 'D15', adults: 4, name: 'Nikos Papadakis', from: 'phone', staysOver: 45 },
  { time: '21:30', tables: 'D8', adults: 2, name: 'Imogen Blake', from: 'website' },
];

/** Known once they have come. */
const WALK_INS = [
  { time: '17:45', tables: 'D3', adults: 1, name: null },
  { time: '18:00', tables: 'C2', adults: 2, name: null },
  { time: '19:15', tables: 'C4', adults: 2, name: 'Bianchi' },
  { time: '20:30', tables: 'D7', adults: 2, name: null },
] as const;

export function tonightAt(random: Random, place: Place, date: string, nowMs: number): Planned[] {
  const tableIdsOf = tablesOf(place);
  const booked = LINES.map((line): Planned => {
    const minute = minuteOfDay(line.time);
    const startMs = startOf(place, date, minute);
    const { leavesAfter, ...habits } = habitsOf(random);
    return {
      place,
      date,
      minute,
      startMs,
      createdMs: createdBefore(random, { startMs, nowMs, mostDays: 12 }),
      adults: line.adults,
      children: line.children ?? 0,
      tableIds: tableIdsOf(line.tables),
      guest: guestNamed(line.name, line.said),
      channel: line.from,
      fate: line.staysAway ? 'stays-away' : 'comes',
      depositPence: line.depositPence ?? null,
      ...habits,
      leavesAfter: line.staysOver ?? leavesAfter,
      spendPence: random.integer(3800, 7200) * (line.adults + (line.children ?? 0)),
    };
  });
  const atTheDoor = WALK_INS.map(({ time, tables, adults, name }): Planned => {
    const minute = minuteOfDay(time);
    const startMs = startOf(place, date, minute);
    return {
      place,
      date,
      minute,
      startMs,
      createdMs: walkInAt(startMs),
      adults,
      children: 0,
      tableIds: tableIdsOf(tables),
      guest: guestAtTheDoor(name),
      channel: 'walk_in',
      fate: 'comes',
      depositPence: null,
      ...habitsOf(random),
      spendPence: random.integer(3000, 5200) * adults,
    };
  });
  return [...booked, ...atTheDoor.filter(({ createdMs }) => createdMs <= nowMs)];
}

function tablesOf({ document }: Place): (names: string) => number[] {
  const tables = (document.house?.zones ?? []).flatMap(({ areas }) => areas.flatMap((area) => area.tables));
  return (names) =>
    names.split('+').map((name) => {
      const table = tables.find((candidate) => candidate.name === name);
      if (!table) throw new Error(`There is no table ${name}.`);
      return table.id;
    });
}

/** Two parties that the house has to answer: one soon, one large. */
export function enquiries(random: Random, place: Place, today: string, nowMs: number): Planned[] {
  const soon = soonestEvening(place, today, nowMs);
  const ask = (
    { date, time }: { date: string; time: string },
    { adults, from, guest, minutesAgo }: { adults: number; from: Channel; guest: Guest; minutesAgo: number },
  ): Planned => ({
    place,
    date,
    minute: minuteOfDay(time),
    startMs: startOf(place, date, minuteOfDay(time)),
    createdMs: nowMs - minutesAgo * MS_PER_MINUTE,
    adults,
    children: 0,
    guest,
    channel: from,
    fate: 'enquires',
    depositPence: null,
    ...habitsOf(random),
    spendPence: null,
  });
  return [
    ask(soon, {
      adults: 9,
      from: 'demo-partner',
      minutesAgo: 42,
      guest: guestNamed('Yasmin Rahman', { comments: 'One more than eight: could you still fit us in?' }),
    }),
    ask(
      { date: addDays(today, 11), time: '19:00' },
      {
        adults: 12,
        from: 'other-partner',
        minutesAgo: 5 * 60,
        guest: guestNamed('Callum Fraser', { comments: 'Leaving party for a colleague; one table, please.' }),
      },
    ),
  ];
}

/** Tonight while there is time to answer, else tomorrow. */
function soonestEvening({ document }: Place, today: string, nowMs: number): { date: string; time: string } {
  const { minute } = localOf(document.timeZone, nowMs);
  const time = ['19:30', '20:30'].find((candidate) => minuteOfDay(candidate) >= minute + 60);
  return time ? { date: today, time } : { date: addDays(today, 1), time: '19:30' };
}
