import { inSnapshot, type Tx } from '../../db/database.ts';
import type { Actor } from '../../http/auth/actor.ts';
import { type PageOf, pageOf, windowOf } from '../../http/validation/paging.ts';
import { invalid, problem } from '../../kernel/problem.ts';
import { lockSubject } from '../audit/service.ts';
import { recordingRuleLosses } from '../availability/service.ts';
import { createPartner } from '../identity/service.ts';
import type { PlatformDeps } from '../operators/service.ts';
import { recordAssociationsEnd } from './associations.ts';
import { recordMembershipsEnd } from './categories.ts';
import { getPartner } from './context.ts';
import type { NewPartner, Partner, PartnerChange, PartnerQuery } from './schema.ts';
import {
  deletePartner,
  hasMappings,
  hasReference,
  hasSold,
  listNames,
  listPartners,
  updatePartner,
} from './store.ts';

export interface Partners {
  list(query: PartnerQuery): Promise<PageOf<Partner>>;
  get(id: number): Promise<Partner>;
  create(actor: Actor, partner: NewPartner): Promise<Partner>;
  change(actor: Actor, id: number, change: PartnerChange, ifMatch: string | undefined): Promise<Partner>;
  remove(actor: Actor, id: number, ifMatch: string | undefined): Promise<void>;
}

/** No two partners get similar names or the same reference while one holds this. */
const ALL = 'partners';
const aboutPartner = (id: number) => ({ operatorId: null, subject: `partner ${id}` });

export function createPartners({ sql, auditLog }: PlatformDeps): Partners {
  return {
    list: (query) =>
      inSnapshot(sql, async (tx) => {
        const { partners, total } = await listPartners(tx, query.name, windowOf(query));
        return pageOf(partners, total, query);
      }),

    get: (id) => getPartner(sql, id),

    create: (actor, { reference, name, isMarketplace = false, allowSimilarName = false }) =>
      auditLog.create({
        actor,
        action: 'partner.create',
        within: ALL,
        async write(tx) {
          if (!allowSimilarName) await assertUnlikeOthers(tx, name, null);
          const { id } = await createPartner(tx, { reference, name });
          if (isMarketplace) await updatePartner(tx, id, { reference, name, isMarketplace });
          return getPartner(tx, id);
        },
        about: ({ id }) => aboutPartner(id),
      }),

    change: (actor, id, { reference, name, isMarketplace, allowSimilarName = false }, ifMatch) =>
      auditLog.change({
        ...aboutPartner(id),
        actor,
        action: 'partner.change',
        ifMatch,
        find: (tx) => getPartner(tx, id),
        async write(tx, before) {
          await lockSubject(tx, ALL);
          if (!allowSimilarName && name !== before.name) await assertUnlikeOthers(tx, name, id);
          if (await hasReference(tx, reference, id)) throw invalid('reference', 'belongs to another partner');
          await updatePartner(tx, id, { reference, name, isMarketplace });
          // Looked at under the lock of the row that was just written: a mapping holds its partner.
          if (isMarketplace !== before.isMarketplace && (await hasMappings(tx, id)))
            throw invalid('isMarketplace', 'cannot change while venues are mapped to the partner');
        },
      }),

    remove: (actor, id, ifMatch) =>
      auditLog.remove({
        ...aboutPartner(id),
        actor,
        action: 'partner.delete',
        ifMatch,
        find: (tx) => getPartner(tx, id),
        async write(tx, before) {
          if (await hasSold(tx, id))
            throw invalid('partnerId', 'has bookings or orders; suspend it at its operators instead');
          if (before.isMarketplace && (await hasMappings(tx, id)))
            throw invalid('partnerId', 'is the marketplace of venues; take them off it first');
          await recordAssociationsEnd(tx, auditLog, actor, id);
          await recordMembershipsEnd(tx, auditLog, actor, id);
          const gone = { list: 'partnerIds', id } as const;
          await recordingRuleLosses(tx, { actor, auditLog, gone }, () => deletePartner(tx, id));
        },
      }),
  };
}

async function assertUnlikeOthers(tx: Tx, name: string, ownId: number | null): Promise<void> {
  const others = (await listNames(tx)).filter(({ id }) => id !== ownId);
  const similar = findSimilar(name, others);
  if (!similar) return;
  throw problem('PMAP-N-014', {
    detail: `Partner ${similar.id} is called ${similar.name}. Send allowSimilarName if this is another one.`,
  });
}

/** Whether two companies are probably one: their names without what says nothing, compared by groups of three letters. */

const SAYS_NOTHING = new Set(
  (
    'the and co company corp corporation inc incorporated limited llc llp ltd ' +
    'plc ab ag aps bv gmbh kg nv oy pty sa sarl sas se spa srl ug'
  ).split(' '),
);

const WORD = /[\p{L}\p{N}]+/gu;
/** Accents become characters of their own, which are no letters. */
const ACCENTS = /\p{M}/gu;
/** Between letters as in S.A. or O'Neill; it separates nothing. */
const DOTS = /[.'’]/g;

/** Letters and digits of what is left; a name of nothing but empty words is what it is. */
export function nameKey(name: string): string {
  const plain = name.normalize('NFKD').replace(ACCENTS, '').replace(DOTS, '').toLowerCase();
  const words = plain.match(WORD) ?? [];
  const significant = words.filter((word) => !SAYS_NOTHING.has(word));
  return (significant.length > 0 ? significant : words).join('') || name.trim();
}

function trigramsOf(key: string): Set<string> {
  const letters = [' ', ' ', ...key, ' '];
  return new Set(letters.slice(2).map((_, index) => letters.slice(index, index + 3).join('')));
}

/** From 0 to 1, as the extension pg_trgm counts: the groups that both have, of those that either has. */
export function likeness(one: string, other: string): number {
  const [left, right] = [trigramsOf(one), trigramsOf(other)];
  const common = left.intersection(right).size;
  return common / (left.size + right.size - common);
}

const SIMILAR = 0.6;

export function findSimilar<Named extends { name: string }>(
  name: string,
  others: readonly Named[],
): Named | undefined {
  const key = nameKey(name);
  return others.find((other) => likeness(key, nameKey(other.name)) >= SIMILAR);
}
