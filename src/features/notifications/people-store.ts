import type { Fragment, Tx } from '../../db/database.ts';
import type { Language } from './languages.ts';

const PEOPLE_KINDS = ['newBooking', 'enquiry', 'cancellation'] as const;
export type PeopleKind = (typeof PEOPLE_KINDS)[number];

/** What one person wants to be told of one operator. */
export interface NotificationChoices extends Record<PeopleKind, boolean> {
  operatorId: number;
  operatorName: string;
  dailySummary: boolean;
}

export interface MailPreferences {
  language: Language;
  summaryMinute: number;
}

const column = (tx: Tx, kind: PeopleKind): Fragment =>
  ({ newBooking: tx`n.new_booking`, enquiry: tx`n.enquiry`, cancellation: tx`n.cancellation` })[kind];

/** For every operator that the person works for, whether or not they want to be told anything. */
export async function listNotificationChoices(tx: Tx, accountId: string): Promise<NotificationChoices[]> {
  const rows = await tx<NotificationChoices[]>`
    select r.operator_id as "operatorId", o.name as "operatorName", coalesce(n.new_booking, false) as "newBooking",
      coalesce(n.enquiry, false) as enquiry, coalesce(n.cancellation, false) as cancellation,
      coalesce(n.daily_summary, false) as "dailySummary"
    from account_role r join operator o on o.id = r.operator_id
      left join account_notification n using (account_id, operator_id)
    where r.account_id = ${accountId} order by r.operator_id`;
  return [...rows];
}

/** Two changes of one person follow each other, and no role goes away in between. */
export async function lockRoles(tx: Tx, accountId: string): Promise<void> {
  await tx`select from account where id = ${accountId} for no key update`;
  await tx`select from account_role where account_id = ${accountId} for key share`;
}

export async function findPreferences(tx: Tx, accountId: string): Promise<MailPreferences | undefined> {
  const [row] = await tx<MailPreferences[]>`
    select language, summary_minute as "summaryMinute" from account_mail where account_id = ${accountId}`;
  return row;
}

/** All choices of the person; those of operators that are not named are deleted. */
export async function saveNotificationChoices(
  tx: Tx,
  accountId: string,
  choices: readonly Omit<NotificationChoices, 'operatorName'>[],
): Promise<void> {
  const operatorIds = choices.map(({ operatorId }) => operatorId);
  await tx`
    delete from account_notification
    where account_id = ${accountId} and operator_id <> all(${operatorIds}::integer[])`;
  for (const { operatorId, newBooking, enquiry, cancellation, dailySummary } of choices)
    await tx`
      insert into account_notification
        (account_id, operator_id, new_booking, enquiry, cancellation, daily_summary)
      values (${accountId}, ${operatorId}, ${newBooking}, ${enquiry}, ${cancellation}, ${dailySummary})
      on conflict (account_id, operator_id) do update set new_booking = excluded.new_booking,
        enquiry = excluded.enquiry, cancellation = excluded.cancellation, daily_summary = excluded.daily_summary`;
}

export async function savePreferences(
  tx: Tx,
  accountId: string,
  { language, summaryMinute }: MailPreferences,
): Promise<void> {
  await tx`
    insert into account_mail (account_id, language, summary_minute)
    values (${accountId}, ${language}, ${summaryMinute})
    on conflict (account_id) do update set language = excluded.language,
      summary_minute = excluded.summary_minute`;
}

/** What at least one person wants to be told, by operator. */
export async function listWanted(tx: Tx): Promise<Map<number, Set<PeopleKind>>> {
  const rows = await tx<{ operatorId: number; kinds: PeopleKind[] }[]>`
    select n.operator_id as "operatorId", array_remove(array[
      case when bool_or(n.new_booking) then 'newBooking' end, case when bool_or(n.enquiry) then 'enquiry' end,
      case when bool_or(n.cancellation) then 'cancellation' end], null) as kinds
    from account_notification n group by n.operator_id`;
  return new Map(rows.map(({ operatorId, kinds }) => [operatorId, new Set(kinds)]));
}

export interface Reader {
  email: string;
  language: Language;
}

/** Who is told, without the one that made the change. */
export async function listReaders(
  tx: Tx,
  { operatorId, kind, madeBy }: { operatorId: number; kind: PeopleKind; madeBy: string | null },
): Promise<Reader[]> {
  const rows = await tx<Reader[]>`
    select a.email, coalesce(m.language, 'en') as language
    from account_notification n join account a on a.id = n.account_id
      left join account_mail m on m.account_id = a.id
    where n.operator_id = ${operatorId} and ${column(tx, kind)} and a.is_verified and not a.is_disabled
      and a.id::text is distinct from ${madeBy}
    order by a.id`;
  return [...rows];
}

export interface DueSummary extends Reader {
  accountId: string;
  operatorId: number;
  operatorName: string;
  /** The day of it, as `2026-11-21`. */
  day: string;
}

/**
 * Summaries that are due and not written: after the person's time of day on the clock of the operator, which is that of
 * most of its venues unless it has set one.
 */
export async function listDueSummaries(tx: Tx, now: Temporal.Instant, limit: number): Promise<DueSummary[]> {
  const rows = await tx<DueSummary[]>`
    select n.account_id as "accountId", n.operator_id as "operatorId", o.name as "operatorName", a.email,
      coalesce(m.language, 'en') as language, l.at::date::text as day
    from account_notification n join account a on a.id = n.account_id join operator o on o.id = n.operator_id
      left join account_mail m on m.account_id = a.id
      cross join lateral (select ${now}::timestamptz at time zone coalesce(o.default_time_zone,
        (select v.time_zone from venue v where v.operator_id = o.id and v.closed_at is null
         group by v.time_zone order by count(*) desc, v.time_zone limit 1), 'UTC') as at) l
    where n.daily_summary and a.is_verified and not a.is_disabled
      and extract(hour from l.at) * 60 + extract(minute from l.at) >= coalesce(m.summary_minute, 540)
      and not exists (select from daily_summary d
        where d.account_id = n.account_id and d.operator_id = n.operator_id and d.day = l.at::date)
    order by n.account_id, n.operator_id limit ${limit}`;
  return [...rows];
}

/** False: another node has written it. */
export async function markSummary(tx: Tx, { accountId, operatorId, day }: DueSummary): Promise<boolean> {
  const rows = await tx`
    insert into daily_summary (account_id, operator_id, day) values (${accountId}, ${operatorId}, ${day})
    on conflict do nothing returning 1`;
  return rows.length === 1;
}

export async function deleteOldSummaries(tx: Tx, before: Temporal.Instant): Promise<void> {
  await tx`delete from daily_summary where day < ${before}::timestamptz::date`;
}

export interface VenueDay {
  name: string;
  bookings: number;
  guests: number;
  /** Enquiries that wait for an answer, of whatever day. */
  enquiries: number;
}

/** Today at every venue that is open, by the clock of the venue. */
export async function listVenueDays(tx: Tx, operatorId: number, now: Temporal.Instant): Promise<VenueDay[]> {
  const rows = await tx<VenueDay[]>`
    select v.name, today.bookings, today.guests, waiting.enquiries
    from venue v
      cross join lateral (
        select count(*)::int as bookings, coalesce(sum(b.adults + b.children), 0)::int as guests from booking b
        where b.venue_id = v.id and b.trading_day = (${now}::timestamptz at time zone v.time_zone)::date
          and b.status in ('confirmed', 'completed')) today
      cross join lateral (
        select count(*)::int as enquiries from booking b
        where b.operator_id = v.operator_id and b.venue_id = v.id and b.status in ('pending', 'in_progress')
          and b.payment_until is null
          and b.starts_at > ${now}) waiting
    where v.operator_id = ${operatorId} and v.closed_at is null
    order by v.name, v.id`;
  return [...rows];
}
