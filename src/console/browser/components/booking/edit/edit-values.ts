/** The form of a booking: what is in it, what is sent of it, and what another person changed meanwhile. Pure. */
import type { BookingEdit, DeskOverride } from '../../../../../features/bookings/operator/desk-schema.ts';
import type { ManagedBooking } from '../../../../../features/bookings/operator/schema.ts';

export interface EditValues {
  date: string;
  time: string;
  partySize: string;
  children: string;
  duration: string;
  /** Null: as they are. */
  tableIds: readonly number[] | null;
  notes: string;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  overrides: readonly DeskOverride[];
}

export const valuesOf = (booking: ManagedBooking): EditValues => ({
  date: booking.date,
  time: booking.time,
  partySize: String(booking.partySize),
  children: String(booking.children),
  duration: String(booking.duration),
  tableIds: null,
  notes: booking.notes ?? '',
  firstName: booking.firstName ?? '',
  lastName: booking.lastName ?? '',
  email: booking.email ?? '',
  phone: booking.phone ?? '',
  overrides: [],
});

const GUEST = ['firstName', 'lastName', 'email', 'phone'] as const;

/** Only what differs is sent; null: nothing does. The guest of a partner's booking is the partner's. */
export function editOf(base: ManagedBooking, values: EditValues): BookingEdit | null {
  const was = valuesOf(base);
  const edit: Record<string, unknown> = {};
  for (const field of ['date', 'time'] as const)
    if (values[field] !== was[field]) edit[field] = values[field];
  for (const field of ['partySize', 'children', 'duration'] as const)
    if (values[field] !== was[field]) edit[field] = numberOrNull(values[field]);
  if (values.tableIds) edit.tableIds = values.tableIds;
  if (values.notes !== was.notes) edit.notes = values.notes.trim() || null;
  const guest = GUEST.filter((field) => values[field] !== was[field]);
  if (base.partner === null && guest.length > 0)
    edit.guest = Object.fromEntries(guest.map((field) => [field, values[field].trim() || null]));
  if (Object.keys(edit).length === 0) return null;
  if (values.overrides.length > 0) edit.overrides = values.overrides;
  return edit as BookingEdit;
}

/** The form on top of a newer state: what was not touched follows it, what was typed stays. */
export function rebased(values: EditValues, before: ManagedBooking, after: ManagedBooking): EditValues {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  const touched = Object.entries(values).filter(([name, value]) => value !== was[name as keyof EditValues]);
  return { ...is, ...Object.fromEntries(touched) };
}

const numberOrNull = (text: string) => (text.trim() === '' ? null : Number(text));

export interface Difference {
  field: string;
  before: unknown;
  after: unknown;
}

const COMPARED = [
  ...(['date', 'time', 'partySize', 'children', 'duration', 'tmsTables', 'status', 'notes'] as const),
  ...(['firstName', 'lastName', 'email', 'phone'] as const),
] as const;

/** What another person has changed between two readings of a booking. */
export function differencesOf(before: ManagedBooking, after: ManagedBooking): Difference[] {
  const fields: Difference[] = COMPARED.map((field) => ({
    field,
    before: before[field] ?? null,
    after: after[field] ?? null,
  }));
  fields.push({ field: 'visit', before: before.visit.state, after: after.visit.state });
  return fields.filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.after));
}

/** The free starts nearest to a time, in order of the clock. */
export function nearestTo<T extends { time: string }>(
  starts: readonly T[],
  time: string,
  count: number,
): T[] {
  const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
  const distance = (start: T) => Math.abs(minutes(start.time) - minutes(time));
  const nearest = new Set(starts.toSorted((a, b) => distance(a) - distance(b)).slice(0, count));
  return starts.filter((start) => nearest.has(start));
}
