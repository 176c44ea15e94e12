/** Tables and tickets, counted by hand. */
import type { Evidence, SeatRow } from '../evidence.ts';

export function checkPlaces(evidence: Evidence): string[] {
  return [...evidence.imbalances, ...checkSeats(evidence), ...checkTickets(evidence)];
}

function checkSeats({ seats, bookings }: Evidence): string[] {
  // Who has left, or has not come, had a table until then.
  const seated = ['confirmed', 'completed', 'no_show'];
  const confirmed = new Set(bookings.filter(({ status }) => seated.includes(status)).map(({ id }) => id));
  const nobodys = seats.filter(({ bookingId }) => !confirmed.has(bookingId));
  const doubled = [...Map.groupBy(seats, ({ tableId }) => tableId).values()].flatMap(overlapsAmong);
  return [
    ...nobodys.map(({ tableId, bookingId }) => `table ${tableId} is held for ${bookingId}, which is nobody`),
    ...doubled,
  ];
}

function overlapsAmong(seats: readonly SeatRow[]): string[] {
  const inOrder = seats.toSorted((left, right) => left.fromMs - right.fromMs);
  return inOrder.flatMap((seat, index) => {
    const before = inOrder[index - 1];
    return before && before.toMs > seat.fromMs
      ? [`table ${seat.tableId} has ${before.bookingId} and ${seat.bookingId} at once`]
      : [];
  });
}

function checkTickets({ tickets, bookings }: Evidence): string[] {
  const confirmed = new Map(
    bookings.filter(({ status }) => status === 'confirmed').map((row) => [row.id, row]),
  );
  const pools = Map.groupBy(tickets, ({ occurrenceId, productId }) => `${productId} ${occurrenceId}`);
  return [
    ...tickets
      .filter(({ bookingId, quantity }) => {
        const row = confirmed.get(bookingId);
        return !row || row.partySize + row.children !== quantity;
      })
      .map(
        ({ bookingId, quantity }) =>
          `${quantity} tickets are held for ${bookingId}, which does not want them`,
      ),
    ...[...pools].flatMap(([pool, held]) => {
      const sold = held.reduce((sum, { quantity }) => sum + quantity, 0);
      const capacity = held[0]?.capacity ?? 0;
      return sold > capacity ? [`${sold} of ${capacity} tickets of ${pool} are sold`] : [];
    }),
  ];
}
