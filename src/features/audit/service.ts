/**
 * Every change under `/manage` goes through here: one transaction reads the current state under a lock, compares it
 * with the version the caller has read, writes the change, and adds an audit entry with the actor.
 */
import { inContestedTransaction, type Sql, type Tx } from '../../db/database.ts';
import { primaryReads, type Reads, readTogether } from '../../db/reads.ts';
import type { Actor } from '../../http/auth/actor.ts';
import { coversState } from '../../http/format/etag.ts';
import { documentTag } from '../../http/manage-route.ts';
import { type PageOf, type PageQuery, pageOf, windowOf } from '../../http/validation/paging.ts';
import { type Clock, nowOf } from '../../kernel/clock.ts';
import { newId } from '../../kernel/crypto.ts';
import { isUuid } from '../../kernel/ids.ts';
import { problem } from '../../kernel/problem.ts';
import type { AuditEntry } from './schema.ts';
import { type EntryFilter, findEntry, insertEntry, listEntries, lockSubject } from './store.ts';

/** What a change is about. */
export interface About {
  /** The operator whose audit log it belongs to; null: the platform's. */
  operatorId: number | null;
  /** Kind and id, such as `venue 1|house|soho-grill`. */
  subject: string;
}

export interface Creation<Document> {
  actor: Actor;
  /** Such as `venue.create`. */
  action: string;
  /** What to lock against other changes, where that matters: `partners`, so that no two get the same name. */
  within?: string;
  write(tx: Tx): Promise<Document>;
  about(created: Document): About;
}

export interface Change<Found extends object | undefined> extends About {
  actor: Actor;
  /** Such as `venue.change`. */
  action: string;
  ifMatch: string | undefined;
  /**
   * The current document, exactly as its own `GET` shows it; read before and after. Where it must exist, this throws
   * the problem for a missing one; undefined: it does not exist, which is allowed.
   */
  find(tx: Tx): Promise<Found>;
  write(tx: Tx, before: Found): Promise<unknown>;
}

export interface Entry extends About {
  actor: Actor | SystemActor;
  action: string;
  before?: unknown;
  after?: unknown;
}

/** The venue's own table management system. */
export interface SystemActor {
  kind: 'system';
  /** Its slug. */
  id: string;
  name: string;
}

export interface AuditLog {
  /** Makes something new and says what it is. */
  create<Document>(creation: Creation<Document>): Promise<Document>;
  /** Changes something and says what it has become. */
  change<Found extends object | undefined>(change: Change<Found>): Promise<NonNullable<Found>>;
  /** Takes something away. */
  remove<Found extends object | undefined>(change: Change<Found>): Promise<void>;
  /** For changes that have a transaction of their own. Secrets and guests do not belong into documents. */
  record(tx: Tx, entry: Entry): Promise<void>;
  list(filter: EntryFilter, page: PageQuery): Promise<PageOf<AuditEntry>>;
  get(filter: Pick<EntryFilter, 'operatorId'>, id: string): Promise<AuditEntry>;
}

export interface AuditLogDeps {
  sql: Sql;
  reads?: Reads;
  clock: Clock;
}

export function createAuditLog({ sql, reads = primaryReads(sql), clock }: AuditLogDeps): AuditLog {
  const record: AuditLog['record'] = (tx, { actor, action, operatorId, subject, before, after }) =>
    insertEntry(tx, {
      id: newId(clock),
      at: nowOf(clock),
      operatorId,
      actor: { kind: actor.kind, id: actor.id, name: actor.name },
      action,
      subject,
      before: before ?? null,
      after: after ?? null,
    });

  async function begin<Found extends object | undefined>(tx: Tx, change: Change<Found>): Promise<Found> {
    await lockSubject(tx, change.subject);
    const before = await change.find(tx);
    assertUnchanged(before, change.ifMatch);
    await change.write(tx, before);
    return before;
  }

  return {
    record,

    create: ({ actor, action, within, write, about }) =>
      inContestedTransaction(sql, async (tx) => {
        if (within !== undefined) await lockSubject(tx, within);
        const after = await write(tx);
        await record(tx, { actor, action, ...about(after), after });
        return after;
      }),

    change: (change) =>
      inContestedTransaction(sql, async (tx) => {
        const before = await begin(tx, change);
        const after = await change.find(tx);
        if (after === undefined) throw new Error(`${change.action} has left nothing of ${change.subject}.`);
        await record(tx, { ...change, before, after });
        return after;
      }),

    remove: (change) =>
      inContestedTransaction(sql, async (tx) => {
        const before = await begin(tx, change);
        await record(tx, { ...change, before });
      }),

    list: (filter, page) =>
      readTogether(reads, async (tx) => {
        const { entries, total } = await listEntries(tx, filter, windowOf(page));
        return pageOf(entries, total, page);
      }),

    async get(filter, id) {
      const entry = isUuid(id) ? await reads.read((on) => findEntry(on, filter, id)) : undefined;
      if (entry) return entry;
      throw problem('HTTP-N-404', { detail: 'There is no such entry in this audit log.' });
    },
  };
}

/** Throws when what is there is not what the caller has read. */
export function assertUnchanged(document: unknown, ifMatch: string | undefined): void {
  if (ifMatch === undefined) return;
  if (document !== undefined && coversState(ifMatch, documentTag(document))) return;
  throw problem('HTTP-N-412', {
    detail: 'It has changed since you read it. Read it again, and decide whether your change still fits.',
  });
}

export type { AuditEntry } from './schema.ts';
/** For what more than one document depends on, such as names that no two of them may have. */
export { lockSubject };
