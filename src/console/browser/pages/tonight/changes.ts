/** One event of the stream, applied to the diary as it is known. */
import { isEnquiry } from '../../components/booking/booking-facts.ts';
import type { Diary, DiaryBlock, DiaryBooking } from './evening.ts';

type By = { by?: { name: string } | null };

export type StreamEvent =
  | { kind: 'booking'; data: DiaryBooking & By }
  | { kind: 'block'; data: DiaryBlock & By }
  | { kind: 'closure'; data: Diary['closures'][number] & By }
  | { kind: 'booking.removed' | 'block.removed' | 'closure.removed'; data: { id: string } & By }
  | { kind: string; data: { id: string } & By };

function put<T extends { id: string }>(list: readonly T[], thing: T, startOf: (thing: T) => string): T[] {
  const others = list.filter(({ id }) => id !== thing.id);
  const after = others.findIndex((other) => startOf(other) > startOf(thing));
  return others.toSpliced(after < 0 ? others.length : after, 0, thing);
}

const without = <T extends { id: string }>(list: readonly T[], id: string): T[] =>
  list.some((thing) => thing.id === id) ? list.filter((thing) => thing.id !== id) : (list as T[]);

/** Events may come twice, and in any number: each has the whole thing as it is now. */
export function applyEvent(diary: Diary, { kind, data }: StreamEvent): Diary {
  switch (kind) {
    case 'booking': {
      const booking = data as DiaryBooking;
      const enquiries = without(diary.enquiries, booking.id);
      const bookings = without(diary.bookings, booking.id);
      return isEnquiry(booking)
        ? { ...diary, bookings, enquiries: put(enquiries, booking, ({ start }) => start) }
        : { ...diary, enquiries, bookings: put(bookings, booking, ({ start }) => start) };
    }
    case 'booking.removed':
      return {
        ...diary,
        bookings: without(diary.bookings, data.id),
        enquiries: without(diary.enquiries, data.id),
      };
    case 'block':
      return { ...diary, blocks: put(diary.blocks, data as DiaryBlock, ({ from }) => from) };
    case 'block.removed':
      return { ...diary, blocks: without(diary.blocks, data.id) };
    case 'closure':
      return {
        ...diary,
        closures: put(diary.closures, data as Diary['closures'][number], ({ from }) => from),
      };
    case 'closure.removed':
      return { ...diary, closures: without(diary.closures, data.id) };
    default:
      return diary;
  }
}
