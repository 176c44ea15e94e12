/** Systems of others: what they hold is what we say, whoever has changed it. */
import type { Evidence } from '../evidence.ts';

const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

export function checkSystems({ bookings, remote }: Evidence): string[] {
  return [...remote].flatMap(([product, held]) => {
    const ours = bookings
      .filter(({ productId, status }) => productId === product && status === 'confirmed')
      .map((row) => `${row.id} ${row.date} ${minuteOf(row.time)} ${row.partySize + row.children}`);
    const theirs = held.map(({ id, date, minute, guests }) => `${id} ${date} ${minute} ${guests}`);
    const name = `the system of ${product}`;
    return [
      ...[...new Set(ours).difference(new Set(theirs))].map((line) => `${name} does not have ${line}`),
      ...[...new Set(theirs).difference(new Set(ours))].map((line) => `only ${name} has ${line}`),
      ...(theirs.length === new Set(theirs).size ? [] : [`${name} has a booking twice`]),
    ];
  });
}
