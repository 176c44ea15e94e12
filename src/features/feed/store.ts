import { type Tx, timestampText } from '../../db/database.ts';
import type { ProductId, VenueId } from '../../kernel/ids.ts';

/** The right to make the files of a venue, for a while. */
export interface FeedClaim {
  venueId: VenueId;
  lease: string;
}

export interface DueClaim extends FeedClaim {
  /** Everything is to be made anew. */
  isFullDue: boolean;
}

export interface ClaimTimes {
  now: Temporal.Instant;
  leasedUntil: Temporal.Instant;
}

/**
 * Claims a few venues that were changed, that are due for a check, or that have stays missing from the files: of the
 * first two those due longest, of the last those with the lowest ids. The attempt is counted until it is finished, so
 * that the next claim knows of one that died.
 */
export async function claimVenues(
  tx: Tx,
  lease: string,
  { now, leasedUntil }: ClaimTimes,
  limit: number,
): Promise<DueClaim[]> {
  const claimed = await tx<DueClaim[]>`
    with waiting as (
      (select venue_id from feed_venue where mark > made_mark and leased_until <= ${now} order by mark limit ${limit})
      union all
      (select venue_id from feed_venue where due_at <= ${now} and leased_until <= ${now} order by due_at limit ${limit})
      union all
      (select distinct d.venue_id from house_day d join feed_venue f using (venue_id)
        where not d.is_fed and f.leased_until <= ${now} limit ${limit})
    ), free as (
      select venue_id from feed_venue where venue_id in (select venue_id from waiting) and leased_until <= ${now}
      limit ${limit} for update skip locked
    )
    update feed_venue f set lease = ${lease}, leased_until = ${leasedUntil}, attempts = least(attempts + 1, 12)
    from free where f.venue_id = free.venue_id
    returning f.venue_id as "venueId", f.lease, f.full_due_at <= ${now} as "isFullDue"`;
  return [...claimed];
}

/** All of them, in the order of their ids. */
export async function listVenues(tx: Tx): Promise<VenueId[]> {
  const rows = await tx<{ id: VenueId }[]>`select venue_id as id from feed_venue order by venue_id`;
  return rows.map(({ id }) => id);
}

/** The same for one venue, as soon as no other node has it. */
export async function claimVenue(
  tx: Tx,
  venueId: VenueId,
  lease: string,
  { now, leasedUntil }: ClaimTimes,
): Promise<DueClaim | undefined> {
  const [claimed] = await tx<DueClaim[]>`
    update feed_venue set lease = ${lease}, leased_until = ${leasedUntil}, attempts = least(attempts + 1, 12)
    where venue_id = ${venueId} and leased_until <= ${now}
    returning venue_id as "venueId", lease, full_due_at <= ${now} as "isFullDue"`;
  return claimed;
}

/** Renews the lease of everything claimed together. */
export async function extendLease(tx: Tx, lease: string, leasedUntil: Temporal.Instant): Promise<void> {
  await tx`update feed_venue set leased_until = ${leasedUntil} where lease = ${lease}`;
}

/** Releases the rest of the claim for other nodes. */
export async function releaseVenues(tx: Tx, lease: string): Promise<void> {
  await tx`update feed_venue set lease = null, leased_until = '-infinity' where lease = ${lease}`;
}

/** What is not done is tried again later, and later each time. */
export async function putOff(tx: Tx, { venueId, lease }: FeedClaim, now: Temporal.Instant): Promise<void> {
  await tx`
    update feed_venue set lease = null,
      leased_until = ${now}::timestamptz + make_interval(secs => least(3600, power(2, attempts - 1)))
    where venue_id = ${venueId} and lease = ${lease}`;
}

export interface Situation {
  /** Changes with everything that is not a stay. */
  mark: number;
  /** The partners that distribute the venue. */
  partnerIds: number[];
  /** An earlier attempt did not finish: it may have written an index that is not recorded. */
  isInDoubt: boolean;
}

export async function findSituation(tx: Tx, venueId: VenueId): Promise<Situation | undefined> {
  const [found] = await tx<Situation[]>`
    select mark, attempts > 1 as "isInDoubt",
      array(select partner_id from venue_mapping m where m.venue_id = f.venue_id order by 1) as "partnerIds"
    from feed_venue f where venue_id = ${venueId}`;
  return found;
}

/** When the venue was closed, if it was. */
export async function findClosing(tx: Tx, venueId: VenueId): Promise<Temporal.Instant | null> {
  const [found] = await tx<{ closedAt: Temporal.Instant | null }[]>`
    select closed_at as "closedAt" from venue where id = ${venueId}`;
  return found?.closedAt ?? null;
}

/** Days that stays of a feed can touch, the first and the last included. */
export interface Span {
  from: string;
  to: string;
}

/** The marks of days, in UTC, on which there are stays. */
export async function listMarks(tx: Tx, venueId: VenueId, { from, to }: Span): Promise<Map<string, number>> {
  const rows = await tx<{ day: string; mark: number }[]>`
    select day, mark from house_day where venue_id = ${venueId} and day between ${from} and ${to}`;
  return new Map(rows.map(({ day, mark }) => [day, mark]));
}

export interface StoredChannel {
  id: number;
  productId: ProductId;
  partnerId: number | null;
  token: string;
  readerIds: number[];
  configHash: string;
  baseUrl: string;
  shards: StoredShard[];
}

export interface StoredShard {
  date: string;
  activity: string;
  hasStays: boolean;
  holdsUntilMs: number;
  file: string | null;
  hash: string | null;
  updatedAtMs: number;
}

export async function listChannels(tx: Tx, venueId: VenueId): Promise<StoredChannel[]> {
  const rows = await tx<StoredChannel[]>`
    select id, product_id as "productId", partner_id as "partnerId", token, reader_ids as "readerIds",
      config_hash as "configHash", base_url as "baseUrl",
      (select coalesce(json_agg(json_build_object('date', date, 'activity', activity, 'hasStays', has_stays,
          'holdsUntilMs', extract(epoch from holds_until) * 1000, 'file', file, 'hash', hash,
          'updatedAtMs', floor(extract(epoch from updated_at) * 1000)) order by date), '[]')
        from feed_shard s where s.channel_id = c.id) as shards
    from feed_channel c where venue_id = ${venueId} order by id`;
  // JSON has no infinity, so PostgreSQL writes it as text.
  const shardOf = (shard: StoredShard) => ({ ...shard, holdsUntilMs: Number(shard.holdsUntilMs) });
  return rows.map((channel) => ({ ...channel, shards: channel.shards.map(shardOf) }));
}

/**
 * Paths that no file has had before, one for each of these days. They count as garbage until they are saved: what a
 * node that dies has written is removed some day.
 */
export async function takePaths(
  tx: Tx,
  token: string,
  dates: readonly string[],
): Promise<Map<string, string>> {
  if (dates.length === 0) return new Map();
  const rows = await tx<{ date: string; path: string }[]>`
    with named as (
      select day, ${token}::text || '/' || day || '.' || nextval('feed_file') || '.json.gz' as path
      from unnest(${dates as string[]}::text[]) as day
    ), noted as (insert into feed_garbage (path) select path from named)
    select day as date, path from named`;
  return new Map(rows.map(({ date, path }) => [date, path]));
}

/** The same for an index at an address that is new. */
export async function noteIndex(tx: Tx, token: string): Promise<void> {
  await tx`insert into feed_garbage (path) values (${indexPath(token)})`;
}

export const indexPath = (token: string) => `${token}/index.json`;

export interface MadeChannel extends Omit<StoredChannel, 'id' | 'shards'> {
  venueId: VenueId;
  isActive: boolean;
  /** Only changed shards. */
  changed: StoredShard[];
  /** Days that are no longer in it. */
  goneDates: string[];
}

/**
 * What the files are now, of products and partners that are kept. A file that is no longer named is remembered as garbage
 * by triggers. Of a product or a partner that was deleted before nothing is written.
 */
export async function saveChannel(tx: Tx, channel: MadeChannel, madeAt: Temporal.Instant): Promise<void> {
  const { productId, venueId, partnerId, token, readerIds, configHash, baseUrl, isActive } = channel;
  const { changed, goneDates } = channel;
  const [saved] = await tx<{ id: number }[]>`
    insert into feed_channel (product_id, venue_id, partner_id, token, reader_ids, config_hash, base_url, is_active,
      made_at)
    select p.id, ${venueId}, ${partnerId}::integer, ${token}, ${readerIds}, ${configHash}, ${baseUrl}, ${isActive},
      ${madeAt}
    from product p
    where p.id = ${productId} and (${partnerId}::integer is null or exists (select from partner where id = ${partnerId}))
    on conflict (product_id, partner_id) do update set token = excluded.token, reader_ids = excluded.reader_ids,
      config_hash = excluded.config_hash, base_url = excluded.base_url, is_active = excluded.is_active, made_at = excluded.made_at
    returning id`;
  if (!saved) return;
  const { id } = saved;
  if (goneDates.length > 0)
    await tx`delete from feed_shard where channel_id = ${id} and date = any(${goneDates}::date[])`;
  const files = [indexPath(token), ...changed.flatMap(({ file }) => file ?? [])];
  await tx`delete from feed_garbage where path = any(${files}::text[])`;
  if (changed.length === 0) return;
  const rows = changed.map((shard) => ({
    date: shard.date,
    activity: shard.activity,
    has_stays: shard.hasStays,
    holds_until: Number.isFinite(shard.holdsUntilMs)
      ? new Date(shard.holdsUntilMs).toISOString()
      : 'infinity',
    file: shard.file,
    hash: shard.hash,
    updated_at: new Date(shard.updatedAtMs).toISOString(),
  }));
  await tx`
    insert into feed_shard (channel_id, date, activity, has_stays, holds_until, file, hash, updated_at)
    select ${id}, date, activity, has_stays, holds_until, file, hash, updated_at
    from jsonb_populate_recordset(null::feed_shard, ${tx.json(rows as never)})
    on conflict (channel_id, date) do update set activity = excluded.activity, has_stays = excluded.has_stays,
      holds_until = excluded.holds_until, file = excluded.file, hash = excluded.hash, updated_at = excluded.updated_at`;
}

export async function deleteChannels(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await tx`delete from feed_channel where id = any(${ids as number[]}::bigint[])`;
}

export interface Finished {
  mark: number;
  /** The marks of stays that the files include. */
  marks: ReadonlyMap<string, number>;
  /** Marks of other days are of no interest to a feed. */
  span: Span;
  dueAt: Temporal.Instant;
  /** Null: not everything was made anew, so that is due when it was. */
  fullDueAt: Temporal.Instant | null;
}

/**
 * Keeps what channels belong to from being deleted until the transaction ends. A deletion holds it before it comes to the
 * feed of the venue, so this does as well; products before their venue, as those who delete the venue.
 */
export async function keepOwners(
  tx: Tx,
  venueId: VenueId,
  channels: readonly Pick<MadeChannel, 'productId' | 'partnerId'>[],
): Promise<void> {
  const products = channels.map(({ productId }) => productId);
  const partners = channels.map(({ partnerId }) => partnerId);
  await tx`select from product where id = any(${products}) order by id for key share`;
  await tx`select from partner where id = any(${partners}::integer[]) order by id for key share`;
  await tx`select from venue where id = ${venueId} for key share`;
}

/**
 * False when another node has the venue by now: then nothing may be written. Otherwise the row stays locked until the
 * transaction ends.
 */
export async function holdVenue(tx: Tx, { venueId, lease }: FeedClaim): Promise<boolean> {
  const held = await tx`select from feed_venue where venue_id = ${venueId} and lease = ${lease} for update`;
  return held.length > 0;
}

export async function finishVenue(
  tx: Tx,
  { venueId }: FeedClaim,
  { mark, marks, span, dueAt, fullDueAt }: Finished,
): Promise<void> {
  await tx`
    update feed_venue set made_mark = ${mark}, full_due_at = coalesce(${fullDueAt}, full_due_at),
      due_at = least(${dueAt}, coalesce(${fullDueAt}, nullif(full_due_at, '-infinity'))),
      lease = null, leased_until = '-infinity', attempts = 0
    where venue_id = ${venueId}`;
  // In the order in which stays mark the days, so that a booking and this transaction cannot deadlock.
  await tx`
    with seen as (
      select d.day from house_day d
      left join unnest(${[...marks.keys()]}::date[], ${[...marks.values()]}::bigint[]) as known (day, mark)
        on known.day = d.day and known.mark = d.mark
      where d.venue_id = ${venueId} and not d.is_fed
        and (known.day is not null or d.day not between ${span.from} and ${span.to})
      order by d.day for update of d
    )
    update house_day d set is_fed = true from seen where d.venue_id = ${venueId} and d.day = seen.day`;
}

/**
 * Paths of files that are no longer needed. After an unfinished attempt an index may still name them; they stay until
 * the venue is finished.
 */
export async function listGarbage(tx: Tx, now: Temporal.Instant, limit: number): Promise<string[]> {
  const rows = await tx<{ path: string }[]>`
    select path from feed_garbage g
    where remove_after <= ${now} and not exists (
      select from feed_channel c join feed_venue f using (venue_id)
      where c.token = split_part(g.path, '/', 1) and f.attempts > 0)
    order by remove_after limit ${limit}`;
  return rows.map(({ path }) => path);
}

export async function forgetGarbage(tx: Tx, paths: readonly string[]): Promise<void> {
  await tx`delete from feed_garbage where path = any(${paths as string[]}::text[])`;
}

/** How old the oldest index is; null without any. */
export async function findOldestIndex(tx: Tx): Promise<Temporal.Instant | null> {
  const [found] = await tx<{ madeAt: Temporal.Instant | null }[]>`
    select min(made_at) as "madeAt" from feed_channel where is_active`;
  return found?.madeAt ?? null;
}

export interface FeedOfPartner {
  venueId: VenueId;
  venueName: string;
  productId: ProductId;
  productName: string;
  /** Null: there is no feed yet. */
  token: string | null;
  isOwn: boolean;
  isActive: boolean;
  isCurrent: boolean;
  madeAt: string | null;
  changedAt: string | null;
  fileCount: number;
}

/** One for each product that a partner may sell, whether there is a feed of it or not. */
export async function listFeedsOf(
  tx: Tx,
  partnerId: number,
  venueId: VenueId | undefined,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ feeds: FeedOfPartner[]; total: number }> {
  const isWanted = tx`m.partner_id = ${partnerId} and ${venueId === undefined ? tx`true` : tx`p.venue_id = ${venueId}`}`;
  const feeds = await tx<FeedOfPartner[]>`
    select v.id as "venueId", v.name as "venueName", p.id as "productId", p.name as "productName", c.token,
      c.partner_id is not null as "isOwn", coalesce(c.is_active, false) as "isActive",
      c.id is not null and coalesce(f.mark = f.made_mark, false)
        and not exists (select from house_day d where d.venue_id = v.id and not d.is_fed) as "isCurrent",
      ${timestampText(tx, 'c.made_at')} as "madeAt", ${timestampText(tx, 's.changed_at')} as "changedAt",
      coalesce(s.files, 0) as "fileCount"
    from product_mapping m join product p on p.id = m.product_id join venue v on v.id = p.venue_id
    left join feed_venue f on f.venue_id = v.id
    left join lateral (select * from feed_channel
      where product_id = p.id and ${partnerId} = any(reader_ids) limit 1) c on true
    left join lateral (select count(file) as files, max(updated_at) as changed_at
      from feed_shard where channel_id = c.id) s on true
    where ${isWanted} order by p.id limit ${limit} offset ${offset}`;
  const [counted] = await tx<{ total: number }[]>`
    select count(*) as total from product_mapping m join product p on p.id = m.product_id where ${isWanted}`;
  return { feeds: [...feeds], total: counted?.total ?? 0 };
}
