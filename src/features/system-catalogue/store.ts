import { insertAll } from '../../db/bulk-insert.ts';
import { type Fragment, type Tx, timestampText } from '../../db/database.ts';
import type { VenueId } from '../../kernel/ids.ts';
import type { AccountPath, CatalogueRun, Difference, FieldChange } from './schema.ts';

export interface RecordedActor {
  kind: 'client' | 'user';
  id: string;
  name: string;
}

export interface NewRun extends AccountPath {
  id: string;
  kind: CatalogueRun['kind'];
  reviewedRunId: string | null;
  actor: RecordedActor;
}

/** What a node works on. */
export interface ClaimedRun extends NewRun {
  lease: string;
  cursor: string | null;
  isRead: boolean;
  pages: number;
  idlePages: number;
  attempts: number;
}

interface Window {
  limit: number;
  offset: number;
}

const shown = (tx: Tx): Fragment => tx`
  id, kind, state, reviewed_run_id as "reviewedRunId", actor ->> 'name' as "startedBy", pages,
  venues_read as "venuesRead", total, added, changed, withdrawn, unchanged, failed, failure,
  ${timestampText(tx, 'created_at')} as "createdAt", ${timestampText(tx, 'finished_at')} as "finishedAt"`;

/** False where one of the account is running. */
export async function insertRun(tx: Tx, run: NewRun, now: Temporal.Instant): Promise<boolean> {
  const { id, operatorId, tms, kind, reviewedRunId, actor } = run;
  const { count } = await tx`
    insert into catalogue_run (id, operator_id, tms, kind, reviewed_run_id, actor, state, created_at, due_at)
    values (${id}, ${operatorId}, ${tms}, ${kind}, ${reviewedRunId}, ${tx.json(actor as never)}, 'running', ${now}, ${now})
    on conflict (operator_id, tms) where state = 'running' do nothing`;
  return count > 0;
}

export async function findRun(
  tx: Tx,
  { operatorId, tms }: AccountPath,
  id: string,
): Promise<CatalogueRun | undefined> {
  const [run] = await tx<CatalogueRun[]>`
    select ${shown(tx)} from catalogue_run where id = ${id} and operator_id = ${operatorId} and tms = ${tms}`;
  return run;
}

/** The last first. */
export async function listRuns(
  tx: Tx,
  { operatorId, tms }: AccountPath,
  { limit, offset }: Window,
): Promise<{ runs: CatalogueRun[]; total: number }> {
  const isOwn = tx`operator_id = ${operatorId} and tms = ${tms}`;
  const runs = await tx<CatalogueRun[]>`
    select ${shown(tx)} from catalogue_run where ${isOwn} order by created_at desc, id desc
    limit ${limit} offset ${offset}`;
  const [counted] = await tx<[{ total: number }]>`select count(*) as total from catalogue_run where ${isOwn}`;
  return { runs: [...runs], total: counted.total };
}

export async function listDifferences(
  tx: Tx,
  runId: string,
  kind: Difference['kind'] | undefined,
  { limit, offset }: Window,
): Promise<{ differences: Difference[]; total: number }> {
  const isMeant = tx`run_id = ${runId} ${kind === undefined ? tx`` : tx`and kind = ${kind}`}`;
  const differences = await tx<Difference[]>`
    select position, kind, subject, resource_id as "resourceId", product_key as "productKey", name, changes, note,
      is_applied as "isApplied"
    from catalogue_difference where ${isMeant} order by position limit ${limit} offset ${offset}`;
  const [counted] = await tx<[{ total: number }]>`
    select count(*) as total from catalogue_difference where ${isMeant}`;
  return { differences: [...differences], total: counted.total };
}

/** All but the last ones of the account, and the last that was applied: it says that nightly runs are wanted. */
export async function deleteOldRuns(
  tx: Tx,
  { operatorId, tms }: AccountPath,
  mostKept: number,
): Promise<void> {
  const own = tx`select id from catalogue_run where operator_id = ${operatorId} and tms = ${tms}`;
  await tx`
    delete from catalogue_run where operator_id = ${operatorId} and tms = ${tms} and state <> 'running'
      and id not in (${own} order by created_at desc, id desc limit ${mostKept})
      and id not in (${own} and kind = 'apply' and state = 'done' order by created_at desc limit 1)`;
}

/** Accounts whose catalogue was applied once, and not read since `since`, up to this slot of the night. */
export async function listNightly(
  tx: Tx,
  { since, slot, slots }: { since: Temporal.Instant; slot: number; slots: number },
): Promise<AccountPath[]> {
  const accounts = await tx<AccountPath[]>`
    select distinct operator_id as "operatorId", tms from catalogue_run r
    where kind = 'apply' and state = 'done'
      and (hashtext(operator_id || '|' || tms) & 2147483647) % ${slots} <= ${slot}
      and not exists (select from catalogue_run n where n.operator_id = r.operator_id and n.tms = r.tms
        and n.kind = 'nightly' and n.created_at >= ${since})
    order by 1, 2`;
  return [...accounts];
}

/** The one that has waited longest, if there is work to do and no other node has it. */
export async function claimRun(
  tx: Tx,
  lease: string,
  { now, leasedUntil }: { now: Temporal.Instant; leasedUntil: Temporal.Instant },
): Promise<ClaimedRun | undefined> {
  const [claimed] = await tx<ClaimedRun[]>`
    update catalogue_run set lease = ${lease}, leased_until = ${leasedUntil}
    where id = (
      select id from catalogue_run where state = 'running' and due_at <= ${now} and leased_until <= ${now}
      order by due_at, id limit 1 for update skip locked)
    returning id, operator_id as "operatorId", tms, kind, reviewed_run_id as "reviewedRunId", actor, lease, cursor,
      is_read as "isRead", pages, idle_pages as "idlePages", attempts`;
  return claimed;
}

export async function extendLease(tx: Tx, lease: string, leasedUntil: Temporal.Instant): Promise<void> {
  await tx`update catalogue_run set leased_until = ${leasedUntil} where lease = ${lease} and state = 'running'`;
}

/** Gives it back, to be worked on again from then on. */
export async function putOff(
  tx: Tx,
  { id, lease }: Pick<ClaimedRun, 'id' | 'lease'>,
  { dueAt, attempts }: { dueAt: Temporal.Instant; attempts: number },
): Promise<void> {
  await tx`
    update catalogue_run set due_at = ${dueAt}, attempts = ${attempts}, lease = null, leased_until = '-infinity'
    where id = ${id} and lease = ${lease}`;
}

export async function finishRun(
  tx: Tx,
  { id, lease }: Pick<ClaimedRun, 'id' | 'lease'>,
  failure: string | null,
  now: Temporal.Instant,
): Promise<void> {
  await tx`
    update catalogue_run set state = ${failure === null ? 'done' : 'failed'}, failure = ${failure},
      finished_at = ${now}, lease = null, leased_until = '-infinity'
    where id = ${id} and lease = ${lease} and state = 'running'`;
  await tx`delete from catalogue_cursor where run_id = ${id}`;
}

/** The run stays ours until the transaction ends; false: another node has it. */
export async function holdRun(tx: Tx, { id, lease }: Pick<ClaimedRun, 'id' | 'lease'>): Promise<boolean> {
  const held = await tx`
    select from catalogue_run where id = ${id} and lease = ${lease} and state = 'running' for no key update`;
  return held.length > 0;
}

export interface ReadPage {
  next: string | null;
  nextHash: Buffer | null;
  total: number | null;
  isIdle: boolean;
}

/** Goes on to the next page; false: the run has had this cursor before. */
export async function finishPage(tx: Tx, { id }: Pick<ClaimedRun, 'id'>, page: ReadPage): Promise<boolean> {
  const { next, nextHash, total, isIdle } = page;
  if (nextHash !== null) {
    const { count } = await tx`
      insert into catalogue_cursor (run_id, hash) values (${id}, ${nextHash}) on conflict do nothing`;
    if (count === 0) return false;
  }
  await tx`
    update catalogue_run set cursor = ${next}, is_read = ${next === null}, pages = pages + 1, attempts = 0,
      idle_pages = ${isIdle ? tx`idle_pages + 1` : 0}, total = coalesce(${total}, total)
    where id = ${id}`;
  return true;
}

/** False where the run is done with the venue. */
export async function insertVenue(
  tx: Tx,
  runId: string,
  resourceId: string,
  digest: Buffer | null,
): Promise<boolean> {
  const { count } = await tx`
    insert into catalogue_venue (run_id, resource_id, digest) values (${runId}, ${resourceId}, ${digest})
    on conflict do nothing`;
  return count > 0;
}

/** What a run was told of a venue; null: that it is gone, undefined: nothing. */
export async function findDigest(
  tx: Tx,
  runId: string,
  resourceId: string,
): Promise<Buffer | null | undefined> {
  const [found] = await tx<{ digest: Buffer | null }[]>`
    select digest from catalogue_venue where run_id = ${runId} and resource_id = ${resourceId}`;
  return found?.digest;
}

export type NewDifference = Omit<Difference, 'position'>;

/** Adds differences, and counts them. `isVenueRead`: it came in a page. */
export async function noteFindings(
  tx: Tx,
  runId: string,
  differences: readonly NewDifference[],
  { unchanged, isVenueRead }: { unchanged: number; isVenueRead: boolean },
): Promise<void> {
  const countOf = (kind: Difference['kind']) => differences.filter((each) => each.kind === kind).length;
  const [run] = await tx<[{ differences: number }]>`
    update catalogue_run set added = added + ${countOf('added')}, changed = changed + ${countOf('changed')},
      withdrawn = withdrawn + ${countOf('withdrawn')}, failed = failed + ${countOf('failed')},
      unchanged = unchanged + ${unchanged}, venues_read = venues_read + ${isVenueRead ? 1 : 0},
      differences = differences + ${differences.length}
    where id = ${runId} returning differences`;
  const first = run.differences - differences.length + 1;
  await insertAll(
    tx,
    'catalogue_difference',
    differences.map(({ kind, subject, resourceId, productKey, name, changes, note, isApplied }, index) => ({
      run_id: runId,
      position: first + index,
      kind,
      subject,
      resource_id: resourceId,
      product_key: productKey,
      name,
      changes: tx.json(changes satisfies FieldChange[] as never),
      note,
      is_applied: isApplied,
    })),
  );
}

/** Venues of the account with something on sale that the run has not been told of. */
export async function listUnread(
  tx: Tx,
  { id, operatorId, tms }: Pick<ClaimedRun, 'id' | 'operatorId' | 'tms'>,
  limit: number,
): Promise<VenueId[]> {
  const rows = await tx<{ id: VenueId }[]>`
    select v.id from venue v
    where v.operator_id = ${operatorId} and v.tms = ${tms} and ${isOnSale(tx)} and not ${isRead(tx, id)}
    order by v.id limit ${limit}`;
  return rows.map((row) => row.id);
}

export async function countKnown(
  tx: Tx,
  { id, operatorId, tms }: Pick<ClaimedRun, 'id' | 'operatorId' | 'tms'>,
): Promise<{ known: number; unread: number }> {
  const [counted] = await tx<[{ known: number; unread: number }]>`
    select count(*) as known, count(*) filter (where not ${isRead(tx, id)}) as unread
    from venue v where v.operator_id = ${operatorId} and v.tms = ${tms} and ${isOnSale(tx)}`;
  return counted;
}

const isOnSale = (tx: Tx): Fragment =>
  tx`exists (select from product p where p.venue_id = v.id and not p.is_withdrawn)`;
const isRead = (tx: Tx, runId: string): Fragment =>
  tx`exists (select from catalogue_venue c where c.run_id = ${runId} and c.resource_id = v.resource_id)`;

export async function findNextDue(tx: Tx): Promise<Temporal.Instant | null> {
  const [found] = await tx<{ at: Temporal.Instant | null }[]>`
    select min(greatest(due_at, leased_until)) as at from catalogue_run where state = 'running'`;
  return found?.at ?? null;
}

export async function countRuns(tx: Tx): Promise<{ running: number; failed: number }> {
  const [counted] = await tx<[{ running: number; failed: number }]>`
    select count(*) filter (where state = 'running') as running,
      count(*) filter (where state = 'failed' and not exists (select from catalogue_run later
        where later.operator_id = r.operator_id and later.tms = r.tms and later.created_at > r.created_at)) as failed
    from catalogue_run r`;
  return counted;
}
