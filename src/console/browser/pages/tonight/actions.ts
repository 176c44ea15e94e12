/** What is done with a booking on the evening's views: shown at once, put back with the reason if it is refused. */
import { t } from '../../app/language.ts';
import { operatorOf } from '../../app/session.ts';
import { changing, say, sayProblem } from '../../app/toasts.ts';
import { takeBack } from '../../components/booking/take-back.ts';
import { setVisit } from '../../components/booking/visit.ts';
import { type DiaryBooking, type DiaryTable, MINUTE_MS } from './evening.ts';
import type { Evening } from './live.ts';
import { nameOf } from './timeline/booking-block.ts';
import { inverseOf, type Move, sendMove } from './timeline/moves.ts';

export type Actions = ReturnType<typeof createActions>;

export function createActions(evening: Evening) {
  const { venueId } = evening;
  const operatorId = operatorOf(venueId);

  const tableOf = (id: number): DiaryTable | undefined =>
    evening.diary
      .peek()
      ?.areas.flatMap(({ tables }) => tables)
      .find((table) => table.id === id);

  /** How the booking will look; an exchange is left to the answer. */
  function changesOf(booking: DiaryBooking, move: Move): Partial<DiaryBooking> {
    if (move.kind === 'swap') return {};
    const [startMs, endMs] = [Date.parse(booking.start), Date.parse(booking.end)];
    const shiftMs = move.time === undefined ? 0 : minutesBetween(booking.time, move.time) * MINUTE_MS;
    const lengthMs = move.duration === undefined ? endMs - startMs : move.duration * MINUTE_MS;
    return {
      ...(move.time !== undefined && { time: move.time }),
      start: new Date(startMs + shiftMs).toISOString(),
      end: new Date(startMs + shiftMs + lengthMs).toISOString(),
      ...(move.tableIds && {
        tables: move.tableIds.map((id) => ({ id, name: tableOf(id)?.name ?? '' })),
      }),
    };
  }

  /** Undefined: it was refused, and the reason is shown. */
  async function attempt<Result>(
    booking: DiaryBooking,
    changes: Partial<DiaryBooking>,
    send: () => Promise<Result>,
  ): Promise<Result | undefined> {
    const putBack = evening.assume(booking.id, changes);
    try {
      return await send();
    } catch (error) {
      putBack();
      sayProblem(error);
      return undefined;
    }
  }

  async function makeMove(booking: DiaryBooking, move: Move): Promise<void> {
    const moved = await attempt(booking, changesOf(booking, move), () => sendMove(venueId, booking, move));
    if (!moved) return;
    const text =
      move.kind === 'swap'
        ? t.tonight.swapped(nameOf(booking), nameOf(move.with))
        : t.tonight.moved(
            nameOf(booking),
            move.time ?? booking.time,
            (changesOf(booking, move).tables ?? booking.tables).map(({ name }) => name).join(' + '),
          );
    say(text, () =>
      takeBack(operatorId, moved, (ifMatch) =>
        sendMove(venueId, booking, inverseOf(booking, move), { ifMatch }),
      ),
    );
  }

  return {
    move: (booking: DiaryBooking, move: Move) => changing(makeMove(booking, move)),

    async visit(booking: DiaryBooking, state: DiaryBooking['visit']['state']): Promise<void> {
      if (booking.visit.state === state) return;
      const visit = { ...booking.visit, state };
      await changing(attempt(booking, { visit }, () => setVisit(operatorId, booking, state)));
    },

    /** Puts a waiting party on a table and seats it. */
    seatAt(booking: DiaryBooking, tableId: number): Promise<void> {
      const tables = [{ id: tableId, name: tableOf(tableId)?.name ?? '' }];
      const visit = { ...booking.visit, state: 'seated' as const };
      const options = {
        tableIds: [tableId],
        formerTableIds: booking.tables.flatMap(({ id }) => id ?? []),
      };
      return changing(
        attempt(booking, { tables, visit }, () => setVisit(operatorId, booking, 'seated', options)),
      );
    },
  };
}

/** From one clock time to another of the same evening, which may cross midnight. */
function minutesBetween(from: string, to: string): number {
  const minutes = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
  const plain = minutes(to) - minutes(from);
  if (plain > 720) return plain - 1440;
  return plain < -720 ? plain + 1440 : plain;
}
