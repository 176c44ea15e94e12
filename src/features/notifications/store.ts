import type { Tx } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import { NO_MAILS_SET, type VenueMails } from './guest-letter.ts';

/** A booking whose guest is to be told of it. */
export interface ToldGuest {
  bookingId: string;
  /** Null: a booking of the house. */
  partnerId: number | null;
  venueId: string;
  toldAt: Temporal.Instant;
  /** Null: there is no visit to be reminded of. */
  startsAt: Temporal.Instant | null;
}

/**
 * Counts a mail to each guest that the venue writes to, and sets when the guest is reminded. Says the numbers of the
 * mails by booking; the guests of the others are the partner's.
 */
export async function countGuestMails(tx: Tx, guests: readonly ToldGuest[]): Promise<Map<string, number>> {
  const told = guests.map(({ bookingId, partnerId, venueId, toldAt, startsAt }) => ({
    booking_id: bookingId,
    partner_id: partnerId,
    venue_id: venueId,
    told_at: toldAt.toString(),
    starts_at: startsAt?.toString() ?? null,
  }));
  const rows = await tx<{ bookingId: string; sequence: number }[]>`
    insert into guest_mail as g (booking_id, told_at, remind_at)
    select t.booking_id, t.told_at,
      case when ${reminderOf(tx, 't')} > t.told_at then ${reminderOf(tx, 't')} end
    from jsonb_to_recordset(${tx.json(told)}) as t (booking_id uuid, partner_id integer, venue_id text,
        told_at timestamptz, starts_at timestamptz)
      left join venue_mail v on v.venue_id = t.venue_id
    where t.partner_id is null or exists (select from venue_mapping m
      where m.partner_id = t.partner_id and m.venue_id = t.venue_id and m.guest_mails = 'venue')
    on conflict (booking_id) do update set sequence = g.sequence + 1, told_at = excluded.told_at,
      remind_at = excluded.remind_at
    returning booking_id as "bookingId", sequence`;
  return new Map(rows.map(({ bookingId, sequence }) => [bookingId, sequence]));
}

/** When the guest is reminded, by the settings `v` of the venue; null: never. */
const reminderOf = (tx: Tx, alias: 't' | 'b') =>
  tx`${tx(`${alias}.starts_at`)} - make_interval(hours => v.reminder_hours)`;

/** For bookings that are still to come, by what the venue has set now. Who was reminded already is not again. */
export async function resetReminders(tx: Tx, venueId: VenueId, now: Temporal.Instant): Promise<void> {
  await tx`
    update guest_mail g
    set remind_at = case when ${reminderOf(tx, 'b')} > greatest(g.told_at, ${now}) then ${reminderOf(tx, 'b')} end
    from booking b left join venue_mail v on v.venue_id = b.venue_id
    where g.booking_id = b.id and b.venue_id = ${venueId} and b.status = 'confirmed' and b.starts_at > ${now}
      and b.trading_day >= (${now}::timestamptz - interval '2 days')::date
      and g.reminded_for is distinct from b.starts_at`;
}

export interface DueReminder {
  bookingId: string;
  sequence: number;
}

/** Claims reminders that are due, and keeps their bookings as they are until the transaction ends. */
export async function claimReminders(tx: Tx, now: Temporal.Instant, limit: number): Promise<DueReminder[]> {
  const rows = await tx<DueReminder[]>`
    with due as (
      select g.booking_id, b.starts_at from guest_mail g join booking b on b.id = g.booking_id
      where g.remind_at <= ${now} order by g.remind_at limit ${limit} for update of g, b skip locked)
    update guest_mail g set remind_at = null, reminded_for = due.starts_at from due
    where g.booking_id = due.booking_id
    returning g.booking_id as "bookingId", g.sequence`;
  return [...rows];
}

/** Of these bookings, those whose guests the venue writes to. */
export async function listWrittenTo(tx: Tx, bookingIds: readonly string[]): Promise<Set<string>> {
  const rows = await tx<{ id: string }[]>`
    select b.id from booking b
    where b.id = any(${bookingIds as string[]}::uuid[]) and (b.partner_id is null or exists (
      select from venue_mapping m
      where m.partner_id = b.partner_id and m.venue_id = b.venue_id and m.guest_mails = 'venue'))`;
  return new Set(rows.map(({ id }) => id));
}

export async function findVenueMails(tx: Tx, venueId: string): Promise<VenueMails> {
  const [row] = await tx<VenueMails[]>`
    select reply_to as "replyTo", reminder_hours as "reminderHours", sentence, language
    from venue_mail where venue_id = ${venueId}`;
  return row ?? NO_MAILS_SET;
}

export async function saveVenueMails(tx: Tx, venueId: VenueId, mails: VenueMails): Promise<void> {
  await tx`
    insert into venue_mail (venue_id, reply_to, reminder_hours, sentence, language)
    values (${venueId}, ${mails.replyTo}, ${mails.reminderHours}, ${mails.sentence}, ${mails.language})
    on conflict (venue_id) do update set reply_to = excluded.reply_to, reminder_hours = excluded.reminder_hours,
      sentence = excluded.sentence, language = excluded.language`;
}

export interface ShownVenue {
  name: string;
  address: string | null;
  city: string;
  postcode: string | null;
  countryCode: string;
  timeZone: string;
  productName: string | null;
}

/** What a preview shows of the venue. */
export async function findShownVenue(tx: Tx, venueId: VenueId): Promise<ShownVenue | undefined> {
  const [row] = await tx<ShownVenue[]>`
    select v.name, v.address, v.city, v.postcode, v.country_code as "countryCode", v.time_zone as "timeZone",
      (select p.name from product p where p.venue_id = v.id order by p.position, p.id limit 1) as "productName"
    from venue v where v.id = ${venueId}`;
  return row;
}
